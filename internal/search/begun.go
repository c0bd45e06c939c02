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

// sortTerms returns the terms of several words in alphabetical order.
func sortTerms(t *terms.Table) (list []begun) {
	for _, c := range t.Concepts() {
		for _, language := range terms.Languages {
			for _, term := range c.Terms[language] {
				if text := strings.Join(terms.Words(term), " "); strings.Contains(text, " ") {
					list = append(list, begun{text, term, language, c})
				}
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

// readBegun adds a clause for the terms that begin with the last words: "gross dom".
func (s *Search) readBegun(n *snapshot, r *reading) {
	last := len(r.words) - 1
	if last < 1 || r.used[last] {
		return
	}
	for i := range last {
		if slices.Contains(r.used[i:], true) {
			continue
		}
		asked := strings.Join(r.typed[i:], " ")
		var c index.Clause
		seen := map[*terms.Concept]bool{}
		at, _ := slices.BinarySearchFunc(s.begun, asked, func(b begun, text string) int { return cmp.Compare(b.text, text) })
		for _, b := range s.begun[at:] {
			if !strings.HasPrefix(b.text, asked) || len(seen) == maxBegun {
				break
			}
			if seen[b.concept] {
				continue
			}
			seen[b.concept] = true
			c.Phrases = append(c.Phrases, s.synonyms(n, r, terms.Match{Concept: b.concept, Language: b.language}, asked)...)
		}
		if c.Phrases != nil {
			r.addClause(c, i, last)
			return
		}
	}
}

// addClause adds a clause for the words from first to last.
func (r *reading) addClause(c index.Clause, first, last int) {
	c.Weight = 1
	r.clauses = append(r.clauses, c)
	for i := first; i <= last; i++ {
		r.used[i] = true
	}
}
