package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// sdmx is an SDMX 2.1 or 3.0 REST service.
type sdmx struct {
	Office
	client *fetch.Client
}

func newSdmx(o Office, c *fetch.Client) Server { return &sdmx{o, c} }

func (s *sdmx) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, stat.Errorf(stat.Internal, "not written yet")) }
}

func (s *sdmx) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
