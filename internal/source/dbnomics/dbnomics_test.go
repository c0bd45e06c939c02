package dbnomics_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/dbnomicstest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

const chelem = "CEPII/CHELEM-TRADE-CHEL"

func newHarness(t *testing.T) (*sourcetest.Harness, *dbnomicstest.Server) {
	t.Helper()
	office, err := dbnomicstest.New(stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	return sourcetest.New(t, office, source.Office{ID: "dbnomics", Name: "DBnomics", Kind: "dbnomics"}, "/v22"), office
}

// chelemValues reads the real file with an independent decoder. With a dimension it
// returns only the series that have the code in it.
func chelemValues(t *testing.T, dimension, code string) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "dbnomics", "CEPII-CHELEM-TRADE-CHEL.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Series struct {
			Docs []struct {
				Dimensions map[string]string
				Period     []string
				Value      []float64
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, doc := range file.Series.Docs {
		d := doc.Dimensions
		for i, period := range doc.Period {
			if dimension == "" || d[dimension] == code {
				values[fmt.Sprintf("%s,%s,%s,%s %s", d["importer"], d["secgroup"], d["product"], d["exporter"], period)] = doc.Value[i]
			}
		}
	}
	return values
}

// TestFetch finds a dataset, imports it in pages, and compares every number with the
// real file.
func TestFetch(t *testing.T) {
	b, office := newHarness(t)
	office.Most(100)
	entries, err := b.Contents(t, source.Filter{Search: "international TRADE"})
	if err != nil || len(entries) != 1 {
		t.Fatalf("%+v, %v", entries, err)
	}
	e := entries[0]
	if e.Code != chelem || e.Title != "CHELEM - International Trade (CHELEM sectoral classification)" || e.Updated.Format("2006-01-02") != "2023-06-08" || e.Folders[0] != "CEPII" {
		t.Errorf("%+v", e)
	}
	o := b.MustImport(t, chelem)
	if o.Status != importer.Created || o.Series != 1000 || o.Observations.Stored != 55_000 || len(b.Requests("/series/")) != 10 {
		t.Errorf("got %+v after %d pages", o, len(b.Requests("/series/")))
	}
	sourcetest.WantSameValues(t, b.Values(t, o.ID), chelemValues(t, "", ""))
	d := b.Vintage(t, o.ID).Dataset
	if d.Source.ID != "cepii" || d.Code != "CHELEM-TRADE-CHEL" || d.SourceURL != "https://db.nomics.world/"+chelem {
		t.Errorf("%s:%s at %s", d.Source.ID, d.Code, d.SourceURL)
	}
	before := len(b.Requests(""))
	if d, err := b.Fetch(t, chelem, &e); err != nil || !d.Unchanged || len(b.Requests("")) != before {
		t.Errorf("with the list: %+v, %v", d, err)
	}
	if d, err := b.Fetch(t, chelem, nil); err != nil || !d.Unchanged || len(b.Requests("")) != before+1 {
		t.Errorf("without the list: %+v, %v", d, err)
	}
	office.Index("2024-06-08T14:45:21.851Z", 10)
	if o := b.MustImport(t, chelem); o.Status != importer.Updated || o.Changes.Removed != 550 || o.Changes.Added+o.Changes.Revised > 0 {
		t.Errorf("%+v", o)
	}
}

// TestContents checks that the lists of all providers are complete.
func TestContents(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Datasets(120)
	for _, c := range []struct {
		filter source.Filter
		want   int
	}{
		{source.Filter{}, 122}, {source.Filter{Under: "cepii"}, 121}, {source.Filter{Under: "AMECO"}, 1},
		{source.Filter{Search: "trade", Under: "AMECO"}, 0}, {source.Filter{Search: "trade", Under: "CEPII"}, 1}, {source.Filter{Search: "poverty"}, 0},
	} {
		if entries, err := b.Contents(t, c.filter); err != nil || len(entries) != c.want {
			t.Errorf("%+v: got %d entries, %v, want %d", c.filter, len(entries), err, c.want)
		}
	}
	if _, err := b.Contents(t, source.Filter{Under: "UNKNOWN"}); stat.KindOf(err) != stat.NotFound {
		t.Error(err)
	}
	for range b.Source.Contents(t.Context(), source.Filter{}) {
		break // a caller may stop early
	}
}

// TestParts checks that the error for a dataset that is too large shows how to
// fetch a part, and that a part is a separate dataset.
func TestParts(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Most(100)
	part := chelem + "?secgroup=STG,CAT&importer=AES"
	o := b.MustImport(t, chelem+"?secgroup=STG")
	if o.Status != importer.Created || o.Code != "CHELEM-TRADE-CHEL?secgroup=STG" {
		t.Fatalf("%+v", o)
	}
	sourcetest.WantSameValues(t, b.Values(t, o.ID), chelemValues(t, "secgroup", "STG"))
	b.State = source.State{}
	if o := b.MustImport(t, part); o.Status != importer.Created || o.Code != "CHELEM-TRADE-CHEL?importer=AES&secgroup=CAT,STG" {
		t.Errorf("%+v", o)
	}
	b.State = source.State{}
	office.Whole(7_419_264)
	_, err := b.Fetch(t, chelem, nil)
	if stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), "7419264 series") || !strings.Contains(err.Error(), "dbnomics:"+chelem+"?exporter=CODE,CODE") {
		t.Error(err)
	}
	if _, err := b.Fetch(t, part, nil); stat.KindOf(err) != stat.Refused {
		t.Error(err)
	}
	office.Whole(0)
	if _, err := b.Fetch(t, chelem+"?importer=UNKNOWN", nil); stat.KindOf(err) != stat.Refused {
		t.Error(err)
	}
	for _, code := range []string{chelem + "?", chelem + "?secgroup", chelem + "?secgroup=", chelem + "?=CAT", chelem + "?%zz"} {
		if _, err := b.Fetch(t, code, nil); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%q: %v", code, err)
		}
	}
	for _, code := range []string{"CEPII/NOTHING", "UNKNOWN/NOTHING", "CEPII", "", "../x/y", "a/b/c", "/"} {
		if _, err := b.Fetch(t, code, nil); stat.KindOf(err) != stat.NotFound {
			t.Errorf("%q: %v", code, err)
		}
	}
}

// TestFaults checks that a dataset is saved completely or not at all.
func TestFaults(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Index("2023-06-08T14:45:21.851Z", 900) // leaves 100 series
	office.Most(40)
	page := func(series string) string {
		return `{"dataset":{"code":"CHELEM-TRADE-CHEL","indexed_at":"2023-06-08T14:45:21.851Z"},"series":{` + series + `}}`
	}
	second := "offset=40"
	b.CheckFaults(t, chelem, []sourcetest.FaultCase{
		{Name: "a page is missing", Fault: replay.Fault{Match: second, Status: 404}, Message: second},
		{Name: "truncated", Fault: replay.Fault{Match: second, Cut: 1000}, Message: second},
		{Name: "busy", Fault: replay.Fault{Match: second, Status: 429, After: "1"}, Message: "429"},
		{Name: "a web page", Fault: replay.Fault{Match: second, Page: true}, Message: second},
		{Name: "the number of series changes twice", Fault: replay.Fault{Match: second, Body: page(`"num_found":101,"offset":40,"docs":[{}]`)}, Message: "changed twice during the download"},
		{Name: "the dataset is imported again twice", Fault: replay.Fault{Match: second, Body: strings.Replace(page(`"num_found":100,"offset":40,"docs":[{}]`), "2023", "2024", 1)}, Message: "changed twice during the download"},
		{Name: "an empty page", Fault: replay.Fault{Match: second, Body: page(`"num_found":100,"offset":40,"docs":[]`)}, Message: "want those from number 40"},
		{Name: "the first page again", Fault: replay.Fault{Match: second, Body: page(`"num_found":100,"offset":0,"docs":[{}]`)}, Message: "want those from number 40"},
		{Name: "too many series", Fault: replay.Fault{Match: "offset=0", Body: page(`"num_found":1000000000,"offset":0,"docs":[{}]`)}, Message: "1000000000 series"},
		{Name: "too many values", Fault: replay.Fault{Match: "offset=0", Body: page(`"num_found":200001,"offset":0,"docs":[{}]`)}, Message: "200001 series"},
		{Name: "no number of series", Fault: replay.Fault{Match: second, Body: page(`"offset":40,"docs":[{}]`)}, Message: "missing number of series"},
		{Name: "number of a wrong type", Fault: replay.Fault{Match: second, Body: page(`"num_found":"many"`)}, Message: "unexpected response"},
		{Name: "truncated JSON", Fault: replay.Fault{Match: second, Body: `{"series":{"docs":[{"a":`}, Message: "unexpected end"},
		{Name: "an error", Fault: replay.Fault{Match: "/datasets/", Body: `{"errors":[{"message":"no"}]}`}, Message: "unexpected response"},
	})
	b.Fault(replay.Fault{Match: second, Times: 1, Body: page(`"num_found":101,"offset":40,"docs":[{}]`)})
	if _, err := b.Fetch(t, chelem, nil); err != nil {
		t.Errorf("the number of series changes once: %v", err)
	}
}

// TestContentsFaults checks that an invalid list ends with an error.
func TestContentsFaults(t *testing.T) {
	t.Parallel()
	b, _ := newHarness(t)
	for name, body := range map[string]string{
		"truncated":   `{"providers":{"docs":[{"code":"A"},{"co`,
		"endless":     `{"providers":{"num_found":1000000000,"docs":[{"code":"A"}]}}`,
		"empty":       `{"providers":{"num_found":5,"docs":[]}}`,
		"wrong types": `{"providers":{"num_found":5,"docs":[{"code":5}]}}`,
		"no count":    `{"providers":{"docs":[]}}`,
		"too many":    `{"providers":{"num_found":0,"docs":[{"code":"A"}]}}`,
		"no list":     `{}`,
		"array":       `[]`,
	} {
		b.Fault(replay.Fault{Match: "/providers", Body: body})
		if _, err := b.Contents(t, source.Filter{}); stat.KindOf(err) != stat.Unavailable || len(b.Requests("")) > 100 {
			t.Errorf("%s: %v", name, err)
		}
		b.Mend()
	}
}

// The time in the data is stored, not the one in the list, which may be ahead.
func TestListAhead(t *testing.T) {
	b, _ := newHarness(t)
	b.CheckListAhead(t, chelem)
}
