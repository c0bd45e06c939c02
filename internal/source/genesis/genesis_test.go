package genesis_test

import (
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
	server := replay.Serve(replay.Genesis(token, []byte("Statistik_Code;x\n1;2\n")))
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
