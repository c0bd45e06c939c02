package replay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Statbank replays Statistics Denmark's Statbank with one table of two variables, as public
// code shows the interface: the list, the information on the table, and data as PX for the
// selected values.
func Statbank() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/tables", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`[{"id":"FOLK1A","text":"Population at the first day of the quarter","unit":"Number","updated":"2026-11-11T08:00:00","firstPeriod":"2024K1","latestPeriod":"2024K3","active":true,"variables":["region","time"]}]`))
	})
	mux.HandleFunc("GET /v1/tableinfo/{table}", func(w http.ResponseWriter, r *http.Request) {
		if !strings.EqualFold(r.PathValue("table"), "FOLK1A") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"errorTypeCode":"EXTRACT-NOTFOUND","message":"Tabellen blev ikke fundet"}`))
			return
		}
		_, _ = w.Write([]byte(`{"id":"FOLK1A","text":"Population at the first day of the quarter","updated":"2026-11-11T08:00:00",
"variables":[{"id":"OMRÅDE","text":"region","elimination":true,"time":false,"values":[{"id":"000","text":"All Denmark"},{"id":"084","text":"Region Hovedstaden"}]},
{"id":"Tid","text":"time","elimination":false,"time":true,"values":[{"id":"2024K1","text":"2024Q1"},{"id":"2024K2","text":"2024Q2"},{"id":"2024K3","text":"2024Q3"}]}]}`))
	})
	mux.HandleFunc("POST /v1/data", statbankData)
	return mux
}

// statbankData answers a query with a PX file. The value of an area and a quarter is
// 100 times its area's position plus that of the quarter.
func statbankData(w http.ResponseWriter, r *http.Request) {
	var query struct {
		Table, Format, Lang string
		Variables           []struct {
			Code   string
			Values []string
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&query); err != nil || len(query.Variables) != 2 || query.Format != "PX" {
		http.Error(w, "invalid query", http.StatusBadRequest)
		return
	}
	names := map[string]string{"000": "All Denmark", "084": "Region Hovedstaden"}
	areas, times := query.Variables[0].Values, query.Variables[1].Values
	quoted := func(values []string, label func(string) string) string {
		var texts []string
		for _, value := range values {
			texts = append(texts, `"`+label(value)+`"`)
		}
		return strings.Join(texts, ",")
	}
	same := func(s string) string { return s }
	w.Header().Set("Content-Type", "text/x-pcaxis; charset=utf-8")
	fmt.Fprintf(w, "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2006\";\nCODEPAGE=\"utf-8\";\nLANGUAGE=\"en\";\nMATRIX=\"FOLK1A\";\nSUBJECT-CODE=\"1\";\nSUBJECT-AREA=\"People\";\n"+
		"TITLE=\"Population by region and time\";\nCONTENTS=\"Population\";\nUNITS=\"Number\";\nSTUB=\"region\";\nHEADING=\"time\";\n"+
		"VALUES(\"region\")=%s;\nVALUES(\"time\")=%s;\nTIMEVAL(\"time\")=TLIST(Q1),%s;\nCODES(\"region\")=%s;\nCODES(\"time\")=%s;\nDECIMALS=0;\nSOURCE=\"Statistics Denmark\";\nDATA=\n",
		quoted(areas, func(s string) string { return names[s] }), quoted(times, func(s string) string { return strings.Replace(s, "K", "Q", 1) }),
		quoted(times, func(s string) string { return strings.Replace(s, "K", "", 1) }), quoted(areas, same), quoted(times, same))
	for _, area := range areas {
		for _, at := range times {
			fmt.Fprintf(w, "%d ", 100*(1+strings.Index("000084", area)/3)+int(at[len(at)-1]-'0'))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, ";")
}

// Genesis replays the web service of GENESIS, as public code shows it: a form with the
// token in a header, messages with a status, and a table as flat CSV.
func Genesis(token string, table []byte) http.Handler {
	mux := http.NewServeMux()
	message := func(w http.ResponseWriter, code int, kind, text string) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"Ident": map[string]string{"Service": "data"}, "Status": map[string]any{"Code": code, "Type": kind, "Content": text}})
	}
	mux.HandleFunc("POST /rest/2020/catalogue/tables", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("username") != token {
			message(w, 15, "Fehler", "Der Nutzer "+r.Header.Get("username")+" ist nicht bekannt")
			return
		}
		_, _ = w.Write([]byte(`{"Status":{"Code":0,"Type":"Information","Content":"erfolgreich"},"List":[{"Code":"81000-0001","Content":"VGR des Bundes"},{"Code":"12411-0015","Content":"Bevölkerung: Kreise,\nStichtag"}]}`))
	})
	mux.HandleFunc("POST /rest/2020/data/tablefile", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		switch name := r.PostForm.Get("name"); {
		case r.Header.Get("username") != token:
			message(w, 15, "Fehler", "Der Nutzer "+r.Header.Get("username")+" ist nicht bekannt")
		case name == "12411-0015":
			message(w, 98, "Fehler", "Die Tabelle ist zu groß, um direkt abgerufen zu werden")
		case name == "12411-0018":
			message(w, 99, "Information", "Der Bearbeitungsauftrag wurde erstellt")
		case name != "81000-0001" || r.PostForm.Get("format") != "ffcsv":
			message(w, 104, "Information", "Es gibt keine Objekte zum angegebenen Selektionskriterium")
		default:
			w.Header().Set("Content-Type", "text/csv")
			_, _ = w.Write(table)
		}
	})
	return mux
}
