// Package terms knows the vocabulary of official statistics in English, German, French,
// Spanish and Italian: which words people use for a subject, and which words the offices
// have for it. A question is searched with the words of its concept in all languages.
//
// The vocabulary is text: one file for each group of subjects in the folder concepts, languages.txt with the everyday ones in further languages,
// weak.txt with words that say little, and places.txt with adjectives and other names of
// places. README.md tells how to add a line; no Go is needed.
//
// The package does no I/O and knows nothing of datasets.
package terms

import (
	"embed"
	"iter"
	"maps"
	"slices"
	"sync"
)

// Languages lists the languages of the table.
var Languages = []string{"en", "de", "fr", "es", "it"}

// Concept is a subject that datasets are about.
type Concept struct {
	ID       string
	Topic    string              // code of the subject-matter domain, as in package topics, or NoTopic
	Terms    map[string][]string // by language: what offices call it; the first is the usual name
	Everyday map[string][]string // by language: what people type instead, also parts of questions
	Broader  []string            // IDs of the concepts that include it
	Further  []Further           // what offices call it in other languages
}

// NoTopic is the topic of what datasets of all domains have, such as values per capita.
const NoTopic = "none"

// Table is the vocabulary. It is safe for concurrent use.
type Table struct {
	concepts []*Concept
	byID     map[string]*Concept
	phrases  [5]map[string][]*phrase // by the place of the language in Languages, then the stem of their longest word
	vocabulary
	places  placeNames
	further further
	cache   stemCache
}

//go:embed concepts/*.txt
var conceptFiles embed.FS

//go:embed weak.txt
var weakText string

//go:embed places.txt
var placesText string

// Load returns the table that is part of the program. It is parsed at the first call,
// which panics if a line is wrong; a test reads every line.
var Load = sync.OnceValue(func() *Table {
	t, err := parse(conceptFiles, weakText, placesText)
	if err == nil {
		err = t.readFurther(languagesText)
	}
	if err != nil {
		panic(err)
	}
	return t
})

// Concepts returns all concepts in the order of the files. The caller must not change them.
func (t *Table) Concepts() []*Concept { return t.concepts }

// Concept returns the concept with an ID, nil if there is none.
func (t *Table) Concept(id string) *Concept { return t.byID[id] }

// Narrower returns the concepts that a concept includes directly.
func (t *Table) Narrower(id string) []*Concept {
	var narrower []*Concept
	for _, c := range t.concepts {
		if slices.Contains(c.Broader, id) {
			narrower = append(narrower, c)
		}
	}
	return narrower
}

// Words returns every word of the table, folded, so that none of them is taken for a
// misspelt one.
func (t *Table) Words() iter.Seq[string] { return maps.Keys(t.known) }
