package search

import (
	"slices"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// isFurther reports whether a language is known and none of those of the table.
func isFurther(language string) bool {
	return language != "" && !slices.Contains(terms.Languages, language)
}

// furtherNames returns the names of a concept in the further languages that datasets have, as phrases.
func (s *Search) furtherNames(n *snapshot, r *reading, m terms.Match) (phrases []index.Phrase) {
	for _, f := range m.Concept.Further {
		p := index.Phrase{Weight: otherWeight * foreignWeight, ID: len(r.phrases)}
		if f.Language == m.Language {
			p.Weight = otherWeight
		}
		for _, w := range f.Words {
			if s.table.Weak(w.Text, "") == terms.Function && len(f.Words) > 1 {
				continue // of no weight in the index
			}
			t := n.index.Expand(w.Text, index.Asked{Languages: []string{f.Language}, IsKnown: true, IsStem: w.IsBegun})
			if p.Terms = append(p.Terms, t); len(t.Words) == 0 {
				break
			}
		}
		if len(p.Terms[len(p.Terms)-1].Words) == 0 {
			continue
		}
		r.phrases = append(r.phrases, phrase{r.asked(m.Places), f.Term, "synonym", f.Language})
		for _, t := range p.Terms {
			r.cover(t)
		}
		phrases = append(phrases, p)
	}
	return phrases
}

// FurtherName returns the name in a further language by which texts have what is asked for. It is empty if they have it by another name,
// or not at all. The first of the texts that have it is text.
func (a *Asked) FurtherName(texts []string) (name, text string) {
	if a.nameIn(WordsOf(texts...)) < 0 {
		return "", ""
	}
	for _, text := range texts {
		at := a.nameIn(WordsOf(text))
		if at < 0 {
			continue
		}
		if n := a.names[at]; isFurther(n.language) {
			name = n.textIn(text)
			return name, text
		}
		return "", ""
	}
	return "", ""
}

// textIn returns the words of a text that the name has.
func (n *name) textIn(text string) string {
	var words []string
	for field := range strings.FieldsSeq(text) {
		isOf := func(forms []string) bool {
			return slices.ContainsFunc(terms.Words(field), func(word string) bool { return slices.Contains(forms, word) })
		}
		if slices.ContainsFunc(n.words, isOf) {
			words = append(words, strings.Trim(field, ".,;:()[]\"'"))
		}
	}
	return strings.Join(words, " ")
}

// IsOnly reports whether a text in a further language has besides a name of what is asked for only words of the question, places, numbers and words
// such as by, sex and region: then it says of no other measure.
func (a *Asked) IsOnly(text, question string) bool {
	asked := terms.Words(question)
	isOfName := func(word string) bool {
		return slices.ContainsFunc(a.names, func(n name) bool {
			return slices.ContainsFunc(n.words, func(forms []string) bool { return slices.Contains(forms, word) })
		})
	}
	for _, word := range terms.Words(text) {
		if !isNumber(word) && !slices.Contains(asked, word) && !terms.Load().IsBeside(word) && !isOfName(word) && !terms.IsPlaceWord(word) {
			return false
		}
	}
	return true
}

// minSexLetters is how many letters a word for a sex has that is looked for among other words: without its accents, a shorter one is a word of
// another language, as the Hungarian "nő".
const minSexLetters = 4

// furtherSexes are the lists of words for women and men in the further languages, in the order of [terms.Sexes].
func furtherSexes() [][]string { return [][]string{terms.Load().Women(), terms.Load().Men()} }

// addFurtherSex adds the names in the further languages of a sex that the lists of words have at a position.
func (a *Asked) addFurtherSex(of int) {
	lists := furtherSexes()
	if of >= len(lists) {
		return
	}
	for _, text := range lists[of] {
		if word := strings.Join(terms.Words(text), " "); len(word) >= minSexLetters && terms.Load().Weak(word, "") == terms.Strong {
			a.names = append(a.names, name{words: [][]string{{word}}})
			continue
		}
		a.labels = append(a.labels, RawLabel(text))
	}
}

// RawLabel returns the form in which short labels with accents are compared as they are written.
func RawLabel(label string) string { return strings.ToLower(strings.TrimSpace(label)) }
