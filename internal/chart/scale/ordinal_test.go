package scale

import (
	"testing"

	"almanac/internal/stat"
)

func TestNthPeriodInvertsOrdinal(t *testing.T) {
	for _, f := range []stat.Frequency{stat.Annual, stat.HalfYear, stat.Quarter, stat.Month, stat.Week, stat.Day} {
		for _, year := range []int{1931, 1969, 1970, 2020, 2021} {
			for n := 1; n < 3; n++ {
				p := stat.NewPeriod(f, year, n)
				if p.IsZero() {
					continue
				}
				if got := NthPeriod(f, Ordinal(f, p.StartDay())); got != p {
					t.Errorf("nthPeriod(ordinal(%s)) = %s", p, got)
				}
			}
		}
	}
}
