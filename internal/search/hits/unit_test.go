package hits

import (
	"testing"

	"almanac/internal/stat"
)

// TestOpenUnits checks that a unit which says only that each value has its own is none: labels say which it is, or nothing does.
func TestOpenUnits(t *testing.T) {
	for _, c := range []struct{ prices, stated, unit string }{
		{"preisbereinigt, Kettenindex (2015=100)", "jew. ME", "preisbereinigt, Kettenindex (2015=100)"},
		{"in jeweiligen Preisen (Mrd. EUR)", "jew. ME", "Mrd. EUR"},
		{"Kupfer", "jew. ME", ""},
		{"Copper", "Various units", ""},
		{"Copper", "tonnes", "tonnes"},
	} {
		d := &stat.Dataset{Unit: c.stated, Dimensions: []stat.Dimension{{ID: "VGRPB5", Label: "Preisbasis", Codes: []stat.Code{{ID: "A", Label: c.prices}}}}}
		unit, _ := unitOf(d, []int32{0}, "")
		if unit != c.unit {
			t.Errorf("%s, %s: the unit is %q, want %q", c.prices, c.stated, unit, c.unit)
		}
		s := &series{dataset: d, key: []int32{0}}
		if why := whyNoUnit(s, &Latest{Unit: unit}); (why != "") != (c.unit == "") {
			t.Errorf("%s, %s: %q", c.prices, c.stated, why)
		}
	}
}
