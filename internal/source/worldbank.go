package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// worldbank is the World Bank's API v2: indicators in pages.
type worldbank struct {
	Office
	client *fetch.Client
}

func newWorldbank(o Office, c *fetch.Client) Server { return &worldbank{o, c} }

func (s *worldbank) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, stat.Errorf(stat.Internal, "not written yet")) }
}

func (s *worldbank) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
