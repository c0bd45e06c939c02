package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/api"
)

// chartAnswer is the response to a chart request.
type chartAnswer struct {
	Success bool
	Base64  string
	URL     string
	Alt     string
	Notes   []string
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

// docs/charts.md: the header X-Notice of a picture has the notices, and a note names what the dataset
// does not have.
func TestPicturesNameUnknownValues(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, kind := range []string{"line", "bar", "horizontal-bar", "map"} {
		address := base + "/api/datasets/1/chart.svg?dim1=Life%20expectancy&country=Germany&country=Francee&type=" + kind
		got := ask(t, "GET", address)
		notice := strings.Join(got.Header["X-Notice"], " ")
		if got.StatusCode != 200 || !strings.Contains(notice, "Francee") || !strings.Contains(notice, "France") || !strings.Contains(got.body, "Francee.") {
			t.Errorf("%s: %d, X-Notice %s, named in the picture: %t", kind, got.StatusCode, notice, strings.Contains(got.body, "Francee."))
		}
		if again := ask(t, "GET", address); strings.Join(again.Header["X-Notice"], " ") != notice || again.body != got.body {
			t.Errorf("%s: another answer at the second time: X-Notice %s", kind, again.Header["X-Notice"])
		}
		got = ask(t, "GET", strings.Replace(address, "Francee", "France", 1))
		for _, text := range got.Header["X-Notice"] {
			if strings.Contains(text, "country") {
				t.Errorf("%s: notice %s on a country that is there", kind, text)
			}
		}
	}
}
