package jsonstat

import "testing"

// Labels of derived values say their unit once.
func TestDerivedLabel(t *testing.T) {
	for _, c := range []struct{ label, unit, want string }{
		{"Million euro", "% change on previous year", "Million euro: % change on previous year"},
		{"Million euro", "Million euro per inhabitant", "Million euro per inhabitant"},
		{"Total", "2015 = 100", "Total: 2015 = 100"},
		{"Total", "", "Total"},
	} {
		if got := derivedLabel(c.label, c.unit); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.label, c.unit, got, c.want)
		}
	}
}
