package pxweb_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/pxwebtest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// harness consists of a replay of the PxWeb offices and a store.
type harness struct {
	*testing.T
	clock  *sourcetest.Clock
	site   *pxwebtest.Server
	server *replay.Server
	store  *store.Store
	data   string
}

func newHarness(t *testing.T, cells int) *harness {
	t.Helper()
	b := &harness{T: t, clock: sourcetest.NewClock(), data: stattest.DataDir(t)}
	var err error
	if b.site, err = pxwebtest.New(b.data, cells); err != nil {
		t.Fatal(err)
	}
	b.server = sourcetest.CloseAtEnd(t, replay.Serve(b.site))
	return b.with(t)
}

// with returns the harness for another test, with a new store.
func (b *harness) with(t *testing.T) *harness {
	t.Helper()
	other := *b
	other.T = t
	var err error
	if other.store, err = store.Open(t.Context(), store.Options{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.store.Close() })
	return &other
}

// office returns the replayed server of a built-in office.
func (b *harness) office(id string) source.Server {
	b.Helper()
	return sourcetest.NewServer(b.T, b.clock, sourcetest.OfficeAt(b.T, id, b.server))
}

// fetch fetches a table into a new folder.
func (b *harness) fetch(s source.Server, code string, known source.State, listed *source.Entry) (*source.Download, string, error) {
	b.Helper()
	dir := b.TempDir()
	d, err := s.Fetch(b.Context(), source.Request{Code: code, Known: known, Listed: listed, Folder: dir})
	return d, dir, err
}

func (b *harness) mustFetch(s source.Server, code string, known source.State) *source.Download {
	b.Helper()
	d, _, err := b.fetch(s, code, known, nil)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// importFiles imports files of a download; joined marks them as parts of one dataset.
func (b *harness) importFiles(d *source.Download, joined bool, files ...string) importer.Outcome {
	b.Helper()
	im, err := importer.New(b.store, importer.Options{Source: d.Source, Code: d.Code, Name: d.Name, Updated: d.Updated, Joined: joined})
	if err != nil {
		b.Fatal(err)
	}
	outcomes := im.Import(b.Context(), files...)
	if len(outcomes) != 1 || outcomes[0].Status == importer.Refused {
		b.Fatalf("%d files: %+v", len(files), outcomes)
	}
	return outcomes[0]
}

// Tables that a search finds are fetched whole and in small parts, with the office's version
// of the interface. The stored data equal the real file: importing it by hand changes
// nothing.
func TestFromSearchToStore(t *testing.T) {
	b := newHarness(t, 1_000_000)
	for _, c := range []struct {
		office, search, code, dataset string
		file                          string
		cells, parts                  int
	}{
		{"scb", "land use", "TAB005", "TAB005", "scb/TAB005-land-use.px", 1000, 7},
		{"scb", "population marital", "TAB101", "TAB101", "scb/BE0101A1.px", 5000, 7},
		{"scb", "migration region", "TAB102", "TAB102", "scb/BE0101F1langensvfiolikacelln.px", 10, 0},
		{"scb", "union employees", "TAB2936", "TAB2936", "scb/TAB2936.px", 50, 0},
		{"scb", "", "PR/PR0101/PR0101B3", "PR0101B3", "scb/PR0101B3-month.px", 100, 0},
		{"ssb", "utenrikshandel", "08812", "08812", "ssb/Transmengde.px", 20_000, 0},
		{"ssb", "flyttingar", "11327", "11327", "ssb/migration-MultipleContent.px", 10_000, 0},
		{"ssb", "", "in/in02/flytting/11327", "11327", "ssb/migration-MultipleContent.px", 500, 0},
		{"statfin", "wage", "ktps/statfin_ktps_pxt_111p.px", "statfin_ktps_pxt_111p", "statfin/HalfYearStatistics.px", 10, 6},
		{"statfin", "families", "perh/statfin_perh_pxt_12c1.px", "statfin_perh_pxt_12c1", "statfin/perheet-LargeFinnishDatasetWithManyValues.px", 30_000, 6},
		{"statgl", "labour education", "SO/SO10/SOXATI4.px", "SOXATI4", "greenland/SOXATI4.px", 100, 12},
		{"statgl", "population", "BE/BE01/BE0120/BEXSTA.px", "BEXSTA", "greenland/BEXSTA_windows_1252.px", 1000, 8},
		{"bfs", "recruiting", "px-x-0602000000_107/px-x-0602000000_107.px", "px-x-0602000000_107", "bfs/px-x-0602000000_107.px", 5000, 0},
		{"nordic", "national accounts", "National accounts/NAAC01.px", "NAAC01", "nordic/NAAC01.px", 1000, 0},
	} {
		for _, split := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%s/split=%t", c.office, c.dataset, split), func(t *testing.T) {
				b := b.with(t)
				b.site.Limit(map[bool]int{false: 1_000_000, true: c.cells}[split])
				s := b.office(c.office)
				if c.search != "" {
					found := sourcetest.Entries(t, s.Contents(t.Context(), source.Filter{Search: c.search}))
					if !slices.ContainsFunc(found, func(e source.Entry) bool { return e.Code == c.code && !e.Updated.IsZero() }) {
						t.Fatalf("the search for %q found %+v", c.search, found)
					}
				}
				d := b.mustFetch(s, c.code, source.State{})
				if want := map[bool]int{false: 1, true: c.parts}[split]; len(d.Data) != want && want != 0 || split && len(d.Data) < 2 || d.Code != c.dataset {
					t.Fatalf("got %s in %d parts, want %s in %d", d.Code, len(d.Data), c.dataset, want)
				}
				got := b.importFiles(d, true, d.Data...)
				if got.Status != importer.Created || got.Observations.Stored == 0 {
					t.Fatalf("%+v", got)
				}
				real := filepath.Join(b.data, "px", c.file)
				if again := b.importFiles(d, false, real); again.Status != importer.Unchanged || again.Observations != got.Observations {
					t.Errorf("the real file imported by hand: %s, %+v; fetched: %+v", again.Status, again.Observations, got.Observations)
				}
			})
		}
	}
}

// A fetched table and its PX file imported by hand are the same dataset, because both state
// the office and the table.
func TestByHand(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 3000)
	for _, c := range []struct{ office, code, file string }{
		{"scb", "TAB2936", "scb/TAB2936.px"},
		{"scb", "BE/BE0101/BE0101A/BE0101A1", "scb/BE0101A1.px"},
		{"ssb", "11327", "ssb/migration-MultipleContent.px"},
		{"statfin", "ktps/statfin_ktps_pxt_111p.px", "statfin/HalfYearStatistics.px"},
		{"statgl", "SO/SO10/SOXATI4.px", "greenland/SOXATI4.px"},
		{"bfs", "px-x-0602000000_107/px-x-0602000000_107.px", "bfs/px-x-0602000000_107.px"},
	} {
		b := b.with(t)
		d := b.mustFetch(b.office(c.office), c.code, source.State{})
		b.importFiles(d, true, d.Data...)
		if again := b.importFiles(&source.Download{}, false, filepath.Join(b.data, "px", c.file)); again.Status != importer.Unchanged {
			t.Errorf("%s: the file imported by hand: %+v", c.file, again)
		}
	}
}

// An unchanged table is not fetched; an updated one is.
func TestUnchanged(t *testing.T) {
	for office, code := range map[string]string{"scb": "TAB2936", "statgl": "SO/SO10/SOXATI4.px"} {
		b := newHarness(t, 100)
		s := b.office(office)
		first := b.mustFetch(s, code, source.State{})
		requests := len(b.server.Requests(""))
		if d := b.mustFetch(s, code, first.State); !d.Unchanged || len(d.Data) > 0 || len(b.server.Requests("")) != requests+1 {
			t.Errorf("%s: got unchanged %t with %d files after %d requests, want unchanged after one", code, d.Unchanged, len(d.Data), len(b.server.Requests(""))-requests)
		}
		listed := &source.Entry{Code: code, Updated: first.State.Updated}
		if d, _, err := b.fetch(s, code, first.State, listed); err != nil || !d.Unchanged || len(b.server.Requests("")) != requests+1 {
			t.Errorf("%s: unchanged in the list: got %+v, %v, want no request", code, d, err)
		}
		path := map[string]string{"scb": "/OV0104/v1/doris/en/ssd/AM/AM0401/TAB2936", "statgl": "/api/v1/en/Greenland/SO/SO10/SOXATI4.px"}[office]
		if err := b.site.Update(path, "20991231 08:00", 0, 0); err != nil {
			t.Fatal(err)
		}
		d := b.mustFetch(s, code, first.State)
		if !d.Unchanged || d.State.Updated.Year() != 2099 {
			t.Errorf("%s: update without a changed byte: got unchanged %t, updated %s", code, d.Unchanged, d.State.Updated)
		}
		if err := b.site.Update(path, "20991231 09:00", 0, 1); err != nil {
			t.Fatal(err)
		}
		if d = b.mustFetch(s, code, d.State); d.Unchanged || len(d.Data) == 0 {
			t.Errorf("%s: the update was not fetched", code)
		}
	}
}

// A table that changes during the download is fetched again from the beginning. If it
// changes a second time, the fetch fails.
func TestChangeDuringDownload(t *testing.T) {
	const path = "/api/v1/en/Greenland/SO/SO10/SOXATI4.px"
	for _, c := range []struct {
		what  string
		code  string // without folders the time of the update is unknown
		drop  int
		times int
		fails bool
	}{
		{"new numbers", "SO/SO10/SOXATI4.px", 0, 1, false},
		{"a value removed", "SO/SO10/SOXATI4.px", 1, 1, false},
		{"a value removed, no time", "SOXATI4.px", 1, 1, false},
		{"new numbers every time", "SO/SO10/SOXATI4.px", 0, 1000, true},
		{"a value removed every time, no time", "SOXATI4.px", 1, 1000, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			b := newHarness(t, 200)
			requests, updates := 0, 0
			b.site.OnQuery(func(string) {
				if requests++; requests >= 3 && updates < c.times {
					updates++
					if err := b.site.Update(path, fmt.Sprintf("20991231 %02d:%02d", requests/60, requests%60), 0, c.drop); err != nil {
						t.Error(err)
					}
				}
			})
			d, dir, err := b.fetch(b.office("statgl"), c.code, source.State{}, nil)
			if c.fails {
				left, _ := os.ReadDir(dir)
				if stat.KindOf(err) != stat.Unavailable || len(left) > 0 {
					t.Errorf("got error %v, and %d files remain", err, len(left))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if timed := strings.Contains(c.code, "/"); timed && d.State.Updated.Year() != 2099 || !timed && !d.State.Updated.IsZero() {
				t.Errorf("got time %s, want that of the update", d.State.Updated)
			}
			if files, _ := os.ReadDir(dir); len(files) != len(d.Data) {
				t.Errorf("got %d files for %d parts", len(files), len(d.Data))
			}
			if got := b.importFiles(d, true, d.Data...); got.Observations.Read != (12-c.drop)*72 {
				t.Errorf("got %d cells, want %d", got.Observations.Read, (12-c.drop)*72)
			}
		})
	}
}

// Without a time of the update, the responses are compared.
func TestUnchangedWithoutTime(t *testing.T) {
	b := newHarness(t, 200)
	s := b.office("statgl")
	first := b.mustFetch(s, "SOXATI4.px", source.State{})
	d, dir, err := b.fetch(s, "SOXATI4.px", first.State, nil)
	if left, _ := os.ReadDir(dir); err != nil || !d.Unchanged || len(left) > 0 || len(first.Data) < 2 {
		t.Errorf("%+v, %v, %d files remain", d, err, len(left))
	}
	if err := b.site.Update("/api/v1/en/Greenland/SO/SO10/SOXATI4.px", "", 0, 1); err != nil {
		t.Fatal(err)
	}
	if d := b.mustFetch(s, "SOXATI4.px", first.State); d.Unchanged {
		t.Error("the update was not fetched")
	}
}

// If a server has a lower limit than it states, or states none, smaller parts are requested.
func TestLimitUnknown(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 250)
	b.site.Silent()
	d := b.mustFetch(b.office("statgl"), "SO/SO10/SOXATI4.px", source.State{})
	if len(d.Data) < 3 {
		t.Fatalf("got %d parts, want at least 3", len(d.Data))
	}
	b.importFiles(d, true, d.Data...)
	b.site.Limit(1)
	_, dir, err := b.fetch(b.office("statgl"), "BE/BE01/BE0120/BEXSTA.px", source.State{}, nil)
	var e *fetch.Error
	if left, _ := os.ReadDir(dir); !errors.As(err, &e) || e.Status != http.StatusForbidden || len(left) > 0 {
		t.Errorf("limit of one cell: got error %v, and %d files remain", err, len(left))
	}
}

// Values that the metadata omit are requested.
func TestOmittedValues(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 2000)
	b.site.Hide("/api/v1/en/Greenland/BE/BE01/BE0120/BEXSTA.px")
	d := b.mustFetch(b.office("statgl"), "BE/BE01/BE0120/BEXSTA.px", source.State{})
	b.importFiles(d, true, d.Data...)
	if again := b.importFiles(d, false, filepath.Join(b.data, "px", "greenland", "BEXSTA_windows_1252.px")); again.Status != importer.Unchanged {
		t.Errorf("the real file imported by hand: %+v", again)
	}
}

// Reading the folders observes the server's limit of calls: it waits between requests and
// obeys the Retry-After of a 429.
func TestCallLimit(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 1000)
	s := b.office("statgl")
	b.server.Fault(replay.Fault{Match: "/SO", Times: 1, Status: http.StatusTooManyRequests, After: "17"})
	before := b.clock.Slept
	found := sourcetest.Entries(t, s.Contents(t.Context(), source.Filter{}))
	requests := len(b.server.Requests(""))
	if len(found) != 2 || b.clock.Slept-before < 17*time.Second+time.Duration(requests-3)*time.Second {
		t.Errorf("got %d tables after %d requests and waits of %s, want a wait of a second per request", len(found), requests, b.clock.Slept-before)
	}
}

// The list contains each table once, with its folders, and can be limited to a folder.
func TestContents(t *testing.T) {
	b := newHarness(t, 1000)
	codes := func(id string, w source.Filter) (all []string) {
		for _, e := range sourcetest.Entries(t, b.office(id).Contents(t.Context(), w)) {
			all = append(all, e.Code)
		}
		return all
	}
	for _, c := range []struct {
		office string
		w      source.Filter
		want   string
	}{
		{"scb", source.Filter{}, "TAB2936 TAB101 TAB102 TAB103 TAB005 TAB104"},
		{"scb", source.Filter{Under: "BE"}, "TAB101 TAB102"},
		{"scb", source.Filter{Under: "BE/BE0101/BE0101A"}, "BE/BE0101/BE0101A/BE0101A1"},
		{"scb", source.Filter{Under: "BE0101A"}, "TAB101"},
		{"scb", source.Filter{Under: "subject be0101f"}, "TAB102"},
		{"scb", source.Filter{Search: "SEX population"}, "TAB101"},
		{"statgl", source.Filter{}, "BE/BE01/BE0120/BEXSTA.px SO/SO10/SOXATI4.px"},
		{"statgl", source.Filter{Under: "SO"}, "SO/SO10/SOXATI4.px"},
		{"statgl", source.Filter{Under: "/BE/BE01/"}, "BE/BE01/BE0120/BEXSTA.px"},
		{"statgl", source.Filter{Search: "january", Under: "BE"}, "BE/BE01/BE0120/BEXSTA.px"},
		{"statgl", source.Filter{Search: "labour population"}, ""},
		{"statgl", source.Filter{Search: "nothing has this"}, ""},
		{"bfs", source.Filter{}, "px-x-0602000000_107/px-x-0602000000_107.px"},
		{"nordic", source.Filter{Search: "accounts"}, "National accounts/NAAC01.px"},
	} {
		if got := strings.Join(codes(c.office, c.w), " "); got != c.want {
			t.Errorf("%s %+v: got %q, want %q", c.office, c.w, got, c.want)
		}
	}
	e := sourcetest.Entries(t, b.office("statgl").Contents(t.Context(), source.Filter{Under: "SO"}))[0]
	want := source.Entry{
		Code: "SO/SO10/SOXATI4.px", Title: "Labour force status by education level [SOEATI4]", Theme: "SO / Subject SO10",
		Folders: []string{"SO", "SO10"}, Updated: time.Date(2023, 2, 7, 9, 0, 0, 0, time.UTC),
	}
	if fmt.Sprint(e) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", e, want)
	}
	for office, under := range map[string]string{"statgl": "XX", "nordic": "National accounts/NAAC01.px", "bfs": "../x"} {
		if err := sourcetest.ListError(b.office(office).Contents(t.Context(), source.Filter{Under: under})); stat.KindOf(err) != stat.NotFound && stat.KindOf(err) != stat.Invalid {
			t.Errorf("folder %q: got error %v", under, err)
		}
	}
}

// No more requests are sent once the caller stops.
func TestContentsStop(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 1000)
	for _, id := range []string{"scb", "statgl"} {
		before := len(b.server.Requests(""))
		for range b.office(id).Contents(t.Context(), source.Filter{}) {
			break
		}
		if n := len(b.server.Requests("")) - before; n > 5 {
			t.Errorf("%s: got %d requests for the first table, want at most 5", id, n)
		}
	}
}

// With the real metadata of a server of version 2, all values are requested by their codes
// in the order of the index, and the measures stay together.
func TestRealMetadata(t *testing.T) {
	t.Parallel()
	b := newHarness(t, 2000)
	real, err := os.ReadFile(filepath.Join(b.data, "jsonstat", "pxapi2-dataset-meta-scb.json"))
	if err != nil {
		t.Fatal(err)
	}
	b.server.Fault(replay.Fault{Match: "/tables/TAB2936/metadata", Body: string(real)})
	if _, _, err := b.fetch(b.office("scb"), "TAB2936", source.State{}, nil); err == nil {
		t.Error("got no error, although the replay has none of these values")
	}
	requests := b.server.Requests("/tables/TAB2936/data")
	if len(requests) == 0 || requests[0].Method != http.MethodPost || !strings.Contains(requests[0].Path, "outputFormat=px") {
		t.Fatalf("%+v", requests)
	}
	var body struct {
		Selection []struct {
			VariableCode string
			ValueCodes   []string
		}
	}
	if err := json.Unmarshal([]byte(requests[0].Body), &body); err != nil {
		t.Fatal(err)
	}
	got, cells := "", 1
	for _, of := range body.Selection {
		got += fmt.Sprintf("%s %d %s; ", of.VariableCode, len(of.ValueCodes), of.ValueCodes[0])
		cells *= len(of.ValueCodes)
	}
	if want := "Region 1 00; Civilstand 4 OG; Alder 102 0; Kon 2 1; ContentsCode 2 BE0101N1; Tid 1 2021; "; got != want || cells > 2000 {
		t.Errorf("got %d cells: %s\nwant %s", cells, got, want)
	}
}
