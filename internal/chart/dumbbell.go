package chart

import (
	"math"

	"almanac/internal/stat"
)

// errOneDot reports a selection with nothing to compare.
var errOneDot = stat.Errorf(stat.Invalid, "a dumbbell compares two periods or several values of a dimension, but the selection has one; give period_from and period_to, or select two values of a dimension")

// betweenPeriods makes a category of each series, and chart series of the first and the
// last period in which most of them have a value.
func (s *Spec) betweenPeriods(t *selection, periods []int32) error {
	lines := *s
	if err := lines.alongTime(t, periods); err != nil {
		return err
	}
	first, last := lines.covered()
	if first == last {
		return errOneDot
	}
	l := s.Words()
	for _, at := range []int{first, last} {
		series := blankSeries(l.Period(lines.Periods[at]), len(lines.Series), true)
		for i := range lines.Series {
			series.Values[i] = lines.Series[i].Values[at]
			series.Flags[i] = lines.Series[i].Flag(at)
		}
		s.Series = append(s.Series, series)
	}
	for i, st := range t.series {
		st.column = i
		c := Category{Label: lines.Series[i].Key}
		if t.areas && len(t.distinctAxes) == 0 {
			c = t.category(st.area)
		}
		s.Categories = append(s.Categories, c)
	}
	s.Period = l.Span(lines.Periods[first], lines.Periods[last])
	return nil
}

// covered returns the first and the last period in which at least half of the series have
// a value.
func (s *Spec) covered() (first, last int) {
	first, last = -1, s.CommonEnd()
	for at := range s.Periods {
		n := 0
		for i := range s.Series {
			if !math.IsNaN(s.Series[i].Values[at]) {
				n++
			}
		}
		if first < 0 && 2*n >= len(s.Series) {
			first = at
		}
	}
	return max(first, 0), last
}
