package portal_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// officeFiles are files of offices whose datasets are hard to show. The id of a dataset is its place in the list, from 1.
var officeFiles = []struct{ file, labels string }{
	{"un/WPP2019_Period_Indicators_Medium.csv", ""},        // most periods are forecasts; too many values for a page
	{"eurostat/tsv-old/demo_r_mwk_ts.tsv", "eurostat/dic"}, // weeks with flags; persons, whose unit is a number
	{"statcan/34100158.zip", ""},                           // units in thousands
	{"eurostat/csv/nama_10_gdp_1_Data.csv", ""},            // million euro
	{"ecb/eurofxref-hist.csv", ""},                         // no areas
}

// officeStore returns a store with datasets of [officeFiles].
func officeStore(t testing.TB) *store.Store {
	t.Helper()
	data := stattest.DataDir(t)
	return sharedStore(t, "offices", func(s *store.Store) {
		for i, f := range officeFiles {
			o := importer.Options{Accept: true}
			if f.labels != "" {
				o.Labels = filepath.Join(data, filepath.FromSlash(f.labels))
			}
			im, err := importer.New(s, o)
			if err != nil {
				t.Fatal(err)
			}
			got := im.Import(context.Background(), filepath.Join(data, filepath.FromSlash(f.file)))
			if !slices.ContainsFunc(got, func(r importer.Outcome) bool { return r.ID == i+1 }) {
				t.Fatalf("importing %s: %+v", f.file, got)
			}
		}
	})
}
