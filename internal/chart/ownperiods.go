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

// hasOwnPeriods reports whether the categories differ in the period of their values.
func (s *Spec) hasOwnPeriods() bool {
	return slices.ContainsFunc(s.Categories, func(c Category) bool { return c.Period != "" })
}

// OlderAreas returns which categories of a map have a value of an earlier period than most
// others, and how many they are: none if all values are of one period. Groups of countries and
// areas without an outline do not count.
func (s *Spec) OlderAreas() (isOlder []bool, n int) {
	periods := make([]stat.Period, len(s.Categories))
	count := map[stat.Period]int{}
	for i := range s.Categories {
		c := &s.Categories[i]
		if c.Period == "" || c.Group || !s.isOnMap(c) {
			continue
		}
		if p, err := stat.ParsePeriod(c.Period); err == nil {
			periods[i] = p
			count[p]++
		}
	}
	usual := stat.Period{}
	for p, n := range count {
		if n > count[usual] || n == count[usual] && p.Compare(usual) > 0 {
			usual = p
		}
	}
	isOlder = make([]bool, len(periods))
	for i, p := range periods {
		if isOlder[i] = !p.IsZero() && p.Compare(usual) < 0; isOlder[i] {
			n++
		}
	}
	return isOlder, n
}

// mapPeriodNote says of which periods the values of a map are, and counts the older ones.
func (s *Spec) mapPeriodNote() string {
	l := s.Words()
	isOlder, n := s.OlderAreas()
	if n == 0 {
		return l.Text("Each area's latest value, from %s.", s.Period)
	}
	var older, others []stat.Period
	for i := range s.Categories {
		c := &s.Categories[i]
		p, err := stat.ParsePeriod(c.Period)
		switch {
		case err != nil || c.Group || !s.isOnMap(c):
		case isOlder[i]:
			older = append(older, p)
		default:
			others = append(others, p)
		}
	}
	span := func(periods []stat.Period) string {
		return l.Span(slices.MinFunc(periods, stat.Period.Compare), slices.MaxFunc(periods, stat.Period.Compare))
	}
	return l.Text("Each area's latest value: of %s or, hatched, of %s (%s of %s values).", span(others), span(older), n, n+len(others))
}

// ownPeriodNotes says that areas have values of different periods.
func (s *Spec) ownPeriodNotes() []string {
	l := s.Words()
	switch {
	case s.usualPeriod == "":
		return nil
	case s.Type == Map:
		return []string{s.mapPeriodNote()}
	}
	return []string{l.Text("Each area's latest value: of %s, unless stated otherwise.", s.usualPeriod)}
}
