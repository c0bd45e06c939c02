package search

import "almanac/internal/search/terms"

// Qualifier says which of several measures of one subject is meant.
type Qualifier = terms.Qualifier

// Qualifiers returns the words of a text that tell measures of one subject apart: nominal and real.
func Qualifiers(text string) []Qualifier { return terms.Qualifiers(text) }

// QualifierNamed returns the one with a name of the table.
func QualifierNamed(name string) Qualifier { return terms.QualifierNamed(name) }

// IsQualifier reports whether a word alone is one of them.
func IsQualifier(word string) bool { return terms.IsQualifier(word) }

// Words returns the words of a text, folded.
func Words(text string) []string { return terms.Words(text) }

// RegionWords returns the words of a text, folded, that only say that something is by region: "nach Kreisen".
func RegionWords(text string) (list []string) {
	words := Words(text)
	for i, isOfRegion := range terms.Load().RegionWords(words) {
		if isOfRegion {
			list = append(list, words[i])
		}
	}
	return list
}
