package bartable

import (
	"testing"

	"almanac/internal/chart"
)

// The maximum of eight series all look different.
func TestNoTwoSeriesLookAlike(t *testing.T) {
	looks := looksOf(make([]chart.Series, 8))
	for i, a := range looks {
		for _, b := range looks[:i] {
			if a.Fill.Colour == b.Fill.Colour && (a.Fill.Hatch == nil) == (b.Fill.Hatch == nil) {
				t.Errorf("two series are drawn in %v", a.Fill)
			}
		}
	}
}
