package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// eurostat is Eurostat's dissemination service: a table of contents, whole datasets as TSV, code lists.
type eurostat struct {
	Office
	client *fetch.Client
}

func newEurostat(o Office, c *fetch.Client) Server { return &eurostat{o, c} }

func (s *eurostat) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, stat.Errorf(stat.Internal, "not written yet")) }
}

func (s *eurostat) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
