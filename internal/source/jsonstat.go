package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// jsonstat is a server that answers an address a dataset with JSON-stat, and lists them as a JSON-stat collection.
type jsonstat struct {
	Office
	client *fetch.Client
}

func newJsonstat(o Office, c *fetch.Client) Server { return &jsonstat{o, c} }

func (s *jsonstat) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, stat.Errorf(stat.Internal, "not written yet")) }
}

func (s *jsonstat) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
