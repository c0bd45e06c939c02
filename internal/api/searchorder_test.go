package api_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// checkOrder checks the first hits of questions: lines of a question and the codes of datasets.
func checkOrder(t *testing.T, base, table string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(table)) {
		question, wanted, _ := strings.Cut(line, "|")
		question = strings.TrimSpace(question)
		want := strings.Fields(wanted)
		var got []string
		for _, h := range find(t, base, "limit=20&q="+url.QueryEscape(question)).Data {
			got = append(got, h.Code)
		}
		if first := strings.Join(got[:min(len(got), len(want))], " "); first != strings.Join(want, " ") {
			t.Errorf("%s: the hits are %v, want first %v", question, got, want)
		}
	}
}

// TestValuesFirst checks that a dataset which has no value of the place or the period comes after one that has it.
func TestValuesFirst(t *testing.T) {
	stattest.SkipUnderRace(t)
	more := filepath.Join("..", "data-more")
	checkOrder(t, searchFiles(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", filepath.Join(more, "destatis-12411-0010/12411-0010.csv")), `
Bevölkerung Deutschland      | SP.POP.TOTL 12411-0010
Bevölkerung Deutschland 2010 | SP.POP.TOTL 12411-0010
Bevölkerung Bayern           | 12411-0010 SP.POP.TOTL
`)
	checkOrder(t, searchFilesOf(t, importer.Options{Country: "US"}, "imf/WEOOct2009all.xls", filepath.Join(more, "fred-unrate/UNRATE.csv")), `
unemployment rate US November 2022 | unrate WEO
unemployment rate US 2008          | WEO unrate
`)
}
