package bartable

import (
	"testing"

	"almanac/internal/chart/scale"
)

// An axis of dots that have all the same value has space on both sides of it.
func TestAxisOfEqualDots(t *testing.T) {
	for _, v := range []float64{-2, 0, 4, 1e12} {
		table := &Table{Dots: true, Low: v, High: v, largest: max(v, -v, 1)}
		ticks, ends := table.Axis(8, scale.Unit{})
		if len(ticks.Values) < 2 || ends[0] >= ends[1] || v < ends[0] || v > ends[1] {
			t.Errorf("%v: axis %v, from %v to %v", v, ticks.Labels, ends[0], ends[1])
		}
	}
}
