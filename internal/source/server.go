package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// checkedServer is a server as callers see it: its lists are filtered, and errors say what
// to do about a list or a dataset that the office does not have.
type checkedServer struct {
	Server
	office Office
}

// Contents yields the entries that the filter selects, each code once. At the end of a
// whole list it distinguishes an empty result from an unknown folder.
func (s checkedServer) Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		seen, hasFolder := codeSet{}, f.Under == "" || s.office.Walked(f.Under)
		for e, err := range s.Server.Contents(ctx, f) {
			if err = cmp.Or(ctx.Err(), err); err != nil {
				if isMissing(err) && stat.KindOf(err) != stat.NotFound {
					err = s.office.noList(f.Under, err)
				}
				yield(Entry{}, err)
				return
			}
			isUnder := f.isUnder(e)
			hasFolder = hasFolder || isUnder
			if isUnder && f.isFound(e) && seen.add(e.Code) && !yield(e, nil) {
				return
			}
		}
		if !hasFolder {
			yield(Entry{}, s.office.noList(f.Under, nil))
		}
	}
}

// Fetch sends no request if the list says that nothing changed. It leaves only the files of
// the download in the folder.
func (s checkedServer) Fetch(ctx context.Context, r Request) (*Download, error) {
	if listed := r.Listed; listed != nil && !listed.Updated.IsZero() && listed.Updated.Equal(r.Known.Updated) {
		return &Download{Unchanged: true, State: r.Known}, nil
	}
	d, err := s.Server.Fetch(ctx, r)
	if isMissing(err) && stat.KindOf(err) != stat.NotFound {
		err = s.office.noDataset(r.Code, err)
	}
	var keep []string
	if err == nil && !d.Unchanged {
		keep = slices.Concat(d.Data, d.Companions)
	}
	if err = errors.Join(err, removeOthers(r.Folder, keep)); err != nil {
		return nil, err
	}
	return d, nil
}

// removeOthers removes all files from a folder except some.
func removeOthers(folder string, keep []string) error {
	files, err := os.ReadDir(folder)
	for _, file := range files {
		if path := filepath.Join(folder, file.Name()); !slices.Contains(keep, path) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// noDataset returns the error for a dataset that the office does not have. cause is the
// response, or nil.
func (o Office) noDataset(code string, cause error) error {
	message := "there is no such file"
	switch {
	case o.hasList():
		message = o.Name + " has no dataset " + code + "; `almanac source datasets " + o.ID + "` lists the codes"
	case o.Name != "":
		message = o.Name + " has no dataset " + code
	}
	return &stat.Error{Kind: stat.NotFound, Message: message, Err: cause}
}

// noList returns the error for a list, or a folder, that the office does not have.
func (o Office) noList(folder string, cause error) error {
	message := o.Name + " has no list of datasets here; its address may have changed"
	if folder != "" {
		message = fmt.Sprintf("%s has no folder %q with datasets; `almanac source datasets %s` lists the folders", o.Name, folder, o.ID)
	}
	return &stat.Error{Kind: stat.NotFound, Message: message, Err: cause}
}

// hasList reports whether the office lists its datasets.
func (o Office) hasList() bool {
	return o.ID != "" && (o.Contents != "" || o.Kind != plainKind && o.Kind != "jsonstat")
}

// isMissing reports whether the server has nothing at an address.
func isMissing(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Reason == fetch.Missing
}

// codeSet is a set of codes, whose case is ignored. It stores only a hash of each, because
// a list may have a million codes. The hashes of 16 bytes do not collide in practice.
type codeSet map[[16]byte]struct{}

// add reports whether the code is new.
func (s codeSet) add(code string) bool {
	h := fnv.New128a()
	_, _ = io.WriteString(h, strings.ToLower(code))
	k := [16]byte(h.Sum(nil))
	_, isKnown := s[k]
	s[k] = struct{}{}
	return !isKnown
}

// entriesOf returns the entries that read adds. add fails if the caller wants no more, and
// read then ends with that error.
func entriesOf(read func(add func(Entry) error) error) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		err := read(func(e Entry) error {
			if e.Code != "" && !yield(e, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Entry{}, err)
		}
	}
}

// errStop ends the reading of a list that the caller no longer needs.
var errStop = errors.New("stop")
