package chart

import (
	"math"
	"slices"
)

// Limits of grey lines. Nobody can follow one of many that go up and down, and they hide those
// in colour; calm ones show how values are distributed.
const (
	minCrowd   = 15  // lines; fewer can be followed
	maxUnrest  = 16  // of all grey lines: see isCrowd
	minSlab    = 200 // lines, of whose values the middle four fifths are in a small part of the axis
	maxSlab    = .15 // of the axis
	crowdFocus = 6   // lines in colour that replace a crowd; more would be one
)

// isCrowd reports whether the lines that are not in focus go up and down too much. The
// unrest of a line is how far it moves, beyond the distance from its lowest to its highest
// value, in heights of the plot.
func (f *focus) isCrowd() bool {
	series := f.selection.series
	low, high, unrest, grey := 0.0, 0.0, 0.0, 0
	for _, st := range series {
		low, high = min(low, slices.Min(st.values)), max(high, slices.Max(st.values))
	}
	for i, st := range series {
		if f.spec.Series[i].Focus {
			continue
		}
		grey++
		for k := range st.values[1:] {
			unrest += math.Abs(st.values[k+1] - st.values[k])
		}
		unrest -= slices.Max(st.values) - slices.Min(st.values)
	}
	return grey > minCrowd && unrest > maxUnrest*(high-low)
}

// isSlab reports whether the lines that are not in focus hide each other, because hundreds are in a
// small part of the axis all the time: the populations of all districts.
func (f *focus) isSlab() bool {
	var grey, all []float64
	lines := 0
	for i, st := range f.selection.series {
		all = append(all, st.values...)
		if !f.spec.Series[i].Focus {
			grey = append(grey, st.values...)
			lines++
		}
	}
	if lines < minSlab {
		return false
	}
	slices.Sort(grey)
	axis := slices.Max(all) - min(0, slices.Min(all))
	return quantile(grey, .9)-quantile(grey, .1) < maxSlab*axis
}

// leaveOutCrowd leaves out the grey lines, with a note that counts them and the given number
// of series that are out already. In colour are large countries,
// because the highest and the lowest of lines that cross often change from period to period.
func (f *focus) leaveOutCrowd(others int) {
	t := f.selection
	if t.whole == nil && t.areas {
		f.chooseLargest(crowdFocus - len(f.apart) - len(f.home))
	}
	if len(f.largest) == 0 {
		f.chooseExtremes()
	}
	f.leaveOutGrey(others)
}

// leaveOutGrey leaves out the lines that are not in focus.
func (f *focus) leaveOutGrey(others int) {
	s, t := f.spec, f.selection
	isOut := map[int]bool{}
	for i := range s.Series {
		if !s.Series[i].Focus {
			isOut[i] = true
			others++
		}
	}
	s.Undrawn = others
	t.notes = append(t.notes, s.Words().Text("Not drawn: %s others, whose lines would hide each other.", others))
	s.delete(t, isOut)
	s.trimPeriods()
}

// maxEarly is the share of values that are left out if they are in the first half of the
// time.
const maxEarly = .05 // of all values

// leaveOutEarly leaves out the few values that are long before all others, with a note: the
// year 1 of a table that is complete since 1850.
func (s *Spec) leaveOutEarly(t *selection) {
	var all []int
	for i := range s.Series {
		for at, v := range s.Series[i].Values {
			if !math.IsNaN(v) {
				all = append(all, at)
			}
		}
	}
	slices.Sort(all)
	day := func(at int) int32 { return s.Periods[at].StartDay() }
	start, last := all[int(maxEarly*float64(len(all)))], all[len(all)-1]
	if 2*(day(start)-day(all[0])) <= day(last)-day(all[0]) {
		return
	}
	s.keepPeriods(start, last)
	isOut := map[int]bool{}
	for i := range s.Series {
		isOut[i] = s.Series[i].count() == 0
	}
	s.delete(t, isOut)
	t.notes = append(t.notes, s.Words().Text("Values before %s are not drawn.", s.Words().Period(s.Periods[0])))
}

// trimPeriods removes the periods before the first value and after the last one.
func (s *Spec) trimPeriods() {
	first, last := len(s.Periods), 0
	for i := range s.Series {
		for at, v := range s.Series[i].Values {
			if !math.IsNaN(v) {
				first, last = min(first, at), max(last, at)
			}
		}
	}
	s.keepPeriods(first, last)
}

// keepPeriods removes all periods but those from first to last.
func (s *Spec) keepPeriods(first, last int) {
	s.Periods = s.Periods[first : last+1]
	for i := range s.Series {
		series := &s.Series[i]
		series.Values = series.Values[first : last+1]
		if series.Flags != nil {
			series.Flags = series.Flags[first : last+1]
		}
		notes := series.Notes
		series.Notes = nil
		for at, note := range notes {
			if first <= at && at <= last {
				setNote(&series.Notes, at-first, note)
			}
		}
	}
}
