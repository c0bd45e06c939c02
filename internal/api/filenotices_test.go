package api_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/encode"
)

// docs/downloads.md: the header X-Notice of every file has the notices that the response as JSON has, also
// those that are known only when the data are read, and for HEAD and ranges too.
func TestNoticesOfFiles(t *testing.T) {
	s := newStore(t)
	for i, text := range perCapitaFiles {
		load(t, s, []string{"a.csv", "b.csv", "c.csv"}[i], strings.NewReader(text))
	}
	base := serve(t, newAPI(t, api.Options{Store: s, CacheDir: t.TempDir()})) + "/api/datasets/1/data"
	for _, query := range []string{
		"?country=DE",
		"?country=XX",
		"?country=DE&country=Germny",
		"?country=DE&period=1900",
		"?dim1=PC_GDP&country=FR",
		"?dim1=MIO_EUR&transform=per-capita",
		"?dim1=MIO_EUR&transform=percent",
		"?country=FR&transform=percent",
		"?transform=index:2021",
		"?dim1=MIO_EUR&country=DE&country=AT&country=Nowhere&transform=per-capita",
	} {
		t.Run(query, func(t *testing.T) {
			var said struct {
				Notices []encode.Notice
			}
			readJSON(t, base+query+"&flags=true&codes=true", &said)
			var want []string
			for _, n := range said.Notices {
				want = append(want, strconv.QuoteToASCII(n.String()))
			}
			for _, form := range []string{"csv", "ndjson", "jsonstat", "xlsx", "parquet", "sdmx.csv", "sdmx.json", "sdmx.xml"} {
				path := base + "." + form + query
				for _, c := range [][]string{{"GET", "Accept-Encoding: gzip"}, {"HEAD", "Accept-Encoding: gzip"}, {"HEAD"}, {"GET"}, {"GET", "Range: bytes=0-3"}} {
					got := ask(t, c[0], path, c[1:]...)
					if notices := got.Header["X-Notice"]; got.StatusCode/100 != 2 || !slices.Equal(notices, want) {
						t.Errorf("%s %s: %d %q, want %q", form, c, got.StatusCode, notices, want)
					}
				}
			}
		})
	}
}

// The similar values of a notice are in the header and inside the forms that have notices.
func TestSimilarValuesInFiles(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/api/datasets/1/data"
	const query, text = "?country=JP&country=Germny", `country: "Germny" is not a label, code, ISO code or M49 code of an area in the dataset; nearest: Germany`
	if got := ask(t, "GET", base+".csv"+query).Header["X-Notice"]; !slices.Equal(got, []string{strconv.QuoteToASCII(text)}) {
		t.Errorf("CSV: X-Notice is %q", got)
	}
	if got := ask(t, "GET", base+".parquet"+query); !strings.Contains(got.body, text) {
		t.Error("Parquet does not have the notice in its metadata")
	}
	var stat struct {
		Extension struct{ Notices []encode.Notice }
	}
	readJSON(t, base+".jsonstat"+query, &stat)
	if n := stat.Extension.Notices; len(n) != 1 || n[0].String() != text {
		t.Errorf("JSON-stat: %+v", n)
	}
}

// Notices are kept with a file of which ranges are read, so that they are the same for each range.
func TestNoticesOfKeptFile(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: largeStore(t), CacheDir: t.TempDir()})) + "/api/datasets/1/data.csv?transform=percent"
	var said struct {
		Notices []json.RawMessage
	}
	readJSON(t, strings.Replace(base, ".csv", "", 1), &said)
	first, again := ask(t, "HEAD", base), ask(t, "GET", base, "Range: bytes=10-19")
	if len(said.Notices) == 0 || len(first.Header["X-Notice"]) != len(said.Notices) || !slices.Equal(first.Header["X-Notice"], again.Header["X-Notice"]) || again.StatusCode != 206 {
		t.Errorf("%d notices; %q, then %d %q", len(said.Notices), first.Header["X-Notice"], again.StatusCode, again.Header["X-Notice"])
	}
}
