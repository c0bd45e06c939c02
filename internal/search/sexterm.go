package search

import (
	"slices"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// A term of the field may name the part that a dimension of sexes has: "taux d'activité des femmes". If no dataset is of that by its title,
// the question is read as the rest of the term and the sex: "taux d'activité", and "femmes" of a dimension.

// partSexes returns the terms that were found, and in place of each that names a sex and that no title has those of its other words.
func (s *Search) partSexes(n *snapshot, r *reading, found []terms.Match) (list []terms.Match) {
	for _, m := range found {
		isOfSex := slices.ContainsFunc(m.Places, func(i int) bool { return isSex(r.words[i]) })
		if !isOfSex || slices.ContainsFunc(m.Places, func(i int) bool { return r.used[i] }) || s.isInTitles(n, r, m) {
			list = append(list, m)
			continue
		}
		var words []string
		var at []int // where they stand in the question
		for i, word := range r.words {
			if !slices.Contains(m.Places, i) || !isSex(word) {
				words, at = append(words, word), append(at, i)
			}
		}
		for _, rest := range s.table.Find(strings.Join(words, " "), "") {
			rest.Places, rest.Also = placesAt(at, rest.Places), placesAt(at, rest.Also)
			isOfTerm := slices.ContainsFunc(rest.Places, func(i int) bool { return slices.Contains(m.Places, i) })
			if isOfTerm && !slices.ContainsFunc(list, func(other terms.Match) bool { return other.Concept == rest.Concept }) {
				list = append(list, rest)
			}
		}
	}
	return list
}

func placesAt(at, places []int) (list []int) {
	for _, i := range places {
		list = append(list, at[i])
	}
	return list
}

// isSex reports whether a folded word is one for women or men.
func isSex(word string) bool {
	a := Asked{Text: word}
	return a.sex() >= 0
}

// isInTitles reports whether the title of a dataset has a name of the concept of a term.
func (s *Search) isInTitles(n *snapshot, r *reading, m terms.Match) bool {
	trial := *r // the phrases of a question are only those of what it is read as
	trial.phrases, trial.covered = nil, map[uint32]bool{}
	phrases := slices.DeleteFunc(s.synonyms(n, &trial, m), func(p index.Phrase) bool { return trial.phrases[p.ID].kind == "broader" })
	if len(phrases) == 0 {
		return false
	}
	c := index.Clause{Phrases: phrases}
	docs, _ := n.index.Search([]index.Clause{c}, func(uint32) float32 { return 1 }, 0)
	return slices.ContainsFunc(docs, func(doc index.Match) bool {
		explained := n.index.Explain(doc.Doc, c)
		return len(explained) == 1 && (explained[0].Field == index.Title || explained[0].Field == index.Tail)
	})
}
