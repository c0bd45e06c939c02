package search

import (
	"slices"
	"strings"
	"sync"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// SexOfChildren returns the sex that is asked for, if the text is a word for girls or boys. ok is false if it is none.
func (a *Asked) SexOfChildren() (sex *Asked, ok bool) {
	of := a.sex() - 2
	if of < 0 {
		return nil, false
	}
	sex = &Asked{Text: terms.Sexes[of][0]}
	sex.complete()
	return sex, true
}

// sex returns which of the lists of words for a sex has the text, -1 if none has.
func (a *Asked) sex() int {
	text := folded(a.Text)
	usual, further := sexesFolded()
	of := slices.IndexFunc(usual, func(words []string) bool { return slices.Contains(words, text) })
	if of >= 0 || len(text) < minSexLetters {
		return of
	}
	return slices.IndexFunc(further, func(words []string) bool { return slices.Contains(words, text) })
}

// sexesFolded returns the lists of [terms.Sexes] and of furtherSexes, folded.
var sexesFolded = sync.OnceValues(func() (usual, further [][]string) {
	for _, words := range terms.Sexes {
		usual = append(usual, foldedTexts(words))
	}
	for _, words := range furtherSexes() {
		further = append(further, foldedTexts(words))
	}
	return usual, further
})

// folded returns the words of a text, folded and with one space between them.
func folded(text string) string { return strings.Join(terms.Words(text), " ") }

func foldedTexts(texts []string) (list []string) {
	for _, text := range texts {
		list = append(list, folded(text))
	}
	return list
}

// JoinsSexes reports whether what is asked for is of one sex, and a label joins both: "men and women". Such a value is of no part.
func (a *Asked) JoinsSexes(label string) bool {
	return len(adultSexes(a.Text)) == 1 && NamesBothSexes(label)
}

// NamesBothSexes reports whether a text has words for women and for men.
func NamesBothSexes(text string) bool { return len(adultSexes(text)) == 2 }

// adultWords are the words for women and for men in all languages: folded, and as they are written if they are short, see minSexLetters.
var adultWords = sync.OnceValue(func() (sets [2]map[string]bool) {
	for of, further := range furtherSexes() {
		sets[of] = map[string]bool{}
		for _, name := range terms.Sexes[of] {
			sets[of][strings.Join(terms.Words(name), " ")] = true
		}
		for _, name := range further {
			if word := strings.Join(terms.Words(name), " "); len(word) >= minSexLetters {
				sets[of][word] = true
			} else {
				sets[of][RawLabel(name)] = true
			}
		}
	}
	return sets
})

// adultSexes returns which of women and men, as positions of [terms.Sexes], a text has words for.
func adultSexes(text string) (found []int) {
	words := append(terms.Words(text), strings.Fields(RawLabel(text))...)
	for of, names := range adultWords() {
		if slices.ContainsFunc(words, func(word string) bool { return names[word] }) {
			found = append(found, of)
		}
	}
	return found
}

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
