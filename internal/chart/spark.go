package chart

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/chart/font"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// newSpark returns the Spec of a sparkline: the most important line of a line chart.
func newSpark(x *stat.Extract, q stat.Query, o Options, updated time.Time) (*Spec, error) {
	width, height := o.Width, o.Height
	o.Type, o.Width, o.Height = Line, DefaultWidth, DefaultHeight
	t, derived, err := readPlausible(x, q, &o)
	if err != nil {
		return nil, err
	}
	t.isSpark = true
	s, err := t.spec(&textInput{selection: t, query: q, options: &o, updated: updated, derived: derived})
	if err != nil {
		return nil, err
	}
	spark := &Spec{
		Dataset: s.Dataset, Type: Spark, Width: width, Height: height, Locale: s.Locale, Theme: s.Theme, Background: s.Background,
		Name: cmp.Or(s.Title, s.Name), Subtitle: s.Subtitle, Edition: s.Edition, Notes: s.Notes, Unit: s.Unit, Counted: s.Counted, Power: s.Power, Periods: s.Periods, Series: s.Series,
		Projected: s.Projected, EstimatesAhead: s.EstimatesAhead, unstated: s.unstated, withoutPanel: s.withoutPanel,
	}
	if spark.unused.Colours = s.unused.Colours; spark.Series[0].Colour == "" {
		spark.unused.Colours = slices.Sorted(maps.Keys(o.Colours))
	}
	return spark, nil
}

// mostImportant returns the index of the series that a sparkline shows: the first in focus or else
// the first; of lines of areas that the caller did not select, the most important area.
func (s *Spec) mostImportant(t *selection) int {
	best := max(0, slices.IndexFunc(s.Series, func(series Series) bool { return series.Focus }))
	if t.isAsked || !t.areas || s.Periods == nil {
		return best
	}
	isEuropean := t.isEuropean(t.areasOf(geo.Country))
	var highest importance
	for i, st := range t.series {
		isDots := len(st.values) <= maxDots && len(s.Periods) > 2*maxDots // which are no line
		if rank := t.importanceOf(st.area, isEuropean); !isDots && rank.compare(highest) > 0 {
			best, highest = i, rank
		}
	}
	return best
}

// importance ranks an area: groups of countries and the whole of parts, the widest first; then the
// office's own country; then the other countries, the largest first, of Europe members of the EU. It is zero for other areas.
type importance struct {
	level  int
	class  geo.GroupClass // of a group
	order  int            // likewise
	weight float64        // of a country
}

func (t *selection) importanceOf(area int32, isEuropean bool) importance {
	f := t.factsOf(area)
	home, _ := geo.HomeOf(t.dataset.Source.ID)
	switch {
	case t.isApart(area) && (f.kind != geo.Group || f.class != geo.SpecialGroup):
		return importance{level: 3, class: f.class, order: f.order}
	case f.alpha != "" && f.alpha == home.Alpha2:
		return importance{level: 2}
	case f.kind == geo.Country:
		return importance{level: 1, weight: weightAmong(f.alpha, isEuropean)}
	}
	return importance{}
}

// compare returns a positive number if an area is more important than another.
func (a importance) compare(b importance) int {
	return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(b.class, a.class), cmp.Compare(b.order, a.order), cmp.Compare(a.weight, b.weight))
}

// keepOne keeps the most important series, the time of its values, and what was left out of them.
func (s *Spec) keepOne(t *selection) {
	i := s.mostImportant(t)
	series, hasValue := s.Series[i], func(v float64) bool { return !math.IsNaN(v) }
	first := slices.IndexFunc(series.Values, hasValue)
	s.withoutPanel = len(t.series) - 1
	series.Focus, series.Low, series.High = false, nil, nil
	s.Series = []Series{series}
	if s.Periods == nil { // one period, which a line chart shows as bars
		value := series.Values[first]
		i = max(0, slices.IndexFunc(t.series, func(st *dataSeries) bool { return st.column == first && st.last() == value }))
		period, _ := stat.ParsePeriod(s.Period)
		series.Colour = cmp.Or(s.Categories[first].Colour, series.Colour)
		s.Type, s.Periods, s.Categories, s.Ordered, t.categoryAxis = Line, []stat.Period{period}, nil, false, nil
		series.Key = t.label(t.series[i], t.shown())
		series.Label = series.Key
		note := series.Notes[first]
		series.Values, series.Flags, series.Notes = series.Values[first:first+1], []stat.Flags{series.Flag(first)}, nil
		setNote(&series.Notes, 0, note)
		s.Series[0] = series
	} else {
		last := len(series.Values) - 1
		for !hasValue(series.Values[last]) {
			last--
		}
		s.Projected = max(0, s.Projected-(len(s.Periods)-1-last))
		s.keepPeriods(first, last)
	}
	name := t.label(t.series[i], t.shown())
	isOther := func(d datum) bool { return d.label != name }
	t.implausible, t.implausiblyLow, t.lone = slices.DeleteFunc(t.implausible, isOther), slices.DeleteFunc(t.implausiblyLow, isOther), nil
	t.firstZeros = slices.DeleteFunc(t.firstZeros, func(z firstZeros) bool { return z.label != name })
	t.series = t.series[i : i+1]
	t.findDistinctAxes()
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
