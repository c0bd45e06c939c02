package caption_test

import (
	"testing"

	"almanac/internal/chart/caption"
)

// TestSameUnit compares units in the words of offices.
func TestSameUnit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"percent", "%", true},
		{"Percentage", "per cent", true},
		{"Annual percent change", "% a year", true},
		{"Percentage of gross domestic product (GDP)", "Percent of GDP", true},
		{"Percentage of active population", "Percent of total labor force", true},
		{"millions of US dollars", "US dollar (millions)", true},
		{"U.S. dollars", "US dollars", true},
		{"live births per woman", "Births  per woman", true},
		{"years", "Years", true},
		{"percent", "Percent of GDP", false},
		{"percent", "Annual percent change", false},
		{"percent", "percentage points", false},
		{"U.S. dollars (Billions)", "US dollar (millions)", false},
		{"US dollars", "current US$", false},
		{"US dollars", "US dollars per euro", false},
		{"Persons (Millions)", "millions", false},
		{"thousands", "", false},
		{"Euro per inhabitant", "Chain linked volumes (2020), euro per inhabitant", false},
	} {
		if got := caption.SameUnit(c.a, c.b); got != c.want || caption.SameUnit(c.b, c.a) != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
