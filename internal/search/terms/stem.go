package terms

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/spanish"
)

// stemmers are the rules of Snowball by language.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"en": english.Stem, "de": german.Stem, "fr": french.Stem, "es": spanish.Stem, "it": italian.Stem,
}

// Stem returns a folded word without its endings by the rules of a language: "wages" and
// "wage" have one stem in English. Words of other languages, words with digits and words
// of up to three letters are returned as they are.
func Stem(word, language string) string {
	stem := stemmers[language]
	if stem == nil || len(word) <= 3 || hasDigit(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	stem(env)
	return env.Current()
}

func hasDigit(word string) bool {
	for i := range len(word) {
		if word[i] >= '0' && word[i] <= '9' {
			return true
		}
	}
	return false
}
