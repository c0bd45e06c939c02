package hits

import (
	"slices"
	"strings"
)

// sortByValues moves the hits that are known to have no value of the place or the period of the question, and those without a value that have only
// broader terms, behind the last of those with a value that have the same parts of the question. All others stay where they are.
func (page *Page) sortByValues() {
	for _, parts := range page.parts() {
		last := -1
		for i := range page.Data {
			if page.Data[i].Latest != nil && page.Data[i].parts() == parts {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		isBehind := func(h Hit) bool { return h.Latest == nil && (h.lacks || h.isBroader()) && h.parts() == parts }
		first := slices.Clone(page.Data[:last+1])
		n := copy(page.Data, slices.DeleteFunc(slices.Clone(first), isBehind))
		copy(page.Data[n:], slices.DeleteFunc(first, func(h Hit) bool { return !isBehind(h) }))
	}
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
