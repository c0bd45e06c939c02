package source

import (
	"slices"
	"strings"
)

// IsUnder reports whether Under is one of the entry's folders, by code, by name, or by the
// codes from the top: BE/BE0101.
func (f Filter) IsUnder(e Entry) bool {
	under := strings.Trim(f.Under, "/")
	isUnder := func(folder string) bool { return strings.EqualFold(folder, under) }
	path := strings.ToLower(strings.Join(e.Folders, "/") + "/")
	return under == "" || slices.ContainsFunc(e.Folders, isUnder) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isUnder) ||
		strings.HasPrefix(path, strings.ToLower(under)+"/")
}

// isFound reports whether all words of Search occur in the entry.
func (f Filter) Matches(e Entry) bool {
	if f.Search == "" {
		return true
	}
	text := strings.ToLower(e.Code + " " + e.Title + " " + e.Theme)
	for word := range strings.FieldsSeq(strings.ToLower(f.Search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
