package source

import (
	"context"
	"errors"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// withNextStep is a server whose errors say what to do about a list or a dataset that the
// office does not have.
type withNextStep struct {
	Server
	office Office
}

func (s withNextStep) Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for e, err := range s.Server.Contents(ctx, f) {
			if isMissing(err) && stat.KindOf(err) != stat.NotFound {
				err = s.office.noList(f.Under, err)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (s withNextStep) Fetch(ctx context.Context, r Request) (*Download, error) {
	d, err := s.Server.Fetch(ctx, r)
	if isMissing(err) && stat.KindOf(err) != stat.NotFound {
		err = s.office.noDataset(r.Code, err)
	}
	return d, err
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

// noList returns the error for a list, or the list of a folder, that the office does not
// have.
func (o Office) noList(folder string, cause error) error {
	if folder != "" {
		filter := listFilter{Filter: Filter{Under: folder}}
		return filter.folderError(o)
	}
	return &stat.Error{Kind: stat.NotFound, Message: o.Name + " has no list of datasets here; its address may have changed", Err: cause}
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
