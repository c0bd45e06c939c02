package search

import "almanac/internal/search/terms"

// Qualifiers returns the words of a text that tell measures of one subject apart: nominal and real.
func Qualifiers(text string) []terms.Qualifier { return terms.Qualifiers(text) }

// Words returns the words of a text, folded.
func Words(text string) []string { return terms.Words(text) }
