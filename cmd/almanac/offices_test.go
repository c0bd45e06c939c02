package main

import (
	"testing"

	"almanac/internal/format/office"
	"almanac/internal/source/fetch"
	"almanac/internal/source/sourcetest"
)

// Datasets that are fetched from an office's server have the same source as the
// office's files, and its ID is the one that references begin with.
func TestOfficesAreSources(t *testing.T) {
	others := map[string]string{ // further servers of an office
		"ecb-rates": "ecb", "bis-bulk": "bis", "stats-swiss": "bfs", "un-wpp": "unpd", "dbnomics": "dbnomics",
		"faostat": "fao", "fred-api": "fred", "un-sdg": "unsd", "ilo-bulk": "ilo", "imf-datamapper": "imf",
	}
	for _, o := range sourcetest.NewTable(t, fetch.Options{}).Offices() {
		want := o.ID
		if other, ok := others[o.ID]; ok {
			want = other
		}
		if is := office.Find(o.Name).ID; is != want {
			t.Errorf("datasets of %s (%s) have the source %q, want %q", o.ID, o.Name, is, want)
		}
	}
}
