package search

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// begun is a term of the field that a question may end in the middle of.
type begun struct {
	text     string // folded
	term     string
	language string
	concept  *terms.Concept
}

// sortTerms returns the terms in alphabetical order.
func sortTerms(t *terms.Table) (list []begun) {
	for _, c := range t.Concepts() {
		for _, language := range terms.Languages {
			for _, term := range c.Terms[language] {
				list = append(list, begun{strings.Join(terms.Words(term), " "), term, language, c})
			}
		}
	}
	slices.SortFunc(list, func(a, b begun) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.concept.ID, b.concept.ID))
	})
	return list
}

// maxBegun is how many concepts the beginning of a term may stand for.
const maxBegun = 4

// begunWeight is the weight of the second concept that the beginning of a term may stand for.
const begunWeight = float32(.7)

// notBegunWeight is the weight of the words before the last, without the term that they begin.
const notBegunWeight = float32(.5)

// maxWhole is the number of letters up to which the last word may be the beginning of another even if
// it is a word itself: "hospital be".
const maxWhole = 3

// minBegun is the number of letters from which a single word may be the beginning of a term.
const minBegun = 4

// readBegun adds a clause for the terms that begin with the last words, of which the very last is in
// none of the terms that were found: "gross dom", or is itself no word: "arbeitsl".
func (s *Search) readBegun(n *snapshot, r *reading, expanded []index.Term, found []terms.Match) {
	last := len(r.words) - 1
	if last < 0 || r.used[last] || len(r.typed[last]) > maxWhole && s.known[r.typed[last]] {
		return
	}
	isRead := false
	for _, m := range found {
		if slices.Contains(m.Places, last) && len(m.Places) > 1 {
			return
		}
		isRead = isRead || slices.Contains(m.Places, last)
	}
	begins, word := expanded[last].Words, r.typed[last]
	isNoWord := !isRead && !r.inCode[last] && len(word) >= minBegun && !isNumber(word) && !s.isFunction(r, word) && (len(begins) == 0 || begins[0].Kind == index.Prefix)
	for i := range r.words {
		if slices.Contains(r.used[i:], true) || i == last && !isNoWord || i < last && len(begins) == 0 {
			continue
		}
		asked := strings.Join(r.typed[i:], " ")
		matches := s.beginning(asked, i < last)
		if len(matches) == 0 {
			continue
		}
		var places []int
		for k := i; k <= last; k++ {
			places = append(places, k)
		}
		typed := r.phrase(n, phrase{asked, strings.Join(r.typed[i:last], " "), "exact", ""}, terms.Languages, 1)
		typed.Terms = append(typed.Terms, expanded[last])
		c := index.Clause{Phrases: []index.Phrase{typed}}
		if whole := strings.Join(r.typed[i:last], " "); whole != "" { // without what is begun, which may be another measure: GDP of "gdp per ca"
			c.Phrases = append(c.Phrases, r.phrase(n, phrase{asked, whole, "broader", ""}, terms.Languages, notBegunWeight))
		}
		for k, b := range matches {
			for _, p := range s.synonyms(n, r, terms.Match{Concept: b.concept, Language: b.language, Places: places}) {
				if k > 0 {
					p.Weight *= begunWeight
				}
				c.Phrases = append(c.Phrases, p)
			}
		}
		c.Weight = conceptWeight
		r.addClause(c, places)
		return
	}
}

// beginning returns the terms that begin with a text, or those of several words, the shortest of each concept, the
// shortest first.
func (s *Search) beginning(text string, areSeveral bool) (found []begun) {
	at, _ := slices.BinarySearchFunc(s.begun, text, func(b begun, text string) int { return cmp.Compare(b.text, text) })
	end := at
	for end < len(s.begun) && strings.HasPrefix(s.begun[end].text, text) {
		end++
	}
	candidates := slices.Clone(s.begun[at:end])
	slices.SortStableFunc(candidates, func(a, b begun) int { return cmp.Compare(len(a.text), len(b.text)) })
	for _, b := range candidates {
		if len(found) < maxBegun && (!areSeveral || strings.Contains(b.text, " ")) && !slices.ContainsFunc(found, func(other begun) bool { return other.concept == b.concept }) {
			found = append(found, b)
		}
	}
	return found
}
