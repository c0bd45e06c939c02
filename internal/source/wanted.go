package source

import (
	"slices"
	"strings"
)

// takes reports whether an entry is wanted: all words of Search stand in its
// code, title or theme, and Under is one of its folders, by code or by name.
func (w Wanted) takes(e Entry) bool {
	if w.Search != "" {
		text := strings.ToLower(e.Code + " " + e.Title + " " + e.Theme)
		for word := range strings.FieldsSeq(strings.ToLower(w.Search)) {
			if !strings.Contains(text, word) {
				return false
			}
		}
	}
	isIt := func(folder string) bool { return strings.EqualFold(folder, w.Under) }
	return w.Under == "" || slices.ContainsFunc(e.Folders, isIt) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isIt)
}
