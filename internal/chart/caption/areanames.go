package caption

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isCapitals reports whether a label is written in capitals and is no abbreviation.
func isCapitals(label string) bool {
	letters := 0
	for _, r := range label {
		switch {
		case unicode.IsLower(r) || unicode.IsDigit(r):
			return false
		case unicode.IsUpper(r):
			letters++
		}
	}
	return letters > 4
}

// particles are words within names that stay small.
var particles = setOf("and|of|the|in|de|del|la|las|los|y|e|da|do|dos|das|du|des|les|et|und|an|am|der|i|og|och|ja")

// Capitalised writes a name in capitals with a capital at the beginning of each word. Other
// names stay as they are.
func Capitalised(name string) string {
	if !isCapitals(name) {
		return name
	}
	var b strings.Builder
	isFirst, word := true, ""
	flush := func() {
		lower := strings.ToLower(word)
		r, size := utf8.DecodeRuneInString(lower)
		switch {
		case word == "":
			return
		case abbreviations[lower] != "":
			b.WriteString(abbreviations[lower])
		case particles[lower] && !isFirst:
			b.WriteString(lower)
		default:
			b.WriteString(string(unicode.ToTitle(r)) + lower[size:])
		}
		isFirst, word = false, ""
	}
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsMark(r) || r == '\'' || r == '’' {
			word += string(r)
			continue
		}
		flush()
		b.WriteRune(r)
	}
	flush()
	return b.String()
}

// invertedEnds are the ends of names that directories sort by their main word: "Madrid,
// Comunidad de", "Rioja, La", "Gambia, The".
var invertedEnds = setOf("la|las|el|los|a|o|as|os|les|l'|the|illes|le|die|der|das")

// Uninverted turns the name of an area that is written for an alphabetical list: "Comunidad de
// Madrid".
func Uninverted(name string) string {
	head, tail, ok := strings.Cut(name, ", ")
	if !ok || strings.Contains(tail, ",") {
		return name
	}
	lower := strings.ToLower(tail)
	switch last := lower[strings.LastIndex(lower, " ")+1:]; {
	case lower == "l'":
		return tail + head
	case invertedEnds[lower], last == "de", last == "del", last == "of":
		return tail + " " + head
	}
	return name
}
