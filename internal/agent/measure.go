package agent

import (
	"slices"
	"strings"
	"unicode"
)

// generalWords are words in the names of measures that do not tell them apart.
var generalWords = strings.Fields("rate total share index number and of the per in to all at")

// isOtherMeasure reports whether a question names another measure in the title of a dataset than that
// of its usual series: the deficit of "Government deficit/surplus, debt", if the series is the
// debt. found are the texts of the title that the question named.
func isOtherMeasure(title, measure string, found []string) bool {
	title, _, _ = strings.Cut(strings.ToLower(title), " by ")
	inTitle, named, asked := wordsOf(title), wordsOf(measure), wordsOf(strings.Join(found, " "))
	if len(named) == 0 {
		return false
	}
	// The last word of a name is the measure: debt of "Government debt".
	if last := named[len(named)-1]; !slices.Contains(inTitle, last) || slices.Contains(asked, last) {
		return false
	}
	return slices.ContainsFunc(asked, func(word string) bool {
		return slices.Contains(inTitle, word) && !slices.Contains(named, word)
	})
}

// wordsOf returns the words of a text in lower case, without those of [generalWords].
func wordsOf(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(words, func(word string) bool { return slices.Contains(generalWords, word) })
}
