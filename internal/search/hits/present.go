package hits

import (
	"slices"
	"strings"

	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// What a reader is told not to be in a dataset must not be there by any name: neither as a label that the search does not index, nor in other
// words than those of the question.

type presentKey struct{}

// wordsOf returns the words of all titles and labels of a dataset. ok is false if it has too many of them.
func wordsOf(v *store.Vintage) (words search.WordSet, ok bool) {
	words = v.Memo(presentKey{}, func() any {
		d := v.Dataset
		texts := []string{d.Name, d.Description}
		add := func(codes []stat.Code) {
			for i := range codes {
				texts = append(texts, codes[i].ID, codes[i].Label, codes[i].SourceLabel)
			}
		}
		for axis := range d.Dimensions {
			dim := &d.Dimensions[axis]
			texts = append(texts, dim.Label, dim.ID)
			for i := range dim.Codes {
				texts = append(texts, search.KnownLabel(d, axis, &dim.Codes[i]))
			}
			add(dim.Codes)
		}
		if add(d.Geography.Codes); len(texts) > 4*maxLabels {
			return search.WordSet(nil)
		}
		return search.PlainWordsOf(texts)
	}).(search.WordSet)
	return words, words != nil
}

// isPresent reports whether a dataset has what is asked for in a title or a label, by any name, or may have it.
func isPresent(v *store.Vintage, s *series, a *search.Asked) bool {
	words, ok := wordsOf(v)
	if !ok || a.IsIn(words) {
		return true
	}
	if sex, ok := a.SexOfChildren(); ok && sex.IsIn(words) {
		return true
	}
	group, ok := a.AgeGroup()
	return ok && s.hasAges(group.Ages)
}

// hasAges reports whether the dataset has one of several ranges of ages.
func (s *series) hasAges(ages []search.Ages) bool { return len(s.agesAmong(ages)) > 0 }

// present returns those words of the question that the search found in no dataset, but which this one has. missing is what
// neither its title nor its series has.
func (q *question) present(v *store.Vintage, s *series, missing []*search.Asked) (words []string) {
	for _, word := range q.unmatched {
		hasWord := func(a *search.Asked) bool { return slices.Contains(strings.Fields(a.Text), word) }
		isAsked := slices.ContainsFunc(q.asked, func(a search.Asked) bool { return hasWord(&a) })
		at := slices.IndexFunc(missing, hasWord)
		switch {
		case at >= 0 && isPresent(v, s, missing[at]), at < 0 && isAsked, hasQualifier(s.dataset, word):
			words = append(words, word)
		}
	}
	return words
}

// hasQualifier reports whether a word tells measures of one subject apart, and a title or label of a dataset does so, too.
func hasQualifier(d *stat.Dataset, word string) bool {
	for _, qualifier := range search.Qualifiers(word) {
		if qualifier.IsIn(d.Name) {
			return true
		}
		for axis := range d.Dimensions {
			if slices.ContainsFunc(d.Dimensions[axis].Codes, func(c stat.Code) bool { return qualifier.IsIn(c.Label) }) {
				return true
			}
		}
	}
	return false
}
