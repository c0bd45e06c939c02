package chart

import (
	"math"
	"slices"

	"almanac/internal/stat"
)

// errOneDot reports a selection with nothing to compare.
var errOneDot = stat.Errorf(stat.Invalid, "a dumbbell compares two periods or several values of a dimension, but the selection has one; give period_from and period_to, or select two values of a dimension")

// betweenPeriods makes a category of each series, and chart series of the first and the
// last period in which most of them have a value that is no forecast. If the caller chose the
// time, forecasts count too.
func (s *Spec) betweenPeriods(w *textInput, periods []int32) error {
	t, lines := w.selection, *s
	if err := lines.alongTime(t, periods); err != nil {
		return err
	}
	lines.findProjections(t, w.updated)
	first, last, err := lines.chooseEnds(t, !t.hasPeriods && !w.options.UntilLast)
	if err != nil {
		return err
	}
	l := s.Words()
	for _, st := range t.series {
		st.deleteValues(func(i int) bool { return st.periods[i] != periods[first] && st.periods[i] != periods[last] })
	}
	if n := len(t.series); n > maxGroups && t.areas && !t.isAsked && t.beyond == nil {
		newFocus(&lines, t).dropOutliers()
	}
	s.chooseRows(&lines, w)
	for _, at := range []int{first, last} {
		series := blankSeries(l.Period(lines.Periods[at]), len(lines.Series), true)
		series.Projected = at >= len(lines.Periods)-lines.Projected
		for i := range lines.Series {
			series.Values[i] = lines.Series[i].Values[at]
			series.Flags[i] = lines.Series[i].Flag(at)
			setNote(&series.Notes, i, lines.Series[i].Notes[at])
		}
		s.Series = append(s.Series, series)
	}
	for i, st := range t.series {
		st.column = i
		c := Category{Label: lines.Series[i].Key}
		if t.areas && len(t.distinctAxes) == 0 {
			c = t.category(st.area)
			c.Segment = st.segment
		}
		s.Categories = append(s.Categories, c)
	}
	s.Period = l.Span(lines.Periods[first], lines.Periods[last])
	t.dateBeyond(lines.Periods[last])
	return nil
}

// rowsBesideDots is how many rows of a dumbbell the legend, the axis and the headings take.
const rowsBesideDots = 5

// chooseRows leaves out areas if there are too many for a dumbbell, as bars do. lines has a series
// for each one of the selection.
func (s *Spec) chooseRows(lines *Spec, w *textInput) {
	t := w.selection
	if t.isAsked && !w.options.IsWithin || !t.areas || len(t.distinctAxes) > 0 || len(t.series) <= s.barRows(smallRow)-rowsBesideDots {
		return
	}
	all := slices.Clone(t.series)
	s.chooseBars(w, s.barRows(comfortableRow)-rowsBesideDots)
	var kept []Series
	for i, st := range all {
		if slices.Contains(t.series, st) {
			kept = append(kept, lines.Series[i])
		}
	}
	lines.Series = kept
}

// chooseEnds chooses the two periods that a dumbbell compares, so that at least one series has
// values in both, and leaves out what cannot be compared.
func (s *Spec) chooseEnds(t *selection, observed bool) (first, last int, err error) {
	n := len(s.Series)
	first, last = s.covered((n+1)/2, observed)
	if s.pairs(first, last) == 0 {
		first, last = s.covered(n, observed)
	}
	if first == last {
		return 0, 0, errOneDot
	}
	if l := s.Words(); s.pairs(first, last) == 0 {
		hint := "give period_from and period_to"
		if t.hasPeriods {
			hint = "give others, or select other series"
		}
		return 0, 0, stat.Errorf(stat.Invalid, "a dumbbell compares two periods, but no series has values in both %s and %s; %s", l.Period(s.Periods[first]), l.Period(s.Periods[last]), hint)
	}
	s.leaveOutUnpaired(t, first, last)
	return first, last, nil
}

// leaveOutUnpaired leaves out the series without a value in both periods, and those without one
// in one of them if the caller selected no areas. Notes name all of them.
func (s *Spec) leaveOutUnpaired(t *selection, first, last int) {
	l := s.Words()
	isOut := map[int]bool{}
	missing := map[int][]string{}
	for i := range s.Series {
		n := 0
		for _, at := range []int{first, last} {
			if math.IsNaN(s.Series[i].Values[at]) {
				if n++; !t.isLeftOut(s.Series[i].Key, s.Periods[at]) {
					missing[at] = append(missing[at], s.Series[i].Key)
				}
			}
		}
		isOut[i] = n == 2 || n == 1 && !t.isAsked
	}
	for _, at := range []int{first, last} {
		if missing[at] != nil {
			t.notes = append(t.notes, l.Text("No values in %s: %s.", l.Period(s.Periods[at]), l.List(missing[at])))
		}
	}
	s.delete(t, isOut)
}

// isLeftOut reports whether a value is not drawn because it is hardly true, which another note says.
func (t *selection) isLeftOut(label string, period stat.Period) bool {
	return slices.ContainsFunc(slices.Concat(t.implausible, t.implausiblyLow, t.lone), func(d datum) bool { return d.label == label && d.period == period })
}

// betweenCodes checks that there are values of a dimension to compare, and names the rows that
// lack some of them in notes.
func (s *Spec) betweenCodes(t *selection) error {
	if len(s.Series) < 2 {
		return errOneDot
	}
	l := s.Words()
	for i := range s.Series {
		var missing []string
		for at, v := range s.Series[i].Values {
			if math.IsNaN(v) {
				missing = append(missing, s.Categories[at].Label)
			}
		}
		if missing != nil {
			t.notes = append(t.notes, l.Text("No values for “%s”: %s.", s.Series[i].Key, l.List(missing)))
		}
	}
	return nil
}

// pairs returns how many series have a value in both of two periods.
func (s *Spec) pairs(first, last int) int {
	n := 0
	for i := range s.Series {
		if v := s.Series[i].Values; !math.IsNaN(v[first]) && !math.IsNaN(v[last]) {
			n++
		}
	}
	return n
}

// covered returns the first and the last period in which at least a number of series have a
// value, or as many as in any period. If observed, forecasts count only if there is nothing
// else to compare.
func (s *Spec) covered(need int, observed bool) (first, last int) {
	counts := make([]int, len(s.Periods))
	for at := range counts {
		for i := range s.Series {
			if !math.IsNaN(s.Series[i].Values[at]) && !(observed && s.IsForecast(&s.Series[i], at)) {
				counts[at]++
			}
		}
	}
	need = max(1, min(need, slices.Max(counts)))
	isCovered := func(n int) bool { return n >= need }
	first, last = slices.IndexFunc(counts, isCovered), len(counts)-1
	for last > 0 && !isCovered(counts[last]) {
		last--
	}
	if first == last && observed {
		return s.covered(need, false)
	}
	return max(first, 0), last
}
