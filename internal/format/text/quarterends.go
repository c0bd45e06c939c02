package text

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// areQuarterEnds reports whether all texts are months in digits, 2021.03 or 2021-03, that are the
// last ones of quarters, below the heading Period, which does not call them months.
func (f *PeriodFinder) areQuarterEnds(months []stat.Period) bool {
	isOther := func(p foundPeriod) bool {
		return len(p.text) != len("2021.03") || strings.Trim(p.text, "0123456789.-") != ""
	}
	isWithin := func(m stat.Period) bool { return !m.End().Equal(m.In(stat.Quarter).End()) }
	return f.Heading == "Period" && len(f.Choices) == 0 && f.others == 0 &&
		!slices.ContainsFunc(f.found, isOther) && !slices.ContainsFunc(months, isWithin)
}

// mayBeQuarters reports whether all months so far are the last ones of quarters, so that the
// other texts of the column decide what they stand for.
func (f *PeriodFinder) mayBeQuarters() bool {
	var months []stat.Period
	for i := range f.found {
		p, _, err := new(PeriodStyle).read(f.found[i].text, f.found[i].periodForm)
		if err != nil {
			return false
		}
		months = append(months, p)
	}
	return f.areQuarterEnds(months)
}

// First returns the first text that is a period.
func (f *PeriodFinder) First() string {
	if len(f.found) == 0 {
		return ""
	}
	return f.found[0].text
}

// IsOfMonths reports whether the months of the column stand for quarters.
func (s *PeriodStyle) IsOfMonths() bool { return s.isOfMonths }
