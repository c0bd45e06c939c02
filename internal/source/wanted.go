package source

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// takes reports whether an entry is wanted: it stands in the folder, and has all
// words of Search.
func (w Wanted) takes(e Entry) bool { return w.isUnder(e) && w.isFound(e) }

// isUnder reports whether Under is one of the entry's folders, by code or by name.
func (w Wanted) isUnder(e Entry) bool {
	isIt := func(folder string) bool { return strings.EqualFold(folder, w.Under) }
	return w.Under == "" || slices.ContainsFunc(e.Folders, isIt) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isIt)
}

// isFound reports whether all words of Search stand in the entry's code, title or
// theme.
func (w Wanted) isFound(e Entry) bool {
	if w.Search == "" {
		return true
	}
	text := strings.ToLower(e.Code + " " + e.Title + " " + e.Theme)
	for word := range strings.FieldsSeq(strings.ToLower(w.Search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// choice chooses from a whole list, and knows in the end whether the folder is
// there: nothing that is found in it is another thing than no such folder.
type choice struct {
	Wanted
	below bool // something stands in the folder
}

func (c *choice) takes(e Entry) bool {
	if !c.isUnder(e) {
		return false
	}
	c.below = true
	return c.isFound(e)
}

// missing is the error at the end of a list in which nothing stands in the folder.
func (c *choice) missing(o Office) error {
	if c.Under == "" || c.below {
		return nil
	}
	return stat.Errorf(stat.NotFound, "%s has no folder %q with datasets; `almanac source datasets %s` shows them with their folders", o.Name, c.Under, o.ID)
}

// isShort reports whether a list has fewer entries than it says: datasets would
// seem to be gone. One in a hundred may be counted and not shown, as offices do
// with what is not public.
func isShort(entries, said int) bool { return entries < said-said/100 }
