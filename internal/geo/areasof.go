package geo

import (
	"slices"
	"strings"
)

// AreaIDs are the IDs by which datasets may have the area that a text means.
type AreaIDs struct {
	// Exact is what the text is as a code (see [Match]), and the text itself: a source's own code
	// may look like any other.
	Exact []string
	// Same is the same area by its codes in other lists, and the area of which the text is a name,
	// the likeliest first.
	Same []string
}

// AreasOf returns the IDs of the area that a person means by a text as a filter. A code is that
// code, a region has its codes of all lists, a number of M49 means the same for all divisions of the
// United Nations, and a name in any language is the first that [Lookup] finds.
func AreasOf(text string) AreaIDs {
	text = strings.TrimSpace(text)
	a := AreaIDs{Exact: append(slices.Clip(Match(text)), text)}
	add := func(ids ...string) {
		for _, id := range ids {
			if !slices.Contains(a.Exact, id) && !slices.Contains(a.Same, id) {
				a.Same = append(a.Same, id)
			}
		}
	}
	for _, id := range a.Exact {
		add(SameRegions(id)...)
	}
	if isPlainCode(text) {
		return a
	}
	if found := Lookup(text); len(found) > 0 && (slices.Contains(found[0].Lists, NameList) || strings.HasPrefix(found[0].ID, "un:")) {
		add(SameAreas(found[0].ID)...)
	}
	return a
}

// All returns all IDs, the exact ones first.
func (a AreaIDs) All() []string { return append(slices.Clip(a.Exact), a.Same...) }

// isPlainCode reports whether a text is a code of a country, or another short one, for which the
// directory need not be read.
func isPlainCode(text string) bool {
	ids := loadIndex()[upperCode(text)]
	return len(text) <= 3 && ids != nil && !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(id, ":") })
}
