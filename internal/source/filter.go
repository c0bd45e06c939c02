package source

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// matches reports whether the filter selects an entry.
func (f Filter) matches(e Entry) bool { return f.isUnder(e) && f.isFound(e) }

// isUnder reports whether Under is one of the entry's folders, by code or name.
func (f Filter) isUnder(e Entry) bool {
	isUnder := func(folder string) bool { return strings.EqualFold(folder, f.Under) }
	return f.Under == "" || slices.ContainsFunc(e.Folders, isUnder) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isUnder)
}

// isFound reports whether all words of Search occur in the entry.
func (f Filter) isFound(e Entry) bool {
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

// listFilter filters a complete list. At the end of the list it distinguishes an empty
// result from an unknown folder.
type listFilter struct {
	Filter
	folderSeen bool // an entry is in the folder
}

func (c *listFilter) matches(e Entry) bool {
	if !c.isUnder(e) {
		return false
	}
	c.folderSeen = true
	return c.isFound(e)
}

// folderError returns the error at the end of a list if the folder has no entries.
func (c *listFilter) folderError(o Office) error {
	if c.Under == "" || c.folderSeen {
		return nil
	}
	return stat.Errorf(stat.NotFound, "%s has no folder %q with datasets; `almanac source datasets %s` lists the folders", o.Name, c.Under, o.ID)
}

// isShort reports whether a list lacks more than one in a hundred of the stated entries.
// Fewer may be missing, because some offices count datasets that are not public. More
// missing entries would make existing datasets look removed.
func isShort(entries, stated int) bool { return entries < stated-stated/100 }
