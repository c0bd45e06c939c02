package chart

import (
	"slices"
	"time"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// maxUpdateLag is how long after the dataset's update a period may begin whose value is no
// projection: the stated time of an update can be older than the file.
const maxUpdateLag = 2 // years

// findProjections sets which values of a chart along time are projections although no flag
// says so: those of periods after the edition of an outlook or, in a dataset that reaches
// years beyond its update, after that.
func (s *Spec) findProjections(t *selection, updated time.Time) {
	if len(s.Periods) == 0 || updated.IsZero() {
		return
	}
	s.EstimatesAhead = defaults.IsForecast(t.dataset, "E")
	end, ok := defaults.EditionEnd(t.dataset, updated)
	if last := s.Periods[len(s.Periods)-1]; !ok && last.Start().After(updated.AddDate(maxUpdateLag, 0, 0)) {
		end, ok = updated, true
	}
	hasForecasts := slices.ContainsFunc(s.Series, func(series Series) bool {
		return slices.ContainsFunc(series.Flags, func(f stat.Flags) bool { return f.Has("F") })
	})
	if !ok || hasForecasts {
		return
	}
	isAhead := func(p stat.Period) bool { return !p.Start().Before(end) }
	if first := slices.IndexFunc(s.Periods, isAhead); first >= 0 {
		s.Projected = len(s.Periods) - first
	}
}

// IsForecast reports whether a value is a forecast or a projection. Provisional values are
// not, nor are estimated ones in most datasets, because they are about the past.
func (s *Spec) IsForecast(series *Series, at int) bool {
	flags := series.Flag(at)
	return flags.Has("F") || series.Projected || s.EstimatesAhead && flags.Has("E") || s.Periods != nil && at >= len(s.Periods)-s.Projected
}

// projectionNotes says how projections look, and which they are if no flag says so.
func (s *Spec) projectionNotes() []string {
	w, isBar := s.Words(), s.Type == Bar
	hasEstimates := s.EstimatesAhead && s.flagged("E", 1) != nil
	switch {
	case s.Projected == 0 && !hasEstimates || s.Type != Line && s.Type != Area && !isBar:
		return nil
	case hasEstimates && isBar:
		return []string{w.Text("Hatched: estimates and projections.")}
	case hasEstimates:
		return []string{w.Text("Dashed: estimates and projections.")}
	}
	span := w.Span(s.Periods[len(s.Periods)-s.Projected], s.Periods[len(s.Periods)-1])
	if isBar {
		return []string{w.Text("Hatched: projections, %s.", span)}
	}
	return []string{w.Text("Dashed: projections, %s.", span)}
}
