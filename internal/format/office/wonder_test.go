package office

import (
	"strings"
	"testing"
)

func TestQuery(t *testing.T) {
	const table = "Notes|Census Division|Deaths\n|New England|1308\n---\nDataset: Multiple Cause of Death, 1999-2017\nQuery Parameters:\n" +
		"MCD - ICD-10 Codes: T40.0 (Opium); T40.1 (Heroin);\nT40.6 (Other narcotics)\nYear/Month: 2007; 2008\nGroup By: Year\nShow Totals: True\n" +
		"Calculate Rates Per: 100,000\n---\nHelp: See http://wonder.cdc.gov"
	var rows [][]string
	for line := range strings.SplitSeq(table, "\n") {
		rows = append(rows, strings.Split(line, "|"))
	}
	q := Page{Rows: rows, IsWhole: true}.Query()
	if want := "MCD - ICD-10 Codes: T40.0 (Opium); T40.1 (Heroin); T40.6 (Other narcotics)\nYear/Month: 2007; 2008"; q.Database != "Multiple Cause of Death, 1999-2017" || q.Parameters != want {
		t.Errorf("got %q", q)
	}
	if rate, other := q.Unit("Crude Rate"), q.Unit("Deaths"); rate != "per 100,000" || other != "" {
		t.Errorf("the unit of rates is %q, and that of deaths %q", rate, other)
	}
	if !q.Quotes("Help: See http://wonder.cdc.gov") || q.Quotes("Caveats:") {
		t.Error("the caveats are not known from the query")
	}
	if q := (Page{Rows: rows[:2], IsWhole: true}).Query(); q != (Query{}) || q.Quotes("Caveats follow") || q.Unit("Crude Rate") != "" {
		t.Errorf("another table has %q", q)
	}
}
