package index_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
)

// An index is a JSON list whose records name the files, or documents that name them.
func TestFetch(t *testing.T) {
	files := replay.NewFiles(nil)
	server := replay.Serve(files)
	defer server.Close()
	const table = "country,year,value\nDE,2020,1.5\nFR,2020,2.5\n"
	files.SetBody("/datasets_E.json", fmt.Sprintf(`{"Datasets":{"Dataset":[{"DatasetCode":"QCL","DatasetName":"Crops and livestock","DateUpdate":"2025-11-21","FileLocation":"%s/QCL.csv"},{"DatasetCode":"X","DatasetName":"No file"}]}}`, server.URL))
	files.SetBody("/v1/datasets", fmt.Sprintf(`{"items":[{"id":"cpih01","title":"Consumer Prices","last_updated":"2026-10-22T09:35:09.652Z","links":{"latest_version":{"href":"%s/v1/datasets/cpih01/editions/time-series/versions/6"}}}],"count":1}`, server.URL))
	files.SetBody("/v1/datasets/cpih01/editions/time-series/versions/6", fmt.Sprintf(`{"downloads":{"csv":{"href":"%s/downloads/cpih01-v6.csv","size":"1"}}}`, server.URL))
	for _, path := range []string{"/QCL.csv", "/downloads/cpih01-v6.csv"} {
		files.SetBody(path, table)
		files.Header(path, "Content-Type", "text/csv")
	}
	for _, c := range []struct {
		office source.Office
		code   string
	}{
		{source.Office{ID: "fao", Name: "FAO", Kind: "index", Address: server.URL, Contents: server.URL + "/datasets_E.json",
			Index: &source.Index{Records: "Datasets.Dataset", Code: "DatasetCode", Title: "DatasetName", Updated: "DateUpdate", File: "FileLocation"}}, "QCL"},
		{source.Office{ID: "ons", Name: "ONS", Kind: "index", Address: server.URL, Contents: server.URL + "/v1/datasets?limit=1000",
			Index: &source.Index{Records: "items", Code: "id", Title: "title", Updated: "last_updated", File: "links.latest_version.href", Then: "downloads.csv.href"}}, "cpih01"},
	} {
		t.Run(c.office.ID, func(t *testing.T) {
			b := sourcetest.NewOf(t, server, c.office)
			entries, err := b.Contents(t, source.Filter{})
			if err != nil || len(entries) == 0 || entries[0].Code != c.code || entries[0].Updated.IsZero() {
				t.Fatalf("got %+v, %v, want %s", entries, err, c.code)
			}
			o := b.MustImport(t, c.code)
			want := map[string]float64{"DE 2020": 1.5, "FR 2020": 2.5}
			if o.Code != c.code || o.Status != importer.Created {
				t.Fatalf("got %+v, want %s", o, c.code)
			}
			sourcetest.WantSameValues(t, b.Values(t, o.ID), want)
			if d, err := b.Fetch(t, c.code, &entries[0]); err != nil || !d.Unchanged {
				t.Errorf("without a change: got %+v, %v", d, err)
			}
			if _, err := b.Fetch(t, "NOPE", nil); err == nil || !strings.Contains(err.Error(), "has no dataset NOPE") {
				t.Errorf("an unknown dataset: got %v", err)
			}
			if _, err := b.Fetch(t, "X", nil); err == nil {
				t.Error("a dataset without a file is fetched")
			}
		})
	}
}

// Lists in several objects are one list, the query of an address may be sent as a form, and
// a code may have a query.
func TestOfForms(t *testing.T) {
	server := replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch _ = r.ParseForm(); {
		case r.URL.Path == "/list":
			fmt.Fprint(w, `[{"id":"A","agregados":[{"id":"1","nome":"One"}]},{"id":"B","agregados":[{"id":2,"nome":"Two"}]}]`)
		case r.Method == http.MethodPost && r.URL.RawQuery == "" && r.PostForm.Get("seriesCodes") == "2", r.URL.RequestURI() == "/a/b?get=X,Y&for=state:*":
			fmt.Fprint(w, "country,year,value\nDE,2020,1.5\n")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	b := sourcetest.NewOf(t, server, source.Office{
		ID: "sdg", Name: "SDG", Kind: "index", Address: server.URL, Contents: server.URL + "/list", Post: true,
		Data: server.URL + "/DataCSV?seriesCodes={code}", Index: &source.Index{Records: "agregados", Code: "id", Title: "nome"},
	})
	entries, err := b.Contents(t, source.Filter{})
	if err != nil || len(entries) != 2 || entries[1].Code != "2" || entries[1].Title != "Two" {
		t.Fatalf("got %+v, %v, want two entries", entries, err)
	}
	want := map[string]float64{"DE 2020": 1.5}
	sourcetest.WantSameValues(t, b.Values(t, b.MustImport(t, "2").ID), want)
	census := sourcetest.NewOf(t, server, source.Office{ID: "made", Name: "Made", Kind: "files", Address: server.URL, Data: server.URL + "/{code}"})
	sourcetest.WantSameValues(t, census.Values(t, census.MustImport(t, "a/b?get=X,Y&for=state:*").ID), want)
}
