package search

import (
	"slices"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// A word may be in no dataset, but in terms of several words: "deuda" in "deuda pública". Then
// the datasets of these terms are found.

// maxPartOf is how many concepts a word may stand for as a part of their terms.
const maxPartOf = 4

// termsByPart returns the terms by the stem of each of their words, if they have several, with the
// language before it, the shortest first.
func (s *Search) termsByPart() map[string][]terms.Match {
	byPart := map[string][]terms.Match{}
	for _, b := range s.begun {
		if !strings.Contains(b.text, " ") {
			continue
		}
		for _, word := range s.strongWords(b.term) {
			key := partKey(word, b.language)
			byPart[key] = append(byPart[key], terms.Match{Concept: b.concept, Term: b.term, Language: b.language})
		}
	}
	for _, list := range byPart {
		slices.SortStableFunc(list, func(a, b terms.Match) int { return len(a.Term) - len(b.Term) })
	}
	return byPart
}

func partKey(word, language string) string { return language + ":" + terms.Stem(word, language) }

// readParts adds a clause for each word that no dataset has but that is a part of terms: the terms of
// their concepts, those of the shortest first.
func (s *Search) readParts(n *snapshot, r *reading, expanded []index.Term) {
	for i, word := range r.words {
		if _, isAlso := r.also[i]; isAlso || r.used[i] || r.inCode[i] || s.isFunction(r, word) || slices.ContainsFunc(expanded[i].Words, func(w index.Word) bool { return n.index.Frequency(w.ID) > 0 }) {
			continue
		}
		matches := s.partOf(word)
		if len(matches) == 0 {
			continue
		}
		var c index.Clause
		for k, m := range matches {
			m.Places = []int{i}
			for _, p := range s.synonyms(n, r, m) {
				if k > 0 {
					p.Weight *= begunWeight
				}
				c.Phrases = append(c.Phrases, p)
				r.widen(p.ID, word, m, k > 0)
			}
		}
		r.addClause(c, []int{i})
	}
}

// widen marks a phrase as broader than a word which is a part of its concept's terms, if it does not have the word:
// "education level" says less than "tertiary". The names of the first concept in other languages are translations.
func (r *reading) widen(id int, word string, m terms.Match, isOther bool) {
	p := &r.phrases[id]
	isForm := func(other string) bool { return terms.Stem(other, m.Language) == terms.Stem(word, m.Language) }
	if (isOther || slices.Contains(m.Concept.Terms[m.Language], p.text)) && !slices.ContainsFunc(terms.Words(p.text), isForm) {
		p.kind = "broader"
	}
}

// partOf returns the terms that a word is a part of, one of each concept, the shortest first.
func (s *Search) partOf(word string) (found []terms.Match) {
	var all []terms.Match
	for _, language := range terms.Languages {
		all = append(all, s.parts()[partKey(word, language)]...)
	}
	slices.SortStableFunc(all, func(a, b terms.Match) int { return len(a.Term) - len(b.Term) })
	for _, m := range all {
		if len(found) < maxPartOf && !slices.ContainsFunc(found, func(other terms.Match) bool { return other.Concept == m.Concept }) {
			found = append(found, m)
		}
	}
	return found
}
