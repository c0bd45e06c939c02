package hits

import (
	"slices"

	"almanac/internal/defaults"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// seriesWithValues returns the series that /latest chooses if a series has no value: the default one among those with the values that the
// question names, and with the areas that it asks for. Of cattle there are stocks, where production is usual. It is nil if there is none, or
// if it may be of something else than the question asks for: what only the title has may be the series without a value.
func (q *question) seriesWithValues(v *store.Vintage, s *series, areas []int32, h *Hit) *series {
	sel := make([][]int32, len(s.key)+1)
	if q.areas != nil || q.isWorld || s.areas != nil {
		if sel[len(s.key)] = areas; areas == nil {
			return nil
		}
	} else if !slices.Contains(s.named, true) || s.hasValues(v) {
		return nil // it is the usual series, or has values of areas that are not asked for
	}
	for axis, code := range s.key {
		if s.named[axis] || q.names(s.dataset.Dimensions[axis].Codes[code].Label) {
			sel[axis] = []int32{code}
		}
	}
	latest, err := v.LatestOf(sel, stat.LatestObserved)
	if err != nil {
		return nil
	}
	other, why := q.seriesFor(v, latest, h)
	if why != "" || !q.isSameBut(s, other) {
		return nil
	}
	return other
}

// hasValues reports whether a series has a value for any area.
func (s *series) hasValues(v *store.Vintage) bool {
	sel := make([][]int32, len(s.key)+1)
	for axis, code := range s.key {
		sel[axis] = []int32{code}
	}
	_, err := v.LatestOf(sel, stat.LatestObserved)
	return err == nil
}

// isSameBut reports whether a series that stands for one without values is of what the question asks for, and notes which of its values
// may be parts: the only one that an area has need not be a total. If it differs in more than the unit and the frequency, its labels must have all that
// is asked for.
func (q *question) isSameBut(s, other *series) bool {
	isOther := false
	other.rules = slices.Clone(other.rules)
	for axis, code := range other.key {
		d := &s.dataset.Dimensions[axis]
		switch {
		case code == s.key[axis]:
			other.named[axis], other.rules[axis] = other.named[axis] || s.named[axis], s.rules[axis]
		case other.named[axis] || d.Role == stat.RoleUnit || d.Role == stat.RoleFrequency:
		case defaults.Rule(other.rules[axis]) == defaults.Only:
			isOther, other.rules[axis] = true, string(defaults.MostValues)
		default:
			isOther = true
		}
	}
	if !isOther {
		return true
	}
	other.concept = ""
	words := search.WordsOf(other.labels()...)
	return !slices.ContainsFunc(q.asked, func(a search.Asked) bool { return !a.IsIn(words) })
}
