package defaults

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// ConceptNamed returns the concept that a text is a name of: its ID, its label, or one of its names, in any case and with
// any marks between the words. It is nil if the text says more, less or something else: "female unemployment rate" is no
// name of the unemployment rate.
func ConceptNamed(text string) *Concept { return conceptNames().byName[nameKey(text)] }

// SimilarConcepts returns the concepts that share words with a text in their labels and names, the most similar first. A word counts the
// less the more concepts have it.
func SimilarConcepts(text string) (list []*Concept) {
	scores := map[*Concept]float64{}
	for _, word := range tellingWords(text) {
		having := conceptNames().byWord[word]
		for _, c := range having {
			if scores[c] == 0 {
				list = append(list, c)
			}
			scores[c] += 1 / float64(len(having))
		}
	}
	slices.SortStableFunc(list, func(a, b *Concept) int { return cmp.Compare(scores[b], scores[a]) })
	return list[:min(len(list), mostSimilar)]
}

const mostSimilar = 8

type conceptIndex struct {
	byName map[string]*Concept
	byWord map[string][]*Concept
}

var conceptNames = sync.OnceValue(func() *conceptIndex {
	index, err := indexNames(concepts())
	if err != nil {
		panic("defaults: " + err.Error()) // cannot happen: a test reads the table
	}
	return index
})

// indexNames returns the concepts by their names and the words of these. The error is about a name of two concepts.
func indexNames(list []Concept) (*conceptIndex, error) {
	index := &conceptIndex{map[string]*Concept{}, map[string][]*Concept{}}
	for i := range list {
		c := &list[i]
		for _, name := range append([]string{c.ID, c.Label}, c.Names...) {
			key := nameKey(name)
			if other := index.byName[key]; other != nil && other != c {
				return nil, fmt.Errorf("%q is a name of %s and of %s", name, other.ID, c.ID)
			}
			index.byName[key] = c
			for _, word := range tellingWords(name) {
				if !slices.Contains(index.byWord[word], c) {
					index.byWord[word] = append(index.byWord[word], c)
				}
			}
		}
	}
	return index, nil
}

// nameKey returns the words of a name in lower case.
func nameKey(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '&' && r != '+' && r != '%'
	}), " ")
}

// commonWords are words of names that say little about what is measured.
var commonWords = []string{"number", "people", "person", "rate", "ratio", "total", "share", "index", "year", "inhabitant", "with", "from", "over", "aged", "than"}

// tellingWords returns the words of a name that say what is measured, without the plural of English.
func tellingWords(name string) (words []string) {
	for word := range strings.FieldsSeq(nameKey(name)) {
		word = strings.TrimSuffix(word, "s")
		if utf8.RuneCountInString(word) > 2 && !slices.Contains(commonWords, word) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}
