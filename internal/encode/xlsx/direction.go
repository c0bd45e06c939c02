package xlsx

import (
	"strings"
	"unicode"

	"almanac/internal/encode"
)

// isRightToLeft reports whether the texts of a table are written from right to left: its language
// is, or most of its labels are, because many files do not state a language.
func isRightToLeft(t *encode.Table) bool {
	d := t.Vintage.Dataset
	language, _, _ := strings.Cut(d.Language, "-")
	switch language {
	case "ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi":
		return true
	}
	texts := []string{d.Name}
	for _, axis := range d.Axes() {
		texts = append(texts, axis.Label)
		for _, code := range axis.Codes[:min(len(axis.Codes), 100)] {
			texts = append(texts, code.Label)
		}
	}
	n := 0
	for _, text := range texts {
		if beginsRightToLeft(text) {
			n++
		}
	}
	return 2*n > len(texts)
}

// beginsRightToLeft reports whether the first letter of a text belongs to a script that is written
// from right to left.
func beginsRightToLeft(text string) bool {
	for _, r := range text {
		if unicode.IsLetter(r) {
			return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam)
		}
	}
	return false
}
