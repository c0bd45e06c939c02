package offices_test

import (
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// importLabel imports a download and returns the label of a code.
func importLabel(t *testing.T, s *store.Store, d *source.Download, dimension, code string) string {
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
		if at, ok := v.Position(i, code); ok && d.ID == dimension {
			return d.Codes[at].Label
		}
	}
	t.Fatalf("the dataset has no code %s in %s", code, dimension)
	return ""
}

// Data whose labels are unavailable during an outage are fetched without them, and
// again once the office serves the labels. Until then they are requested
// conditionally, even if the list of contents reports no change. Labels that the office
// does not have are not requested again.
func TestMissingCompanions(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, c := range []struct {
		office, code, dimension, of, label string
		companions                         string // in their addresses
		fault                              replay.Fault
	}{
		{"eurostat", "nrg_ind_ren", "unit", "PC", "Percentage", "/codelist/", replay.Fault{Status: 503}},
		{"insee", "IPI-2010-A21", "FREQ", "M", "Monthly", "/dataflow/", replay.Fault{Status: 503}},
		{"insee", "IPI-2010-A21", "FREQ", "M", "Monthly", "/dataflow/", replay.Fault{Body: sdmxtest.ErrorMessage("500", "Internal error")}},
	} {
		t.Run(c.office, func(t *testing.T) {
			handlers := sdmxtest.Offices(dir)
			server := sourcetest.CloseAtEnd(t, replay.Serve(handlers["insee"]))
			if c.office == "eurostat" {
				server = sourcetest.CloseAtEnd(t, replay.Serve(eurostattest.New(dir)))
			}
			clock := sourcetest.NewClock()
			s := sourcetest.NewServer(t, clock, sourcetest.OfficeAt(t, c.office, server))
			datasets, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer datasets.Close()
			listed := &source.Entry{Code: c.code, Title: "A dataset", Updated: clock.Now().AddDate(0, -1, 0)}
			round := func(known source.State) *source.Download {
				t.Helper()
				clock.Advance(24 * time.Hour)
				return sourcetest.MustFetch(t, s, source.Request{Code: c.code, Known: known, Listed: listed})
			}
			c.fault.Match = c.companions
			server.Fault(c.fault)
			d := round(source.State{})
			if label := importLabel(t, datasets, d, c.dimension, c.of); len(d.Companions) > 0 || label == c.label || len(d.State.Missing) == 0 || !d.State.Updated.IsZero() {
				t.Fatalf("during the outage: %+v, label %q", d, label)
			}
			again := round(d.State)
			if !again.Unchanged || len(again.State.Missing) == 0 || !again.State.Updated.IsZero() {
				t.Errorf("still during the outage: %+v", again)
			}
			server.Mend()
			complete := round(again.State)
			if complete.Unchanged || len(complete.State.Missing) > 0 || !complete.State.Updated.Equal(listed.Updated) {
				t.Fatalf("after the outage: %+v", complete)
			}
			if label := importLabel(t, datasets, complete, c.dimension, c.of); label != c.label {
				t.Errorf("got label %q, want %q", label, c.label)
			}
			requests := len(server.Requests("/"))
			if last := round(complete.State); !last.Unchanged || len(server.Requests("/")) != requests {
				t.Errorf("unchanged afterwards: %+v", last)
			}
			server.Fault(replay.Fault{Match: c.companions, Status: 404})
			if absent := sourcetest.MustFetch(t, sourcetest.NewServer(t, clock, sourcetest.OfficeAt(t, c.office, server)), source.Request{Code: c.code, Listed: listed}); len(absent.State.Missing) > 0 || absent.State.Updated.IsZero() {
				t.Errorf("labels that the office does not have: %+v", absent)
			}
		})
	}
}
