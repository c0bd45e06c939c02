package api_test

import (
	"cmp"
	"encoding/csv"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// The name of a file is that of its dataset, in ASCII and as it is.
func TestNamesOfFiles(t *testing.T) {
	for _, c := range []struct{ source, code, want string }{
		{code: "une_rt_a", want: `attachment; filename="test-une_rt_a.csv"`},
		{code: "DSD_NAMAIN1@DF_T0101", want: `attachment; filename="test-DSD_NAMAIN1-DF_T0101.csv"`},
		{code: "FAO/QCL (2024)", want: `attachment; filename="test-FAO-QCL-2024.csv"`},
		{code: "население", want: `attachment; filename="test-1.csv"; filename*=UTF-8''test-%D0%BD%D0%B0%D1%81%D0%B5%D0%BB%D0%B5%D0%BD%D0%B8%D0%B5.csv`},
		{code: "人口 2024", want: `attachment; filename="test-2024.csv"; filename*=UTF-8''test-%E4%BA%BA%E5%8F%A3-2024.csv`},
		{code: "---", want: `attachment; filename="test-1.csv"`},
		{source: "إحصاء", code: "t", want: `attachment; filename="t.csv"; filename*=UTF-8''%D8%A5%D8%AD%D8%B5%D8%A7%D8%A1-t.csv`},
	} {
		t.Run(c.code, func(t *testing.T) {
			s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			load(t, s, "changing.csv", strings.NewReader(strings.NewReplacer("#source,test,", "#source,"+cmp.Or(c.source, "test")+",", "changing", c.code).Replace(changingTable)))
			got := ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s}))+"/api/datasets/1/data.csv")
			if name := got.Header.Get("Content-Disposition"); got.StatusCode != 200 || name != c.want {
				t.Errorf("%d %s, want %s", got.StatusCode, name, c.want)
			}
		})
	}
}

// TestFileNamesOfShapes: files of one dataset in several shapes have names of their own.
func TestFileNamesOfShapes(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for file, want := range map[string]string{
		"data.csv?country=DE":             "gapminder-gapminder.csv",
		"data.csv?country=DE&wide=area":   "gapminder-gapminder.wide-area.csv",
		"data.csv?country=DE&wide=period": "gapminder-gapminder.wide-period.csv",
		"data.parquet?country=DE":         "gapminder-gapminder.parquet",
		"dataset.parquet":                 "gapminder-gapminder.dataset.parquet",
	} {
		if got := ask(t, "GET", base+"/api/datasets/1/"+file).Header.Get("Content-Disposition"); got != `attachment; filename="`+want+`"` {
			t.Errorf("%s is kept as %s, want %s", file, got, want)
		}
	}
}

// TestFilesByAccept checks that Accept chooses the form of data, and that JSON stays what
// everybody else gets.
func TestFilesByAccept(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	const address = "/api/datasets/1/data?country=Germany&period=2005"
	file := ask(t, "GET", base+strings.Replace(address, "/data?", "/data.csv?", 1))
	if file.StatusCode != 200 || file.Header.Get("Content-Type") != "text/csv; charset=utf-8" || file.Header.Get("Content-Disposition") != `attachment; filename="gapminder-gapminder.csv"` {
		t.Fatalf("%d, headers %v", file.StatusCode, file.Header)
	}
	for _, c := range []struct {
		name, accept string
		isCSV        bool
	}{
		{"nothing", "", false},
		{"anything", "*/*", false},
		{"a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false},
		{"JSON", "application/json", false},
		{"CSV", "text/csv", true},
		{"CSV in UTF-8", "text/csv; charset=utf-8", true},
		{"CSV before JSON", "application/json;q=0.5, text/csv", true},
		{"JSON before CSV", "text/csv;q=0.5, application/json", false},
		{"CSV as good as JSON", "text/csv, application/json", false},
		{"CSV before anything", "text/csv, */*;q=0.1", true},
		{"something unknown or anything", "image/webp, */*;q=0.1", false},
		{"anything of an application", "application/*", false},
		{"a single asterisk", "text/html, *; q=.2", false},
		{"malformed", "text/csv;;q, ,", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, "GET", base+address, "Accept: "+c.accept)
			if got.StatusCode != 200 || (got.body == file.body) != c.isCSV || !strings.Contains(got.Header.Get("Vary"), "Accept,") && !strings.HasSuffix(got.Header.Get("Vary"), "Accept") {
				t.Errorf("%d, Vary %q, %.100s", got.StatusCode, got.Header.Get("Vary"), got.body)
			}
		})
	}
	for _, accept := range []string{"image/webp", "application/vnd.apache.arrow.stream", "text/html, image/*", "application/json;q=0"} {
		for _, method := range []string{"GET", "HEAD"} {
			got := ask(t, method, base+address, "Accept: "+accept)
			if got.StatusCode != 406 || method == "GET" && !strings.Contains(got.body, "there are application/json, text/csv, ") || !strings.Contains(got.Header.Get("Vary"), "Accept") {
				t.Errorf("%s %s: %d, Vary %q, %.300s", method, accept, got.StatusCode, got.Header.Get("Vary"), got.body)
			}
		}
	}
	for accept, status := range map[string]int{"": 200, "*/*": 200, "application/json": 200, "text/csv, */*": 200, "text/csv": 406, "image/png": 406} {
		if got := ask(t, "GET", base+"/api/data?s=1:country=Germany", "Accept: "+accept); got.StatusCode != status {
			t.Errorf("several datasets with Accept %q: %d %.200s, want %d", accept, got.StatusCode, got.body, status)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, want a header and 3: %v", len(rows), err)
	}
}

// docs/downloads.md, CSV and Excel: with iso_periods=true the headings of days cannot be read as
// other days, and no form says that the source updated data if the source does not.
func TestFilesOfDays(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := serveFiles(t, stattest.DataDir(t), []string{"ecb/eurofxref-hist.csv"}) + "/api/datasets/1/data"
	const query = "?dim1=USD&period_from=2025-01-02&period_to=2025-01-03&labels=code&wide=period"
	for query, want := range map[string]string{query: ",02/01/2025,03/01/2025,", query + "&iso_periods=true": ",2025-01-02,2025-01-03,"} {
		file := ask(t, "GET", base+".csv"+query)
		if heading, _, _ := strings.Cut(file.body, "\r\n"); file.StatusCode != 200 || !strings.Contains(heading, want) {
			t.Errorf("%s: %d %s, want %s", query, file.StatusCode, heading, want)
		}
	}
	if file := ask(t, "GET", base+".jsonstat?dim1=USD&period=2025-01-02"); strings.Contains(file.body, `"updated"`) {
		t.Errorf("JSON-stat states a time of update: %s", file.body)
	}
	if file := ask(t, "GET", base+".parquet?dim1=USD&period=2025-01-02"); strings.Contains(file.body, "almanac.last_update") || !strings.Contains(file.body, "almanac.imported") {
		t.Error("Parquet states a time of update, or not the time of import")
	}
}
