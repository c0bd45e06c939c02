package search

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/geo"
	"almanac/internal/search/index"
	"almanac/internal/search/terms"
	"almanac/internal/stat"
)

// valueKind is the kind of [coded] of the code of a value.
const valueKind = "value"

// Limits of codes of values.
const (
	minValueCode = 4   // letters and digits; beside other words, only of both
	valueScore   = 2.2 // less than the code of a dataset, and more than the beginning of one
	maxInTexts   = 3   // datasets that have a word in small letters that may be a code
)

// readValueCode finds the datasets that have a value with a code, such as the series FXUSDCAD. isAll says that the question has nothing else.
func (s *Search) readValueCode(n *snapshot, r *reading, span []codeField, isAll bool) bool {
	f := span[0]
	isShort := len(f.folded) < minCodeBeside && !strings.ContainsFunc(f.folded, unicode.IsDigit)
	if len(span) > 1 || len(f.folded) < minValueCode || !isAll && isShort || !s.mayBeValueCode(n, r, f, isAll) {
		return false
	}
	docs := n.index.Value(f.folded)
	for _, doc := range docs {
		if c, ok := r.coded[doc]; !ok || c.score < partScore {
			r.coded[doc] = coded{f.folded, valueKind, valueScore}
			r.valueCode = f.text
		}
	}
	return len(docs) > 0
}

// mayBeValueCode reports whether a text is no word, place, period or quantity. A word that is in hardly any text may be a code too.
func (s *Search) mayBeValueCode(n *snapshot, r *reading, f codeField, isAll bool) bool {
	if _, err := stat.ParsePeriod(f.text); err == nil || len(geo.Lookup(f.text)) > 0 || len(s.table.Areas(f.text)) > 0 {
		return false
	}
	isWord := func(word string) bool {
		return s.isTerm(word) || s.table.Weak(word, "") != terms.Strong || terms.IsQualifier(word) || terms.IsPlaceWord(word)
	}
	words := r.words[f.first:f.behind]
	switch {
	case s.codeForm(n, r, []codeField{f}) != noCode:
		return true
	case len(words) != 1 || isNumber(f.folded) || slices.ContainsFunc(words, isWord):
		return false
	case isAll && isInCapitals(f.text):
		return n.index.Occurrences(words[0]) <= maxAsWord
	case isAll:
		return n.index.Occurrences(words[0]) <= maxInTexts
	}
	return n.index.Occurrences(words[0]) == 0
}

// HasValueCode reports whether a code of a value is the text of a question.
func HasValueCode(code, asked string) bool { return index.FoldCode(code) == index.FoldCode(asked) }
