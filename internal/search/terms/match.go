package terms

import (
	"cmp"
	"slices"
	"strings"
)

// phrase is a term in a form that questions are compared with.
type phrase struct {
	concept  *Concept
	term     string
	language string
	kind     termKind
	stems    []string // of the words without function words, unless only one would be left
}

// termKind says how a term stands for its concept.
type termKind int

const (
	ofField  termKind = iota // offices have it
	ofPeople                 // an everyday word
	ofPart                   // an everyday word for a part of the concept: bread, of food
)

// isVague reports whether a term of one word is hardly meant by a word that says little:
// it has only its stem in common ("ageing" with "age"), or the word is a function word of
// some language and not the whole text ("the" is French for tea). An abbreviation may be
// one of another language: AI. A short one has no other forms than a plural: "tonn",
// Norwegian for tonnes, is not TONA.
func (t *Table) isVague(p *phrase, words []string, i int) bool {
	w := words[i]
	if len(p.term) <= maxShort && p.term == strings.ToUpper(p.term) && !slices.Contains([]string{w, strings.TrimSuffix(w, "s")}, Words(p.term)[0]) {
		return true
	}
	if own := t.weak[p.language][w]; own != Strong && (own == Function || !p.hasExactly(words, []int{i})) {
		return len(words) > 1
	}
	if t.most[w] != Strong && !p.hasExactly(words, []int{i}) {
		return len(words) > 1 // "medi", Italian for average, and German "Medien"
	}
	return len(words) > 1 && t.most[w] == Function && p.term != strings.ToUpper(p.term)
}

// maxShort is the longest abbreviation of which other words can be taken for forms, in bytes.
const maxShort = 4

// hasExactly reports whether the words at the places are those of the term, not only words
// of the same stems.
func (p *phrase) hasExactly(words []string, places []int) bool {
	own := Words(p.term)
	return !slices.ContainsFunc(places, func(i int) bool { return !slices.Contains(own, words[i]) })
}

// add adds a term of a concept to the index.
func (t *Table) add(c *Concept, term, language string, of termKind) {
	p := &phrase{concept: c, term: term, language: language, kind: of}
	words := Words(term)
	for _, w := range words {
		t.known[w] = true
		if t.weak[language][w] != Function {
			p.stems = append(p.stems, Stem(w, language))
		}
	}
	if len(p.stems) < 2 { // "have a job" is not "job"
		p.stems = nil
		for _, w := range words {
			p.stems = append(p.stems, Stem(w, language))
		}
	}
	key := p.stems[0]
	for _, s := range p.stems {
		if len(s) > len(key) {
			key = s
		}
	}
	byKey := t.phrases[slices.Index(Languages, language)]
	byKey[key] = append(byKey[key], p)
}

// Match is a term that a text contains.
type Match struct {
	Concept  *Concept
	Term     string // as the table has it
	Language string // of the term
	Everyday bool   // it is one of the everyday words
	Part     bool   // it is an everyday word for a part of the concept: the price of bread, of food prices
	Places   []int  // which of the text's Words it covers, in the order of the term; without function words
	Adjacent bool   // these follow one another, with at most function words between
	Also     []int  // words that the text has of other terms of the concept: guest, in "hotel nights of guests", of "guest nights"

	words    int  // of the text that it covers, with function words
	isLikely bool // the text may be in the language, by its function words
	isExact  bool // with the endings of the term
}

// Find returns the terms that a text contains, in any of the languages and with any
// endings; those of the given language first, then longer ones, adjacent ones, and
// those with the same endings. The words of a term may stand apart and in any order. A term is left out if its words are
// a part of those of another: "unemployment" in "youth unemployment".
func (t *Table) Find(text, language string) []Match {
	return order(t.findAll(firstWords(text)), language)
}

// FindAdjacent returns the terms that a text contains as Find does, but only those whose words follow one another: a title that is longer
// than a question has the words of many terms.
func (t *Table) FindAdjacent(text string) []Match {
	found := t.findAll(firstWords(text))
	return order(slices.DeleteFunc(found, func(m Match) bool { return !m.Adjacent }), "")
}

// firstWords returns the words of a text that are looked at.
func firstWords(text string) []string {
	words := Words(text)
	return words[:min(len(words), maxWords)]
}

// order returns one match for each concept, those of the language first, without those that others make unlikely.
func order(found []Match, language string) []Match {
	found = dropForeign(dropCovered(found))
	slices.SortStableFunc(found, func(a, b Match) int {
		return cmp.Or(
			rank(b.Language == language)-rank(a.Language == language),
			len(b.Places)-len(a.Places),
			b.words-a.words,
			rank(b.Adjacent)-rank(a.Adjacent),
			rank(b.isExact)-rank(a.isExact),
			rank(a.Everyday)-rank(b.Everyday),
		)
	})
	return onePerConcept(found)
}

// maxWords is how many words of a text are looked at: longer texts are not questions.
const maxWords = 64

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// findAll returns the terms of all languages that the words contain.
func (t *Table) findAll(words []string) (found []Match) {
	all := make([]*stems, len(words))
	for i, w := range words {
		all[i] = t.cache.stems(w)
	}
	plausible, likely := t.languagesOf(words)
	text := make([]string, len(words))
	for l, language := range Languages {
		for i := range words {
			text[i] = all[i][l]
		}
		for i, s := range text {
			if slices.Contains(text[:i], s) {
				continue
			}
			for _, p := range t.phrases[l][s] {
				places := placesOf(p.stems, text)
				if places == nil || len(places) == 1 && t.isVague(p, words, i) {
					continue
				}
				if isClear := likely[l] || plausible[l] && len(places) > 1; !isClear && !p.hasExactly(words, places) {
					continue
				}
				isAdjacent := t.isAdjacent(places, words, language)
				found = append(found, Match{p.concept, p.term, language, p.kind != ofField, p.kind == ofPart, t.telling(places, words, language), isAdjacent, nil, len(places), likely[l], p.hasExactly(words, places)})
			}
		}
	}
	return append(found, t.findFurther(words, found)...)
}

// telling returns the places without those of function words, unless there are no others.
func (t *Table) telling(places []int, words []string, language string) []int {
	isFunction := func(i int) bool { return t.weak[language][words[i]] == Function }
	if !slices.ContainsFunc(places, func(i int) bool { return !isFunction(i) }) {
		return places
	}
	return slices.DeleteFunc(places, isFunction)
}

// languagesOf reports for each language whether a text may be written in it, by its
// function words: it is likely if no language has more of them, and plausible if none has
// two more. Letters that stand alone do not count.
func (t *Table) languagesOf(words []string) (plausible, likely [5]bool) {
	var counts [5]int
	most := 0
	for l, language := range Languages {
		for _, w := range words {
			if len(w) > 1 && t.weak[language][w] == Function {
				counts[l]++
			}
		}
		most = max(most, counts[l])
	}
	for l, n := range counts {
		plausible[l], likely[l] = n > most-2, n == most
	}
	return plausible, likely
}

// placesOf returns where the words of a phrase stand, nil if one is missing. If a word
// stands at several places, one after the word before it is preferred.
func placesOf(phrase, text []string) []int {
	for _, s := range phrase {
		if !slices.Contains(text, s) {
			return nil
		}
	}
	places := make([]int, 0, len(phrase))
	last := -1
	for _, s := range phrase {
		i := slices.Index(text[last+1:], s)
		if i >= 0 {
			i += last + 1
		} else if i = slices.Index(text, s); i < 0 || slices.Contains(places, i) {
			return nil
		}
		places = append(places, i)
		last = i
	}
	return places
}

func (t *Table) isAdjacent(places []int, words []string, language string) bool {
	for i := 1; i < len(places); i++ {
		if places[i] <= places[i-1] {
			return false
		}
		for _, w := range words[places[i-1]+1 : places[i]] {
			if t.weak[language][w] != Function {
				return false
			}
		}
	}
	return true
}

// dropCovered removes the matches whose words are a part of those of another match.
func dropCovered(found []Match) []Match {
	return slices.DeleteFunc(slices.Clone(found), func(a Match) bool {
		return slices.ContainsFunc(found, func(b Match) bool {
			return b.words > a.words && (b.Adjacent || !a.Adjacent) && containsAll(b.Places, a.Places)
		})
	})
}

// dropForeign removes the matches of an unlikely language, and those with other endings,
// whose words are those of a match of a likely one or with the same endings: "carbon" in an
// English sentence is not the Spanish word for coal, "stipendi" not the German Stipendien.
func dropForeign(found []Match) []Match {
	return slices.DeleteFunc(slices.Clone(found), func(a Match) bool {
		return slices.ContainsFunc(found, func(b Match) bool {
			isBetter := b.isLikely && !a.isLikely || b.isLikely == a.isLikely && b.isExact && !a.isExact && a.Language != b.Language
			return isBetter && containsAll(b.Places, a.Places)
		})
	})
}

func containsAll(places, some []int) bool {
	for _, i := range some {
		if !slices.Contains(places, i) {
			return false
		}
	}
	return true
}

// onePerConcept keeps the first match of each concept, with the words that the others have besides.
func onePerConcept(found []Match) (first []Match) {
	for _, m := range found {
		at := slices.IndexFunc(first, func(other Match) bool { return other.Concept == m.Concept })
		if at < 0 {
			first = append(first, m)
			continue
		}
		for _, i := range m.Places {
			if of := &first[at]; !slices.Contains(of.Places, i) && !slices.Contains(of.Also, i) {
				of.Also = append(of.Also, i)
			}
		}
	}
	return first
}
