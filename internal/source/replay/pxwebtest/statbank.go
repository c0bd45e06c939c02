package pxwebtest

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
