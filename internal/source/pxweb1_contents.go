package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Limits of a walk through the folders.
const (
	pxwebDeepest     = 16     // levels of folders
	pxwebMostFolders = 50_000 // folders read
)

// contents walks through the folders below Filter.Under, or uses the server's own
// search if it has one.
func (s pxweb1) contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if _, err := s.limits(ctx); err != nil { // for the pause
			yield(Entry{}, err)
			return
		}
		below := strings.Trim(f.Under, "/")
		walk := pxwebWalk{pxweb1: s, wanted: Filter{Search: f.Search}, yield: yield, seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
		if below != "" {
			if err := pxwebCheck(below); err != nil {
				yield(Entry{}, err)
				return
			}
			walk.folders = strings.Split(below, "/")
			walk.names = slices.Clone(walk.folders)
		}
		if f.Search != "" && below == "" {
			if done, err := walk.search(ctx); done || err != nil {
				walk.fail(err)
				return
			}
		}
		_, err := walk.folder(ctx)
		walk.fail(err)
	}
}

// pxwebWalk is a walk through the folders.
type pxwebWalk struct {
	pxweb1
	wanted  Filter
	yield   func(Entry, error) bool
	folders []string   // codes of the current folder and those above, from the top
	names   []string   // their names
	above   [][32]byte // content of the folders above
	looked  int        // number of folders read

	seed maphash.Seed
	seen map[uint64]bool // datasets already yielded
}

// fail ends the list with an error, if there is one.
func (w *pxwebWalk) fail(err error) {
	if err != nil {
		w.yield(Entry{}, err)
	}
}

// folder yields the tables of a folder, then those of the folders in it. more is false
// if the caller wants no more.
func (w *pxwebWalk) folder(ctx context.Context) (more bool, err error) {
	if w.looked++; w.looked > pxwebMostFolders || len(w.folders) > pxwebDeepest {
		return false, stat.Errorf(stat.Unavailable, "the folders of %s do not end: read %d, down to %s", w.Name, w.looked, strings.Join(w.folders, "/"))
	}
	address := w.address(strings.Join(w.folders, "/"))
	body, _, err := w.read(ctx, address, nil)
	if err != nil {
		return w.closed(err)
	}
	// A folder with the same content as one above it is a circle.
	here := sha256.Sum256(body)
	if slices.Contains(w.above, here) {
		return true, nil
	}
	more = true
	var inside []pxwebItem
	err = pxwebItems(body, func(item pxwebItem) bool {
		switch {
		case item.Dbid != "" && item.ID == "":
			inside = append(inside, pxwebItem{ID: item.Dbid, Text: item.Text})
		case item.Type == "l":
			inside = append(inside, pxwebItem{ID: item.ID, Text: item.Text})
		case item.Type == "t":
			more = w.table(item)
		}
		return more && len(inside) <= pxwebMostFolders
	})
	switch {
	case errors.Is(err, errPxwebNoList):
		return false, stat.Errorf(stat.NotFound, "%s has no folder %q", w.Name, strings.Join(w.folders, "/"))
	case err != nil:
		return false, w.unreadable(address, "a list of tables", err)
	}
	w.above = append(w.above, here)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	for _, item := range inside {
		if !more || pxwebCheck(item.ID) != nil || strings.Contains(item.ID, "/") {
			continue
		}
		w.folders, w.names = append(w.folders, item.ID), append(w.names, pxwebText(item.Text, item.ID))
		more, err = w.folder(ctx)
		w.folders, w.names = w.folders[:len(w.folders)-1], w.names[:len(w.names)-1]
		if err != nil {
			return false, err
		}
	}
	return more, nil
}

// closed skips a folder that the server lists but does not open. The requested folder
// must exist.
func (w *pxwebWalk) closed(err error) (more bool, _ error) {
	var e *fetch.Error
	switch {
	case !errors.As(err, &e) || e.Reason != fetch.Missing && e.Reason != fetch.Denied:
		return false, err
	case w.looked > 1:
		return true, nil
	}
	return false, &stat.Error{Kind: stat.NotFound, Message: fmt.Sprintf("%s has no folder %q", w.Name, strings.Join(w.folders, "/")), Err: err}
}

// table yields a table of the folder.
func (w *pxwebWalk) table(item pxwebItem) (more bool) {
	if item.ID == "" {
		return true
	}
	return w.give(Entry{
		Code: strings.Join(append(slices.Clone(w.folders), item.ID), "/"), Title: pxwebText(item.Text, item.ID),
		Theme: strings.Join(w.names, " / "), Folders: slices.Clone(w.folders), Updated: pxwebTime(item.Updated),
	})
}

// give yields an entry that is selected and not yet yielded.
func (w *pxwebWalk) give(e Entry) (more bool) {
	key := maphash.String(w.seed, strings.ToLower(w.dataset(e.Code)))
	if w.seen[key] || !w.wanted.takes(e) {
		return true
	}
	w.seen[key] = true
	return w.yield(e, nil)
}

// search uses the server's search. done is false if the server has none or finds
// nothing: some servers without a search return an empty result.
func (w *pxwebWalk) search(ctx context.Context) (done bool, err error) {
	address := w.base + "?query=" + url.QueryEscape(w.wanted.Search)
	body, _, err := w.read(ctx, address, nil)
	var e *fetch.Error
	if errors.As(err, &e) && !e.Outage() {
		return false, nil
	} else if err != nil {
		return false, err
	}
	err = pxwebItems(body, func(item pxwebItem) bool {
		if item.ID == "" || item.Title == "" || item.Path == "" && item.Published == "" {
			return false // the list of a folder: the query was ignored
		}
		done = true
		folders := slices.DeleteFunc(strings.Split(item.Path, "/"), func(f string) bool { return f == "" })
		if len(folders) > 0 && folders[len(folders)-1] == item.ID {
			folders = folders[:len(folders)-1]
		}
		return w.give(Entry{
			Code: strings.Join(append(slices.Clone(folders), item.ID), "/"), Title: pxwebText(item.Title, item.ID),
			Theme: strings.Join(folders, " / "), Folders: folders, Updated: pxwebTime(item.Published),
		})
	})
	if err != nil && !done {
		return false, nil
	}
	return done, err
}

// pxwebText returns a title on one line, without the markup that some offices add;
// other if it is empty.
func pxwebText(text, other string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(text, "<")
		b.WriteString(before)
		after, closed := "", false
		if open {
			_, after, closed = strings.Cut(rest, ">")
		}
		if !closed {
			if open {
				b.WriteString("<" + rest)
			}
			break
		}
		text = after
	}
	if line := strings.Join(strings.Fields(b.String()), " "); line != "" {
		return line
	}
	return other
}
