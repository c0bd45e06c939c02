package hits

import (
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/search"
)

// sortByValues moves hits without a value behind the last of those with one: behind all, if their dataset has no word for a thing that
// the question asks for, and behind those that have the same parts of the question, if it has no value of the place or the period, or only broader
// terms. All others stay where they are.
func (page *Page) sortByValues() {
	moveBehind(page.Data, hasValue, func(h *Hit) bool { return !hasValue(h) && h.lacksAsked })
	for _, parts := range page.parts() {
		isOfKind := func(h *Hit) bool { return h.parts() == parts }
		moveBehind(page.Data, func(h *Hit) bool { return hasValue(h) && isOfKind(h) }, func(h *Hit) bool { return !hasValue(h) && isOfKind(h) && (h.lacks || h.isBroader()) })
	}
}

// statistics are the qualifiers for different numbers of one distribution.
var statistics = []string{"average", "median", "minimum", "maximum"}

// sortByStatistic moves hits without a value whose title is of another statistic than the question behind those that are of it: minimum
// wages, for the average wage.
func (page *Page) sortByStatistic(text string) {
	var asked, others []search.Qualifier
	for _, name := range statistics {
		qualifier := search.QualifierNamed(name)
		if slices.ContainsFunc(search.Qualifiers(text), func(q search.Qualifier) bool { return q.Name == name }) {
			asked = append(asked, qualifier)
		} else {
			others = append(others, qualifier)
		}
	}
	isOf := func(h *Hit, list []search.Qualifier) bool {
		return slices.ContainsFunc(list, func(q search.Qualifier) bool { return q.IsIn(h.Name) })
	}
	isAsked := func(h *Hit) bool { return isOf(h, asked) }
	moveBehind(page.Data, isAsked, func(h *Hit) bool { return !hasValue(h) && !isAsked(h) && isOf(h, others) })
}

func hasValue(h *Hit) bool { return h.Latest != nil }

// moveBehind moves the hits for which isBehind is true behind the last one for which isBefore is.
func moveBehind(list []Hit, isBefore, isBehind func(*Hit) bool) {
	last := -1
	for i := range list {
		if isBefore(&list[i]) {
			last = i
		}
	}
	var before, behind []Hit
	for i := range list[:last+1] {
		if h := list[i]; isBehind(&h) {
			behind = append(behind, h)
		} else {
			before = append(before, h)
		}
	}
	copy(list, append(before, behind...))
}

// parts returns which parts of the question the hits of a page have, each once.
func (page *Page) parts() (all []string) {
	for i := range page.Data {
		if parts := page.Data[i].parts(); !slices.Contains(all, parts) {
			all = append(all, parts)
		}
	}
	return all
}

// isBroader reports whether a dataset that is here has only terms that are broader than those of the question: CPIH, for inflation.
func (h *Hit) isBroader() bool {
	isOther := func(f Found) bool { return f.Field != "area" && f.Kind != "broader" }
	return h.Here && len(h.Found) > 0 && !slices.ContainsFunc(h.Found, isOther)
}

// parts returns which parts of the question a hit has besides places, in any field and by any name.
func (h *Hit) parts() string {
	var asked []string
	for _, f := range h.Found {
		if f.Field != "area" && !slices.Contains(asked, f.Asked) {
			asked = append(asked, f.Asked)
		}
	}
	slices.Sort(asked)
	return strings.Join(asked, "\n")
}

// maxBehind is the number of years by which a value may be older than the newest one.
const maxBehind = 7

// moveLesser moves datasets with values that readers expect less behind the last one of the others with a value: old ones, and if the question
// names no place those of one country or region.
func (q *question) moveLesser(list []Hit) {
	newest := 0
	for i := range list {
		if l := list[i].Latest; l != nil {
			newest = max(newest, l.period.Year())
		}
	}
	isLesser := func(h *Hit) bool {
		e, ok := geo.FindEntry(h.Latest.Area.Code)
		return newest-h.Latest.period.Year() > maxBehind || len(q.areas) == 0 && ok && e.Country() != nil
	}
	moveBehind(list, func(h *Hit) bool { return hasValue(h) && !isLesser(h) }, func(h *Hit) bool { return hasValue(h) && isLesser(h) })
}
