package source

import (
	"context"
	"iter"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// plainKind is the kind of servers that give files at addresses and nothing
// else. An office of it has a Data address with {code}, and perhaps a list of
// contents of its own: lines of code, tab, title.
const plainKind = "files"

// plain serves files at addresses.
type plain struct {
	Office
	client *fetch.Client
}

func newPlain(o Office, c *fetch.Client) Server { return &plain{o, c} }

func (p *plain) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		yield(Entry{}, stat.Errorf(stat.Refused, "plain addresses have no list of datasets"))
	}
}

func (p *plain) Fetch(ctx context.Context, r Request) (*Download, error) {
	return nil, stat.Errorf(stat.Internal, "not written yet")
}
