package chart

import "testing"

// The maximum of eight series all look different.
func TestNoTwoSeriesLookAlike(t *testing.T) {
	looks := barLooks(make([]Series, 8))
	for i, a := range looks {
		for _, b := range looks[:i] {
			if a.fill.Colour == b.fill.Colour && (a.fill.Hatch == nil) == (b.fill.Hatch == nil) {
				t.Errorf("two series are drawn in %v", a.fill)
			}
		}
	}
}
