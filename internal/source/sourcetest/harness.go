// Package sourcetest holds what the tests of all kinds of servers share: a harness with a
// replay of an office and a store, a clock, and small checks.
package sourcetest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/replay"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Harness consists of a replay of an office, a client of it, and a store for the fetched
// datasets.
type Harness struct {
	*replay.Server
	Source source.Server
	Table  *offices.Table
	Store  *store.Store
	State  source.State
}

// New serves an office at a path of a replay.
func New(t *testing.T, h http.Handler, o source.Office, path string) *Harness {
	t.Helper()
	server := CloseAtEnd(t, replay.Serve(h))
	o.Address = server.URL + path
	return NewOf(t, server, o)
}

// NewOf is New for a running server and an office with its addresses.
func NewOf(t *testing.T, server *replay.Server, o source.Office, secrets ...fetch.Secret) *Harness {
	t.Helper()
	table := NewTable(t, fetch.Options{
		Sleep:   func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Secrets: secrets,
	}, o)
	return &Harness{Server: server, Table: table, Source: table.Server(o.ID), Store: openStore(t)}
}

// openStore opens a store that is closed at the end of the test.
func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Contents returns the entries of the office's list that a filter selects.
func (b *Harness) Contents(t *testing.T, w source.Filter) (entries []source.Entry, err error) {
	t.Helper()
	return collect(b.Source.Contents(t.Context(), w))
}

// Fetch fetches a dataset and requires that no file remains without data.
func (b *Harness) Fetch(t *testing.T, code string, listed *source.Entry) (*source.Download, error) {
	t.Helper()
	return fetchFrom(t, b.Source, source.Request{Code: code, Known: b.State, Listed: listed})
}

func fetchFrom(t *testing.T, s source.Server, r source.Request) (*source.Download, error) {
	t.Helper()
	r.Folder = t.TempDir()
	d, err := s.Fetch(t.Context(), r)
	remaining, readErr := os.ReadDir(r.Folder)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if (err != nil || d.Unchanged) && len(remaining) > 0 {
		t.Errorf("%d files remain after a fetch without data", len(remaining))
	}
	if err == nil && !d.Unchanged && len(remaining) != len(d.Data)+len(d.Companions) {
		t.Errorf("got %d files, want the %d of the download", len(remaining), len(d.Data)+len(d.Companions))
	}
	return d, err
}

// MustImport fetches a dataset and imports it into the store: first the code lists,
// then the data.
func (b *Harness) MustImport(t *testing.T, code string) importer.Outcome {
	t.Helper()
	d, err := b.Fetch(t, code, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Unchanged {
		t.Fatal("the fetch reports no change")
	}
	o := importDownload(t, b.Store, d)
	if o.Status != importer.Refused {
		b.State = d.State
	}
	return o
}

func importDownload(t *testing.T, s *store.Store, d *source.Download) importer.Outcome {
	t.Helper()
	o := importFiles(t, s, importer.Options{
		Source: d.Source, Code: d.Code, Name: d.Name, SourceURL: d.SourceURL, MetadataURL: d.MetadataURL, Updated: d.Updated,
		Joined: len(d.Data) > 1,
	}, d.Companions, d.Data)
	for _, n := range o.Notes {
		if n.Kind == stat.NotePartial {
			t.Errorf("a complete dataset is marked as partial: %+v", n)
		}
	}
	return o
}

// importFiles imports files of codes, then those of one dataset.
func importFiles(t *testing.T, s *store.Store, o importer.Options, codes, data []string) importer.Outcome {
	t.Helper()
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range codes {
		if err := im.ImportCodes(t.Context(), file); err != nil {
			t.Errorf("a companion contains no codes: %v", err)
		}
	}
	outcomes := im.Import(t.Context(), data...)
	if len(outcomes) != 1 {
		t.Fatalf("got outcomes %+v, want one", outcomes)
	}
	return outcomes[0]
}

// Vintage returns the current version of a dataset in the store.
func (b *Harness) Vintage(t *testing.T, id int) *store.Vintage {
	t.Helper()
	v, err := b.Store.Vintage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Values returns all values of a dataset, by "code,code,area period".
func (b *Harness) Values(t *testing.T, id int) map[string]float64 {
	t.Helper()
	extract, err := b.Vintage(t, id).Select(t.Context(), stat.Query{})
	if err != nil {
		t.Fatal(err)
	}
	d, values := extract.Dataset, map[string]float64{}
	for block, err := range extract.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		key := ""
		for i, at := range block.Key {
			key += d.Dimensions[i].Codes[at].ID + ","
		}
		for row, period := range block.Periods {
			for at := block.RowStart[row]; at < block.RowStart[row+1]; at++ {
				area := d.Geography.Codes[block.Areas[block.Area[at]]].ID
				values[fmt.Sprintf("%s%s %s", key, area, extract.Periods[period])] = block.Value[at]
			}
		}
	}
	return values
}

// WantSameValues requires that a dataset has the values found by an independent decoder.
func WantSameValues(t *testing.T, got, want map[string]float64) {
	t.Helper()
	wrong := 0
	for key, value := range want {
		if g, ok := got[key]; !ok || math.Float64bits(g) != math.Float64bits(value) {
			if wrong++; wrong <= 5 {
				t.Errorf("%s: got %v (present: %t), want %v", key, g, ok, value)
			}
		}
	}
	if wrong > 0 || len(got) != len(want) || len(want) == 0 {
		t.Errorf("%d of %d values are wrong; %d are stored", wrong, len(want), len(got))
	}
}

// ImportByHand imports one of the real files without options.
func (b *Harness) ImportByHand(t *testing.T, file string) importer.Outcome {
	t.Helper()
	return importFiles(t, b.Store, importer.Options{}, nil, []string{file})
}

// ValuesOfFile imports a real file for comparison, after the files with its codes, and
// returns its values.
func ValuesOfFile(t *testing.T, o importer.Options, files ...string) map[string]float64 {
	t.Helper()
	s, last := openStore(t), len(files)-1
	outcome := importFiles(t, s, o, files[:last], files[last:])
	if outcome.Status != importer.Created {
		t.Fatalf("got %+v", outcome)
	}
	return (&Harness{Store: s}).Values(t, outcome.ID)
}

// CheckListAhead fetches a dataset whose data state the time of their update and requires
// that a later time in the list is not stored.
func (b *Harness) CheckListAhead(t *testing.T, code string) {
	t.Helper()
	first, err := b.Fetch(t, code, nil)
	if err != nil || first.State.Updated.IsZero() {
		t.Fatalf("%+v, %v", first, err)
	}
	b.State = first.State
	ahead, err := b.Fetch(t, code, &source.Entry{Code: code, Updated: first.State.Updated.AddDate(0, 1, 0)})
	if err != nil || !ahead.Unchanged || !ahead.State.Updated.Equal(first.State.Updated) {
		t.Errorf("%+v, %v", ahead, err)
	}
}
