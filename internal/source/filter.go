package source

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// takes reports whether an entry is selected.
func (f Filter) takes(e Entry) bool { return f.isUnder(e) && f.isFound(e) }

// isUnder reports whether Under is one of the entry's folders, by code or name.
func (f Filter) isUnder(e Entry) bool {
	isIt := func(folder string) bool { return strings.EqualFold(folder, f.Under) }
	return f.Under == "" || slices.ContainsFunc(e.Folders, isIt) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isIt)
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

// choice filters a complete list. In the end it tells an empty result from an unknown
// folder.
type choice struct {
	Filter
	below bool // the folder has entries
}

func (c *choice) takes(e Entry) bool {
	if !c.isUnder(e) {
		return false
	}
	c.below = true
	return c.isFound(e)
}

// missing is the error at the end of a list if the folder has no entries.
func (c *choice) missing(o Office) error {
	if c.Under == "" || c.below {
		return nil
	}
	return stat.Errorf(stat.NotFound, "%s has no folder %q with datasets; `almanac source datasets %s` lists the folders", o.Name, c.Under, o.ID)
}

// isShort reports whether a list lacks so many entries that datasets would seem to have
// vanished. One in a hundred may be counted but not listed, because offices count
// datasets that are not public.
func isShort(entries, stated int) bool { return entries < stated-stated/100 }
