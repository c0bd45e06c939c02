package search

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// mostChecked is the number of the best hits in which the words of a question are looked for.
const mostChecked = 20

// unmatched returns the words of a question, as typed, that none of the best hits has, also not by another name: all if there is no hit.
// Left out are places, sources, codes and numbers, words that say little, and those that were read as others. page
// has the hits of a page, from the position from on.
func (n *snapshot) unmatched(r *reading, all []ranked, page []Hit, from int) (words []string) {
	has := map[string]bool{}
	add := func(list []Found) {
		for _, f := range list {
			words := strings.Fields(f.Asked)
			if f.Kind == "broader" {
				words = terms.Words(f.Text) // population, of "population 2100"
			}
			for _, word := range words {
				has[word] = true
			}
		}
	}
	best := all[:min(len(all), mostChecked)]
	for i, at := range best {
		if i >= from && i < from+len(page) {
			add(page[i-from].Found)
		} else {
			add(n.found(r, at.doc, n.record(at.doc)))
		}
	}
	if len(all) == 0 {
		words = r.termsInVain(has)
	}
	for i, clause := range r.also {
		asked := r.phrases[r.clauses[clause].Phrases[0].ID].asked
		has[r.typed[i]] = has[r.typed[i]] || has[strings.Fields(asked)[0]]
	}
	for i, word := range r.typed {
		if r.named[i] || r.inCode[i] || has[word] || slices.Contains(words, word) || r.isSpoken && !r.inTerm(word) || !strings.ContainsFunc(word, unicode.IsLetter) {
			continue
		}
		isCorrected := slices.ContainsFunc(r.corrections, func(c Correction) bool { return c.Word == word })
		if !isCorrected && terms.Load().Weak(word, "") == terms.Strong && !n.haveSex(best, word) {
			words = append(words, word)
		}
	}
	return words
}

// termsInVain returns the terms of several words in a question that finds nothing, and notes their words.
func (r *reading) termsInVain(has map[string]bool) (list []string) {
	for _, c := range r.clauses {
		asked := r.phrases[c.Phrases[0].ID].asked
		if words := strings.Fields(asked); len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { return has[word] }) {
			list = append(list, asked)
			for _, word := range words {
				has[word] = true
			}
		}
	}
	return list
}

// inTerm reports whether a word is in a term of the field that the question names.
func (r *reading) inTerm(word string) bool {
	return slices.ContainsFunc(r.phrases, func(p phrase) bool {
		return p.asked != word && slices.Contains(strings.Fields(p.asked), word)
	})
}

// bySex are the words of titles and dimensions for the sexes as a whole.
var bySex = []string{"sex", "gender", "geschlecht", "sexe", "sexo", "sesso"}

// haveSex reports whether a word is for a sex, and one of some hits has it by any of its names, or is by sex.
func (n *snapshot) haveSex(hits []ranked, word string) bool {
	a := Asked{Text: word}
	a.complete()
	if sex, ok := a.SexOfChildren(); ok {
		a.names = append(a.names, sex.names...)
	}
	if a.names == nil {
		return false
	}
	for _, text := range bySex {
		a.names = append(a.names, name{words: [][]string{{text}}})
	}
	var c index.Clause
	for _, named := range a.names {
		p := index.Phrase{Weight: 1}
		for _, forms := range named.words {
			p.Terms = append(p.Terms, n.index.Expand(forms[0], index.Asked{IsKnown: true}))
		}
		c.Phrases = append(c.Phrases, p)
	}
	return slices.ContainsFunc(hits, func(at ranked) bool { return len(n.index.Explain(at.doc, c)) > 0 })
}
