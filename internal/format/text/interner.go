package text

import "strings"

// Interner are the texts of a file that many observations share, such as units
// and notes: each is kept once, in memory of its own, so that it does not keep
// the line that it was read from.
type Interner map[string]string

// Keep is text as it is kept.
func (t Interner) Keep(text string) string {
	if text == "" {
		return ""
	}
	kept, ok := t[text]
	if !ok {
		kept = strings.Clone(text)
		t[kept] = kept
	}
	return kept
}
