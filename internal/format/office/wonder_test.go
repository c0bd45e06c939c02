package office

import (
	"strings"
	"testing"
)

func TestQuery(t *testing.T) {
	const table = "Notes|Census Division|Deaths\n|New England|1308\n---\nDataset: Multiple Cause of Death, 1999-2017\nQuery Parameters:\n" +
		"MCD - ICD-10 Codes: T40.0 (Opium); T40.1 (Heroin);\nT40.6 (Other narcotics)\nYear/Month: 2007; 2008\nGroup By: Year\nShow Totals: True\n---\nHelp: See http://wonder.cdc.gov"
	var rows [][]string
	for line := range strings.SplitSeq(table, "\n") {
		rows = append(rows, strings.Split(line, "|"))
	}
	database, parameters := Page{Rows: rows, IsWhole: true}.Query()
	if want := "MCD - ICD-10 Codes: T40.0 (Opium); T40.1 (Heroin); T40.6 (Other narcotics)\nYear/Month: 2007; 2008"; database != "Multiple Cause of Death, 1999-2017" || parameters != want {
		t.Errorf("got %q, %q", database, parameters)
	}
	if database, parameters := (Page{Rows: rows[:2], IsWhole: true}).Query(); database != "" || parameters != "" {
		t.Errorf("another table has %q, %q", database, parameters)
	}
}
