package chart

import (
	"slices"

	"almanac/internal/stat"
)

// preferred are the frequencies in the order in which one of several is drawn.
var preferred = [...]stat.Frequency{stat.Month, stat.Quarter, stat.Annual, stat.HalfYear, stat.Week, stat.Day}

// keepOneFrequency leaves out the years and quarters of series that also have months, and
// the like: they show the same once more. A series without the other frequency stays.
func (t *selection) keepOneFrequency() {
	kept := t.mainFrequency()
	if kept == 0 {
		return
	}
	hasKept := map[string]bool{}
	for _, s := range t.series {
		if s.frequency == kept {
			hasKept[s.place()] = true
		}
	}
	t.series = slices.DeleteFunc(t.series, func(s *dataSeries) bool {
		isOther := s.frequency != kept && hasKept[s.place()]
		if isOther && !slices.Contains(t.otherFrequencies, s.frequency) {
			t.otherFrequencies = append(t.otherFrequencies, s.frequency)
		}
		return isOther
	})
}

// mainFrequency returns the first of the preferred frequencies that half as many series
// have as any other, and that covers half of the time from the first value to the last. It
// returns 0 if there is one frequency, or none does.
func (t *selection) mainFrequency() stat.Frequency {
	type coverage struct {
		series      int
		first, last int32 // days
	}
	byFrequency := map[stat.Frequency]coverage{}
	var all coverage
	most := 0
	extend := func(c coverage, s *dataSeries) coverage {
		first, last := t.periods[s.periods[0]].StartDay(), t.periods[s.periods[len(s.periods)-1]].StartDay()
		if c.series == 0 {
			return coverage{1, first, last}
		}
		return coverage{c.series + 1, min(c.first, first), max(c.last, last)}
	}
	for _, s := range t.series {
		byFrequency[s.frequency], all = extend(byFrequency[s.frequency], s), extend(all, s)
		most = max(most, byFrequency[s.frequency].series)
	}
	if len(byFrequency) < 2 {
		return 0
	}
	for _, f := range preferred {
		if c := byFrequency[f]; 2*c.series >= most && 2*(c.last-c.first) >= all.last-all.first {
			return f
		}
	}
	return 0
}

// OtherFrequencies returns the frequencies that a Spec made by New leaves out, because the
// same series have the one that is drawn.
func (s *Spec) OtherFrequencies() []stat.Frequency { return s.otherFrequencies }
