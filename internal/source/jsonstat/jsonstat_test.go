package jsonstat_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/jsonstattest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// harness consists of a replay and servers of its two offices.
type harness struct {
	dir     string
	files   *jsonstattest.Server
	replay  *replay.Server
	cso     source.Server // PxStat
	samples source.Server // a collection of addresses
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	j := &harness{dir: stattest.DataDir(t)}
	j.files = jsonstattest.New(j.dir)
	j.replay = sourcetest.CloseAtEnd(t, replay.Serve(j.files))
	j.cso = sourcetest.NewServer(t, sourcetest.NewClock(), sourcetest.OfficeAt(t, "cso", j.replay))
	j.samples = sourcetest.NewServer(t, sourcetest.NewClock(), source.Office{
		ID: "samples", Name: "Samples", Kind: "jsonstat", Address: j.replay.URL, Contents: j.replay.URL + "/samples/collection.json",
	})
	return j
}

// A dataset of PxStat that a search finds is fetched and imported.
func TestFromSearchToStore(t *testing.T) {
	j := newHarness(t)
	found := sourcetest.Entries(t, j.cso.Contents(t.Context(), source.Filter{Search: "constant factor cost"}))
	if len(found) != 1 || found[0].Code != "NQQ25" || !found[0].Updated.Equal(time.Date(2016, time.April, 3, 10, 24, 6, 0, time.UTC)) {
		t.Fatalf("the search found %+v", found)
	}
	d := sourcetest.MustFetch(t, j.cso, source.Request{Code: "NQQ25", Listed: &found[0]})
	sourcetest.WantSameFile(t, d.Data[0], filepath.Join(j.dir, "jsonstat", "cso-NQQ25.json"))
	v := sourcetest.MustImport(t, d)
	if got := sourcetest.ValueAt(t, v, "1997Q1", map[string]string{"Sector": "0", "Statistic": "NQQ25C01"}); got != 19960 {
		t.Errorf("got value %v, want 19960 as in the file", got)
	}
	if v.Dataset.Source.ID != "cso" || v.Dataset.Code != "NQQ25" || v.Dataset.Name != found[0].Title {
		t.Errorf("%+v", v.Dataset)
	}
	if again := sourcetest.MustFetch(t, j.cso, source.Request{Code: "NQQ25", Listed: &found[0], Known: d.State}); !again.Unchanged || len(j.replay.Requests("ReadDataset")) != 1 {
		t.Errorf("unchanged in the list: got %+v after %d requests", again, len(j.replay.Requests("ReadDataset")))
	}
	if again := sourcetest.MustFetch(t, j.cso, source.Request{Code: "NQQ25", Known: d.State}); !again.Unchanged {
		t.Errorf("unchanged on the server: got %+v", again)
	}
	j.files.Set(jsonstattest.PxStatPath("NQQ25"), filepath.Join(j.dir, "jsonstat", "oecd.json"))
	if changed := sourcetest.MustFetch(t, j.cso, source.Request{Code: "NQQ25", Known: d.State}); changed.Unchanged {
		t.Errorf("changed file: got %+v", changed)
	}
}

// A day that is not over may bring another update, so a request is sent.
func TestDay(t *testing.T) {
	j := newHarness(t)
	past, future := time.Date(2016, time.April, 3, 0, 0, 0, 0, time.UTC), time.Date(2216, time.April, 3, 0, 0, 0, 0, time.UTC)
	for _, day := range []struct {
		updated  time.Time
		stored   bool
		requests int
	}{{future, false, 2}, {past, true, 1}} {
		j.replay.Forget()
		listed := &source.Entry{Code: "NQQ25", Updated: day.updated}
		d := sourcetest.MustFetch(t, j.cso, source.Request{Code: "NQQ25", Listed: listed})
		if !d.Updated.Equal(listed.Updated) || d.State.Updated.IsZero() == day.stored {
			t.Errorf("%v: %+v", day.updated, d)
		}
		again := sourcetest.MustFetch(t, j.cso, source.Request{Code: "NQQ25", Listed: listed, Known: d.State})
		if requests := len(j.replay.Requests("ReadDataset")); !again.Unchanged || requests != day.requests {
			t.Errorf("%v: %+v after %d requests", day.updated, again, requests)
		}
	}
}

// The codes of the real collection are addresses.
func TestCollection(t *testing.T) {
	t.Parallel()
	j := newHarness(t)
	all := sourcetest.Entries(t, j.samples.Contents(t.Context(), source.Filter{}))
	if len(all) != 8 || all[0].Code != j.replay.URL+"/samples/oecd.json" || all[0].Title != "Unemployment rate in the OECD countries 2003-2014" {
		t.Fatalf("got collection %+v", all)
	}
	for file, want := range map[string]struct {
		period string
		codes  map[string]string
		value  float64
	}{
		"oecd.json":    {"2003", map[string]string{"area": "AU"}, 5.943826289},
		"canada.json":  {"2012", map[string]string{"age": "T", "concept": "POP", "sex": "T"}, 34880.5},
		"galicia.json": {"2001", map[string]string{"residence": "T", "birth": "T", "age": "T", "gender": "T"}, 2695880},
	} {
		d := sourcetest.MustFetch(t, j.samples, source.Request{Code: j.replay.URL + "/samples/" + file})
		sourcetest.WantSameFile(t, d.Data[0], filepath.Join(j.dir, "jsonstat", file))
		d.Source = "" // each sample states its own office
		if got := sourcetest.ValueAt(t, sourcetest.MustImport(t, d), want.period, want.codes); got != want.value {
			t.Errorf("%s: got %v, want %v", file, got, want.value)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   replay.Fault
		reason  fetch.Reason
		kind    stat.Kind
		message string
	}{
		"missing":   {replay.Fault{Status: 404}, fetch.Missing, stat.NotFound, "404"},
		"busy":      {replay.Fault{Status: 429, After: "1"}, fetch.Busy, 0, ""},
		"too big":   {replay.Fault{Status: 413}, fetch.TooBig, 0, "413"},
		"truncated": {replay.Fault{Cut: 100}, fetch.Cut, 0, ""},
		"web page":  {replay.Fault{Page: true}, fetch.WebPage, 0, ""},
		"text":      {replay.Fault{Body: "invalid table"}, "", stat.Unavailable, "invalid table"},
		"array":     {replay.Fault{Body: "[1, 2]"}, "", stat.Unavailable, "not JSON-stat"},
		"an error":  {replay.Fault{Body: `{"jsonrpc": "2.0", "error": {"code": -32604, "message": "no such matrix"}}`}, "", stat.Refused, "no such matrix"},
	} {
		t.Run(name, func(t *testing.T) {
			j := newHarness(t)
			j.replay.Fault(c.fault)
			err := sourcetest.FetchError(t, j.cso, "NQQ25")
			if c.reason != "" {
				sourcetest.WantReason(t, err, c.reason)
			}
			if c.kind != 0 && stat.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got error %v, want it to contain %q", err, c.message)
			}
			if err := sourcetest.ListError(j.cso.Contents(t.Context(), source.Filter{})); err == nil {
				t.Error("the list of contents has no error")
			}
		})
	}
	if err := sourcetest.FetchError(t, newHarness(t).samples, "oecd"); stat.KindOf(err) != stat.NotFound {
		t.Errorf("code at an office that has only addresses: got %v", err)
	}
}

func TestBadCollections(t *testing.T) {
	t.Parallel()
	j := newHarness(t)
	own := sourcetest.NewServer(t, sourcetest.NewClock(), source.Office{ID: "own", Name: "Own", Kind: "jsonstat", Address: j.replay.URL, Contents: j.replay.URL + "/list"})
	item := `{"class": "dataset", "href": "a.json", "label": "A"}`
	for name, c := range map[string]struct{ text, message string }{
		"a dataset":             {`{"class": "dataset", "value": [1, 2]}`, `"link"`},
		"no items":              {`{"link": {}}`, `"item"`},
		"array":                 {`[]`, "["},
		"items not a list":      {`{"link": {"item": {}}}`, "{"},
		"wrong types":           {`{"link": {"item": [{"href": 5}]}}`, "href"},
		"truncated item":        {`{"link": {"item": [` + item + `, {"href": "b`, "byte"},
		"truncated list":        {`{"link": {"item": [` + item, "byte"},
		"an endless item":       {`{"link": {"item": [{"href": "` + strings.Repeat("a", 20<<20) + `"}]}}`, "larger than 16 MiB"},
		"an endless name":       {`{"` + strings.Repeat("a", 20<<20) + `": 1}`, "larger than 16 MiB"},
		"content after the end": {`{"link": {"item": [` + item + `]}} and more`, "unexpected content after the end"},
		"null list":             {`{"link": {"item": null}}`, "byte"},
		"deep nesting":          {strings.Repeat(`{"a":`, 100000), "byte"},
		"numbers in names":      {`{1: 2}`, "byte"},
	} {
		j.files.SetBody("/list", c.text)
		err := sourcetest.ListError(own.Contents(t.Context(), source.Filter{}))
		if stat.KindOf(err) != stat.Unavailable || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: got error %v, want it to contain %q", name, err, c.message)
		}
	}
	j.files.SetBody("/list", `{"link": {"item": [{"class": "collection", "href": "b"}, {"href": ""}, {"href": "http://%zz"}, `+item+`, `+item+`]}}`)
	if got := sourcetest.Entries(t, own.Contents(t.Context(), source.Filter{})); len(got) != 1 || got[0].Code != j.replay.URL+"/a.json" {
		t.Errorf("got list %+v", got)
	}
}

// A long collection is read item by item.
func TestLongCollection(t *testing.T) {
	t.Parallel()
	n := stattest.Rounds(t, 100_000, 1_000_000)
	j := newHarness(t)
	var text strings.Builder
	text.WriteString(`{"link": {"item": [{"href": "first.json"}`)
	for i := range n {
		fmt.Fprintf(&text, `,{"class":"dataset","href":"d%d.json","label":"A dataset","dimension":{"a":{"category":{"index":["1","2"]}}}}`, i)
	}
	j.files.SetBody("/list", text.String()+"]}}")
	own := sourcetest.NewServer(t, sourcetest.NewClock(), source.Office{ID: "own", Name: "Own", Kind: "jsonstat", Address: j.replay.URL, Contents: j.replay.URL + "/list"})
	count := 0
	for _, err := range own.Contents(t.Context(), source.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	if count != n+1 {
		t.Errorf("got %d items, want %d", count, n+1)
	}
}
