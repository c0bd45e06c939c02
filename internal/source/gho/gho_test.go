package gho_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/ghotest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

const (
	lifeExpectancy = "WHOSIS_000001"
	doctors        = "HWF_0001"
)

func newHarness(t *testing.T) (*sourcetest.Harness, *ghotest.Server) {
	t.Helper()
	office, err := ghotest.New(stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	row := source.Office{ID: "who", Name: "World Health Organization", Kind: "gho", Website: "https://www.who.int/data/gho"}
	return sourcetest.New(t, office, row, "/api"), office
}

// realValues reads a real file with an independent decoder.
func realValues(t *testing.T, file string) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "who", file))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values, at := map[string]float64{}, map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	add := func(row []string, number, key string) {
		if row[at[number]] == "" {
			return
		}
		value, err := strconv.ParseFloat(row[at[number]], 64)
		if err != nil {
			t.Fatal(err)
		}
		values[key] = value
	}
	for _, row := range rows[1:] {
		if _, ok := at["FactValueNumeric"]; ok {
			add(row, "FactValueNumeric", row[at["SpatialDimValueCode"]]+" "+row[at["Period"]])
			continue
		}
		for number, estimate := range map[string]string{"NumericValue": "VALUE", "Low": "LOWER", "High": "UPPER"} {
			add(row, number, fmt.Sprintf("%s,%s,%s %s", row[at["DisaggregatingDimension1ValueCode"]], estimate, row[at["SpatialDimensionValueCode"]], row[at["TimeDim"]]))
		}
	}
	return values
}

// TestFetch finds an indicator, imports it from one response and from pages, and compares
// every number and its bounds with the real file.
func TestFetch(t *testing.T) {
	for _, page := range []int{0, 1000} {
		t.Run(fmt.Sprintf("pages of %d", page), func(t *testing.T) {
			b, office := newHarness(t)
			office.Page(page)
			entries, err := b.Contents(t, source.Filter{Search: "EXPECTANCY birth"})
			if err != nil || len(entries) != 1 || entries[0].Code != lifeExpectancy {
				t.Fatalf("%+v, %v", entries, err)
			}
			o := b.MustImport(t, lifeExpectancy)
			if o.Status != importer.Created || o.Observations.Read != 3*12936 {
				t.Errorf("%+v", o)
			}
			sourcetest.WantSameValues(t, b.Values(t, o.ID), realValues(t, "WHOSIS_000001.csv"))
			d := b.Vintage(t, o.ID).Dataset
			if d.Source.ID != "who" || d.Name != "Life expectancy at birth (years)" || d.Updated.Format("2006-01-02") != "2024-08-02" {
				t.Errorf("%s:%s %q, updated %s", d.Source.ID, d.Code, d.Name, d.Updated)
			}
			labels := map[string]string{}
			for _, c := range append(d.Dimensions[0].Codes, d.Geography.Codes...) {
				labels[c.ID] = c.Label
			}
			if labels["SEX_FMLE"] != "Female" || labels["SOM"] != "Somalia" || labels["EMR"] != "Eastern Mediterranean" {
				t.Errorf("labels %q, %q, %q", labels["SEX_FMLE"], labels["SOM"], labels["EMR"])
			}
			if d, err := b.Fetch(t, lifeExpectancy, nil); err != nil || !d.Unchanged {
				t.Errorf("second fetch: got %+v, %v, want unchanged", d, err)
			}
			office.Drop(lifeExpectancy, 100)
			if o := b.MustImport(t, lifeExpectancy); o.Status != importer.Updated || o.Changes.Removed == 0 || o.Changes.Added+o.Changes.Revised > 0 {
				t.Errorf("after records were removed: got %+v", o)
			}
		})
	}
}

// TestByHand checks that an indicator fetched from the service and its CSV imported by
// hand are the same dataset with the same values.
func TestByHand(t *testing.T) {
	t.Parallel()
	for code, file := range map[string]string{lifeExpectancy: "WHOSIS_000001.csv", doctors: "HWF_0001-gho-export.csv"} {
		b, _ := newHarness(t)
		byHand := b.ImportByHand(t, filepath.Join(stattest.DataDir(t), "who", file))
		o := b.MustImport(t, code)
		if byHand.Status != importer.Created || o.ID != byHand.ID || o.Changes.Added+o.Changes.Revised+o.Changes.Removed != 0 {
			t.Errorf("%s: fetched %+v after %+v by hand", code, o, byHand)
		}
		sourcetest.WantSameValues(t, b.Values(t, o.ID), realValues(t, file))
	}
}

// TestConditional checks that an indicator in one response is requested with its
// ETag, and that nothing else is requested if it has not changed.
func TestConditional(t *testing.T) {
	t.Parallel()
	b, _ := newHarness(t)
	if o := b.MustImport(t, doctors); o.Status != importer.Created {
		t.Fatalf("%+v", o)
	}
	before := len(b.Requests(""))
	d, err := b.Fetch(t, doctors, nil)
	requests := b.Requests("")
	if err != nil || !d.Unchanged || len(requests) != before+1 || requests[before].Status != http.StatusNotModified {
		t.Errorf("%+v, %v, %+v", d, err, requests[before:])
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	b, _ := newHarness(t)
	for _, code := range []string{"NOTHING", "", "a/b", "../Indicator", "X' or 1 eq 1"} {
		if d, err := b.Fetch(t, code, nil); stat.KindOf(err) != stat.NotFound {
			t.Errorf("%q: %+v, %v", code, d, err)
		}
	}
}

// TestFaults checks that an indicator is saved completely or not at all, and that
// reading endless pages ends.
func TestFaults(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Page(1000)
	answer := func(next string) string {
		return `{"value":[{"IndicatorCode":"HWF_0001","SpatialDim":"TCD"}],"@odata.nextLink":` + next + `}`
	}
	first := "/api/" + doctors
	b.CheckFaults(t, doctors, []sourcetest.FaultCase{
		{Name: "a page is missing", Fault: replay.Fault{Match: "skip=1000", Status: 500}, Message: "skip=1000"},
		{Name: "truncated", Fault: replay.Fault{Match: "skip=2000", Cut: 1000}, Message: "skip=2000"},
		{Name: "busy", Fault: replay.Fault{Match: "skip=1000", Status: 429, After: "1"}, Message: "429"},
		{Name: "a web page", Fault: replay.Fault{Match: first, Page: true}, Message: first},
		{Name: "truncated JSON", Fault: replay.Fault{Match: "skip=1000", Body: `{"value":[{"IndicatorCode":"HWF_0001"},{"Indic`}, Message: "unexpected end"},
		{Name: "no list", Fault: replay.Fault{Match: first, Body: `{"error":"none"}`}, Message: "one list"},
		{Name: "wrong types", Fault: replay.Fault{Match: first, Body: `{"value":[{"SpatialDimType":7}]}`}, Message: "unexpected response"},
		{Name: "no data", Fault: replay.Fault{Match: first, Body: `{"value":[]}`}, Message: "no data"},
		{Name: "a link to itself", Fault: replay.Fault{Match: first, Body: answer(`"` + first + `"`)}, Message: "no end"},
		{Name: "the same page again and again", Fault: replay.Fault{Match: "skip=", Body: answer(`"` + first + `?$skip=7"`)}, Message: "no end"},
		{Name: "an empty page before the next", Fault: replay.Fault{Match: "skip=1000", Body: `{"value":[],"@odata.nextLink":"` + first + `?$skip=8"}`}, Message: "no end"},
		{Name: "a link elsewhere", Fault: replay.Fault{Match: first, Body: answer(`"https://example.org/api/HWF_0001?$skip=1"`)}, Message: "outside the service"},
		{Name: "a link to another path", Fault: replay.Fault{Match: first, Body: answer(`"/admin"`)}, Message: "outside the service"},
		{Name: "an invalid link", Fault: replay.Fault{Match: first, Body: answer(`"http://a b/%zz"`)}, Message: "invalid address"},
		{Name: "a link of a wrong type", Fault: replay.Fault{Match: first, Body: answer(`5`)}, Message: "unexpected response"},
		{Name: "no labels", Fault: replay.Fault{Match: "DIMENSION/COUNTRY", Page: true}, Message: "COUNTRY"},
	})
}

// TestEndless checks that reading endless pages with different content ends.
func TestEndless(t *testing.T) {
	t.Parallel()
	n := 0
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		fmt.Fprintf(w, `{"value":[{"Id":%d}],"@odata.nextLink":"/api/X?$skip=%d"}`, n, n)
	})
	b := sourcetest.New(t, endless, source.Office{ID: "who", Name: "WHO", Kind: "gho"}, "/api")
	if _, err := b.Fetch(t, "X", nil); err == nil || !strings.Contains(err.Error(), "more than 2000 pages") {
		t.Errorf("got error %v after %d pages, want one after 2000", err, n)
	}
}

// TestContentsFaults checks that an invalid list ends with an error.
func TestContentsFaults(t *testing.T) {
	t.Parallel()
	b, office := newHarness(t)
	office.Page(1)
	if entries, err := b.Contents(t, source.Filter{}); err != nil || len(entries) != 2 {
		t.Errorf("in two pages: %+v, %v", entries, err)
	}
	for name, body := range map[string]string{
		"truncated":   `{"value":[{"IndicatorCode":"A","IndicatorName":"a"},{"Ind`,
		"own link":    `{"value":[{"IndicatorCode":"A"}],"@odata.nextLink":"/api/Indicator"}`,
		"same page":   `{"value":[{"IndicatorCode":"A"}],"@odata.nextLink":"/api/Indicator?$skip=1"}`,
		"wrong types": `{"value":[{"IndicatorCode":5}]}`,
		"array":       `[]`,
		"two lists":   `{"value":[],"value":[]}`,
	} {
		b.Fault(replay.Fault{Match: "/Indicator", Body: body})
		if _, err := b.Contents(t, source.Filter{}); stat.KindOf(err) != stat.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
		b.Mend()
	}
}
