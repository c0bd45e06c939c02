package search

import (
	"slices"
	"unicode/utf8"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
	"almanac/internal/stat"
)

// Limits of a question.
const (
	maxText  = 500 // characters
	maxWords = 40
)

// reading is a question as it is understood.
type reading struct {
	words       []string // corrected
	typed       []string // as typed
	language    string   // ISO 639-1, as it seems
	used        []bool   // the word is understood: a place, or part of a term
	named       []bool   // the word is of the name of a place or source
	areas       []string
	areaNames   map[string]string // as typed, by ID
	unclear     []Unclear
	partsOf     []PartOf
	sources     []namedSource
	concepts    []string
	isSpoken    bool // a concept is named by everyday words
	corrections []Correction
	compounds   []Compound
	clauses     []index.Clause
	phrases     []phrase // by [index.Phrase].ID
	covered     map[uint32]bool
	also        map[int]int       // of a word the clause of the concept of which it is a part of another term
	coded       map[uint32]coded  // datasets whose code the text has
	siblings    map[uint32]string // what the codes of datasets beside those of coded begin with
	isReference bool              // the text is the source and the code of the only one of coded
	inCode      []bool            // the word is a part of such a code, or of valueCode
	valueCode   string            // the code of a value in some of coded, as typed
}

// phrase says where a phrase of the index comes from.
type phrase struct {
	asked, text, kind string
	language          string // of the text; empty if unknown
}

// read understands a question. The language of the names in the answer has no influence.
func (s *Search) read(n *snapshot, text string) (*reading, error) {
	if length := utf8.RuneCountInString(text); length > maxText {
		return nil, stat.Errorf(stat.Invalid, "a question of %d characters; it may have at most %d", length, maxText)
	}
	text, corrections := s.readWildcards(n, text)
	text, compounds := s.splitCompounds(n, text)
	r := &reading{words: terms.Words(text), corrections: corrections, compounds: compounds, areaNames: map[string]string{}, covered: map[uint32]bool{}, also: map[int]int{}, coded: map[uint32]coded{}, siblings: map[uint32]string{}}
	if len(r.words) > maxWords {
		return nil, stat.Errorf(stat.Invalid, "a question of %d words; it may have at most %d", len(r.words), maxWords)
	}
	r.typed = slices.Clone(r.words)
	r.used, r.inCode = make([]bool, len(r.words)), make([]bool, len(r.words))
	s.readCode(n, r, text)
	readReference(n, r, text)
	s.readSources(n, r, text)
	s.readPlaces(n, r, text)
	r.named = slices.Clone(r.used)
	expanded := s.correct(n, r)
	found := s.findTerms(r)
	r.language = s.languageOf(r, found)
	found = s.partSexes(n, r, found)
	s.readBegun(n, r, expanded, found)
	s.readConcepts(n, r, found)
	s.readParts(n, r, expanded)
	s.readWords(n, r, expanded)
	return r, nil
}

// correct expands the words, and replaces those that occur nowhere, also in no term of the field, by
// what they most likely mean.
func (s *Search) correct(n *snapshot, r *reading) []index.Term {
	expanded := make([]index.Term, len(r.words))
	hasCode := slices.Contains(r.inCode, true) // what stands beside a code may be the name of its system
	for i, word := range r.words {
		isLast, isTerm := i == len(r.words)-1, s.isTerm(word) || terms.IsPlaceWord(word) || terms.IsQualifier(word) || s.table.Weak(word, "") == terms.General || isNumber(word) // 2005 is no misspelt 2050
		if r.used[i] || s.isFunction(r, word) && !(isLast && i > 0) {
			continue
		}
		expanded[i] = n.index.Expand(word, index.Asked{Languages: terms.Languages, IsLast: isLast, IsKnown: isTerm || hasCode})
		s.dropFunctionWords(n, &expanded[i])
		if words := expanded[i].Words; !r.inCode[i] && !isTerm && !s.isFunction(r, word) && len(words) > 0 && words[0].Kind != index.Exact && words[0].Kind != index.Stem {
			best := n.index.Text(words[0].ID)
			if words[0].Kind == index.Typo {
				r.corrections = append(r.corrections, Correction{word, best})
			}
			r.words[i] = best
		}
	}
	return expanded
}

// isFunction reports whether a word says nothing, unless the question has no other.
func (s *Search) isFunction(r *reading, word string) bool {
	return s.table.Weak(word, "") == terms.Function && !slices.ContainsFunc(r.words, func(w string) bool { return len(w) > 3 && w == word && len(r.words) == 1 })
}

// phrase returns the words of a text in some languages as a phrase of the index.
func (r *reading) phrase(n *snapshot, from phrase, languages []string, weight float32) index.Phrase {
	p := index.Phrase{Weight: weight, ID: len(r.phrases)}
	r.phrases = append(r.phrases, from)
	for _, word := range terms.Words(from.text) {
		if terms.Load().Weak(word, "") == terms.Function {
			continue
		}
		t := n.index.Expand(word, index.Asked{Languages: languages, IsKnown: true})
		p.Terms = append(p.Terms, t)
		if from.kind != "broader" {
			r.cover(t)
		}
	}
	return p
}

func (r *reading) cover(t index.Term) {
	for _, w := range t.Words {
		r.covered[w.ID] = true
	}
}

// readWords adds a clause for each word that is left. A compound is also searched for as its two
// parts, and two words also as a compound.
func (s *Search) readWords(n *snapshot, r *reading, expanded []index.Term) {
	for i, word := range r.words {
		if r.used[i] || s.isFunction(r, word) || len(expanded[i].Words) == 0 || slices.Contains(r.words[:i], word) {
			continue
		}
		from := phrase{r.typed[i], word, "exact", ""}
		c := index.Clause{Phrases: []index.Phrase{{Terms: []index.Term{expanded[i]}, Weight: 1, ID: len(r.phrases)}}}
		r.phrases = append(r.phrases, from)
		r.cover(expanded[i])
		switch {
		case s.table.Weak(word, "") == terms.General:
			c.Weight = generalWeight
		case r.isSpoken:
			c.Weight = besideWeight
		}
		if first, second, ok := n.index.Split(r.typed[i], s.known); ok {
			parts := phrase{r.typed[i], first + " " + second, string(index.Compound), ""}
			c.Phrases = append(c.Phrases, r.phrase(n, parts, []string{"de"}, splitWeight))
		}
		for _, k := range []int{i - 1, i} {
			if k < 0 || k+1 >= len(r.words) || r.used[k] || r.used[k+1] {
				continue
			}
			if whole, ok := n.index.Join(r.typed[k], r.typed[k+1]); ok {
				from := phrase{r.typed[k] + " " + r.typed[k+1], whole, string(index.Compound), ""}
				c.Phrases = append(c.Phrases, r.phrase(n, from, []string{"de"}, 1))
			}
		}
		r.clauses = append(r.clauses, c)
	}
}

// splitWeight is the weight of the parts of a compound.
const splitWeight = .8

// besideWeight is the weight of words beside several everyday words that name a concept: what is left
// of them rather describes how somebody asks ("how long can I expect to live").
const besideWeight = float32(.3)

// generalWeight is the weight of a word that nearly all datasets could have.
const generalWeight = float32(.1)

// isTerm reports whether a word is in a term of the field, or is a form of one or of its words: Wechselkurs of
// Wechselkurse, projection of population projections.
func (s *Search) isTerm(word string) bool {
	isForm := func(language string) bool {
		return len(word) >= minForm && s.forms()[language+terms.Stem(word, language)]
	}
	return s.known[word] || len(s.table.Find(word, "")) > 0 || slices.ContainsFunc(terms.Languages[:], isForm)
}

// minForm is the number of letters of a word that may be a form of another one; short words have the stems of too many.
const minForm = 6

// formsKnown returns the stems of all words of the terms of the field, each behind its language.
func (s *Search) formsKnown() map[string]bool {
	stems := map[string]bool{}
	for word := range s.known {
		for _, language := range terms.Languages {
			stems[language+terms.Stem(word, language)] = true
		}
	}
	return stems
}

// dropFunctionWords removes words that say nothing from those that a misspelt word may stand for,
// unless there are no others: "whaet" is wheat, not what.
func (s *Search) dropFunctionWords(n *snapshot, t *index.Term) {
	isWeak := func(w index.Word) bool {
		return w.Kind == index.Typo && s.table.Weak(n.index.Text(w.ID), "") == terms.Function
	}
	if slices.ContainsFunc(t.Words, func(w index.Word) bool { return !isWeak(w) }) {
		t.Words = slices.DeleteFunc(t.Words, isWeak)
	}
}
