package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
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
	return Entries(func(add func(Entry) error) error {
		if _, err := s.limits(ctx); err != nil { // they state the pause
			return err
		}
		under := strings.Trim(f.Under, "/")
		walk := pxwebWalk{pxweb1: s, add: add, seen: CodeSet{}}
		if under != "" {
			if err := pxwebCheck(under); err != nil {
				return err
			}
			walk.folders = strings.Split(under, "/")
			walk.names = slices.Clone(walk.folders)
		}
		if f.Search != "" && under == "" {
			if done, err := walk.search(ctx, f); done || err != nil {
				return err
			}
		}
		return walk.folder(ctx)
	})
}

// pxwebWalk is a walk through the folders.
type pxwebWalk struct {
	pxweb1
	add         func(Entry) error
	folders     []string   // codes of the current folder and those above, from the top
	names       []string   // their names
	above       [][32]byte // digests of the folders above
	foldersRead int
	seen        CodeSet // datasets, which may be in several folders
}

// folder adds the tables of the current folder, then those of the folders in it.
func (w *pxwebWalk) folder(ctx context.Context) error {
	if w.foldersRead++; w.foldersRead > pxwebMaxFolders || len(w.folders) > pxwebMaxDepth {
		return stat.Errorf(stat.Unavailable, "the folders of %s do not end: read %d, down to %s", w.Name, w.foldersRead, strings.Join(w.folders, "/"))
	}
	address := w.address(strings.Join(w.folders, "/"))
	body, _, err := w.read(ctx, address, nil)
	if err != nil {
		return w.skipFolder(err)
	}
	// A folder with the same content as one above it would make the walk endless.
	digest := sha256.Sum256(body)
	if slices.Contains(w.above, digest) {
		return nil
	}
	var subfolders []pxwebItem
	err = pxwebItems(body, func(item pxwebItem) error {
		switch {
		case item.Dbid != "" && item.ID == "":
			subfolders = append(subfolders, pxwebItem{ID: item.Dbid, Text: item.Text})
		case item.Type == "l":
			subfolders = append(subfolders, pxwebItem{ID: item.ID, Text: item.Text})
		case item.Type == "t":
			return w.table(item, item.Text, item.Updated, w.folders, w.names)
		}
		return nil
	})
	switch {
	case errors.Is(err, ErrStop):
		return err
	case errors.Is(err, errPxwebNotList) && len(w.folders) > 0:
		return stat.Errorf(stat.NotFound, "%s has no folder %q", w.Name, strings.Join(w.folders, "/"))
	case err != nil:
		return w.unreadable(address, "a list of tables", err)
	}
	w.above = append(w.above, digest)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	for _, item := range subfolders {
		if pxwebCheck(item.ID) != nil || strings.Contains(item.ID, "/") {
			continue
		}
		w.folders, w.names = append(w.folders, item.ID), append(w.names, pxwebText(item.Text, item.ID))
		err := w.folder(ctx)
		w.folders, w.names = w.folders[:len(w.folders)-1], w.names[:len(w.names)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// skipFolder skips a folder that the server lists but does not return. The requested
// folder must exist.
func (w *pxwebWalk) skipFolder(err error) error {
	var e *fetch.Error
	switch {
	case !errors.As(err, &e) || e.Reason != fetch.Missing && e.Reason != fetch.Denied:
		return err
	case w.foldersRead > 1:
		return nil
	}
	message := fmt.Sprintf("%s has no folder %q", w.Name, strings.Join(w.folders, "/"))
	if len(w.folders) == 0 {
		message = fmt.Sprintf("%s returns no list of its folders; its address may have changed", w.Name)
	}
	return &stat.Error{Kind: stat.NotFound, Message: message, Err: err}
}

// table adds a table in a folder, unless another folder has it, too.
func (w *pxwebWalk) table(item pxwebItem, title, updated string, folders, names []string) error {
	code := strings.Join(append(slices.Clone(folders), item.ID), "/")
	if item.ID == "" || !w.seen.Add(w.dataset(code)) {
		return nil
	}
	return w.add(Entry{Code: code, Title: pxwebText(title, item.ID), Theme: strings.Join(names, " / "), Folders: slices.Clone(folders), Updated: ParseTime(updated)})
}

// search uses the server's search. done is false if the server has none or finds
// nothing: some servers without a search return an empty result.
func (w *pxwebWalk) search(ctx context.Context, f Filter) (done bool, err error) {
	body, _, err := w.read(ctx, w.base+"?query="+url.QueryEscape(f.Search), nil)
	var e *fetch.Error
	if errors.As(err, &e) && !e.Outage() {
		return false, nil
	} else if err != nil {
		return false, err
	}
	err = pxwebItems(body, func(item pxwebItem) error {
		if item.ID == "" || item.Title == "" || item.Path == "" && item.Published == "" {
			return errPxwebNotList // a folder's list: the server ignored the query
		}
		done = true
		folders := slices.DeleteFunc(strings.Split(item.Path, "/"), func(f string) bool { return f == "" })
		if len(folders) > 0 && folders[len(folders)-1] == item.ID {
			folders = folders[:len(folders)-1]
		}
		return w.table(item, item.Title, item.Published, folders, folders)
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
