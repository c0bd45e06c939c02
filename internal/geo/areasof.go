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
	// Same is the same area by its codes in other lists.
	Same []string
	// Named is the area of which the text is a name, by its codes in all lists, the likeliest first.
	Named []string
	// Editions are other compositions of the group of which the text is a name, see [Editions].
	Editions []string
}

// AreasOf returns the IDs of the area that a person means by a text as a filter. A code is that
// code, a region has its codes of all lists, a number of M49 means the same for all divisions of the
// United Nations, and a name in any language is the first that [Lookup] finds.
func AreasOf(text string) AreaIDs {
	text = strings.TrimSpace(text)
	a := AreaIDs{Exact: append(slices.Clip(Match(text)), text)}
	add := func(list *[]string, ids []string) {
		for _, id := range ids {
			if !slices.Contains(a.Exact, id) && !slices.Contains(*list, id) {
				*list = append(*list, id)
			}
		}
	}
	for _, id := range a.Exact {
		add(&a.Same, SameRegions(id))
	}
	if isPlainCode(text) {
		return a
	}
	switch found := Lookup(text); {
	case len(found) == 0:
	case slices.Contains(found[0].Lists, NameList):
		add(&a.Named, SameAreas(found[0].ID))
		if c, ok := CompositionOf(found[0].ID); ok && !c.isEdition() {
			isNamed := func(id string) bool { return slices.Contains(a.Named, id) }
			add(&a.Editions, slices.DeleteFunc(Editions(found[0].ID), isNamed))
		}
	case strings.HasPrefix(found[0].ID, "un:"):
		add(&a.Same, SameAreas(found[0].ID))
	}
	return a
}

// All returns the IDs of the area itself, the exact ones first.
func (a AreaIDs) All() []string { return slices.Concat(a.Exact, a.Same, a.Named) }

// IsWrittenName reports whether a text is a name of an area in any language as it is written, with its
// case and accents, but for an article.
func IsWrittenName(id, text string) bool {
	bare := func(name string) string { return articles.ReplaceAllString(strings.TrimSpace(name), "") }
	text = bare(text)
	is := func(name string) bool { return bare(name) == text }
	if e, ok := FindEntry(id); ok && slices.ContainsFunc(e.names, is) {
		return true
	}
	for _, languages := range []map[string][][]string{loadCLDR(), loadOfficial(), loadSpellings(), loadOtherNames(), loadRegionNames()} {
		for _, list := range languages[id] {
			if slices.ContainsFunc(list[1:], is) {
				return true
			}
		}
	}
	return false
}

// isPlainCode reports whether a text is a code of a country, or another short one, for which the
// directory need not be read.
func isPlainCode(text string) bool {
	ids := loadIndex()[upperCode(text)]
	return len(text) <= 3 && ids != nil && !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(id, ":") })
}
