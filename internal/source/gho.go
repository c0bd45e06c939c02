package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// gho is the WHO's Global Health Observatory over OData.
type gho struct {
	Office
	client *fetch.Client
}

func newGho(o Office, c *fetch.Client) Server { return &gho{o, c} }

func (s *gho) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, stat.Errorf(stat.Internal, "not written yet")) }
}

func (s *gho) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
