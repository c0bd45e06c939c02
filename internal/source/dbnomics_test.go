package source_test

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
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

const chelem = "CEPII/CHELEM-TRADE-CHEL"

func newDbnomics(t *testing.T) (*harness, *replay.Dbnomics) {
	t.Helper()
	office, err := replay.NewDbnomics(stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	return newHarness(t, office, source.Office{ID: "dbnomics", Name: "DBnomics", Kind: "dbnomics"}, "/v22"), office
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

// TestDbnomics finds a dataset, imports it in pages, and compares every number with the
// real file.
func TestDbnomics(t *testing.T) {
	b, office := newDbnomics(t)
	office.Most(100)
	entries, err := b.contents(t, source.Filter{Search: "international TRADE"})
	if err != nil || len(entries) != 1 {
		t.Fatalf("%+v, %v", entries, err)
	}
	e := entries[0]
	if e.Code != chelem || e.Title != "CHELEM - International Trade (CHELEM sectoral classification)" || e.Updated.Format("2006-01-02") != "2023-06-08" || e.Folders[0] != "CEPII" {
		t.Errorf("%+v", e)
	}
	o := b.mustImport(t, chelem)
	if o.Status != importer.Created || o.Series != 1000 || o.Observations.Stored != 55_000 || len(b.Requests("/series/")) != 10 {
		t.Errorf("got %+v after %d pages", o, len(b.Requests("/series/")))
	}
	wantSameValues(t, b.values(t, o.ID), chelemValues(t, "", ""))
	d := b.vintage(t, o.ID).Dataset
	if d.Source.ID != "cepii" || d.Code != "CHELEM-TRADE-CHEL" || d.SourceURL != "https://db.nomics.world/"+chelem {
		t.Errorf("%s:%s at %s", d.Source.ID, d.Code, d.SourceURL)
	}
	before := len(b.Requests(""))
	if d, err := b.fetch(t, chelem, &e); err != nil || !d.Unchanged || len(b.Requests("")) != before {
		t.Errorf("with the list: %+v, %v", d, err)
	}
	if d, err := b.fetch(t, chelem, nil); err != nil || !d.Unchanged || len(b.Requests("")) != before+1 {
		t.Errorf("without the list: %+v, %v", d, err)
	}
	office.Index("2024-06-08T14:45:21.851Z", 10)
	if o := b.mustImport(t, chelem); o.Status != importer.Updated || o.Changes.Removed != 550 || o.Changes.Added+o.Changes.Revised > 0 {
		t.Errorf("%+v", o)
	}
}

// TestDbnomicsContents checks that the lists of all providers are complete.
func TestDbnomicsContents(t *testing.T) {
	t.Parallel()
	b, office := newDbnomics(t)
	office.Datasets(120)
	for _, c := range []struct {
		filter source.Filter
		want   int
	}{
		{source.Filter{}, 122}, {source.Filter{Under: "cepii"}, 121}, {source.Filter{Under: "AMECO"}, 1},
		{source.Filter{Search: "trade", Under: "AMECO"}, 0}, {source.Filter{Search: "trade", Under: "CEPII"}, 1}, {source.Filter{Search: "poverty"}, 0},
	} {
		if entries, err := b.contents(t, c.filter); err != nil || len(entries) != c.want {
			t.Errorf("%+v: got %d entries, %v, want %d", c.filter, len(entries), err, c.want)
		}
	}
	if _, err := b.contents(t, source.Filter{Under: "UNKNOWN"}); stat.KindOf(err) != stat.NotFound {
		t.Error(err)
	}
	for range b.server.Contents(t.Context(), source.Filter{}) {
		break // a caller may stop early
	}
}

// TestDbnomicsParts checks that the error for a dataset that is too large shows how to
// fetch a part, and that a part is a separate dataset.
func TestDbnomicsParts(t *testing.T) {
	t.Parallel()
	b, office := newDbnomics(t)
	office.Most(100)
	part := chelem + "?secgroup=STG,CAT&importer=AES"
	o := b.mustImport(t, chelem+"?secgroup=STG")
	if o.Status != importer.Created || o.Code != "CHELEM-TRADE-CHEL?secgroup=STG" {
		t.Fatalf("%+v", o)
	}
	wantSameValues(t, b.values(t, o.ID), chelemValues(t, "secgroup", "STG"))
	b.state = source.State{}
	if o := b.mustImport(t, part); o.Status != importer.Created || o.Code != "CHELEM-TRADE-CHEL?importer=AES&secgroup=CAT,STG" {
		t.Errorf("%+v", o)
	}
	b.state = source.State{}
	office.Whole(7_419_264)
	_, err := b.fetch(t, chelem, nil)
	if stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), "7419264 series") || !strings.Contains(err.Error(), "dbnomics:"+chelem+"?exporter=CODE,CODE") {
		t.Error(err)
	}
	if _, err := b.fetch(t, part, nil); stat.KindOf(err) != stat.Refused {
		t.Error(err)
	}
	office.Whole(0)
	if _, err := b.fetch(t, chelem+"?importer=UNKNOWN", nil); stat.KindOf(err) != stat.Refused {
		t.Error(err)
	}
	for _, code := range []string{chelem + "?", chelem + "?secgroup", chelem + "?secgroup=", chelem + "?=CAT", chelem + "?%zz"} {
		if _, err := b.fetch(t, code, nil); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%q: %v", code, err)
		}
	}
	for _, code := range []string{"CEPII/NOTHING", "UNKNOWN/NOTHING", "CEPII", "", "../x/y", "a/b/c", "/"} {
		if _, err := b.fetch(t, code, nil); stat.KindOf(err) != stat.NotFound {
			t.Errorf("%q: %v", code, err)
		}
	}
}

// TestDbnomicsFaults checks that a dataset is saved completely or not at all.
func TestDbnomicsFaults(t *testing.T) {
	t.Parallel()
	b, office := newDbnomics(t)
	office.Index("2023-06-08T14:45:21.851Z", 900) // leaves 100 series
	office.Most(40)
	page := func(series string) string {
		return `{"dataset":{"code":"CHELEM-TRADE-CHEL","indexed_at":"2023-06-08T14:45:21.851Z"},"series":{` + series + `}}`
	}
	second := "offset=40"
	b.checkFaults(t, chelem, []faultCase{
		{"a page is missing", replay.Fault{Match: second, Status: 404}, second},
		{"truncated", replay.Fault{Match: second, Cut: 1000}, second},
		{"busy", replay.Fault{Match: second, Status: 429, After: "1"}, "429"},
		{"a web page", replay.Fault{Match: second, Page: true}, second},
		{"the number of series changes twice", replay.Fault{Match: second, Body: page(`"num_found":101,"offset":40,"docs":[{}]`)}, "changed twice during the download"},
		{"the dataset is imported again twice", replay.Fault{Match: second, Body: strings.Replace(page(`"num_found":100,"offset":40,"docs":[{}]`), "2023", "2024", 1)}, "changed twice during the download"},
		{"an empty page", replay.Fault{Match: second, Body: page(`"num_found":100,"offset":40,"docs":[]`)}, "want those from number 40"},
		{"the first page again", replay.Fault{Match: second, Body: page(`"num_found":100,"offset":0,"docs":[{}]`)}, "want those from number 40"},
		{"too many series", replay.Fault{Match: "offset=0", Body: page(`"num_found":1000000000,"offset":0,"docs":[{}]`)}, "1000000000 series"},
		{"too many values", replay.Fault{Match: "offset=0", Body: page(`"num_found":200001,"offset":0,"docs":[{}]`)}, "200001 series"},
		{"no number of series", replay.Fault{Match: second, Body: page(`"offset":40,"docs":[{}]`)}, "missing number of series"},
		{"number of a wrong type", replay.Fault{Match: second, Body: page(`"num_found":"many"`)}, "unexpected response"},
		{"truncated JSON", replay.Fault{Match: second, Body: `{"series":{"docs":[{"a":`}, "unexpected end"},
		{"an error", replay.Fault{Match: "/datasets/", Body: `{"errors":[{"message":"no"}]}`}, "unexpected response"},
	})
	b.Fault(replay.Fault{Match: second, Times: 1, Body: page(`"num_found":101,"offset":40,"docs":[{}]`)})
	if _, err := b.fetch(t, chelem, nil); err != nil {
		t.Errorf("the number of series changes once: %v", err)
	}
}

// TestDbnomicsContentsFaults checks that an invalid list ends with an error.
func TestDbnomicsContentsFaults(t *testing.T) {
	t.Parallel()
	b, _ := newDbnomics(t)
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
		if _, err := b.contents(t, source.Filter{}); stat.KindOf(err) != stat.Unavailable || len(b.Requests("")) > 100 {
			t.Errorf("%s: %v", name, err)
		}
		b.Mend()
	}
}
