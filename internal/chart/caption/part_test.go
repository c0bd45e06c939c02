package caption

import (
	"testing"

	"almanac/internal/stat"
)

// A title says which part of the population, or which direction of migration, is drawn if the dataset has no total.
func TestTitlesOfParts(t *testing.T) {
	for _, test := range []struct{ title, dimension, labels, other, want string }{
		{"Population", "marital status", "single", "married", "Population: single"},
		{"Population", "marital status", "single", "Total", "Population"},
		{"Population", "sex", "males", "females", "Population: males"},
		{"Migration", "type", "Inmigrated", "Outmigrated", "In-migration"},
		{"Trade", "flow", "Exports", "Imports", "Trade"},
	} {
		code := func(label string) stat.Code { return stat.Code{ID: label, Label: label} }
		d := &stat.Dataset{Name: test.title, Dimensions: []stat.Dimension{{ID: "d", Label: test.dimension, Codes: []stat.Code{code(test.labels), code(test.other)}}}}
		if c := Of(&Picture{Dataset: d, Key: []int32{0}}); c.Title != test.want {
			t.Errorf("%s by %s, %s and %s: title %q, want %q", test.title, test.dimension, test.labels, test.other, c.Title, test.want)
		}
	}
}

func TestBetterLabels(t *testing.T) {
	code := stat.Code{ID: "ALLINTCC", Label: "All credit card assessed interest"}
	if got, want := Label("frb", "TERMS", code), "Interest rate on credit card plans, accounts assessed interest"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Label("fred", "TERMS", code); got != code.Label {
		t.Errorf("another office: got %q", got)
	}
}
