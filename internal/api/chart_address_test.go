package api_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/api"
)

// docs/api.md, Charts: the same request on the same vintage gives the same
// address and the same bytes, also in another process; another request gives
// another address.
func TestSameChartSameAddress(t *testing.T) {
	s := sampleStore(t)
	var first answer
	for i := range 2 {
		base := serve(t, newAPI(t, api.Options{Store: s, CacheDir: t.TempDir()}))
		for range 2 {
			got := post(t, base, smallChart(`"selectedDimensions": {"country": ["France", "Germany"]}`))
			if first.Response == nil {
				first = got
			}
			if got.body != first.body {
				t.Errorf("process %d gives another picture or address", i)
			}
		}
		other := post(t, base, smallChart(`"selectedDimensions": {"country": ["France", "Italy"]}`))
		if pathOf(t, other) == pathOf(t, first) {
			t.Error("two requests have the same address")
		}
	}
}

// docs/api.md, Charts: the image is served as PNG, JPEG and SVG, without a key, with
// Cache-Control public, max-age=31536000, immutable, with ETag, 304 and HEAD. Other
// addresses are 404.
func TestChartAddress(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()}))
	path := pathOf(t, post(t, base, smallChart("")))
	tags := map[string]bool{}
	for ending, contentType := range map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".svg": "image/svg+xml", ".html": "text/html; charset=utf-8"} {
		address := base + strings.TrimSuffix(path, ".png") + ending
		got := ask(t, "GET", address)
		if got.StatusCode != 200 || got.Header.Get("Content-Type") != contentType || got.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: %d %v", ending, got.StatusCode, got.Header)
		}
		etag := got.Header.Get("ETag")
		if !strings.HasPrefix(etag, `"`) || tags[etag] {
			t.Errorf("%s: ETag %s is weak or not unique", ending, etag)
		}
		tags[etag] = true
		again := ask(t, "GET", address, "If-None-Match: "+etag)
		if again.StatusCode != 304 || again.body != "" || again.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || again.Header.Get("ETag") != etag {
			t.Errorf("%s: requested again: %d %v", ending, again.StatusCode, again.Header)
		}
		head := ask(t, "HEAD", address)
		if head.StatusCode != 200 || head.body != "" || head.ContentLength != int64(len(got.body)) || head.Header.Get("ETag") != etag {
			t.Errorf("%s: HEAD: %d, %d bytes of %d", ending, head.StatusCode, head.ContentLength, len(got.body))
		}
		if origin := got.Header.Get("Access-Control-Allow-Origin"); origin != "*" {
			t.Errorf("%s: Access-Control-Allow-Origin is %q", ending, origin)
		}
	}
	digest := strings.TrimSuffix(strings.TrimPrefix(path, "/charts/"), ".png")
	for _, name := range []string{
		digest, digest + ".gif", digest + ".PNG", digest + ".png.png", strings.ToUpper(digest) + ".png", digest[1:] + ".png", digest + "0.png",
		strings.Repeat("0", 32) + ".png", strings.Repeat("g", 32) + ".png", ".png", "..%2f" + digest[3:] + ".png", strings.Repeat("%2e", 32) + ".png",
	} {
		wantError(t, ask(t, "GET", base+"/charts/"+name), 404)
	}
	wantError(t, ask(t, "GET", base+"/charts/"), 404)
	got := ask(t, "GET", base+"/charts/"+strings.Repeat("0", 32)+".png")
	if cached := got.Header.Get("Cache-Control"); cached != "" {
		t.Errorf("404 has Cache-Control %s", cached)
	}
}

// docs/api.md, Charts: an image dropped from the cache is drawn again when its
// address is requested, also after the vintage is pruned, since addresses are
// permanent. After the dataset is removed, 404.
func TestChartOutlivesCacheAndVintage(t *testing.T) {
	const table = "#almanac-tidy,1\n#source,test,Test office\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nFR,2019,5\nFR,2020,%d\n"
	s := newStore(t)
	load(t, s, "t.csv", strings.NewReader(fmt.Sprintf(table, 1)))
	cache := t.TempDir()
	base := serve(t, newAPI(t, api.Options{Store: s, CacheDir: cache}))
	path := pathOf(t, post(t, base, smallChart("")))
	want := ask(t, "GET", base+path)
	same := func(when, base string) {
		t.Helper()
		if got := ask(t, "GET", base+path); got.StatusCode != 200 || got.body != want.body || got.Header.Get("ETag") != want.Header.Get("ETag") {
			t.Errorf("%s: %d, %d bytes, want %d", when, got.StatusCode, len(got.body), len(want.body))
		}
	}
	files, err := filepath.Glob(filepath.Join(cache, "*.body"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the cache has %v, %v; want one picture", files, err)
	}
	if err := os.WriteFile(files[0], nil, 0o644); err != nil {
		t.Fatal(err)
	}
	same("cut off in the cache", base)
	for _, name := range files {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	same("removed from the cache", base)
	same("without a cache", serve(t, newAPI(t, api.Options{Store: s})))

	load(t, s, "t.csv", strings.NewReader(fmt.Sprintf(table, 2)))
	same("after a new vintage", base)
	if other := pathOf(t, post(t, base, smallChart(""))); other == path {
		t.Error("a chart of other numbers has the same address")
	}
	if pruned, err := s.Prune(t.Context(), 1, 1); err != nil || pruned != 1 {
		t.Fatalf("%d vintages pruned, %v", pruned, err)
	}
	same("after its vintage was pruned", serve(t, newAPI(t, api.Options{Store: s})))

	if err := s.Remove(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	wantError(t, ask(t, "GET", base+path), 404)
	wantError(t, post(t, base, smallChart("")), 404)
	wantError(t, ask(t, "GET", base+"/api/datasets/1/chart.png"), 404)
	load(t, s, "t.csv", strings.NewReader(fmt.Sprintf(table, 3)))
	wantError(t, ask(t, "GET", base+path), 404) // the removed numbers do not come back
}

// docs/api.md, Charts: the same request has the same address. So has a request
// with an option that does not apply to its type.
func TestOneAddressForOnePicture(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for kind, unused := range map[string][]string{
		"line":           {`"mapLocation": "asia"`, `"mapTransform": {"scale": 2}`, `"showBorders": false`, `"showLegend": false`, `"includeDate": false`},
		"horizontal-bar": {`"highlightLatest": true`, `"mapLocation": "asia"`, `"period": "2005"`},
		"map":            {`"highlightLatest": true`, `"mapTransform": {"x": 0}`, `"period": "2005"`},
	} {
		body := `{"datasetId": 1, "width": 240, "height": 160, "chartType": "` + kind + `"`
		want := pathOf(t, post(t, base, body+"}"))
		for _, option := range unused {
			if got := pathOf(t, post(t, base, body+", "+option+"}")); got != want {
				t.Errorf("%s with %s has the address %s, without it %s", kind, option, got, want)
			}
		}
	}
}

// docs/api.md, All responses: gzip and zstd by Accept-Encoding, with Vary; pictures
// that are already compressed are not compressed again.
func TestCodingOfPictures(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	path := strings.TrimSuffix(pathOf(t, post(t, base, smallChart(""))), ".png")
	for _, c := range []struct{ address, accepted, coding string }{
		{path + ".png", "gzip, zstd", ""},
		{path + ".jpg", "gzip, zstd", ""},
		{path + ".svg", "gzip", "gzip"},
		{path + ".svg", "gzip, zstd", "zstd"},
		{path + ".svg", "identity", ""},
		{"/api/datasets/1/chart.png", "gzip", ""},
		{"/api/datasets/1/chart.svg", "gzip", "gzip"},
	} {
		got := ask(t, "GET", base+c.address, "Accept-Encoding: "+c.accepted)
		if got.StatusCode != 200 || got.Header.Get("Content-Encoding") != c.coding || got.Header.Get("Vary") != varyOf(c.address) {
			t.Errorf("%s with %s: %d %q, Vary %q", c.address, c.accepted, got.StatusCode, got.Header.Get("Content-Encoding"), got.Header.Get("Vary"))
		}
		plain := ask(t, "GET", base+c.address)
		if decoded(t, got) != plain.body {
			t.Errorf("%s with %s: the picture differs", c.address, c.accepted)
		}
	}
	// A caller that excludes identity gets the picture in a coding that it allows.
	got := ask(t, "GET", base+path+".png", "Accept-Encoding: gzip, identity;q=0")
	if got.StatusCode != 200 || got.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("without identity: %d %q", got.StatusCode, got.Header.Get("Content-Encoding"))
	}
	wantError(t, ask(t, "GET", base+path+".png", "Accept-Encoding: identity;q=0"), 406)
}
