package chart

import (
	"cmp"
	"slices"

	"almanac/internal/stat"
)

// reduceToSpark keeps one series of a line chart and no text except for Alt: the first in
// focus, or else the first.
func (s *Spec) reduceToSpark() {
	series := s.Series[max(0, slices.IndexFunc(s.Series, func(series Series) bool { return series.Focus }))]
	if s.Periods == nil { // one period, which a line chart shows as bars
		at := slices.IndexFunc(series.Values, func(v float64) bool { return v == v })
		period, _ := stat.ParsePeriod(s.Period)
		s.Periods, series.Values, series.Flags = []stat.Period{period}, series.Values[at:at+1], []stat.Flags{series.Flag(at)}
	}
	series.Focus = false
	*s = Spec{
		Dataset: s.Dataset, Type: Spark, Width: s.Width, Height: s.Height, Locale: s.Locale, Theme: s.Theme, Background: s.Background,
		Name: cmp.Or(s.Title, s.Name), Unit: s.Unit, Periods: s.Periods, Series: []Series{series},
	}
}
