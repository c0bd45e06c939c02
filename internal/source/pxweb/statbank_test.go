package pxweb_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay/pxwebtest"
	"almanac/internal/source/sourcetest"
)

// A table of the Statbank comes in parts of at most the office's number of cells.
func TestStatbank(t *testing.T) {
	b := sourcetest.New(t, pxwebtest.Statbank(), source.Office{ID: "dst", Name: "Statistics Denmark", Kind: "statbank", Cells: 4, Country: "DK"}, "/v1")
	entries, err := b.Contents(t, source.Filter{Search: "population"})
	if err != nil || len(entries) != 1 || entries[0].Code != "FOLK1A" || entries[0].Updated.IsZero() {
		t.Fatalf("got %+v, %v, want the table", entries, err)
	}
	o := b.MustImport(t, "folk1a")
	if o.Status != importer.Created || o.Code != "FOLK1A" {
		t.Fatalf("got %+v, want FOLK1A", o)
	}
	if n := len(b.Requests("/data")); n != 2 {
		t.Errorf("got %d requests for data, want 2 parts", n)
	}
	sum, n := 0.0, 0
	for _, value := range b.Values(t, o.ID) {
		sum, n = sum+value, n+1
	}
	if n != 6 || sum != 3*100+3*200+2*(1+2+3) {
		t.Errorf("got %d values with the sum %v: %v", n, sum, b.Values(t, o.ID))
	}
	b.State = source.State{}
	if _, err := b.Fetch(t, "NOPE", nil); err == nil || !strings.Contains(err.Error(), "has no table") {
		t.Errorf("an unknown table: got %v", err)
	}
	if _, err := b.Fetch(t, "FOLK1A?OMRÅDE=999", nil); err == nil || !strings.Contains(err.Error(), `has no value "999"`) {
		t.Errorf("an unknown value: got %v", err)
	}
	if d, err := b.Fetch(t, "FOLK1A?OMRÅDE=084", nil); err != nil || d.Code != "FOLK1A?OMRÅDE=084" || len(d.Data) != 1 {
		t.Errorf("a part: got %+v, %v", d, err)
	}
}
