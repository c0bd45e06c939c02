package chart

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/chart/font"
	"almanac/internal/stat"
)

// newSpark returns the Spec of a sparkline: the most important line of a line chart.
func newSpark(x *stat.Extract, q stat.Query, o Options, updated time.Time) (*Spec, error) {
	width, height := o.Width, o.Height
	o.Type, o.Width, o.Height = Line, DefaultWidth, DefaultHeight
	t, derived, err := read(x, q, &o)
	if err != nil {
		return nil, err
	}
	s, err := t.spec(&textInput{selection: t, query: q, options: &o, updated: updated, derived: derived, onlyTitle: true})
	if err != nil {
		return nil, err
	}
	s.Width, s.Height = width, height
	spark := s.reducedToSpark()
	if spark.unused.Colours = s.unused.Colours; spark.Series[0].Colour == "" {
		spark.unused.Colours = slices.Sorted(maps.Keys(o.Colours))
	}
	return spark, nil
}

// reducedToSpark keeps one series, the first in focus or else the first, and no text
// except for Alt.
func (s *Spec) reducedToSpark() *Spec {
	series := s.Series[max(0, slices.IndexFunc(s.Series, func(series Series) bool { return series.Focus }))]
	if s.Periods == nil { // one period, which a line chart shows as bars
		at := slices.IndexFunc(series.Values, func(v float64) bool { return !math.IsNaN(v) })
		period, _ := stat.ParsePeriod(s.Period)
		s.Periods, series.Values, series.Flags = []stat.Period{period}, series.Values[at:at+1], []stat.Flags{series.Flag(at)}
	}
	series.Focus = false
	return &Spec{
		Dataset: s.Dataset, Type: Spark, Width: s.Width, Height: s.Height, Locale: s.Locale, Theme: s.Theme, Background: s.Background,
		Name: cmp.Or(s.Title, s.Name), Unit: s.Unit, Counted: s.Counted, Power: s.Power, Periods: s.Periods, Series: []Series{series},
		Projected: s.Projected, EstimatesAhead: s.EstimatesAhead, unstated: s.unstated,
	}
}

// Redrawn returns a copy of a sparkline with the size, the colours and the title of other options.
func (s *Spec) Redrawn(o *Options) *Spec {
	c := *s
	c.Width, c.Height, c.Theme, c.Background = o.Width, o.Height, o.Theme, o.Background
	if title := strings.TrimSpace(o.Title); font.Clean(title) != "" {
		c.Name = title
	}
	return &c
}
