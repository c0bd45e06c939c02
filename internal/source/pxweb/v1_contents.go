package pxweb

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Limits of a walk through the folders.
const (
	maxDepth   = 16     // levels of folders
	maxFolders = 50_000 // folders read
)

// contents walks through the folders below Filter.Under, or uses the server's own
// search if it has one.
func (s v1) contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		if _, err := s.limits(ctx); err != nil { // they state the pause
			return err
		}
		under := strings.Trim(f.Under, "/")
		walk := walker{v1: s, add: add, seen: source.CodeSet{}}
		if under != "" {
			if err := checkCode(under); err != nil {
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

// walker is a walk through the folders.
type walker struct {
	v1
	add         func(source.Entry) error
	folders     []string   // codes of the current folder and those above, from the top
	names       []string   // their names
	above       [][32]byte // digests of the folders above
	foldersRead int
	seen        source.CodeSet // datasets, which may be in several folders
}

// folder adds the tables of the current folder, then those of the folders in it.
func (w *walker) folder(ctx context.Context) error {
	if w.foldersRead++; w.foldersRead > maxFolders || len(w.folders) > maxDepth {
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
	var subfolders []listItem
	err = readItems(body, func(item listItem) error {
		switch {
		case item.Dbid != "" && item.ID == "":
			subfolders = append(subfolders, listItem{ID: item.Dbid, Text: item.Text})
		case item.Type == "l":
			subfolders = append(subfolders, listItem{ID: item.ID, Text: item.Text})
		case item.Type == "t":
			return w.table(item, item.Text, item.Updated, w.folders, w.names)
		}
		return nil
	})
	switch {
	case errors.Is(err, source.ErrStop):
		return err
	case errors.Is(err, errNotList) && len(w.folders) > 0:
		return stat.Errorf(stat.NotFound, "%s has no folder %q", w.Name, strings.Join(w.folders, "/"))
	case err != nil:
		return w.unreadable(address, "a list of tables", err)
	}
	w.above = append(w.above, digest)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	for _, item := range subfolders {
		if checkCode(item.ID) != nil || strings.Contains(item.ID, "/") {
			continue
		}
		w.folders, w.names = append(w.folders, item.ID), append(w.names, plainText(item.Text, item.ID))
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
func (w *walker) skipFolder(err error) error {
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
func (w *walker) table(item listItem, title, updated string, folders, names []string) error {
	code := strings.Join(append(slices.Clone(folders), item.ID), "/")
	if item.ID == "" || !w.seen.Add(w.dataset(code)) {
		return nil
	}
	return w.add(source.Entry{Code: code, Title: plainText(title, item.ID), Theme: strings.Join(names, " / "), Folders: slices.Clone(folders), Updated: source.ParseTime(updated)})
}

// search uses the server's search. done is false if the server has none or finds
// nothing: some servers without a search return an empty result.
func (w *walker) search(ctx context.Context, f source.Filter) (done bool, err error) {
	body, _, err := w.read(ctx, w.base+"?query="+url.QueryEscape(f.Search), nil)
	var e *fetch.Error
	if errors.As(err, &e) && !e.Outage() {
		return false, nil
	} else if err != nil {
		return false, err
	}
	err = readItems(body, func(item listItem) error {
		if item.ID == "" || item.Title == "" || item.Path == "" && item.Published == "" {
			return errNotList // a folder's list: the server ignored the query
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

// plainText returns a title on one line, without the markup that some offices add;
// other if it is empty.
func plainText(text, other string) string {
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
