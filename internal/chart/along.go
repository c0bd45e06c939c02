package chart

import (
	"math"

	"almanac/internal/stat"
)

// Along returns a copy of a Spec along time whose time axis begins with one period and ends with another, so that several charts share their
// axis. Both have the frequency of its own periods, and are not within them. What the texts say does not change.
func (s *Spec) Along(first, last stat.Period) *Spec {
	c := *s
	before, after := first.Compare(s.Periods[0]) < 0, last.Compare(s.Periods[len(s.Periods)-1]) > 0
	c.Periods = lengthened(s.Periods, before, after, first, last)
	c.Series = nil
	for _, series := range s.Series {
		series.Values = lengthened(series.Values, before, after, math.NaN(), math.NaN())
		if series.Flags != nil {
			series.Flags = lengthened(series.Flags, before, after, "", "")
		}
		if series.Low != nil {
			series.Low, series.High = lengthened(series.Low, before, after, math.NaN(), math.NaN()), lengthened(series.High, before, after, math.NaN(), math.NaN())
		}
		if notes := series.Notes; notes != nil && before {
			series.Notes = nil
			for at, note := range notes {
				setNote(&series.Notes, at+1, note)
			}
		}
		c.Series = append(c.Series, series)
	}
	if after && s.Projected > 0 {
		c.Projected++
	}
	return &c
}

// lengthened returns a copy of a list with one element more before it, or after it.
func lengthened[L ~[]E, E any](list L, before, after bool, first, last E) (long L) {
	if before {
		long = append(long, first)
	}
	long = append(long, list...)
	if after {
		long = append(long, last)
	}
	return long
}
