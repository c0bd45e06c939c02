package hits

import (
	"slices"
	"strings"
)

// sortByValues moves hits without a value behind the last of those with one: behind all, if their dataset has no word for a thing that
// the question asks for, and behind those that have the same parts of the question, if it has no value of the place or the period, or only broader
// terms. All others stay where they are.
func (page *Page) sortByValues() {
	page.moveBehind(func(h *Hit) bool { return true }, func(h *Hit) bool { return h.lacksAsked })
	for _, parts := range page.parts() {
		page.moveBehind(func(h *Hit) bool { return h.parts() == parts }, func(h *Hit) bool { return h.lacks || h.isBroader() })
	}
}

// moveBehind moves those hits without a value for which isBehind is true behind the last one with a value, all among the hits that are of a kind.
func (page *Page) moveBehind(isOfKind, isBehind func(*Hit) bool) {
	last := -1
	for i := range page.Data {
		if h := &page.Data[i]; h.Latest != nil && isOfKind(h) {
			last = i
		}
	}
	var before, behind []Hit
	for i := range page.Data[:last+1] {
		if h := page.Data[i]; h.Latest == nil && isOfKind(&h) && isBehind(&h) {
			behind = append(behind, h)
		} else {
			before = append(before, h)
		}
	}
	copy(page.Data, append(before, behind...))
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
