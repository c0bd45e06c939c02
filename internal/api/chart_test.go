package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/request"
)

// chartAnswer is the response to a chart request.
type chartAnswer struct {
	Success bool
	Base64  string
	URL     string
	Alt     string
	Notices []struct {
		Parameter, Value, Message string
		Nearest                   []string
	}
}

// chartIn reads the response to a successful chart request.
func chartIn(t testing.TB, got answer) chartAnswer {
	t.Helper()
	var c chartAnswer
	if err := json.Unmarshal([]byte(got.body), &c); err != nil || got.StatusCode != 200 || !c.Success {
		t.Fatalf("%d %.300s", got.StatusCode, got.body)
	}
	return c
}

// pathOf returns the path of the picture of a response.
func pathOf(t testing.TB, got answer) string {
	t.Helper()
	_, path, ok := strings.Cut(chartIn(t, got).URL, "/charts/")
	if !ok {
		t.Fatalf("the url is not the address of a chart: %s", chartIn(t, got).URL)
	}
	return "/charts/" + path
}

// smallChart returns a chart request for the sample data with the required members and
// the given ones.
func smallChart(members string) string {
	if members != "" {
		members = ", " + members
	}
	return `{"datasetId": 1, "chartType": "line", "width": 240, "height": 160` + members + `}`
}

// wantPicture checks that bytes are a picture of a format and a size.
func wantPicture(t *testing.T, picture []byte, format string, width, height int) {
	t.Helper()
	config, got, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil || got != format || config.Width != width || config.Height != height {
		t.Errorf("%s of %d × %d (%v), want %s of %d × %d", got, config.Width, config.Height, err, format, width, height)
	}
	if _, _, err := image.Decode(bytes.NewReader(picture)); err != nil {
		t.Errorf("the picture is broken: %v", err)
	}
}

// docs/api.md, Charts: the response is JSON. The formats json and png draw PNG, jpeg draws
// JPEG. base64 is the image without a data-URL prefix. url is absolute, with the configured
// base address, never that of the Host header. alt describes the picture.
func TestChartResponse(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), BaseURL: "https://almanac.example/statistics/"}))
	for _, c := range []struct{ members, format, ending string }{
		{``, "png", "png"},
		{`"format": "json"`, "png", "png"},
		{`"format": "png"`, "png", "png"},
		{`"format": "jpeg"`, "jpeg", "jpg"},
	} {
		got := post(t, base, smallChart(c.members), "X-Forwarded-Host: evil.example")
		if contentType := got.Header.Get("Content-Type"); contentType != "application/json" {
			t.Errorf("%s: Content-Type is %s", c.members, contentType)
		}
		chart := chartIn(t, got)
		picture, err := base64.StdEncoding.Strict().DecodeString(chart.Base64)
		if err != nil {
			t.Fatalf("%s: base64: %v", c.members, err)
		}
		wantPicture(t, picture, c.format, 240, 160)
		if !strings.HasPrefix(chart.URL, "https://almanac.example/statistics/charts/") || !strings.HasSuffix(chart.URL, "."+c.ending) {
			t.Errorf("%s: url is %s", c.members, chart.URL)
		}
		if chart.Alt == "" || strings.Count(chart.Alt, ". ") > 1 || !strings.HasSuffix(chart.Alt, ".") || !strings.HasPrefix(chart.Alt, "Line chart: ") {
			t.Errorf("%s: alt is %q", c.members, chart.Alt)
		}
		if chart.Notices != nil {
			t.Errorf("%s: notices %v", c.members, chart.Notices)
		}
		// The image address serves the bytes.
		served := ask(t, "GET", base+pathOf(t, got))
		if served.StatusCode != 200 || served.body != string(picture) || served.Header.Get("Content-Type") != "image/"+c.format {
			t.Errorf("%s: the address serves %d %s, %d bytes, want %d", c.members, served.StatusCode, served.Header.Get("Content-Type"), len(served.body), len(picture))
		}
	}
	r, err := http.NewRequest("POST", base+"/api/charts/generate-png", strings.NewReader(smallChart("")))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var chart chartAnswer
	if err := json.NewDecoder(response.Body).Decode(&chart); err != nil || !strings.HasPrefix(chart.URL, "https://almanac.example/") {
		t.Errorf("with another Host: %s, %v", chart.URL, err)
	}
}

// docs/api.md, Charts: all types are drawn; every option is accepted.
func TestChartTypes(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, kind := range []string{"line", "bar", "horizontal-bar", "map"} {
		body := `{"datasetId": 1, "chartType": "` + kind + `", "selectedDimensions": {"country": ["Germany", "Japan"]}, "dimensions_query": "dim1=Life%20expectancy",
			"period": "2005", "seriesColors": {"Germany": "#c00"}, "customLegendLabels": {"Japan": "Nippon"}, "customTitle": "Living", "width": 300, "height": 200,
			"includeTitle": true, "includeSource": false, "includeDate": false, "highlightLatest": true, "showValues": true, "showBorders": false, "showLegend": false,
			"mapLocation": "asia", "additionalText": "Text", "mapTransform": {"x": 1, "y": -2, "scale": 1.5}, "format": "json"}`
		got := chartIn(t, post(t, base, body))
		picture, err := base64.StdEncoding.DecodeString(got.Base64)
		if err != nil {
			t.Fatal(err)
		}
		wantPicture(t, picture, "png", 300, 200)
		if !strings.Contains(got.Alt, "Living") || !strings.Contains(got.Alt, "Nippon") {
			t.Errorf("%s: alt is %q", kind, got.Alt)
		}
	}
}

// docs/api.md, Charts: default 1200 × 675; width and height are pixels.
func TestChartSize(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, c := range []struct {
		members       string
		width, height int
	}{{``, 1200, 675}, {`, "width": 100, "height": 100`, 100, 100}, {`, "width": 700`, 700, 675}} {
		got := chartIn(t, post(t, base, `{"datasetId": 1, "chartType": "bar", "selectedDimensions": {"country": "Germany"}`+c.members+`}`))
		picture, err := base64.StdEncoding.DecodeString(got.Base64)
		if err != nil {
			t.Fatal(err)
		}
		wantPicture(t, picture, "png", c.width, c.height)
	}
}

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

// docs/api.md, Keys and limits: order of checks: 401, 404 for an unknown
// route, 405, 413/415, 400/404.
func TestChartOrderOfChecks(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	const generate = "/api/charts/generate-png"
	large := strings.Repeat(" ", request.MaxChart) + "{"
	for _, c := range []struct {
		rule, method, path, contentType, body string
		status                                int
		message                               string
	}{
		{"unknown route before method, type and size", "POST", "/api/charts", "text/plain", large, 404, "there is nothing at /api/charts"},
		{"method before type and size", "PUT", generate, "text/plain", large, 405, "allowed methods: POST, OPTIONS"},
		{"method before the query", "GET", generate + "?x=y", "", "", 405, "allowed methods: POST, OPTIONS"},
		{"size before errors in the body", "POST", generate, "application/json", large, 413, "larger than 64 KiB"},
		{"64 KiB are not too large", "POST", generate, "application/json", large[1:], 400, "ends unexpectedly"},
		{"type before errors in the body", "POST", generate, "text/plain", "{", 415, "text/plain"},
		{"a form is not JSON", "POST", generate, "application/x-www-form-urlencoded", smallChart(""), 415, "must be application/json"},
		{"an invalid type", "POST", generate, "json", smallChart(""), 415, "must be application/json"},
		{"other JSON types", "POST", generate, "application/ld+json", smallChart(""), 415, "must be application/json"},
		{"JSON with a charset", "POST", generate, "Application/JSON; charset=utf-8", smallChart(""), 200, ""},
		{"no type at all", "POST", generate, "", smallChart(""), 200, ""},
		{"a query string", "POST", generate + "?width=300", "application/json", smallChart(""), 400, `unknown parameter "width"`},
		{"JSON in another charset", "POST", generate, "application/json; charset=latin1", smallChart(""), 415, "in UTF-8"},
		{"type before the query", "POST", generate + "?width=300", "text/plain", smallChart(""), 415, ""},
		{"Dataset ID is required", "POST", generate, "application/json", `{"chartType": "line"}`, 400, `"Dataset ID is required"`},
		{"an empty body", "POST", generate, "application/json", "", 400, "the body is empty"},
		{"errors of the request before an unknown dataset", "POST", generate, "application/json", `{"datasetId": 77, "chartType": "pie"}`, 400, "pie"},
		{"a well-formed unknown id", "POST", generate, "application/json", `{"datasetId": 77, "chartType": "line"}`, 404, "there is no dataset 77"},
		{"a well-formed unknown id", "POST", generate, "application/json", `{"datasetId": -1, "chartType": "line"}`, 404, "there is no dataset -1"},
		{"a well-formed unknown id", "POST", generate, "application/json", `{"datasetId": 99999999999999999999, "chartType": "line"}`, 404, "there is no dataset 99999999999999999999"},
		{"an id that is not an integer", "POST", generate, "application/json", `{"datasetId": 1.5, "chartType": "line"}`, 400, "datasetId must be an integer, such as 1, not the number 1.5"},
		{"an id that is not an integer", "POST", generate, "application/json", `{"datasetId": "1", "chartType": "line"}`, 400, "datasetId must be an integer, such as 1, not the string"},
		{"followed without a key", "POST", generate, "application/json", smallChart(`"dimensions_query": "followed=true"`), 401, "followed=true requires the API key"},
		{"401 before 400", "POST", generate, "application/json", `{"datasetId": 1, "chartType": "pie", "dimensions_query": "followed=true&x=y"}`, 401, "followed=true"},
		{"401 before 404", "POST", generate, "application/json", `{"datasetId": 77, "chartType": "line", "dimensions_query": "followed=1"}`, 401, "followed=true"},
		{"not followed", "POST", generate, "application/json", smallChart(`"dimensions_query": "followed=false"`), 200, ""},
		{"an empty selection names its empty part", "POST", generate, "application/json", smallChart(`"selectedDimensions": {"country": "Germny"}`), 400, "Germany"},
		{"followed without a key", "GET", "/api/datasets/77/chart.svg?followed=true&width=1", "", "", 401, "followed=true"},
		{"an id that is not an integer", "GET", "/api/datasets/x/chart.png", "", "", 400, "decimal integer"},
		{"400 before 404", "GET", "/api/datasets/77/chart.png?x=y", "", "", 400, "unknown parameter"},
		{"an unknown id", "GET", "/api/datasets/77/chart.png", "", "", 404, "there is no dataset 77"},
		{"another format", "GET", "/api/datasets/1/chart.gif", "", "", 404, "there is nothing at"},
		{"an unknown kind of page", "GET", "/api/datasets/1/chart.svg?embed=iframe", "", "", 400, "embed must be html"},
		{"a theme that does not exist", "GET", "/api/datasets/1/chart.png?theme=sepia", "", "", 400, "theme must be light, dark or print"},
		{"a background that is no colour", "GET", "/api/datasets/1/chart.png?background=%23ggg", "", "", 400, "background must be transparent"},
		{"a font that does not exist", "GET", "/api/datasets/1/chart.svg?font=Comic", "", "", 400, "font must be embed"},
	} {
		var headers []string
		if c.contentType != "" {
			headers = append(headers, "Content-Type: "+c.contentType)
		}
		got := send(t, c.method, base+c.path, c.body, headers...)
		if c.status == 200 {
			chartIn(t, got)
			continue
		}
		wantError(t, got, c.status)
		if !strings.Contains(got.body, strings.ReplaceAll(c.message, `"`, `\"`)) && !strings.Contains(got.body, c.message) {
			t.Errorf("%s: %s does not contain %q", c.rule, got.body, c.message)
		}
		if got.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: no CORS headers", c.rule)
		}
	}
	got := ask(t, "OPTIONS", base+generate, "Origin: https://elsewhere.example", "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type")
	if got.StatusCode != 204 || got.Header.Get("Allow") != "POST, OPTIONS" || got.Header.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" {
		t.Errorf("preflight: %d %v", got.StatusCode, got.Header)
	}
	wantListed(t, got, "Access-Control-Allow-Headers", "Content-Type", "X-API-Key")
}

// docs/api.md, Charts: embed=html serves a page with the values of the data endpoint, whose
// policy allows its own script only. POST returns its permanent address.
func TestChartPage(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()}))
	got := ask(t, "GET", base+"/api/datasets/1/chart.svg?embed=html&type=bar&dim1=Life%20expectancy&country=Germany&country=Japan&period=2005")
	if got.StatusCode != 200 || got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v", got.StatusCode, got.Header)
	}
	if policy := got.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; script-src 'sha256-") {
		t.Errorf("the policy is %s", policy)
	}
	data := ask(t, "GET", base+"/api/datasets/1/data?dim1=Life%20expectancy&country=Germany&country=Japan&period=2005")
	for _, value := range regexp.MustCompile(`data-v="([^"]+)"`).FindAllStringSubmatch(got.body, -1) {
		if !strings.Contains(data.body, ":"+value[1]) {
			t.Errorf("the page has the value %s, which the data endpoint does not have: %s", value[1], data.body)
		}
	}
	path := pathOf(t, post(t, base, smallChart(`"embed": "html"`)))
	if page := ask(t, "GET", base+path); !strings.HasSuffix(path, ".html") || page.StatusCode != 200 || !strings.Contains(page.body, "<!DOCTYPE html>") {
		t.Errorf("%s: %d %.100s", path, page.StatusCode, page.body)
	}
}

// docs/api.md, Charts: the address of a dataset's chart takes the parameters of
// the data endpoint and the fields of a chart request, for <img>; ETag,
// Last-Modified and 304 as on every GET of data.
func TestDatasetChart(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	const query = "?type=bar&dim1=Life%20expectancy&country=Germany&country=Japan&period=2005&width=240&height=160"
	tags := map[string]string{}
	for name, contentType := range map[string]string{"png": "image/png", "jpeg": "image/jpeg", "svg": "image/svg+xml"} {
		address := base + "/api/datasets/1/chart." + name + query
		got := ask(t, "GET", address)
		if got.StatusCode != 200 || got.Header.Get("Content-Type") != contentType || got.Header.Get("Cache-Control") != "no-cache" || got.Header.Get("Last-Modified") != "Fri, 21 Nov 2025 10:20:30 GMT" {
			t.Errorf("%s: %d %v", name, got.StatusCode, got.Header)
		}
		if name == "svg" {
			for _, part := range []string{"<svg", "Germany", "Japan", "Life expectancy"} {
				if !strings.Contains(got.body, part) {
					t.Errorf("%s: %s is missing", name, part)
				}
			}
		} else {
			wantPicture(t, []byte(got.body), name, 240, 160)
		}
		etag := got.Header.Get("ETag")
		if tags[etag] != "" || etag == "" {
			t.Errorf("%s and %s share the ETag %q", name, tags[etag], etag)
		}
		tags[etag] = name
		for _, condition := range []string{"If-None-Match: " + etag, "If-Modified-Since: Fri, 21 Nov 2025 10:20:30 GMT"} {
			if again := ask(t, "GET", address, condition); again.StatusCode != 304 || again.body != "" {
				t.Errorf("%s with %s: %d", name, condition, again.StatusCode)
			}
		}
		if head := ask(t, "HEAD", address); head.StatusCode != 200 || head.body != "" || head.ContentLength != int64(len(got.body)) {
			t.Errorf("%s: HEAD: %d, %d bytes of %d", name, head.StatusCode, head.ContentLength, len(got.body))
		}
	}
	// It is the same picture as for the request body.
	body := `{"datasetId": 1, "chartType": "bar", "dimensions_query": "dim1=Life%20expectancy", "selectedDimensions": {"country": ["DE", "JP"]}, "period": "2005", "width": 240, "height": 160}`
	path := pathOf(t, post(t, base, body))
	if ask(t, "GET", base+path).body != ask(t, "GET", base+"/api/datasets/1/chart.png"+query).body {
		t.Error("the address and the body give different pictures")
	}
	// The default chart: lines of all areas.
	if got := ask(t, "GET", base+"/api/datasets/1/chart.svg"); got.StatusCode != 200 || !strings.Contains(got.body, "Line chart") {
		t.Errorf("without parameters: %d %.300s", got.StatusCode, got.body)
	}
	wantError(t, ask(t, "GET", base+"/api/datasets/1/chart.svg?country=Atlantis"), 400)
	wantError(t, ask(t, "GET", base+"/api/datasets/1/chart.svg?seriesColors="+url.QueryEscape(`{"a":"blurple"}`)), 400)
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

// docs/api.md, Charts: notices for values that the dataset does not have, and for
// colours and labels of series that the chart does not have; never an error.
func TestChartNotices(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	got := chartIn(t, post(t, base, smallChart(`"selectedDimensions": {"country": ["Germany", "Francee"]}, "seriesColors": {"Germny": "red"}, "customLegendLabels": {"x": "y"}`)))
	var found []string
	for _, n := range got.Notices {
		found = append(found, fmt.Sprintf("%s %s %v", n.Parameter, n.Value, n.Nearest))
	}
	if want := "country Francee [France]; seriesColors Germny [Germany]; customLegendLabels x []"; strings.Join(found, "; ") != want {
		t.Errorf("notices are %v, want %s", found, want)
	}
}

// docs/api.md, All responses: overload is 503 with Retry-After, for each address that
// draws; pictures in the cache are still served.
func TestChartOverload(t *testing.T) {
	a := newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()})
	base := serve(t, a)
	path := pathOf(t, post(t, base, smallChart("")))
	leave := api.FillRenderer(t, a)
	for _, got := range []answer{
		post(t, base, smallChart(`"customTitle": "Another"`)),
		ask(t, "GET", base+strings.TrimSuffix(path, "png")+"jpg"),
		ask(t, "GET", base+"/api/datasets/1/chart.png"),
	} {
		wantError(t, got, 503)
		if got.Header.Get("Retry-After") == "" || got.Header.Get("ETag") != "" || got.Header.Get("Cache-Control") != "" {
			t.Errorf("%s: headers %v", got.Request.URL, got.Header)
		}
	}
	if got := ask(t, "GET", base+path); got.StatusCode != 200 {
		t.Errorf("a picture in the cache: %d", got.StatusCode)
	}
	if got := post(t, base, smallChart("")); got.StatusCode != 200 {
		t.Errorf("a request whose picture is in the cache: %d", got.StatusCode)
	}
	leave()
	if got := post(t, base, smallChart(`"customTitle": "Another"`)); got.StatusCode != 200 {
		t.Errorf("after the overload: %d", got.StatusCode)
	}
}

// docs/api.md, All responses: 500 does not reveal internals and has the request id
// of the log. A chart that cannot be drawn ends neither the process nor
// other charts.
func TestBrokenChart(t *testing.T) {
	var log bytes.Buffer
	a := newAPI(t, api.Options{Store: sampleStore(t), Log: slog.New(slog.NewTextHandler(&log, nil))})
	api.AddBrokenChart(a, "/broken")
	base := serve(t, a)
	for range 2 {
		got := ask(t, "GET", base+"/broken")
		wantError(t, got, 500)
		id := got.Header.Get("X-Request-Id")
		if strings.Contains(got.body, "panic") || !strings.Contains(got.body, id) || !strings.Contains(log.String(), id) || !strings.Contains(log.String(), "panic: ") {
			t.Errorf("the caller gets %s, the log %s", got.body, log.String())
		}
	}
	chartIn(t, post(t, base, smallChart("")))
}
