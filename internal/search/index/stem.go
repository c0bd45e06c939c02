package index

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/spanish"
)

// stemmers removes the endings of words, by language.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"de": german.Stem, "en": english.Stem, "es": spanish.Stem, "fr": french.Stem, "it": italian.Stem,
}

// Languages are the languages whose words have stems, in a fixed order.
var Languages = []string{"de", "en", "es", "fr", "it"}

// minStem is how long a word must be to have a stem.
const minStem = 4

// stemOf returns the stem of a folded word in a language, with the language as prefix,
// so that stems of two languages do not meet. It is empty if the word has none.
func stemOf(language, word string) string {
	stem := stemmers[language]
	if stem == nil || len(word) < minStem {
		return ""
	}
	env := snowballstem.NewEnv(word)
	stem(env)
	if len(env.Current()) < 3 {
		return ""
	}
	return language + ":" + env.Current()
}
