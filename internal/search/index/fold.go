package index

import (
	"strings"
	"unicode"

	"almanac/internal/search/terms"
)

// Words returns the words of a text in order, in lower case and without accents.
func Words(text string) []string { return terms.Words(text) }

// stemOf returns the stem of a folded word in a language, with the language as prefix,
// so that stems of two languages do not meet. It is empty if the word has none.
func stemOf(language, word string) string {
	stem := terms.Stem(word, language)
	if len(stem) < 3 {
		return ""
	}
	return language + ":" + stem
}

// FoldCode returns a code without case and punctuation, in which codes are compared:
// "nama10 gdp" and NAMA_10_GDP are equal.
func FoldCode(code string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, code)
}
