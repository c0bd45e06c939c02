package api_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/request"
)

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
		{"an id with zeros in front", "GET", "/api/datasets/01/chart.png", "", "", 400, "no zeros in front: 1,"},
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
