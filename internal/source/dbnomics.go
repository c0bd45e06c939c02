package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// dbnomics is DBnomics: datasets of many providers, series in pages.
type dbnomics struct {
	Office
	client *fetch.Client
}

func newDbnomics(o Office, c *fetch.Client) Server { return &dbnomics{o, c} }

func (s *dbnomics) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, stat.Errorf(stat.Internal, "not written yet")) }
}

func (s *dbnomics) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
