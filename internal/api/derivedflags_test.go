package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// TestDerivedFlags checks that derived values have the flags of both values, and a break that
// separates them, in JSON, files and SDMX.
func TestDerivedFlags(t *testing.T) {
	s := newStore(t)
	load(t, s, "a.csv", strings.NewReader(`#almanac-tidy,1
#source,eurostat,Eurostat
#dataset,flagged,Flagged
#geography,geo,Area
geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
DE,2013,60,
DE,2014,80,B
DE,2015,100,E
DE,2016,150,
`))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/data"
	for query, want := range map[string]string{
		"?flags=true&period=2013&transform=index:2014": `"flags":{"Germany":["B"]}`,
		"?flags=true&period=2016&transform=index:2015": `"flags":{"Germany":["E"]}`,
		"?flags=true&period=2016&transform=index:2013": `"flags":{"Germany":["B"]}`,
		"?flags=true&period=2015&transform=index:2014": `"flags":{"Germany":["E"]}`,
		"?flags=true&period=2015&transform=percent":    `"flags":{"Germany":["E"]}`,
		"?flags=true&period=2014&transform=percent":    `"flags":{"Germany":["B"]}`,
		".csv?period=2013&transform=index:2014":        ",2013,2013-01-01,2013-12-31,75,2014 = 100,B,",
		".sdmx.csv?period=2013&transform=index:2014":   ",2013,75,2014 = 100,,B,",
	} {
		if got := ask(t, "GET", base+query); got.StatusCode != 200 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s\nlacks %s", query, got.StatusCode, got.body, want)
		}
	}
}

// TestFlagsOfFiles checks that a file, which always has flags, is not asked for without them in vain.
func TestFlagsOfFiles(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/api/datasets/1/data"
	const query = "?country=Germany&period=2005"
	for _, ending := range []string{".csv", ".xlsx", ".parquet", ".jsonstat", ".ndjson", ".sdmx.csv"} {
		for flags, status := range map[string]int{"": 200, "&flags=true": 200, "&flags=1": 200, "&flags=false": 400, "&flags=0": 400} {
			if got := ask(t, "GET", base+ending+query+flags); got.StatusCode != status {
				t.Errorf("%s with %q: %d, want %d", ending, flags, got.StatusCode, status)
			}
		}
	}
	if got := ask(t, "GET", base+query+"&flags=false", "Accept: text/csv"); got.StatusCode != 400 || !strings.Contains(got.body, "parameter flags must be true or left out") {
		t.Errorf("by Accept: %d %s", got.StatusCode, got.body)
	}
}
