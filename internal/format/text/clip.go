package text

import "strings"

// Clip shortens a text for an error or a note.
func Clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// Interner keeps one copy of each text that many observations share, such as
// units and notes. The copy does not keep the line that it was read from in
// memory.
type Interner map[string]string

// Keep returns the copy of text.
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
