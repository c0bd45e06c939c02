package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// docs/downloads.md: an address with an extension that there is not is 404, and names the forms that there are.
func TestUnknownExtensions(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	const forms = "other forms are at data.csv, data.parquet, data.ndjson, data.jsonstat, data.xlsx, data.sdmx.csv, data.sdmx.json, data.sdmx.xml"
	for path, want := range map[string]string{
		"/api/datasets/1/data.json":                   "; JSON is at /api/datasets/1/data, and " + forms,
		"/api/datasets/1/data.xls":                    forms,
		"/api/datasets/1/data.CSV":                    forms,
		"/api/datasets/gapminder:gapminder/data.json": "; JSON is at /api/datasets/gapminder:gapminder/data, and ",
		"/api/datasets/1/dataset.csv":                 "; there is dataset.parquet",
		"/api/datasets/1/chart.gif":                   "; there is chart.png, chart.jpeg, chart.jpg, chart.svg, chart.json",
		"/api/datasets/1/meta.json":                   "; it is at /api/datasets/1/meta, as JSON only",
		"/api/data.csv":                               "; it is at /api/data, as JSON only",
		"/api/datasets.json":                          "; it is at /api/datasets, as JSON only",
		"/api/nothing.json":                           "at /api/nothing.json; /openapi.json lists",
		"/api/datasets/1/2/data.json":                 "at /api/datasets/1/2/data.json; /openapi.json lists",
	} {
		got := ask(t, "GET", base+path)
		wantError(t, got, 404)
		if !strings.Contains(got.body, want) {
			t.Errorf("%s: %s, want %q", path, got.body, want)
		}
	}
	for _, path := range []string{"/api/datasets/1.csv", "/api/datasets/1.json"} {
		if got := ask(t, "GET", base+path); got.StatusCode != 400 || !strings.Contains(got.body, "files are at addresses such as /api/datasets/1/data.csv") {
			t.Errorf("%s: %d %s", path, got.StatusCode, got.body)
		}
	}
}
