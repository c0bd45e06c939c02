package source_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"os"
	"strings"
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

// harness consists of a replay of an office, a client of it, and a store for the fetched
// datasets.
type harness struct {
	*replay.Server
	server source.Server
	table  *offices.Table
	store  *store.Store
	state  source.State
}

// newHarness serves an office at a path of a replay.
func newHarness(t *testing.T, h http.Handler, o source.Office, path string) *harness {
	t.Helper()
	server := replay.Serve(h)
	t.Cleanup(server.Close)
	o.Address = server.URL + path
	return newHarnessOf(t, server, o)
}

// newHarnessOf is newHarness for a running server and an office with its addresses.
func newHarnessOf(t *testing.T, server *replay.Server, o source.Office, secrets ...fetch.Secret) *harness {
	t.Helper()
	b := &harness{Server: server}
	client, err := fetch.New(fetch.Options{
		Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Sleep:    func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Secrets:  secrets,
	})
	if err != nil {
		t.Fatal(err)
	}
	table, err := offices.NewTable(client, []source.Office{o})
	if err != nil {
		t.Fatal(err)
	}
	b.table, b.server = table, table.Server(o.ID)
	if b.store, err = store.Open(t.Context(), store.Options{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.store.Close() })
	return b
}

func (b *harness) contents(t *testing.T, w source.Filter) (entries []source.Entry, err error) {
	t.Helper()
	for e, err := range b.server.Contents(t.Context(), w) {
		if err != nil {
			return entries, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// fetch fetches a dataset and requires that no file remains without data.
func (b *harness) fetch(t *testing.T, code string, listed *source.Entry) (*source.Download, error) {
	t.Helper()
	folder := t.TempDir()
	d, err := b.server.Fetch(t.Context(), source.Request{Code: code, Known: b.state, Listed: listed, Folder: folder})
	remaining, readErr := os.ReadDir(folder)
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

// mustImport fetches a dataset and imports it into the store: first the code lists,
// then the data.
func (b *harness) mustImport(t *testing.T, code string) importer.Outcome {
	t.Helper()
	d, err := b.fetch(t, code, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Unchanged {
		t.Fatal("the fetch reports no change")
	}
	im, err := importer.New(b.store, importer.Options{
		Source: d.Source, Code: d.Code, Name: d.Name, SourceURL: d.SourceURL, MetadataURL: d.MetadataURL, Updated: d.Updated,
		Joined: len(d.Data) > 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range d.Companions {
		if err := im.ImportCodes(t.Context(), file); err != nil {
			t.Errorf("a companion contains no codes: %v", err)
		}
	}
	outcomes := im.Import(t.Context(), d.Data...)
	if len(outcomes) != 1 {
		t.Fatalf("got outcomes %+v, want one", outcomes)
	}
	o := outcomes[0]
	for _, n := range o.Notes {
		if n.Kind == stat.NotePartial {
			t.Errorf("a complete dataset is marked as partial: %+v", n)
		}
	}
	if o.Status != importer.Refused {
		b.state = d.State
	}
	return o
}

func (b *harness) vintage(t *testing.T, id int) *store.Vintage {
	t.Helper()
	v, err := b.store.Vintage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// values returns all values of a dataset, by "code,code,area period".
func (b *harness) values(t *testing.T, id int) map[string]float64 {
	t.Helper()
	extract, err := b.vintage(t, id).Select(t.Context(), stat.Query{})
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

// wantSameValues requires that a dataset has the values found by an independent decoder.
func wantSameValues(t *testing.T, got, want map[string]float64) {
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

// faultCase is a fault and the text that the error of the fetch must contain.
type faultCase struct {
	name    string
	fault   replay.Fault
	message string
}

// checkFaults applies the faults one after another. Each must cause an error with the
// message and leave no files, and the next fetch must succeed.
func (b *harness) checkFaults(t *testing.T, code string, cases []faultCase) {
	t.Helper()
	for _, r := range cases {
		t.Run(r.name, func(t *testing.T) {
			b.Fault(r.fault)
			d, err := b.fetch(t, code, nil)
			if err == nil || !strings.Contains(err.Error(), r.message) {
				t.Errorf("got %+v, %v; want the error to contain %q", d, err, r.message)
			}
			b.Mend()
			if _, err := b.fetch(t, code, nil); err != nil {
				t.Errorf("after the fault: %v", err)
			}
		})
	}
}
