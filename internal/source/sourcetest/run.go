package sourcetest

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/replay"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Clock advances only when Sleep is called.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	Slept time.Duration
}

// NewClock returns a clock at 10:00 UTC on 3 March 2025.
func NewClock() *Clock {
	return &Clock{now: time.Date(2025, time.March, 3, 10, 0, 0, 0, time.UTC)}
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance adds d to the time.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Sleep advances the clock by d at once.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.Advance(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Slept += d
	return ctx.Err()
}

// NewTable returns a table of the built-in offices and others, which may be on the
// loopback.
func NewTable(t testing.TB, o fetch.Options, own ...source.Office) *offices.Table {
	t.Helper()
	o.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	client, err := fetch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	table, err := offices.NewTable(client, own)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// NewServer returns the server of an office.
func NewServer(t *testing.T, clock *Clock, o source.Office) source.Server {
	t.Helper()
	return NewTable(t, fetch.Options{Now: clock.Now, Sleep: clock.Sleep}, o).Server(o.ID)
}

// OfficeAt returns a built-in office whose addresses lead to a replay.
func OfficeAt(t testing.TB, id string, s *replay.Server) source.Office {
	t.Helper()
	o, ok := NewTable(t, fetch.Options{}).Office(id)
	if !ok {
		t.Fatalf("unknown office %q", id)
	}
	for _, address := range []*string{&o.Address, &o.Contents, &o.Data} {
		*address = s.Move(*address)
	}
	return o
}

// CloseAtEnd returns s and closes it at the end of the test.
func CloseAtEnd(t *testing.T, s *replay.Server) *replay.Server {
	t.Helper()
	t.Cleanup(s.Close)
	return s
}

// Entries reads a list of contents to its end.
func Entries(t *testing.T, list iter.Seq2[source.Entry, error]) []source.Entry {
	t.Helper()
	all, err := collect(list)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ListError returns the error that ends a list of contents.
func ListError(list iter.Seq2[source.Entry, error]) error {
	_, err := collect(list)
	return err
}

func collect(list iter.Seq2[source.Entry, error]) (all []source.Entry, err error) {
	for e, err := range list {
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
	return all, nil
}

// MustFetch fetches a dataset and fails the test on an error.
func MustFetch(t *testing.T, s source.Server, r source.Request) *source.Download {
	t.Helper()
	d, err := fetchFrom(t, s, r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// FetchError returns the error of a fetch, which must leave the folder empty.
func FetchError(t *testing.T, s source.Server, code string) error {
	t.Helper()
	d, err := fetchFrom(t, s, source.Request{Code: code})
	if err == nil {
		t.Fatalf("got %+v, want an error", d)
	}
	return err
}

// WantReason requires an error with a reason.
func WantReason(t *testing.T, err error, want fetch.Reason) {
	t.Helper()
	var failed *fetch.Error
	if !errors.As(err, &failed) || failed.Reason != want {
		t.Errorf("got error %v, want reason %q", err, want)
	}
}

// MustImport imports a download into a new store and returns its only dataset.
func MustImport(t *testing.T, d *source.Download) *store.Vintage {
	t.Helper()
	s := openStore(t)
	return (&Harness{Store: s}).Vintage(t, importDownload(t, s, d).ID)
}

// ValueAt returns the only value of a vintage for a period and some codes.
func ValueAt(t *testing.T, v *store.Vintage, period string, codes map[string]string) float64 {
	t.Helper()
	p, err := stat.ParsePeriod(period)
	if err != nil {
		t.Fatal(err)
	}
	axes := v.Dataset.Axes()
	q := stat.Query{Within: p, Select: make([][]int32, len(axes))}
	for i, axis := range axes {
		if code, ok := codes[axis.ID]; ok {
			at, ok := v.Position(i, code)
			if !ok {
				t.Fatalf("missing in %s: code %q", axis.ID, code)
			}
			q.Select[i] = []int32{at}
		}
	}
	x, err := v.Select(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, b.Value...)
	}
	if len(values) != 1 {
		t.Fatalf("%s, %v: got values %v, want one", period, codes, values)
	}
	return values[0]
}

// WantSameFile requires that two files are equal.
func WantSameFile(t *testing.T, got, want string) {
	t.Helper()
	a, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Errorf("%s (%d bytes) differs from %s (%d bytes)", got, len(a), want, len(b))
	}
}
