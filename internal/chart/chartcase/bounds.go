package chartcase

import (
	"fmt"
	"math"
	"strings"
)

// bounds sets the bounds of the values of the last series, written "45..49"; "-" is none.
func (s *Case) bounds(words []string) error {
	if len(s.Spec.Series) == 0 {
		return fmt.Errorf("bounds come after a series")
	}
	series := &s.Spec.Series[len(s.Spec.Series)-1]
	for _, word := range words {
		low, high := math.NaN(), math.NaN()
		if word != "-" {
			if _, err := fmt.Sscan(strings.Replace(word, "..", " ", 1), &low, &high); err != nil {
				return fmt.Errorf("bounds %q: %w", word, err)
			}
		}
		series.Low, series.High = append(series.Low, low), append(series.High, high)
	}
	if len(series.Low) != len(series.Values) {
		return fmt.Errorf("series %s has %d bounds for %d values", series.Key, len(series.Low), len(series.Values))
	}
	return nil
}
