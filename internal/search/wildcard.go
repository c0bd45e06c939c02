package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/search/terms"
)

// wildcards are the marks that stand for letters inside a word: ? for one, * and % for any number.
const wildcards = "*?%"

// MinWildcard is the least number of letters of a word with wildcards that is read as
// another.
const MinWildcard = 3

// readWildcards replaces the words of a text with wildcards inside by the words that they fit which
// occur most. The end of the text may be the beginning of a word without one.
func (s *Search) readWildcards(n *snapshot, text string) (read string, corrections []Correction) {
	if !strings.ContainsAny(text, wildcards) {
		return text, nil
	}
	fields := strings.Fields(text)
	for i, field := range fields {
		pattern := patternOf(field)
		isLast := i == len(fields)-1
		if isLast {
			pattern = strings.TrimRight(pattern, "*")
		}
		if !strings.ContainsAny(pattern, wildcards) {
			continue
		}
		parts := strings.FieldsFunc(pattern, func(c rune) bool { return strings.ContainsRune(wildcards, c) })
		for k, part := range parts {
			words := terms.Words(part) // folded
			if len(words) != 1 {
				parts = nil
				break
			}
			parts[k] = words[0]
		}
		if len(strings.Join(parts, "")) < MinWildcard {
			continue
		}
		if best, ok := n.index.Fitting(foldPattern(pattern, parts)); ok {
			fields[i] = best
			corrections = append(corrections, Correction{field, best})
		}
	}
	return strings.Join(fields, " "), corrections
}

// patternOf returns a word without the marks around it.
func patternOf(field string) string {
	return strings.TrimRight(strings.TrimLeft(field, "\"'(["), "?%.,;:!\"')]")
}

// ShortPattern returns the first word of a text that has wildcards but too few letters and digits to
// be read as a word that fits; empty if there is none.
func ShortPattern(text string) string {
	for field := range strings.FieldsSeq(text) {
		pattern := patternOf(field)
		letters := strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return c
			}
			return -1
		}, pattern)
		if n := utf8.RuneCountInString(letters); strings.ContainsAny(pattern, wildcards) && 0 < n && n < MinWildcard {
			return pattern
		}
	}
	return ""
}

// foldPattern returns a pattern with its parts between the wildcards as they are folded.
func foldPattern(pattern string, parts []string) string {
	var folded strings.Builder
	wasMark := true
	for _, c := range pattern {
		isMark := strings.ContainsRune(wildcards, c)
		switch {
		case c == '%':
			folded.WriteByte('*')
		case isMark:
			folded.WriteRune(c)
		case wasMark:
			folded.WriteString(parts[0])
			parts = parts[1:]
		}
		wasMark = isMark
	}
	return folded.String()
}
