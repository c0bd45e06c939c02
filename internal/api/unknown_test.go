package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// The name of a dimension, as files of the data have it, leads to its parameter.
func TestUnknownParameters(t *testing.T) {
	s := newStore(t)
	load(t, s, "accounts.json", strings.NewReader(accounts))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1"
	for address, want := range map[string]string{
		"/data?item=T":           `unknown parameter \"item\"; dimension item of dataset 1 is selected with dim1`,
		"/data.csv?GEO=FR":       `dimension geo of dataset 1 is selected with country`,
		"/latest?Area=FR":        `is selected with country`,
		"/chart.svg?item=T":      `dimension item of dataset 1 is selected with dim1`,
		"/revisions?item=T":      `dimension item of dataset 1 is selected with dim1`,
		"/data?period=2015-2020": `(from one period to another: period_from=2015&period_to=2020)`,
		"/meta?item=T":           `unknown parameter \"item\"`,
		"/data?time=2020":        `(did you mean period?)`,
		"/data?itm=T":            `a dimension is named by its place`,
		"/data?wide=area":        `wide is an option of CSV, XLSX`,
		"/availability?last_n=1": `unknown parameter \"last_n\"`,
		"/revisions?last_n=1":    `unknown parameter \"last_n\"`,
	} {
		if got := ask(t, "GET", base+address); got.StatusCode != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s, want %s", address, got.StatusCode, got.body, want)
		}
	}
}
