package genesis_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
)

// GENESIS needs a token, which is sent in a header, and answers with messages.
func TestFetch(t *testing.T) {
	const token = "0123456789abcdef0123456789abcdef"
	server := replay.Serve(replayGenesis(token, []byte("Statistik_Code;x\n1;2\n")))
	defer server.Close()
	row := source.Office{ID: "destatis", Name: "Destatis", Kind: "genesis", Address: server.URL + "/rest/2020", Key: &source.Key{Header: "username", From: "https://www-genesis.destatis.de"}}
	without := sourcetest.NewOf(t, server, row)
	if _, err := without.Fetch(t, "81000-0001", nil); err == nil || !strings.Contains(err.Error(), "get one at https://www-genesis.destatis.de, and set ALMANAC_KEY_DESTATIS") {
		t.Errorf("without a key: got %v", err)
	}
	b := sourcetest.NewOf(t, server, row, fetch.Secret{Address: row.Address, Header: "username", Value: token})
	entries, err := b.Contents(t, source.Filter{Search: "kreise"})
	if err != nil || len(entries) != 1 || entries[0].Title != "Bevölkerung: Kreise, Stichtag" {
		t.Fatalf("got %+v, %v, want a table", entries, err)
	}
	d, err := b.Fetch(t, "81000-0001", nil)
	if err != nil || len(d.Data) != 1 {
		t.Fatalf("got %+v, %v, want a file", d, err)
	}
	b.State = d.State
	if d, err := b.Fetch(t, "81000-0001", nil); err != nil || !d.Unchanged {
		t.Errorf("without a change: got %+v, %v", d, err)
	}
	for code, message := range map[string]string{
		"99999-0001": "has no dataset 99999-0001", "12411-0015": "fetch a part of it, such as destatis:12411-0015?startyear=2015, or use an account with its password: Die Tabelle ist zu groß", "nothing": "must look like",
	} {
		if _, err := b.Fetch(t, code, nil); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %s", code, err, message)
		}
	}
	wrong := sourcetest.NewOf(t, server, row, fetch.Secret{Address: row.Address, Header: "username", Value: "not-the-token"})
	if _, err := wrong.Fetch(t, "81000-0001", nil); err == nil || !strings.Contains(err.Error(), "refused the request: Bitte prüfen") || strings.Contains(err.Error(), "not-the-token") {
		t.Errorf("with a wrong token: got %v", err)
	}
	account := sourcetest.NewOf(t, server, row, fetch.Secret{Address: row.Address, Header: "username", Value: token}, fetch.Secret{Address: row.Address, Header: "password", Value: "correct horse"})
	if d, err := account.Fetch(t, "12411-0015", nil); err != nil || len(d.Data) != 1 {
		t.Errorf("an ordered table: got %+v, %v, want a file", d, err)
	}
	if n := len(server.Requests("/profile/removeResult")); n != 1 {
		t.Errorf("the result was removed %d times, want once", n)
	}
}

// replayGenesis replays the web service of GENESIS, as public code shows it: a form with the
// token in a header, messages with a status, and a table as flat CSV. 12411-0015 is too large
// and must be ordered, by an account with a password.
func replayGenesis(token string, table []byte) http.Handler {
	mux := http.NewServeMux()
	polls := 0
	message := func(code int, kind, text string) []byte {
		body, _ := json.Marshal(map[string]any{"Ident": map[string]string{"Service": "data"}, "Status": map[string]any{"Code": code, "Type": kind, "Content": text}})
		return body
	}
	answers := map[string]func(r *http.Request) []byte{
		"catalogue/tables": func(*http.Request) []byte {
			return []byte(`{"Status":{"Code":0,"Type":"Information","Content":"erfolgreich"},"List":[{"Code":"81000-0001","Content":"VGR des Bundes"},{"Code":"12411-0015","Content":"Bevölkerung: Kreise,\nStichtag"}]}`)
		},
		"data/tablefile": func(r *http.Request) []byte {
			name := r.FormValue("name")
			switch isOrder := r.FormValue("job") == "true"; {
			case name == "12411-0015" && isOrder && r.Header.Get("password") != "":
				return message(99, "Information", "Der Bearbeitungsauftrag wurde erstellt. Die Tabelle kann in Kürze als Ergebnis mit folgendem Namen abgerufen werden: 12411-0015_001597503")
			case name == "12411-0015" && isOrder:
				return []byte(`{"Code":15,"Type":"ERROR","Content":"Sie sind nicht berechtigt"}`)
			case name == "12411-0015":
				return message(98, "Fehler", "Die Tabelle ist zu groß, um direkt abgerufen zu werden")
			case name != "81000-0001" || r.FormValue("format") != "ffcsv":
				return message(104, "Information", "Es gibt keine Objekte zum angegebenen Selektionskriterium")
			}
			return table
		},
		"data/resultfile": func(r *http.Request) []byte {
			if polls++; polls < 4 || r.FormValue("name") != "12411-0015_001597503" {
				return message(104, "Information", "Es gibt keine Objekte zum angegebenen Selektionskriterium")
			}
			return table
		},
		"profile/removeResult": func(*http.Request) []byte {
			polls = 0
			return message(0, "Information", "erfolgreich")
		},
	}
	mux.HandleFunc("POST /rest/2020/{service}/{method}", func(w http.ResponseWriter, r *http.Request) {
		answer := answers[r.PathValue("service")+"/"+r.PathValue("method")]
		if r.Header.Get("username") != token {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"Code":2,"Type":"ERROR","Content":"Bitte prüfen und korrigieren Sie Ihren Nutzernamen ` + r.Header.Get("username") + `"}`))
			return
		}
		_, _ = w.Write(answer(r))
	})
	return mux
}
