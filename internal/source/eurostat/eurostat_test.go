package eurostat_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// harness consists of the replay of the office and a server that uses it.
type harness struct {
	dir    string
	office *eurostattest.Server
	replay *replay.Server
	server source.Server
	clock  *sourcetest.Clock
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	e := &harness{dir: stattest.DataDir(t), clock: sourcetest.NewClock()}
	e.office = eurostattest.New(e.dir)
	e.replay = sourcetest.CloseAtEnd(t, replay.Serve(e.office))
	e.server = sourcetest.NewServer(t, e.clock, sourcetest.OfficeAt(t, "eurostat", e.replay))
	return e
}

// listed returns a dataset's entry in the list of contents.
func (e *harness) listed(t *testing.T, code string) *source.Entry {
	t.Helper()
	for _, entry := range sourcetest.Entries(t, e.server.Contents(t.Context(), source.Filter{Search: code})) {
		if entry.Code == code {
			return &entry
		}
	}
	t.Fatalf("%s is not in the list of contents", code)
	return nil
}

// contents returns a table of contents with one dataset, updated at the given time.
func contents(code, updated string) string {
	return "\"title\"\t\"code\"\t\"type\"\t\"last update of data\"\t\"last table structure change\"\t\"data start\"\t\"data end\"\t\"values\"\n" +
		"\"Database by themes\"\t\"data\"\t\"folder\"\t\" \"\t\" \"\t\" \"\t\" \"\t\n" +
		"\"    A dataset\"\t\"" + code + "\"\t\"dataset\"\t\"" + updated + "\"\t\" \"\t\" \"\t\" \"\t\n"
}

// The real table of contents has 7581 lines of datasets and 1300 of tables. Many of them
// are in several folders.
func TestContents(t *testing.T) {
	e := newHarness(t)
	all := sourcetest.Entries(t, e.server.Contents(t.Context(), source.Filter{}))
	codes := map[string]bool{}
	for _, entry := range all {
		if codes[entry.Code] {
			t.Errorf("%s is listed twice", entry.Code)
		}
		codes[entry.Code] = true
		if entry.Title == "" || len(entry.Folders) == 0 || strings.Contains(entry.Title, "  ") || entry.Updated.IsZero() {
			t.Errorf("%+v", entry)
		}
	}
	if len(all) != 6953 {
		t.Errorf("got %d datasets, want the 6953 codes in the file", len(all))
	}
	gdp := e.listed(t, "nama_10_gdp")
	if want := time.Date(2023, time.August, 16, 0, 0, 0, 0, time.UTC); !gdp.Updated.Equal(want) || gdp.Title != "GDP and main components (output, expenditure and income)" {
		t.Errorf("%+v", gdp)
	}
	found := sourcetest.Entries(t, e.server.Contents(t.Context(), source.Filter{Search: "unemployment MONTHLY sex"}))
	if len(found) == 0 || found[0].Code != "une_rt_m" {
		t.Errorf("the search found %+v", found)
	}
	// Its first entry in the list is in another folder.
	below := sourcetest.Entries(t, e.server.Contents(t.Context(), source.Filter{Under: "na10"}))
	has := map[string]bool{}
	for _, entry := range below {
		has[entry.Code] = true
		if !strings.Contains(strings.Join(entry.Folders, "/")+"/", "/na10/") || !strings.HasPrefix(entry.Theme, "Database by themes / ") {
			t.Errorf("%+v is not in na10", entry)
		}
	}
	if len(below) < 50 || !has["nama_10_gdp"] || has["une_rt_m"] {
		t.Errorf("got %d datasets in na10, want at least 50", len(below))
	}
	if err := sourcetest.ListError(e.server.Contents(t.Context(), source.Filter{Under: "no-such-folder"})); stat.KindOf(err) != stat.NotFound {
		t.Errorf("unknown folder: got %v", err)
	}
}

// A dataset that a search finds is fetched and imported.
func TestFromSearchToStore(t *testing.T) {
	e := newHarness(t)
	found := sourcetest.Entries(t, e.server.Contents(t.Context(), source.Filter{Search: "real GDP per capita"}))
	if len(found) != 1 || found[0].Code != "sdg_08_10" {
		t.Fatalf("the search found %+v", found)
	}
	d := sourcetest.MustFetch(t, e.server, source.Request{Code: found[0].Code, Listed: &found[0]})
	if len(d.Data) != 1 || filepath.Base(d.Data[0]) != "estat_sdg_08_10.tsv.gz" || d.Name != "Real GDP per capita" {
		t.Fatalf("%+v", d)
	}
	if got, want := readText(t, d.Data[0]), readText(t, filepath.Join(e.dir, "eurostat", "tsv-new", "sdg_08_10.tsv")); got != want {
		t.Errorf("the file (%d bytes) differs from the office's (%d bytes)", len(got), len(want))
	}
	v := sourcetest.MustImport(t, d)
	if got := sourcetest.ValueAt(t, v, "2022", map[string]string{"unit": "CLV20_EUR_HAB", "geo": "AT"}); got != 46430 {
		t.Errorf("got value %v, want 46430 as in the file", got)
	}
	if v.Dataset.Name != "Real GDP per capita" || v.Dataset.Source.ID != "eurostat" || !v.Dataset.Updated.Equal(found[0].Updated) {
		t.Errorf("%+v", v.Dataset)
	}
	energy := sourcetest.MustImport(t, sourcetest.MustFetch(t, e.server, source.Request{Code: "nrg_ind_ren"}))
	at, _ := energy.Position(2, "PC")
	if unit := energy.Dataset.Dimensions[2]; unit.Codes[at].Label != "Percentage" {
		t.Errorf("got label %q of PC, want that of the code list", unit.Codes[at].Label)
	}
}

// readText returns the text of a file, unpacked if necessary.
func readText(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var in io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A packed file is saved unchanged.
func TestPackedFile(t *testing.T) {
	e := newHarness(t)
	d := sourcetest.MustFetch(t, e.server, source.Request{Code: "nama_10_gdp"})
	sourcetest.WantSameFile(t, d.Data[0], filepath.Join(e.dir, "eurostat", "tsv-new", "estat_nama_10_gdp.tsv.gz"))
	if d.Name != "GDP and main components (output, expenditure and income)" || d.Updated.IsZero() {
		t.Errorf("the dataset was not looked up in the list of contents: %+v", d)
	}
	if requests := e.replay.Requests("/toc/"); len(requests) != 1 {
		t.Errorf("got %d requests for the contents, want 1", len(requests))
	}
	sourcetest.MustFetch(t, e.server, source.Request{Code: "nrg_ind_ren"})
	if requests := e.replay.Requests("/toc/"); len(requests) != 1 {
		t.Errorf("second dataset: got %d requests for the contents, want 1", len(requests))
	}
}

// A code list is requested once a day and saved with each dataset. A dataset is fetched
// even if the office lacks one of its code lists.
func TestLists(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	baseNames := func(d *source.Download) string {
		var some []string
		for _, path := range d.Companions {
			some = append(some, filepath.Base(path))
		}
		return strings.Join(some, " ")
	}
	d := sourcetest.MustFetch(t, e.server, source.Request{Code: "sdg_08_10", Listed: e.listed(t, "sdg_08_10")})
	if got := baseNames(d); got != "ESTAT_UNIT_5.1_EN.tsv.gz ESTAT_GEO_5.1_EN.tsv.gz" {
		t.Errorf("got code lists %s", got)
	}
	d = sourcetest.MustFetch(t, e.server, source.Request{Code: "nrg_ind_ren", Listed: e.listed(t, "nrg_ind_ren")})
	if got := baseNames(d); got != "ESTAT_UNIT_5.1_EN.tsv.gz ESTAT_GEO_5.1_EN.tsv.gz" {
		t.Errorf("second dataset: got code lists %s", got)
	}
	if got := readText(t, d.Companions[1]); got != readText(t, filepath.Join(e.dir, "eurostat", "dic", "geo-2021.dic")) {
		t.Error("the code list of areas differs from the office's")
	}
	if requests := len(e.replay.Requests("/codelist/")); requests != 5 { // freq, unit, na_item, geo; nrg_bal
		t.Errorf("got %d requests for code lists, want 5", requests)
	}
	e.clock.Advance(25 * time.Hour)
	e.replay.Fault(replay.Fault{Match: "/codelist/", Status: 503})
	d = sourcetest.MustFetch(t, e.server, source.Request{Code: "sdg_08_10", Listed: e.listed(t, "sdg_08_10")})
	if got := baseNames(d); got != "ESTAT_UNIT_5.1_EN.tsv.gz ESTAT_GEO_5.1_EN.tsv.gz" {
		t.Errorf("during an outage of the code lists: got %s", got)
	}
}

// Concurrent fetches share the requests for code lists and contents.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	e.office.PublishText("contents", contents("sdg_08_10", "01.01.2024"))
	var all sync.WaitGroup
	for i := range 12 {
		folder := t.TempDir()
		all.Go(func() {
			code := []string{"sdg_08_10", "nrg_ind_ren", "tran_r_rapa"}[i%3]
			if d, err := e.server.Fetch(t.Context(), source.Request{Code: code, Folder: folder}); err != nil || len(d.Companions) == 0 {
				t.Errorf("%s: %+v, %v", code, d, err)
			}
		})
	}
	all.Wait()
	if lists, contents := len(e.replay.Requests("/codelist/")), len(e.replay.Requests("/toc/")); lists != 7 || contents != 1 {
		t.Errorf("got %d requests for code lists and %d for the contents, want 7 and 1", lists, contents)
	}
}

// A dataset that is unchanged according to the list of contents is not requested, unless
// the list states only a day that may still bring an update.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	known := source.State{}
	data := func() int { return len(e.replay.Requests("/data/")) }
	round := func(why string, unchanged bool, requests int) {
		t.Helper()
		before := data()
		d := sourcetest.MustFetch(t, e.server, source.Request{Code: "sdg_08_10", Listed: e.listed(t, "sdg_08_10"), Known: known})
		if known = d.State; d.Unchanged != unchanged || data()-before != requests {
			t.Errorf("%s: got unchanged %v after %d requests, want %v after %d", why, d.Unchanged, data()-before, unchanged, requests)
		}
	}
	e.office.PublishText("contents", contents("sdg_08_10", "03.03.2025"))
	round("first fetch, on the day of the update", false, 1)
	round("another update is possible on the same day", true, 1)
	e.office.PublishText("sdg_08_10", "freq,geo\\TIME_PERIOD\t2024 \nA,AT\t1 \n")
	round("an update on the same day", false, 1)
	e.clock.Advance(48 * time.Hour)
	round("two days later, the first check", true, 1)
	round("two days later, the second check", true, 0)
	e.office.PublishText("contents", contents("sdg_08_10", "05.03.2025 09:00"))
	round("the list is updated before the data", true, 1)
	round("the data are still old", true, 1)
	e.office.PublishText("sdg_08_10", "freq,geo\\TIME_PERIOD\t2024 \nA,AT\t2 \n")
	round("the data are updated", false, 1)
	round("the list states the time of the data", true, 0)
	e.office.PublishText("contents", contents("sdg_08_10", "05.03.2025 10:00"))
	round("the list is updated without the data", true, 1)
	e.clock.Advance(48 * time.Hour)
	round("two days after that, the first check", true, 1)
	round("two days after that, the second check", true, 0)
}

// A dataset without an entry is looked up in the list of contents and not requested if
// that reports no change.
func TestLookup(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	d := sourcetest.MustFetch(t, e.server, source.Request{Code: "sdg_08_10"})
	again := sourcetest.MustFetch(t, e.server, source.Request{Code: "SDG_08_10", Known: d.State})
	if !again.Unchanged || len(e.replay.Requests("/data/")) != 1 {
		t.Errorf("%+v after %d requests", again, len(e.replay.Requests("/data/")))
	}
	e.office.PublishText("contents", contents("sdg_08_10", "02.03.2025"))
	e.clock.Advance(time.Hour)
	if sourcetest.MustFetch(t, e.server, source.Request{Code: "sdg_08_10", Known: d.State}); len(e.replay.Requests("/data/")) != 2 {
		t.Error("the contents were not read again after an hour")
	}
	e.clock.Advance(time.Hour)
	e.replay.Fault(replay.Fault{Match: "/toc/", Status: 500})
	if d := sourcetest.MustFetch(t, e.server, source.Request{Code: "sdg_08_10"}); len(d.Data) != 1 {
		t.Errorf("without the contents: got %+v", d)
	}
}

// A dataset that takes time to prepare is polled and then fetched.
func TestAsynchronous(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	want := filepath.Join(e.dir, "eurostat", "tsv-new", "estat_nama_10_gdp.tsv.gz")
	e.office.Queue("nama_10_gdp", "SUBMITTED", "PROCESSING", "AVAILABLE")
	d := sourcetest.MustFetch(t, e.server, source.Request{Code: "nama_10_gdp"})
	sourcetest.WantSameFile(t, d.Data[0], want)
	if requests := len(e.replay.Requests("/async/status/")); requests != 3 {
		t.Errorf("got %d requests for the status, want 3", requests)
	}
	if e.clock.Slept < 15*time.Second || e.clock.Slept > time.Minute {
		t.Errorf("got waits %v", e.clock.Slept)
	}
	// The response has a new address each time, so only its bytes are compared.
	again := sourcetest.MustFetch(t, e.server, source.Request{Code: "nama_10_gdp", Known: source.State{Answers: d.State.Answers}})
	if !again.Unchanged || len(again.State.Answers) != 1 {
		t.Errorf("%+v", again)
	}

	e.office.Queue("nama_10_gdp", "PROCESSING", "EXPIRED", "AVAILABLE")
	sourcetest.WantSameFile(t, sourcetest.MustFetch(t, e.server, source.Request{Code: "nama_10_gdp"}).Data[0], want)
}

func TestAsynchronousFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statuses []string
		message  string
		starts   int
		waits    time.Duration
	}{
		"expires again and again": {[]string{"EXPIRED"}, "EXPIRED", 2, 0},
		"is never done":           {[]string{"PROCESSING"}, "not ready", 1, time.Hour},
		"fails":                   {[]string{"SUBMITTED", "ERROR"}, "ERROR", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			e := newHarness(t)
			e.office.Queue("nama_10_gdp", c.statuses...)
			err := sourcetest.FetchError(t, e.server, "nama_10_gdp")
			if stat.KindOf(err) != stat.Unavailable || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got error %v, want it to contain %q", err, c.message)
			}
			if starts := len(e.replay.Requests("/sdmx/2.1/data/")); starts != c.starts {
				t.Errorf("got %d requests, want %d", starts, c.starts)
			}
			if e.clock.Slept < c.waits || e.clock.Slept > 2*time.Hour {
				t.Errorf("got waits %v", e.clock.Slept)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	e.office.PublishText("contents", contents("nama_10_gdp", "01.01.2024"))
	tooBig := eurostattest.Fault("413", "EXTRACTION_TOO_BIG: The requested extraction is too big, estimated 420709314 rows, max authorised is 5000000")
	for name, c := range map[string]struct {
		fault   replay.Fault
		reason  fetch.Reason
		kind    stat.Kind
		message string
	}{
		"missing":        {replay.Fault{Status: 404, Body: eurostattest.Fault("100", "ERR_NOT_FOUND_4: no such dataset")}, fetch.Missing, stat.NotFound, "no such dataset"},
		"no results":     {replay.Fault{Status: 400, Body: eurostattest.Fault("100", "NO_RESULTS: The query did not return any results.")}, fetch.Denied, stat.NotFound, "NO_RESULTS"},
		"too big":        {replay.Fault{Status: 413, Body: tooBig}, fetch.TooBig, stat.Refused, "estimated 420709314 rows"},
		"bad range":      {replay.Fault{Status: 416, Body: eurostattest.Fault("416", "too many categories")}, fetch.Denied, stat.Refused, "too many categories"},
		"busy":           {replay.Fault{Status: 429, After: "1"}, fetch.Busy, 0, "429"},
		"unavailable":    {replay.Fault{Status: 503}, fetch.Busy, 0, "503"},
		"truncated":      {replay.Fault{Cut: 1000}, fetch.Cut, 0, ""},
		"wrong length":   {replay.Fault{Length: 1000}, fetch.Cut, 0, ""},
		"web page":       {replay.Fault{Page: true}, fetch.WebPage, 0, ""},
		"fault with 200": {replay.Fault{Body: tooBig}, "", stat.Unavailable, "estimated 420709314 rows"},
		"other XML":      {replay.Fault{Body: "<a/>"}, "", stat.Unavailable, "without data"},
		"unsafe ID":      {replay.Fault{Body: "<queued><id>../../x</id><status>SUBMITTED</status></queued>"}, "", stat.Unavailable, "without a request ID"},
		"no table":       {replay.Fault{Body: "sorry\n"}, "", stat.Unavailable, "sorry"},
		"empty":          {replay.Fault{Body: "\n"}, "", stat.Unavailable, "is not a table of Eurostat"},
	} {
		t.Run(name, func(t *testing.T) {
			e.replay.Mend()
			c.fault.Match = "/data/"
			e.replay.Fault(c.fault)
			err := sourcetest.FetchError(t, e.server, "nama_10_gdp")
			if c.reason != "" {
				sourcetest.WantReason(t, err, c.reason)
			}
			if strings.Contains(err.Error(), "faultstring") {
				t.Errorf("got error %v, which contains the XML of the fault", err)
			}
			if c.kind != 0 && stat.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got error %v, want it to contain %q", err, c.message)
			}
		})
	}
}

// A bad response in place of a code list does not stop the download.
func TestBadLists(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]replay.Fault{
		"fault": {Body: eurostattest.Fault("100", "no list")}, "text": {Body: "sorry\n"}, "empty": {Body: " "},
		"page": {Page: true}, "truncated": {Cut: 10}, "unavailable": {Status: 503}, "invalid gzip": {Body: "\x1f\x8b\x08\x00invalid"},
	} {
		e := newHarness(t)
		fault.Match = "/codelist/"
		e.replay.Fault(fault)
		if d := sourcetest.MustFetch(t, e.server, source.Request{Code: "sdg_08_10"}); len(d.Data) != 1 || len(d.Companions) > 0 {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	for _, code := range []string{"", "../x", "a/b", "a?b", "a b", strings.Repeat("a", 200)} {
		if err := sourcetest.FetchError(t, e.server, code); stat.KindOf(err) != stat.NotFound {
			t.Errorf("code %q: got %v", code, err)
		}
	}
	if requests := e.replay.Requests("/"); len(requests) > 0 {
		t.Errorf("got requests %+v", requests)
	}
	// Foreign trade has a separate service, which is not replayed.
	sourcetest.FetchError(t, e.server, "DS-045409")
	if requests := e.replay.Requests("/eurostat/api/comext/dissemination/sdmx/2.1/data/DS-045409"); len(requests) != 1 {
		t.Errorf("got %d requests for foreign trade, want 1", len(requests))
	}
}

func TestContentsFaults(t *testing.T) {
	t.Parallel()
	e := newHarness(t)
	head, _, _ := strings.Cut(contents("a", ""), "\n")
	for name, c := range map[string]struct{ text, message string }{
		"another file":   {"freq,geo\\TIME_PERIOD\t2024\n", "title"},
		"empty":          {"\n", "title"},
		"truncated line": {contents("a", "01.01.2024") + "\"    B\"\t\"b\"\t\"dataset\"\t\"01.", "line 4"},
		"endless line":   {head + "\n" + strings.Repeat("x", 2<<20), "invalid table of contents"},
		"too many tabs":  {head + "\n" + strings.Repeat("\t", 1000) + "\n", "line 2"},
	} {
		e.office.PublishText("contents", c.text)
		err := sourcetest.ListError(e.server.Contents(t.Context(), source.Filter{}))
		if stat.KindOf(err) != stat.Unavailable || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	e.replay.Fault(replay.Fault{Match: "/toc/", Page: true})
	sourcetest.WantReason(t, sourcetest.ListError(e.server.Contents(t.Context(), source.Filter{})), fetch.WebPage)
}

// A list of a million entries is read line by line.
func TestLongContents(t *testing.T) {
	t.Parallel()
	n := stattest.Rounds(t, 100_000, 1_000_000)
	e := newHarness(t)
	var text strings.Builder
	head, _, _ := strings.Cut(contents("a", ""), "\n")
	text.WriteString(head + "\n")
	for i := range n {
		fmt.Fprintf(&text, "\"%s A dataset\"\t\"d%d\"\t\"dataset\"\t\"01.01.2024\"\t\" \"\t\" \"\t\" \"\t\n", strings.Repeat(" ", i%50), i)
	}
	e.office.PublishText("contents", text.String())
	count := 0
	for _, err := range e.server.Contents(t.Context(), source.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	if count != n {
		t.Errorf("got %d entries, want %d", count, n)
	}
}
