package transform_test

import (
	"testing"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// TestUnitPerCapita: the unit of the office's values can be read from that of the derived ones, also if it states none.
func TestUnitPerCapita(t *testing.T) {
	l, per := words.In(""), transform.Transform{Kind: transform.PerCapita}
	for _, c := range []struct{ unit, want string }{
		{"", "Value per inhabitant"},
		{"Million euro", "Million euro per inhabitant"},
	} {
		got := per.Unit(c.unit, stat.Annual, l)
		if back := per.Stated(got, stat.Annual, l); got != c.want || back != c.unit {
			t.Errorf("the unit of %q is %q, which is of %q; want %q", c.unit, got, back, c.want)
		}
	}
}
