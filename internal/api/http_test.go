package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// wantError checks that a response is an error object of the interface.
func wantError(t testing.TB, got answer, status int) {
	t.Helper()
	var body struct {
		StatusCode    int
		StatusMessage string
	}
	err := json.Unmarshal([]byte(got.body), &body)
	if got.StatusCode != status || err != nil || body.StatusCode != status || body.StatusMessage == "" {
		t.Errorf("%s %s: %d %s, want the error object of a %d", got.Request.Method, got.Request.URL, got.StatusCode, got.body, status)
	}
	if contentType := got.Header.Get("Content-Type"); contentType != "application/json" {
		t.Errorf("%s: Content-Type is %q", got.Request.URL, contentType)
	}
}

// docs/api.md, All responses: unknown paths are 404 with the error object, never a redirect
// or a text of the router.
func TestUnknownAddresses(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, path := range []string{
		"/nothing", "/api", "/api/", "/api/datasets/", "/api/datasets/1/", "/api/datasets/1/nothing", "/api/datasets/1/data/",
		"//api/datasets", "/api//datasets", "/api/./datasets", "/api/x/../datasets", "/api/datasets/1/../2", "/.", "/..", "//", "/%2E%2E",
		"/API/datasets", "/openapi.json/", "/index.html", "/favicon.ico", "/api/datasets/1;x/meta/y",
	} {
		for _, method := range []string{"GET", "POST"} {
			wantError(t, ask(t, method, base+path), 404)
		}
		if got := ask(t, "OPTIONS", base+path); got.StatusCode != 204 || got.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d, Allow %q", path, got.StatusCode, got.Header.Get("Allow"))
		}
	}
	wantError(t, ask(t, "GET", base+"/api/datasets/1%2Fmeta"), 400)
	wantError(t, ask(t, "GET", base+"/api/datasets/%2e%2e/meta"), 400)
}

// The router never writes a response itself, whatever the path.
func FuzzAddress(f *testing.F) {
	for _, path := range []string{"/", "//", "/api/datasets/1", "/api/../api", "/%2f", "*", "", "/api/datasets/%31/data"} {
		f.Add("GET", path)
	}
	a := newAPI(f, api.Options{Store: newStore(f)})
	f.Fuzz(func(t *testing.T, method, path string) {
		u, err := url.Parse(path)
		if err != nil {
			t.Skip("net/http refuses the request")
		}
		u.Scheme, u.Host = "", ""
		r := &http.Request{Method: method, URL: u, RequestURI: path, Header: http.Header{}, Body: http.NoBody, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		contentType := w.Header().Get("Content-Type")
		if w.Code >= 300 && w.Code < 400 || contentType != "application/json" && contentType != "text/html; charset=utf-8" && w.Code != http.StatusNoContent {
			t.Fatalf("%s %q: %d %s %s", method, path, w.Code, contentType, w.Body)
		}
	})
}

// docs/api.md, All responses: a method that is not allowed is 405 with Allow; an
// unknown route is reported first, other errors later.
func TestMethods(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Pro)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers}))
	for path, want := range allowedAt() {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} {
			if slices.Contains(strings.Split(want, ", "), method) {
				continue
			}
			got := ask(t, method, base+samplePath(path)+"?nonsense", "Content-Type: text/plain", key)
			if method == "HEAD" {
				if got.StatusCode != 405 {
					t.Errorf("HEAD %s: %d", path, got.StatusCode)
				}
			} else {
				wantError(t, got, 405)
			}
			if allow := got.Header.Get("Allow"); allow != want {
				t.Errorf("%s %s: Allow is %q, want %q", method, path, allow, want)
			}
		}
	}
	wantError(t, ask(t, "POST", base+"/nothing"), 404)
	wantError(t, ask(t, "POST", base+"/api/charts/generate-jpeg"), 404)
}

// allowedAt has the value of Allow for each path.
func allowedAt() map[string]string {
	allowed := map[string]string{}
	for _, rt := range api.Routes() {
		methods := rt.Method
		if methods == "" {
			methods = "GET, HEAD"
		}
		allowed[rt.Path] += methods + ", "
	}
	for path := range allowed {
		allowed[path] += "OPTIONS"
	}
	return allowed
}

// samplePath returns an address of a route, for dataset 1.
func samplePath(path string) string {
	return strings.NewReplacer("{id}", "1", "{datasetId}", "1", "{job}", "1", "{$}", "", "{file}", strings.Repeat("0", 32)+".png").Replace(path)
}

// docs/api.md, All responses: CORS headers on every response, including errors, with or
// without Origin; the exposed headers; the preflight of every route.
func TestCORS(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	etag := ask(t, "GET", base+"/api/datasets").Header.Get("ETag")
	for _, c := range []struct {
		method, path, header string
		status               int
	}{
		{"GET", "/", "", 200}, {"GET", "/api/datasets", "", 200}, {"HEAD", "/api/datasets/1/data", "", 200},
		{"GET", "/api/datasets", "If-None-Match: " + etag, 304},
		{"GET", "/api/datasets/1/meta", "Accept-Encoding: identity;q=0", 406},
		{"GET", "/api/datasets/x", "", 400}, {"GET", "/api/datasets/1/data?followed=1", "", 401},
		{"GET", "/nothing", "", 404}, {"DELETE", "/api/datasets", "", 405}, {"OPTIONS", "/api/datasets", "", 204},
		{"GET", "//", "", 404},
	} {
		for _, origin := range []string{"Origin: https://elsewhere.example", "X-None: 1"} {
			headers := []string{origin}
			if c.header != "" {
				headers = append(headers, c.header)
			}
			got := ask(t, c.method, base+c.path, headers...)
			if got.StatusCode != c.status {
				t.Errorf("%s %s: %d, want %d", c.method, c.path, got.StatusCode, c.status)
			}
			if all := got.Header.Values("Access-Control-Allow-Origin"); len(all) != 1 || all[0] != "*" {
				t.Errorf("%s %s: Access-Control-Allow-Origin is %q", c.method, c.path, all)
			}
			wantListed(t, got, "Access-Control-Expose-Headers", "ETag", "Last-Modified", "Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id")
		}
	}
	for path, methods := range allowedAt() {
		got := ask(t, "OPTIONS", base+samplePath(path), "Origin: https://elsewhere.example", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: x-api-key")
		if got.StatusCode != 204 || got.body != "" {
			t.Errorf("OPTIONS %s: %d %q", path, got.StatusCode, got.body)
		}
		wantListed(t, got, "Access-Control-Allow-Headers", "X-API-Key", "Authorization", "Content-Type", "If-None-Match", "If-Modified-Since")
		if got.Header.Get("Access-Control-Allow-Methods") != methods || got.Header.Get("Allow") != methods {
			t.Errorf("OPTIONS %s: methods are %q, want %q", path, got.Header.Get("Access-Control-Allow-Methods"), methods)
		}
	}
}

// wantListed checks that a header lists the names.
func wantListed(t testing.TB, got answer, header string, names ...string) {
	t.Helper()
	listed := ", " + got.Header.Get(header) + ","
	for _, name := range names {
		if !strings.Contains(listed, ", "+name+",") {
			t.Errorf("%s %s: %s does not list %s: %q", got.Request.Method, got.Request.URL, header, name, listed)
		}
	}
}

// Every error has a unique request id.
func TestRequestID(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	seen := map[string]bool{}
	for _, path := range []string{"/nothing", "//", "/api/datasets/x", "/api/datasets/x", "/api/datasets/99", "/api/datasets?page=x"} {
		id := ask(t, "GET", base+path).Header.Get("X-Request-Id")
		if id == "" || seen[id] {
			t.Errorf("%s: request id %q is empty or was used before", path, id)
		}
		seen[id] = true
	}
}

// samplePaths are addresses of every kind that work on the sample data.
var samplePaths = []string{
	"/api/datasets", "/api/datasets?country=DE", "/api/datasets?page=9", "/api/datasets/1", "/api/datasets/1/meta", "/api/datasets/1/latest",
	"/api/datasets/1/latest?dim1=Fertility", "/api/datasets/1/data?country=Germany&period=2005", "/api/datasets/1/data?country=Atlantis",
	"/api/datasets/2/data?flags=true", "/api/datasets/1/dimensions", "/openapi.json", "/readyz", "/",
}

// docs/api.md, All responses: HEAD works everywhere, with the headers of GET and no
// body.
func TestHead(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, path := range append(samplePaths, "/nothing", "/api/datasets/x", "/api/datasets/77/data") {
		for _, accepted := range []string{"identity", "gzip", "zstd"} {
			get := ask(t, "GET", base+path, "Accept-Encoding: "+accepted)
			head := ask(t, "HEAD", base+path, "Accept-Encoding: "+accepted)
			if head.body != "" || head.StatusCode != get.StatusCode {
				t.Errorf("HEAD %s: %d %q, GET: %d", path, head.StatusCode, head.body, get.StatusCode)
			}
			if get.ContentLength >= 0 && get.ContentLength != int64(len(get.body)) || head.ContentLength != get.ContentLength {
				t.Errorf("%s: Content-Length %d with HEAD, %d with GET of %d bytes", path, head.ContentLength, get.ContentLength, len(get.body))
			}
			for _, header := range []string{"Content-Type", "ETag", "Last-Modified", "Vary", "Content-Encoding", "Cache-Control"} {
				if head.Header.Get(header) != get.Header.Get(header) {
					t.Errorf("%s: %s is %q with HEAD and %q with GET", path, header, head.Header.Get(header), get.Header.Get(header))
				}
			}
		}
	}
}

// docs/api.md, All responses: a strong ETag and Last-Modified on every GET of data;
// If-None-Match and If-Modified-Since give 304.
func TestConditional(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	const changed = "Fri, 21 Nov 2025 10:20:30 GMT" // published
	for _, path := range samplePaths {
		if path == "/" || path == "/readyz" {
			continue
		}
		first := ask(t, "GET", base+path)
		etag := first.Header.Get("ETag")
		if !strings.HasPrefix(etag, `"`) || len(etag) < 18 {
			t.Errorf("%s: ETag is %q, want a strong one", path, etag)
		}
		if path == "/openapi.json" {
			continue // no data, so no time
		}
		if first.Header.Get("Last-Modified") != changed {
			t.Errorf("%s: Last-Modified is %q, want %s", path, first.Header.Get("Last-Modified"), changed)
		}
		for _, c := range []struct {
			headers string
			status  int
		}{
			{"If-None-Match: " + etag, 304},
			{"If-None-Match: W/" + etag, 304},
			{"If-None-Match: *", 304},
			{`If-None-Match: "other", ` + etag, 304},
			{`If-None-Match: "a,b" , W/"c",` + etag + `, "d"`, 304},
			{"If-None-Match: \"other\"\nIf-None-Match: " + etag, 304},
			{`If-None-Match: "other"`, 200},
			{`If-None-Match: `, 200},
			{"If-None-Match: " + strings.Trim(etag, `"`), 200},
			{"If-None-Match: " + strings.TrimSuffix(etag, `"`), 200},
			{"If-Modified-Since: " + changed, 304},
			{"If-Modified-Since: Fri, 21 Nov 2025 10:20:31 GMT", 304},
			{"If-Modified-Since: Fri, 21 Nov 2025 10:20:29 GMT", 200},
			{"If-Modified-Since: yesterday", 200},
			// If-None-Match takes precedence.
			{"If-None-Match: \"other\"\nIf-Modified-Since: " + changed, 200},
			{"If-None-Match: " + etag + "\nIf-Modified-Since: Fri, 21 Nov 2025 10:20:29 GMT", 304},
		} {
			for _, method := range []string{"GET", "HEAD"} {
				got := ask(t, method, base+path, strings.Split(c.headers, "\n")...)
				if got.StatusCode != c.status {
					t.Errorf("%s %s with %q: %d, want %d", method, path, c.headers, got.StatusCode, c.status)
				}
				if got.StatusCode == 304 && (got.body != "" || got.Header.Get("ETag") != etag || got.Header.Get("Last-Modified") != changed || got.Header.Get("Vary") != varyOf(path)) {
					t.Errorf("%s: a 304 with body %q and headers %v", path, got.body, got.Header)
				}
			}
		}
	}
	// Order of checks: 400 and 404 come before 304.
	wantError(t, ask(t, "GET", base+"/api/datasets/1/data?x=y", "If-None-Match: *"), 400)
	wantError(t, ask(t, "GET", base+"/api/datasets/77/data", "If-None-Match: *"), 404)
	wantError(t, ask(t, "GET", base+"/api/datasets/2/latest?dim1=x", "If-None-Match: *"), 404)
}

// docs/api.md, Filters: the same request on the same vintage gives the same
// bytes. The ETag depends on the canonical query, so other forms of the query share it
// and other queries do not.
func TestETagDependsOnQuery(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, same := range [][]string{
		{"country=Germany&country=France", "country=France&country=Germany", "country=DE&country=fra&country=DE", "country=%47ermany&country=250&latest=0&flags=false"},
		{"period_from=1990&period_to=2000", "period_to=2000&period_from=1990-A1"},
		{"period=1990", "period=1990&period_from=2000", " period=+1990"[1:]},
		{"dim1=Population", "dim1=pop", "&dim1=pop&"},
	} {
		first := ask(t, "GET", base+"/api/datasets/1/data?"+same[0])
		for _, query := range same[1:] {
			got := ask(t, "GET", base+"/api/datasets/1/data?"+query)
			if got.Header.Get("ETag") != first.Header.Get("ETag") || got.body != first.body {
				t.Errorf("%s and %s are equal queries with different ETags, %s and %s", same[0], query, first.Header.Get("ETag"), got.Header.Get("ETag"))
			}
		}
	}
	byTag, bodies := map[string]string{}, map[string]string{}
	for _, path := range []string{
		"/1", "/1?flags=true", "/1/data", "/1/data?flags=true", "/1/data?latest=true", "/1/data?country=DE", "/1/data?country=FR", "/1/data?country=FR&country=DE",
		"/1/data?period=2000", "/1/data?period_from=2000", "/1/data?period_to=2000", "/1/data?dim1=pop", "/1/data?country=Nowhere", "/1/data?country=Elsewhere",
		"/1/data?country=DE&country=Nowhere", "/1/meta", "/1/latest", "/1/latest?country=DE", "/1/latest?dim1=pop", "/1/latest?country=DE&country=Nowhere",
		"/1/dimensions", "/2/meta", "/2/latest", "/2/data", "?page=0", "?page=1", "?limit=1", "?country=DE", "?country=US",
	} {
		got := ask(t, "GET", base+"/api/datasets"+path)
		etag := got.Header.Get("ETag")
		if other, taken := byTag[etag]; taken {
			t.Errorf("%s and %s share the ETag %s", path, other, etag)
		}
		byTag[etag] = path
		bodies[path] = got.body
		if again := ask(t, "GET", base+"/api/datasets"+path); again.body != got.body || again.Header.Get("ETag") != etag {
			t.Errorf("%s: the second response has another body or ETag", path)
		}
	}
	if len(bodies) != len(byTag) {
		t.Errorf("%d addresses, %d ETags", len(bodies), len(byTag))
	}
}

// docs/api.md, All responses: an import that changes something makes a new version with new
// ETags; one that changes nothing does not.
func TestNewVintage(t *testing.T) {
	const table = "#almanac-tidy,1\n#source,test,Test office\n#dataset,t,Table\n#updated,%s\n#dimension,item,Item\n#code,a,%s\n#geography,geo,Area\nitem,geo,TIME_PERIOD,OBS_VALUE\na,FR,2020,%s\n"
	s := newStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s}))
	etag := map[string]string{}
	state := func(updated, label, value string) (version string, changed int) {
		load(t, s, "t.csv", strings.NewReader(fmt.Sprintf(table, updated, label, value)))
		for _, path := range []string{"/1", "/1/meta", "/1/latest", "/1/data", "/1/dimensions", ""} {
			got := ask(t, "GET", base+"/api/datasets"+path)
			if got.Header.Get("ETag") != etag[path] {
				changed++
			}
			etag[path] = got.Header.Get("ETag")
		}
		var meta struct{ Version string }
		if err := json.Unmarshal([]byte(ask(t, "GET", base+"/api/datasets/1/meta").body), &meta); err != nil {
			t.Fatal(err)
		}
		return meta.Version, changed
	}
	for _, c := range []struct {
		updated, label, value, version string
		changed                        int
	}{
		{"2024-01-01", "Apples", "1", "1.0", 6},
		{"2024-01-01", "Apples", "1", "1.0", 0},
		{"2024-02-02", "Apples", "1", "1.0", 0},
		{"2024-02-02", "Apples", "2", "1.1", 6},
		{"2024-02-02", "Pears", "2", "1.2", 6},
	} {
		if version, changed := state(c.updated, c.label, c.value); version != c.version || changed != c.changed {
			t.Errorf("%v: version %s, %d ETags changed", c, version, changed)
		}
	}
	// docs/api.md, Filters: a label once published keeps matching its first code.
	for _, item := range []string{"Apples", "Pears", "a"} {
		if got := ask(t, "GET", base+"/api/datasets/1/data?dim1="+item); !strings.Contains(got.body, `"dim1_value":"Pears"`) || strings.Contains(got.body, "notices") {
			t.Errorf("dim1=%s: %s", item, got.body)
		}
	}
	// docs/api.md, All responses: after a removal 404.
	if err := s.Remove(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/1", "/1/meta", "/1/latest", "/1/data", "/1/dimensions"} {
		wantError(t, ask(t, "GET", base+"/api/datasets"+path), 404)
	}
}

// The links on the page of links work.
func TestPage(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Version: "1 < 2"}))
	page := ask(t, "GET", base+"/")
	if !strings.Contains(page.body, "1 &lt; 2") {
		t.Error("the version is not on the page")
	}
	links := 0
	for _, part := range strings.Split(page.body, `href="`)[1:] {
		link, _, _ := strings.Cut(part, `"`)
		if got := ask(t, "GET", base+link); got.StatusCode != 200 {
			t.Errorf("link %s: %d", link, got.StatusCode)
		}
		links++
	}
	if links < 6 {
		t.Errorf("%d links", links)
	}
	empty := ask(t, "GET", serve(t, newAPI(t, api.Options{Store: newStore(t)}))+"/")
	if empty.StatusCode != 200 || strings.Contains(empty.body, "/meta") {
		t.Errorf("page of an empty store: %d %s", empty.StatusCode, empty.body)
	}
}

// All errors in the options are reported together.
func TestOptions(t *testing.T) {
	_, err := api.New(api.Options{BaseURL: "example.org", MaxLimit: -1, CacheBytes: -1})
	for _, part := range []string{"no store", "no register of callers", `"example.org"`, "largest page", "cache"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not name %s: %v", part, err)
		}
	}
}

// docs/api.md, The catalogue: the maximum of limit is configurable, and the error names it.
func TestMaxLimit(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), MaxLimit: 110}))
	got := ask(t, "GET", base+"/api/datasets?limit=111")
	wantError(t, got, 400)
	if !strings.Contains(got.body, "110") {
		t.Errorf("the message does not name the maximum: %s", got.body)
	}
	if got := ask(t, "GET", base+"/api/datasets?limit=110"); got.StatusCode != 200 {
		t.Errorf("limit=110: %d", got.StatusCode)
	}
}
