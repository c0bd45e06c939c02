package source_test

import (
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// labelled is what the store calls a code, after an import of a download into it.
func labelled(t *testing.T, s *store.Store, d *source.Download, dimension, code string) string {
	t.Helper()
	im, err := importer.New(s, importer.Options{Source: d.Source, Code: d.Code, Name: d.Name})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range d.Companions {
		if err := im.ImportCodes(t.Context(), file); err != nil {
			t.Fatal(err)
		}
	}
	outcomes := im.Import(t.Context(), d.Data...)
	if len(outcomes) != 1 || outcomes[0].Status == importer.Refused {
		t.Fatalf("%+v", outcomes)
	}
	v, err := s.Vintage(t.Context(), outcomes[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range v.Dataset.Dimensions {
		if at, ok := v.Code(i, code); ok && d.ID == dimension {
			return d.Codes[at].Label
		}
	}
	t.Fatalf("there is no code %s of %s", code, dimension)
	return ""
}

// Data whose labels could not be had are fetched without them, and once more when
// the office gives the labels again. Until then they are asked for conditionally,
// though the contents say that nothing changed. What the office does not have is
// not waited for.
func TestLackingCompanions(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, c := range []struct {
		office, code, dimension, of, label string
		companions                         string // in their addresses
		fault                              replay.Fault
	}{
		{"eurostat", "nrg_ind_ren", "unit", "PC", "Percentage", "/codelist/", replay.Fault{Status: 503}},
		{"insee", "IPI-2010-A21", "FREQ", "M", "Monthly", "/dataflow/", replay.Fault{Status: 503}},
		{"insee", "IPI-2010-A21", "FREQ", "M", "Monthly", "/dataflow/", replay.Fault{Body: replay.SDMXErrorMessage("500", "Internal error")}},
	} {
		t.Run(c.office, func(t *testing.T) {
			handlers := replay.SDMXOffices(dir)
			server := served(t, replay.Serve(handlers["insee"]))
			if c.office == "eurostat" {
				server = served(t, replay.Serve(replay.Eurostat(dir)))
			}
			clock := newTestClock()
			s := replayed(t, clock, builtIn(t, c.office, server))
			kept, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer kept.Close()
			told := &source.Entry{Code: c.code, Title: "A dataset", Updated: clock.Now().AddDate(0, -1, 0)}
			round := func(known source.State) *source.Download {
				t.Helper()
				clock.Pass(24 * time.Hour)
				return fetched(t, s, source.Request{Code: c.code, Known: known, Told: told})
			}
			c.fault.Match = c.companions
			server.Fault(c.fault)
			d := round(source.State{})
			if label := labelled(t, kept, d, c.dimension, c.of); len(d.Companions) > 0 || label == c.label || len(d.State.Lacking) == 0 || !d.State.Updated.IsZero() {
				t.Fatalf("while they are out: %+v, the label is %q", d, label)
			}
			again := round(d.State)
			if !again.Unchanged || len(again.State.Lacking) == 0 || !again.State.Updated.IsZero() {
				t.Errorf("still out: %+v", again)
			}
			server.Mend()
			there := round(again.State)
			if there.Unchanged || len(there.State.Lacking) > 0 || !there.State.Updated.Equal(told.Updated) {
				t.Fatalf("when they are there again: %+v", there)
			}
			if label := labelled(t, kept, there, c.dimension, c.of); label != c.label {
				t.Errorf("the label is %q; right is %q", label, c.label)
			}
			asked := len(server.Asked("/"))
			if last := round(there.State); !last.Unchanged || len(server.Asked("/")) != asked {
				t.Errorf("after that the contents tell: %+v", last)
			}
			server.Fault(replay.Fault{Match: c.companions, Status: 404})
			if gone := fetched(t, replayed(t, clock, builtIn(t, c.office, server)), source.Request{Code: c.code, Told: told}); len(gone.State.Lacking) > 0 || gone.State.Updated.IsZero() {
				t.Errorf("what the office does not have: %+v", gone)
			}
		})
	}
}
