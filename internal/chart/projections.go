package chart

import (
	"math"
	"slices"
	"time"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// findProjections sets which values of a chart along time are projections although no flag
// says so: those after [defaults.Horizon], which the latest observed period is before too. Bars
// and maps of one such period show projections only.
func (s *Spec) findProjections(t *selection, updated time.Time) {
	if updated.IsZero() {
		return
	}
	if len(s.Periods) == 0 {
		s.findProjectedPeriod(t, updated)
		return
	}
	s.EstimatesAhead = defaults.IsForecast(t.own, "E")
	if !s.hasForecasts() {
		first := int(defaults.Horizon(t.own, s.Periods, updated))
		if s.Projected = len(s.Periods) - first; s.Projected > 0 {
			s.ProjectedFrom = s.Periods[first].String()
		}
	}
}

func (s *Spec) hasForecasts() bool {
	return slices.ContainsFunc(s.Series, func(series Series) bool {
		return slices.ContainsFunc(series.Flags, func(f stat.Flags) bool { return f.Has("F") })
	})
}

// findProjectedPeriod marks all values of bars or of a map whose one period is ahead.
func (s *Spec) findProjectedPeriod(t *selection, updated time.Time) {
	period, err := stat.ParsePeriod(s.Period)
	if err != nil || s.hasForecasts() {
		return
	}
	periods := slices.Clone(t.periods)
	if !slices.Contains(periods, period) {
		periods = append(periods, period)
	}
	slices.SortFunc(periods, stat.Period.Compare)
	horizon := int(defaults.Horizon(t.own, periods, updated))
	if horizon < len(periods) {
		s.ProjectedFrom = periods[horizon].String()
	}
	if slices.Index(periods, period) < horizon {
		return
	}
	for i := range s.Series {
		s.Series[i].Projected = true
	}
}

// projectedNotes names the series whose values are all projections although no flag says so.
func (s *Spec) projectedNotes() []string {
	w := s.Words()
	var names []string
	for _, series := range s.Series {
		if series.Projected {
			names = append(names, series.Label)
		}
	}
	switch len(names) {
	case 0:
		return nil
	case len(s.Series):
		names = []string{w.Text("all values")}
	}
	return []string{w.Text("%s: %s.", w.Text("Forecast"), w.List(names))}
}

// IsForecast reports whether a value is a forecast or a projection. Provisional values are
// not, nor are estimated ones in most datasets, because they are about the past.
func (s *Spec) IsForecast(series *Series, at int) bool {
	flags := series.Flag(at)
	return flags.Has("F") || series.Projected || s.EstimatesAhead && flags.Has("E") || s.Periods != nil && at >= len(s.Periods)-s.Projected
}

// projectionNotes says how projections look, and which they are if no flag says so. Of a file
// without a date, only values after its import are known to be projections, unless all are.
func (s *Spec) projectionNotes(x *textInput) []string {
	if s.Periods == nil {
		return s.projectedNotes()
	}
	w, isBar := s.Words(), s.Type == Bar || s.Type == Area
	hasEstimates := s.EstimatesAhead && s.flagged("E", 1) != nil
	switch {
	case s.Projected == 0 && !hasEstimates || s.Type != Line && s.Type != SmallMultiples && !isBar:
		return nil
	case hasEstimates && isBar:
		return []string{w.Text("Hatched: estimates and projections.")}
	case hasEstimates:
		return []string{w.Text("Dashed: estimates and projections.")}
	}
	span := w.Span(s.Periods[len(s.Periods)-s.Projected], s.Periods[len(s.Periods)-1])
	switch isUndated := x.joined == nil && !defaults.SaysHorizon(x.dataset, x.updated) && s.Projected < len(s.Periods)-1; {
	case isUndated && isBar:
		return []string{w.Text("Hatched: projections, %s. Earlier values may be projections too: the file does not say.", span)}
	case isUndated:
		return []string{w.Text("Dashed: projections, %s. Earlier values may be projections too: the file does not say.", span)}
	case isBar:
		return []string{w.Text("Hatched: projections, %s.", span)}
	}
	return []string{w.Text("Dashed: projections, %s.", span)}
}

// hasValue reports whether any series has a value at a position.
func (s *Spec) hasValue(at int) bool {
	return slices.ContainsFunc(s.Series, func(series Series) bool { return !math.IsNaN(series.Values[at]) })
}

// describeForecasts says for people who cannot see it which values are forecasts: the time from
// the first one on, or the names of bars and areas. It is empty if there are none.
func (s *Spec) describeForecasts() string {
	isAhead := func(at int) bool {
		return slices.ContainsFunc(s.Series, func(series Series) bool {
			return !math.IsNaN(series.Values[at]) && s.IsForecast(&series, at)
		})
	}
	w := s.Words()
	last := len(s.Periods) - 1
	for last > 0 && !s.hasValue(last) { // see Along
		last--
	}
	for at := range s.Periods {
		if isAhead(at) {
			return w.Text("%s: %s.", w.Text("Forecast"), w.Span(s.Periods[at], s.Periods[last]))
		}
	}
	var names []string
	count := 0
	for at, c := range s.Categories {
		if !s.hasValue(at) {
			continue
		}
		if count++; isAhead(at) {
			names = append(names, c.Label)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case count:
		names = []string{w.Text("all values")}
	}
	return w.Text("%s: %s.", w.Text("Forecast"), w.List(names))
}
