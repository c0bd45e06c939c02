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

// TestPowerBetween finds the power of ten between multiples of a unit.
func TestPowerBetween(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		power  int
		isSame bool
	}{
		{"US dollar (millions)", "U.S. dollars (Billions)", 3, true},
		{"US dollars", "millions of US dollars", 6, true},
		{"percent", "%", 0, true},
		{"thousands", "thousands", 0, true},
		{"thousands", "Millions", 0, false}, // of what is not said
		{"US dollars", "current US$ (millions)", 0, false},
		{"", "thousands", 0, false},
	} {
		power, isSame := caption.PowerBetween(c.a, c.b)
		back, isSameBack := caption.PowerBetween(c.b, c.a)
		if isSame != c.isSame || isSameBack != c.isSame || c.isSame && (power != c.power || back != -c.power) {
			t.Errorf("%q and %q: %d, %v and back %d, %v", c.a, c.b, power, isSame, back, isSameBack)
		}
	}
}

// TestUnitOfMeasure completes units with what a concept says of them.
func TestUnitOfMeasure(t *testing.T) {
	for _, c := range []struct{ unit, concept, want string }{
		{"Number", "population", "persons"},
		{"thousands", "population", "persons (thousands)"},
		{"Persons (Millions)", "population", "persons (millions)"},
		{"percent", "gdp-growth", "% a year"},
		{"deaths under age five per 1,000 live births", "under-five-mortality", "deaths per 1,000 live births"},
		{"", "population", ""},               // is not stated
		{"percent", "population", "percent"}, // of another measure
		{"thousands", "", "thousands"},
		{"percent", "unemployment-rate", "percent"}, // of what is not said
	} {
		if got := caption.UnitOfMeasure(c.unit, c.concept); got != c.want {
			t.Errorf("%q of %q is %q, want %q", c.unit, c.concept, got, c.want)
		}
	}
}
