package chart

import (
	"math"
	"slices"

	"almanac/internal/stat"
)

// minCover is the part of the usual number of values of a country that one has that an area
// chart chooses. Areas end where one of them has no value, so a short one would blank all.
const minCover = .9

// leaveOutShort takes the countries out of the choice for an area chart that have no value at
// the end, or values of a shorter time than most.
func (f *focus) leaveOutShort() {
	if len(f.plain) == 0 {
		return
	}
	s, end := f.spec, f.spec.CommonEnd()
	var counts []int
	for _, i := range f.plain {
		counts = append(counts, s.Series[i].count())
	}
	slices.Sort(counts)
	least := minCover * float64(counts[len(counts)/2])
	f.plain = slices.DeleteFunc(f.plain, func(i int) bool {
		return float64(s.Series[i].count()) < least || math.IsNaN(s.Series[i].Values[end])
	})
}

// keepSums leaves out the periods before the first and after the last one in which all series
// of an area chart have a value, with a note, because areas on one another have no top there.
func (s *Spec) keepSums(t *selection) error {
	first, last := -1, 0
	for at := range s.Periods {
		if s.isComplete(at) {
			if last = at; first < 0 {
				first = at
			}
		}
	}
	if first < 0 {
		return stat.Errorf(stat.Invalid, "an area chart needs a period in which all series have a value, but these have none in common; select fewer, or draw lines")
	}
	if first == last {
		return stat.Errorf(stat.Invalid, "an area chart needs two periods in which all series have a value, but these have only %s in common; select fewer, or draw lines or bars", s.Periods[first])
	}
	l := s.Words()
	hasEarlier, hasLater := first > 0, last < len(s.Periods)-1
	s.keepPeriods(first, last)
	if hasEarlier {
		t.notes = append(t.notes, l.Text("Values before %s are not drawn.", l.Period(s.Periods[0])))
	}
	if hasLater {
		t.notes = append(t.notes, l.Text("Values after %s are not drawn.", l.Period(s.Periods[len(s.Periods)-1])))
	}
	return nil
}

// isComplete reports whether all series have a value at a position.
func (s *Spec) isComplete(at int) bool {
	return !slices.ContainsFunc(s.Series, func(series Series) bool { return math.IsNaN(series.Values[at]) })
}
