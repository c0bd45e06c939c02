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
	pxwebMaxDepth   = 16     // levels of folders
	pxwebMaxFolders = 50_000 // folders read
)

// contents walks through the folders below Filter.Under, or uses the server's own
// search if it has one.
func (s pxweb1) contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if _, err := s.limits(ctx); err != nil { // they state the pause
			yield(Entry{}, err)
			return
		}
		under := strings.Trim(f.Under, "/")
		walk := pxwebWalk{pxweb1: s, filter: Filter{Search: f.Search}, yield: yield, seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
		if under != "" {
			if err := pxwebCheck(under); err != nil {
				yield(Entry{}, err)
				return
			}
			walk.folders = strings.Split(under, "/")
			walk.names = slices.Clone(walk.folders)
		}
		if f.Search != "" && under == "" {
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
	filter      Filter
	yield       func(Entry, error) bool
	folders     []string   // codes of the current folder and those above, from the top
	names       []string   // their names
	above       [][32]byte // digests of the folders above
	foldersRead int

	seed maphash.Seed
	seen map[uint64]bool // datasets already yielded
}

// fail yields an error, if there is one.
func (w *pxwebWalk) fail(err error) {
	if err != nil {
		w.yield(Entry{}, err)
	}
}

// folder yields the tables of the current folder, then those of the folders in it. more is
// false if the caller wants no more.
func (w *pxwebWalk) folder(ctx context.Context) (more bool, err error) {
	if w.foldersRead++; w.foldersRead > pxwebMaxFolders || len(w.folders) > pxwebMaxDepth {
		return false, stat.Errorf(stat.Unavailable, "the folders of %s do not end: read %d, down to %s", w.Name, w.foldersRead, strings.Join(w.folders, "/"))
	}
	address := w.address(strings.Join(w.folders, "/"))
	body, _, err := w.read(ctx, address, nil)
	if err != nil {
		return w.skipFolder(err)
	}
	// A folder with the same content as one above it would make the walk endless.
	digest := sha256.Sum256(body)
	if slices.Contains(w.above, digest) {
		return true, nil
	}
	more = true
	var subfolders []pxwebItem
	err = pxwebItems(body, func(item pxwebItem) bool {
		switch {
		case item.Dbid != "" && item.ID == "":
			subfolders = append(subfolders, pxwebItem{ID: item.Dbid, Text: item.Text})
		case item.Type == "l":
			subfolders = append(subfolders, pxwebItem{ID: item.ID, Text: item.Text})
		case item.Type == "t":
			more = w.table(item)
		}
		return more && len(subfolders) <= pxwebMaxFolders
	})
	switch {
	case errors.Is(err, errPxwebNotList) && len(w.folders) > 0:
		return false, stat.Errorf(stat.NotFound, "%s has no folder %q", w.Name, strings.Join(w.folders, "/"))
	case err != nil:
		return false, w.unreadable(address, "a list of tables", err)
	}
	w.above = append(w.above, digest)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	for _, item := range subfolders {
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

// skipFolder skips a folder that the server lists but does not return. The requested
// folder must exist.
func (w *pxwebWalk) skipFolder(err error) (more bool, _ error) {
	var e *fetch.Error
	switch {
	case !errors.As(err, &e) || e.Reason != fetch.Missing && e.Reason != fetch.Denied:
		return false, err
	case w.foldersRead > 1:
		return true, nil
	}
	message := fmt.Sprintf("%s has no folder %q", w.Name, strings.Join(w.folders, "/"))
	if len(w.folders) == 0 {
		message = fmt.Sprintf("%s returns no list of its folders; its address may have changed", w.Name)
	}
	return false, &stat.Error{Kind: stat.NotFound, Message: message, Err: err}
}

// table yields a table of the current folder.
func (w *pxwebWalk) table(item pxwebItem) (more bool) {
	if item.ID == "" {
		return true
	}
	return w.yieldNew(Entry{
		Code: strings.Join(append(slices.Clone(w.folders), item.ID), "/"), Title: pxwebText(item.Text, item.ID),
		Theme: strings.Join(w.names, " / "), Folders: slices.Clone(w.folders), Updated: pxwebTime(item.Updated),
	})
}

// yieldNew yields an entry that matches the filter and was not yielded before.
func (w *pxwebWalk) yieldNew(e Entry) (more bool) {
	key := maphash.String(w.seed, strings.ToLower(w.dataset(e.Code)))
	if w.seen[key] || !w.filter.matches(e) {
		return true
	}
	w.seen[key] = true
	return w.yield(e, nil)
}

// search uses the server's search. done is false if the server has none or finds
// nothing: some servers without a search return an empty result.
func (w *pxwebWalk) search(ctx context.Context) (done bool, err error) {
	address := w.base + "?query=" + url.QueryEscape(w.filter.Search)
	body, _, err := w.read(ctx, address, nil)
	var e *fetch.Error
	if errors.As(err, &e) && !e.Outage() {
		return false, nil
	} else if err != nil {
		return false, err
	}
	err = pxwebItems(body, func(item pxwebItem) bool {
		if item.ID == "" || item.Title == "" || item.Path == "" && item.Published == "" {
			return false // a folder's list: the server ignored the query
		}
		done = true
		folders := slices.DeleteFunc(strings.Split(item.Path, "/"), func(f string) bool { return f == "" })
		if len(folders) > 0 && folders[len(folders)-1] == item.ID {
			folders = folders[:len(folders)-1]
		}
		return w.yieldNew(Entry{
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
