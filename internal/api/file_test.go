package api_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"almanac/internal/api"
)

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
		{"something unknown", "image/webp", false},
		{"malformed", "text/csv;;q, ,", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, "GET", base+address, "Accept: "+c.accept)
			if got.StatusCode != 200 || (got.body == file.body) != c.isCSV || !strings.Contains(got.Header.Get("Vary"), "Accept,") && !strings.HasSuffix(got.Header.Get("Vary"), "Accept") {
				t.Errorf("%d, Vary %q, %.100s", got.StatusCode, got.Header.Get("Vary"), got.body)
			}
		})
	}
	rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, want a header and 3: %v", len(rows), err)
	}
}
