package worldbank_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/worldbanktest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

const gdp = "NY.GDP.MKTP.CD"

func newHarness(t *testing.T) (*sourcetest.Harness, *worldbanktest.Server) {
	t.Helper()
	office, err := worldbanktest.New(stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	row := source.Office{ID: "worldbank", Name: "World Bank", Kind: "worldbank", Website: "https://data.worldbank.org"}
	return sourcetest.New(t, office, row, "/v2"), office
}

// gdpValues reads the real file with an independent decoder. The codes of areas come from
// the Bank's list of countries.
func gdpValues(t *testing.T) map[string]float64 {
	t.Helper()
	dir := filepath.Join(stattest.DataDir(t), "worldbank", "api-v2")
	read := func(name string, into any) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = json.Unmarshal(text, &[]any{&struct{}{}, into})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var countries []struct{ ID, ISO2Code string }
	var records []struct {
		Country struct{ ID string }
		Date    string
		Value   *float64
	}
	read("countries.json", &countries)
	read(gdp+".json", &records)
	codes := map[string]string{}
	for _, c := range countries {
		codes[c.ISO2Code] = c.ID
	}
	values := map[string]float64{}
	for _, r := range records {
		if r.Value != nil {
			values[codes[r.Country.ID]+" "+r.Date] = *r.Value
		}
	}
	return values
}

// TestFetch finds an indicator, imports it in pages, and compares every number with
// the real file.
func TestFetch(t *testing.T) {
	b, office := newHarness(t)
	office.Most(3000) // although 20,000 are requested
	entries, err := b.Contents(t, source.Filter{Search: "gdp US$"})
	if err != nil || len(entries) != 1 {
		t.Fatalf("%+v, %v", entries, err)
	}
	e := entries[0]
	if e.Code != gdp || e.Title != "GDP (current US$)" || e.Theme != "World Development Indicators / Economy & Growth" || e.Updated.Format("2006-01-02") != "2024-03-28" {
		t.Errorf("%+v", e)
	}
	o := b.MustImport(t, e.Code)
	if o.Status != importer.Created || o.Code != gdp || o.Observations.Read != 10_000 || len(b.Requests("per_page=20000")) != 4 {
		t.Errorf("got %+v after %d pages", o, len(b.Requests("per_page=20000")))
	}
	sourcetest.WantSameValues(t, b.Values(t, o.ID), gdpValues(t))
	d := b.Vintage(t, o.ID).Dataset
	if d.Source.ID != "worldbank" || d.Name != "GDP (current US$)" || d.SourceURL != "https://data.worldbank.org/indicator/NY.GDP.MKTP.CD" || !d.Updated.Equal(e.Updated) {
		t.Errorf("%s:%s %q, updated %s, at %s", d.Source.ID, d.Code, d.Name, d.Updated, d.SourceURL)
	}
	if byHand := b.ImportByHand(t, filepath.Join(stattest.DataDir(t), "worldbank", "api-v2", "NY.GDP.MKTP.CD.json")); byHand.Status != importer.Unchanged || byHand.ID != o.ID {
		t.Errorf("imported by hand: %+v, fetched: %+v; want the same dataset", byHand, o)
	}
}

// TestUnchanged checks that an indicator is fetched only if the day of its
// database has changed, and that no request is needed if the list states that day.
func TestUnchanged(t *testing.T) {
	b, office := newHarness(t)
	if o := b.MustImport(t, gdp); o.Status != importer.Created {
		t.Fatalf("%+v", o)
	}
	entries, err := b.Contents(t, source.Filter{Search: gdp})
	if err != nil || len(entries) != 1 {
		t.Fatalf("%+v, %v", entries, err)
	}
	before := len(b.Requests(""))
	if d, err := b.Fetch(t, gdp, &entries[0]); err != nil || !d.Unchanged || len(b.Requests("")) != before {
		t.Errorf("with the list: %+v, %v, %d requests", d, err, len(b.Requests(""))-before)
	}
	if d, err := b.Fetch(t, gdp, nil); err != nil || !d.Unchanged || len(b.Requests("")) != before+1 {
		t.Errorf("without the list: %+v, %v, %d requests", d, err, len(b.Requests(""))-before)
	}
	office.Release("2024-06-28", 300)
	if o := b.MustImport(t, gdp); o.Status != importer.Updated || o.Changes.Removed == 0 || o.Changes.Added+o.Changes.Revised > 0 {
		t.Errorf("%+v", o)
	}
	if entries[0].Updated.Equal(b.State.Updated) {
		t.Error("the state still has the old day")
	}
}

// TestDatabases checks that an indicator of an archived database is found through
// the list of indicators, and that a code with a database is a separate dataset.
func TestDatabases(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Archive()
	if o := b.MustImport(t, gdp); o.Status != importer.Created || o.Code != gdp || len(b.Requests("source=57")) == 0 {
		t.Errorf("%+v", o)
	}
	b.State = source.State{}
	if o := b.MustImport(t, "57/"+gdp); o.Status != importer.Created || o.Code != "57/"+gdp {
		t.Errorf("%+v", o)
	}
	entries, err := b.Contents(t, source.Filter{Under: "57"})
	if err != nil || len(entries) != 3 {
		t.Errorf("%+v, %v", entries, err)
	}
}

// TestMissing checks that a missing indicator is an error of kind NotFound,
// whatever the status of the response.
func TestMissing(t *testing.T) {
	t.Parallel()
	b, _ := newHarness(t)
	for _, code := range []string{"SP.POP.TOTL", "nothing", "", "../source", "A;B", "57/", "x/y"} {
		if d, err := b.Fetch(t, code, nil); stat.KindOf(err) != stat.NotFound {
			t.Errorf("%q: %+v, %v", code, d, err)
		}
	}
}

// TestFaults checks that an indicator is saved completely or not at all.
func TestFaults(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Most(4000)
	page := func(header string) string { return "[{" + header + `},[]]` }
	b.CheckFaults(t, gdp, []sourcetest.FaultCase{
		{Name: "the second page is missing", Fault: replay.Fault{Match: "&page=2", Status: 404}, Message: "page=2"},
		{Name: "truncated", Fault: replay.Fault{Match: "&page=3", Cut: 1000}, Message: "page=3"},
		{Name: "busy", Fault: replay.Fault{Match: "&page=2", Status: 429, After: "1"}, Message: "429"},
		{Name: "a web page", Fault: replay.Fault{Match: "&page=2", Page: true}, Message: "page=2"},
		{Name: "a release appears twice", Fault: replay.Fault{Match: "&page=2", Body: page(`"page":2,"pages":3,"per_page":4000,"total":10000,"lastupdated":"2024-06-28"`)}, Message: "changed twice during the download"},
		{Name: "the total changes twice", Fault: replay.Fault{Match: "&page=2", Body: page(`"page":2,"pages":3,"per_page":4000,"total":10001,"lastupdated":"2024-03-28"`)}, Message: "changed twice during the download"},
		{Name: "the first page again", Fault: replay.Fault{Match: "&page=2", Body: page(`"page":1,"pages":3,"per_page":4000,"total":10000,"lastupdated":"2024-03-28"`)}, Message: "page 1 of 3"},
		{Name: "too many pages", Fault: replay.Fault{Match: "per_page=20000", Body: page(`"page":1,"pages":1000000000,"per_page":1,"total":10000,"lastupdated":"2024-03-28"`)}, Message: "page 1 of 1000000000"},
		{Name: "too many records", Fault: replay.Fault{Match: "per_page=1&", Body: page(`"page":1,"pages":1,"per_page":1,"total":1000000000`)}, Message: "more than the limit of 20000000"},
		{Name: "no data", Fault: replay.Fault{Match: "per_page=1&", Body: `[{"page":0,"pages":0,"per_page":0,"total":0,"sourceid":null,"lastupdated":null},null]`}, Message: "has no data"},
		{Name: "too few records", Fault: replay.Fault{Match: "&page=2", Body: page(`"page":2,"pages":3,"per_page":4000,"total":10000,"lastupdated":"2024-03-28"`)}, Message: "has 0 records"},
		{Name: "truncated JSON", Fault: replay.Fault{Match: "&page=2", Body: `[{"page":2,"pages":3,"per_page":4000,"total":10000,"lastupdated":"2024-03-28"},[{"indicator":`}, Message: "unexpected end"},
		{Name: "not JSON", Fault: replay.Fault{Match: "per_page=1&", Body: `<?xml version="1.0"?><wb:error/>`}, Message: "unexpected response"},
		{Name: "wrong types", Fault: replay.Fault{Match: "per_page=1&", Body: `[{"page":"one","pages":[]},[]]`}, Message: "unexpected response"},
		{Name: "an object", Fault: replay.Fault{Match: "&page=2", Body: `{"page":2}`}, Message: "unexpected response"},
	})
	b.Fault(replay.Fault{Match: "&page=2", Times: 1, Body: page(`"page":2,"pages":3,"per_page":4000,"total":10000,"lastupdated":"2024-06-28"`)})
	if _, err := b.Fetch(t, gdp, nil); err != nil {
		t.Errorf("a release appears once: %v", err)
	}
}

// TestContentsFaults checks that an invalid list ends with an error.
func TestContentsFaults(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Most(2)
	if entries, err := b.Contents(t, source.Filter{}); err != nil || len(entries) != 3 {
		t.Errorf("in two pages: %+v, %v", entries, err)
	}
	for name, body := range map[string]string{
		"truncated":  `[{"page":1,"pages":1,"per_page":"50","total":2},[{"id":"A","name":"a"},{"id":`,
		"many pages": `[{"page":1,"pages":99999999,"per_page":"50","total":2},[{"id":"A","name":"a"}]]`,
		"same page":  `[{"page":1,"pages":3,"per_page":"50","total":2},[{"id":"A","name":"a"}]]`,
		"empty":      `[{"page":1,"pages":3,"per_page":"50","total":2},[]]`,
		"no pages":   `[{"page":1,"pages":0,"per_page":"50","total":1},[{"id":"A","name":"a"}]]`,
		"fewer":      `[{"page":1,"pages":1,"per_page":"50","total":2},[{"id":"A","name":"a"}]]`,
		"wrong type": `[{"page":1,"pages":1,"per_page":"50","total":2},[{"id":7}]]`,
		"a message":  `[{"message":[{"id":"105","key":"Service currently unavailable","value":"The service is currently unavailable"}]}]`,
		"more JSON":  `[{"page":1,"pages":1,"per_page":"50","total":2},[]] []`,
	} {
		b.Fault(replay.Fault{Match: "/indicator?", Body: body})
		if _, err := b.Contents(t, source.Filter{}); stat.KindOf(err) != stat.Unavailable || len(b.Requests("")) > 200 {
			t.Errorf("%s: %v after %d requests", name, err, len(b.Requests("")))
		}
		b.Mend()
	}
}

// The time in the data is stored, not the one in the list, which may be ahead.
func TestListAhead(t *testing.T) {
	b, _ := newHarness(t)
	b.CheckListAhead(t, gdp)
}
