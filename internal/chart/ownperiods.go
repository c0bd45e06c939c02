package chart

import (
	"slices"

	"almanac/internal/stat"
)

// datePeriods records the periods of the values of a chart of categories. If they differ,
// because each area has its own latest value, every category has its own, and Period is
// the span of all; bars name a period that is not that of most.
func (s *Spec) datePeriods(t *selection) {
	used := t.usedPeriods()
	first, last := t.periods[used[0]], t.periods[used[len(used)-1]]
	s.Period = last.String()
	if len(used) == 1 {
		return
	}
	s.Period = s.Words().Span(first, last)
	byColumn := make([][]stat.Period, len(s.Categories))
	for _, st := range t.series {
		p := t.periods[st.periods[len(st.periods)-1]]
		if !slices.Contains(byColumn[st.column], p) {
			byColumn[st.column] = append(byColumn[st.column], p)
		}
	}
	count := map[string]int{}
	for i, periods := range byColumn {
		if slices.SortFunc(periods, stat.Period.Compare); len(periods) == 1 {
			s.Categories[i].Period = periods[0].String()
		} else if len(periods) > 1 {
			s.Categories[i].Period = s.Words().Span(periods[0], periods[len(periods)-1])
		}
		count[s.Categories[i].Period]++
	}
	s.nameExceptions(count)
}

// nameExceptions adds the period to the labels of bars whose period is not the most
// frequent one, and says so in ownPeriod. Maps have no labels.
func (s *Spec) nameExceptions(count map[string]int) {
	usual := ""
	for _, c := range s.Categories { // in order, so that equals give the same choice
		if c.Period != "" && count[c.Period] > count[usual] {
			usual = c.Period
		}
	}
	s.usualPeriod = usual
	for i := range s.Categories {
		if c := &s.Categories[i]; s.Type != Map && c.Period != "" && c.Period != usual {
			c.Label += " (" + c.Period + ")"
		}
	}
}

// ownPeriodNotes says that areas have values of different periods.
func (s *Spec) ownPeriodNotes() []string {
	l := s.Words()
	switch {
	case s.usualPeriod == "":
		return nil
	case s.Type == Map:
		return []string{l.Text("Each area's latest value, from %s.", s.Period)}
	}
	return []string{l.Text("Each area's latest value: of %s, unless stated otherwise.", s.usualPeriod)}
}
