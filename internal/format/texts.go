package format

import "strings"

// Texts are the texts of a file that many observations share, such as units
// and notes: each is kept once, in memory of its own, so that it does not keep
// the line that it was read from.
type Texts map[string]string

// Keep is text as it is kept.
func (t Texts) Keep(text string) string {
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
