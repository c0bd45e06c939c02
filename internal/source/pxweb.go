package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// pxweb is a PxWeb server, version 1 or 2 of its API.
type pxweb struct {
	Office
	client *fetch.Client
}

func newPxweb(o Office, c *fetch.Client) Server { return &pxweb{o, c} }

func (s *pxweb) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, stat.Errorf(stat.Internal, "not written yet")) }
}

func (s *pxweb) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
