package scale_test

import (
	"slices"
	"testing"

	"almanac/internal/chart/scale"
)

// Ticks of a logarithmic axis are close enough to the values that the axis has no empty
// decade, also where there is space for few of them.
func TestLogAxis(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      []string
	}{
		{95, 58000, 7, []string{"100", "300", "1,000", "3,000", "10,000", "30,000", "100,000"}},
		{95, 58000, 3, []string{"100", "10,000"}},
		{12, 900, 8, []string{"10", "20", "50", "100", "200", "500", "1,000"}},
	} {
		if got := (scale.Extent{Low: c.low, High: c.high, Most: c.most}).LogAxis(); !slices.Equal(got.Labels, c.want) || got.Low > c.low || got.High < c.high {
			t.Errorf("from %v to %v, at most %d: %q from %v to %v", c.low, c.high, c.most, got.Labels, got.Low, got.High)
		}
	}
}
