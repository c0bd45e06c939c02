package offices

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/source"
	"almanac/internal/stat"
)

// checkedServer is a server as callers see it: its lists are filtered, and errors say what
// to do about a list or a dataset that the office does not have.
type checkedServer struct {
	source.Server
	office source.Office
}

// Contents yields the entries that the filter selects, each code once. At the end of a
// whole list it distinguishes an empty result from an unknown folder.
func (s checkedServer) Contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return func(yield func(source.Entry, error) bool) {
		seen, hasFolder := source.CodeSet{}, f.Under == "" || s.office.Walked(f.Under)
		for e, err := range s.Server.Contents(ctx, f) {
			if err = cmp.Or(ctx.Err(), err); err != nil {
				if source.IsMissing(err) && stat.KindOf(err) != stat.NotFound {
					err = s.office.NoList(f.Under, err)
				}
				yield(source.Entry{}, err)
				return
			}
			isUnder := f.IsUnder(e)
			hasFolder = hasFolder || isUnder
			if isUnder && f.Matches(e) && seen.Add(e.Code) && !yield(e, nil) {
				return
			}
		}
		if !hasFolder {
			yield(source.Entry{}, s.office.NoList(f.Under, nil))
		}
	}
}

// Fetch sends no request if the list says that nothing changed. It leaves only the files of
// the download in the folder.
func (s checkedServer) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	if listed := r.Listed; listed != nil && !listed.Updated.IsZero() && listed.Updated.Equal(r.Known.Updated) {
		return &source.Download{Unchanged: true, State: r.Known}, nil
	}
	d, err := s.Server.Fetch(ctx, r)
	if source.IsMissing(err) && stat.KindOf(err) != stat.NotFound {
		err = s.office.NoDataset(r.Code, err)
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
