package api_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/agent"
	"almanac/internal/api"
	"almanac/internal/request"
	"almanac/internal/store"
)

// Every status in the reference can occur, and every response is as the reference describes
// it.
func TestReferenceStatuses(t *testing.T) {
	s := sampleStore(t)
	a := newAPI(t, api.Options{Store: s, Search: newSearch(t, s, nil)})
	base := serve(t, a)
	doc := readReference(t, base)
	seen := map[string]bool{}
	note := func(path string, status int, got answer) {
		t.Helper()
		if got.StatusCode != status {
			t.Errorf("%s %s: %d, want %d: %.200s", got.Request.Method, path, got.StatusCode, status, got.body)
		}
		doc.check(t, path, got)
		method := strings.Replace(got.Request.Method, "HEAD", "GET", 1)
		seen[fmt.Sprintf("%s %s %d", method, documented(path), status)] = true
		if status == http.StatusMethodNotAllowed {
			for taken := range doc.Paths[documented(path)] {
				seen[fmt.Sprintf("%s %s %d", strings.ToUpper(taken), documented(path), status)] = true
			}
		}
	}
	wrapperStatuses(t, s, note)
	uncountedStatuses(t, s, note)
	callerStatuses(t, s, note)
	bringingStatuses(t, s, note)
	agentStatuses(t, s, note)
	try := func(path, header string, status int) {
		var headers []string
		if header != "" {
			headers = append(headers, header)
		}
		for _, method := range []string{"GET", "HEAD"} {
			note(path, status, ask(t, method, base+path, headers...))
		}
	}
	etag := func(path string) string {
		return "If-None-Match: " + ask(t, "GET", base+path).Header.Get("ETag")
	}
	const generate, small = "/api/charts/generate-png", `{"datasetId": 1, "chartType": "line", "width": 200, "height": 200}`
	drawn := post(t, base, small)
	note(generate, 200, drawn)
	note(generate, 400, post(t, base, `{}`))
	note(generate, 401, post(t, base, `{"datasetId": 1, "chartType": "line", "dimensions_query": "followed=true"}`))
	note(generate, 404, post(t, base, `{"datasetId": 77, "chartType": "line"}`))
	note(generate, 413, post(t, base, strings.Repeat(" ", request.MaxChart+1)))
	note(generate, 415, post(t, base, small, "Content-Encoding: gzip"))
	picture := pathOf(t, drawn)

	for _, path := range []string{"/api/datasets", "/openapi.json", "/llms.txt", picture} {
		try(path, "", 200)
		try(path, etag(path), 304)
		try(path, "Accept-Encoding: identity;q=0", 406)
	}
	for _, path := range []string{"/api/areas?lang=de", "/api/areas/EL?lang=de", "/api/topics?lang=de", "/api/concepts?country=DE", searchPath, statusPath + "?"} {
		try(path, "", 200)
		try(path, etag(path), 304)
		try(path+"&x=y", "", 400)
	}
	try("/api/areas/nowhere", "", 404)
	selectionStatuses(t, base, note, try)
	for _, path := range []string{"/healthz", "/readyz", "/"} {
		try(path, "", 200)
	}
	note(statusPath, 503, ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s, Watches: closedWatches(t)}))+statusPath))
	try("/api/datasets?page=x", "", 400)
	note(searchPath, 503, ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s}))+searchPath))
	try(picture+"?x=y", "", 400)
	try("/charts/x.png", "", 404)
	try("/api/datasets/1/data?followed=true", "", 401)
	try("/api/datasets/1/availability?followed=true", "", 401)
	fileStatuses(t, s, doc, note)
	of := []string{"", "/meta", "/latest", "/data", "/dimensions", "/availability", "/versions", "/revisions", "/dataset.parquet", "/chart.png", "/chart.jpeg", "/chart.jpg", "/chart.svg", "/chart.json"}
	for path := range doc.Paths {
		if extension, isFile := strings.CutPrefix(path, "/api/datasets/{id}/data."); isFile {
			of = append(of, "/data."+extension)
			try("/api/datasets/1/data."+extension+"?followed=true", "", 401)
		}
	}
	for _, path := range of {
		one, query := "/api/datasets/1"+path, "?"
		if strings.HasPrefix(path, "/chart") {
			one, query = one+"?width=200&height=200", "&"
			try(one+"&followed=true", "", 401)
		}
		try(one, "", 200)
		try(one, etag(one), 304)
		try(one+query+"x=y", "", 400)
		try("/api/datasets/77"+path, "", 404)
	}
	leave := api.FillRenderer(t, a)
	note(generate, 503, post(t, base, small))
	for _, path := range []string{picture, "/api/datasets/1/chart.png", "/api/datasets/1/chart.jpeg", "/api/datasets/1/chart.jpg", "/api/datasets/1/chart.svg"} {
		try(path, "", 503)
	}
	leave()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	try("/readyz", "", 503)
	doc.checkSeen(t, seen)
}

// checkSeen checks that each status in the reference was seen, as "GET /healthz 200".
func (doc *reference) checkSeen(t *testing.T, seen map[string]bool) {
	t.Helper()
	for path, methods := range doc.Paths {
		for method, operation := range methods {
			for status := range operation.Responses {
				if status != "default" && !seen[strings.ToUpper(method)+" "+path+" "+status] {
					t.Errorf("no request of this test causes %s %s %s", method, path, status)
				}
			}
		}
	}
}

// wrapperStatuses causes the statuses of the wrapper at each route: 401 for an invalid key,
// 403 for a key over plain HTTP, 405 for a method that is not allowed, 429 for a key whose
// limit is used up.
func wrapperStatuses(t *testing.T, s *store.Store, note func(string, int, answer)) {
	callers := newAccess(t, access.Limits{Anonymous: access.Unlimited}, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers}))
	public := serve(t, newAPI(t, api.Options{Store: s, Access: callers, Public: true}))
	for _, rt := range api.Routes() {
		path, method := samplePath(rt.Path), methodOf(rt)
		note(path, 405, ask(t, "PATCH", base+path, key))
		if rt.Open {
			continue
		}
		note(path, 401, ask(t, method, base+path, "X-API-Key: alm_nothing"))
		note(path, 403, ask(t, method, public+path, key))
		if rt.Counted {
			note(path, 429, ask(t, method, base+path, key))
		}
	}
	for ask(t, "GET", base+"/api/limits", "X-API-Key: alm_nothing").StatusCode != 429 { // too many invalid keys
	}
	for _, rt := range api.Routes() {
		if path := samplePath(rt.Path); !rt.Open && !rt.Counted {
			note(path, 429, ask(t, methodOf(rt), base+path, "X-API-Key: alm_nothing"))
		}
	}
}

// callerStatuses causes the statuses of the routes about the caller.
func callerStatuses(t *testing.T, s *store.Store, note func(string, int, answer)) {
	callers := newAccess(t, access.Limits{Anonymous: access.Unlimited, Essential: 100}, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers, FreeAccounts: 3}))
	try := func(method, path, body string, status int, headers ...string) {
		t.Helper()
		note(path, status, send(t, method, base+path, body, append(headers, key)...))
	}
	const followed, accounts = "/api/followed/1", "/api/accounts"
	try("GET", "/api/limits", "", 200)
	try("HEAD", "/api/limits", "", 200)
	try("GET", "/api/limits?x=y", "", 400)
	try("GET", "/api/followed", "", 200)
	try("GET", "/api/followed?limit=0", "", 400)
	try("GET", followed, "", 404)
	try("PUT", followed, `{"country": "Germany"}`, 200)
	try("PUT", followed, `{"country": "Atlantis"}`, 400)
	try("PUT", "/api/followed/77", `{}`, 404)
	try("PUT", followed, strings.Repeat(" ", request.MaxSelection+1), 413)
	try("PUT", followed, `{}`, 415, "Content-Type: text/plain")
	try("GET", followed, "", 200)
	try("GET", "/api/followed/x", "", 400)
	try("DELETE", "/api/followed/x", "", 400)
	try("DELETE", followed, "", 204)
	try("DELETE", followed, "", 404)
	try("POST", accounts, `{"name": "one"}`, 201)
	try("POST", accounts, `{"name": "one"}`, 409)
	try("POST", accounts, `{}`, 400)
	try("POST", accounts, strings.Repeat(" ", 5<<10), 413)
	try("POST", accounts, `{"name": "two"}`, 415, "Content-Type: text/plain")
	try("POST", accounts, `{"name": "two"}`, 201)
	try("POST", accounts, `{"name": "three"}`, 429)
}

// agentStatuses causes the statuses of messages of agents.
func agentStatuses(t *testing.T, s *store.Store, note func(string, int, answer)) {
	agents := agent.New(agent.Options{CallerOf: func(ctx context.Context) agent.Caller { return api.AgentCallOf(ctx) }})
	base := serve(t, newAPI(t, api.Options{Store: s, Agents: agents.Handler()}))
	try := func(body string, status int, headers ...string) {
		note("/mcp", status, send(t, "POST", base+"/mcp", body, headers...))
	}
	try(`{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`, 200)
	try(`{"jsonrpc": "2.0", "method": "notifications/initialized"}`, 202)
	try(`{`, 400)
	try(strings.Repeat(" ", 1<<20), 413)
	try(`{}`, 415, "Content-Type: text/plain")
}

// uncountedStatuses causes 503 at each route that needs counts, which can be neither
// written nor read.
func uncountedStatuses(t *testing.T, s *store.Store, note func(string, int, answer)) {
	callers := newAccess(t, access.Limits{Anonymous: access.Unlimited, Essential: 100}, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers, FreeAccounts: 3}))
	if err := callers.Close(); err != nil {
		t.Fatal(err)
	}
	for _, rt := range api.Routes() {
		if path := samplePath(rt.Path); !rt.Open && path != statusPath && path != jobPath {
			note(path, 503, send(t, methodOf(rt), base+path, "{}", key))
		}
	}
}

// changesWithoutData matches the parameters of a list whose answer does not change with the
// catalogue alone.
var changesWithoutData = regexp.MustCompile(`(^|&)(q|topic)=|(^|&)fields=.*(topics|licence|last_checked|kept_up_to_date|all)`)

// documentedHeader matches the headers that the reference lists with each status.
var documentedHeader = regexp.MustCompile(`(?i)^(x-)?ratelimit|^(retry-after|www-authenticate|allow|x-request-id|etag|last-modified|link|location|content-location|content-language)$`)

// checkHeaders checks that the headers of a response are described, and that the described
// headers are sent. The limit headers are sent together, or not at all to a caller without
// a limit.
func (doc *reference) checkHeaders(t testing.TB, requestPath string, described response, got answer) {
	t.Helper()
	at := fmt.Sprintf("%s %s %d", got.Request.Method, requestPath, got.StatusCode)
	for name := range got.Header {
		if !documentedHeader.MatchString(name) {
			continue
		}
		known := slices.ContainsFunc(slices.Collect(maps.Keys(described.Headers)), func(known string) bool { return strings.EqualFold(known, name) })
		if !known {
			t.Errorf("%s: the reference does not list %s", at, name)
		}
	}
	limited := got.StatusCode == http.StatusTooManyRequests || got.Header.Get("RateLimit") != ""
	for name, target := range described.Headers {
		component, ok := doc.Components.Headers[strings.TrimPrefix(target["$ref"], "#/components/headers/")]
		if !ok {
			t.Errorf("%s: the reference has no %s", at, target["$ref"])
		}
		value := got.Header.Get(name)
		switch _, err := strconv.Atoi(value); {
		case value == "" && slices.Contains(limitHeaders, name) && !limited:
		case value == "" && (name == "Content-Location" || name == "Content-Language" || name == "X-Notice"): // only for a source and code; only if the language is known; only if there are notices
		case value == "" && (name == "Accept-Ranges" || name == "Repr-Digest") && got.Request.URL.Query().Get("dry_run") == "true": // of a file, not of its size
		case value == "" && name == "Last-Modified" && changesWithoutData.MatchString(got.Request.URL.RawQuery):
		case value == "":
			t.Errorf("%s: %s is not sent", at, name)
		case component.Schema["type"] == "integer" && err != nil:
			t.Errorf("%s: %s is %q, want an integer", at, name, value)
		}
	}
}

// All headers that pages of other origins can read are described. All are required except
// the limit headers, because a caller may have no limit, Last-Modified, because a store may
// be empty, Content-Location, which only addresses with a source and code have, X-Notice,
// Content-Range, which is in the parts if there are several ranges, and those of a file that its size does not have.
func TestReferenceHeaders(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: newStore(t)}))
	doc := readReference(t, base)
	got := ask(t, "GET", base+"/api/datasets")
	if got.StatusCode != 200 || got.Header.Get("ETag") == "" || got.Header.Get("Last-Modified") != "" {
		t.Errorf("an empty catalogue: %d %v", got.StatusCode, got.Header)
	}
	for _, name := range strings.Split(got.Header.Get("Access-Control-Expose-Headers"), ", ") {
		described, ok := doc.Components.Headers[name]
		if !ok {
			t.Errorf("%s is not described", name)
		}
		if always := name != "Last-Modified" && name != "Content-Location" && name != "Content-Range" && name != "X-Notice" &&
			name != "Accept-Ranges" && name != "Repr-Digest" && !slices.Contains(limitHeaders, name); described.Required != always {
			t.Errorf("%s is required: %t", name, described.Required)
		}
	}
}

// selectionStatuses causes the statuses of requests that select data in other ways.
func selectionStatuses(t *testing.T, base string, note func(string, int, answer), try func(path, header string, status int)) {
	t.Helper()
	const one, several = "/api/datasets/1/data", "/api/data?s=1:country=Germany"
	note(one, 200, send(t, "POST", base+one, "{}"))
	note(one, 400, send(t, "POST", base+one, "[]"))
	note(one, 401, send(t, "POST", base+one, `{"followed": true}`))
	note("/api/datasets/77/data", 404, send(t, "POST", base+"/api/datasets/77/data", "{}"))
	note(one, 413, send(t, "POST", base+one, strings.Repeat(" ", request.MaxData+1)))
	note(one, 415, send(t, "POST", base+one, "{}", "Content-Type: text/plain"))
	try(several, "", 200)
	try(several, "If-None-Match: "+ask(t, "GET", base+several).Header.Get("ETag"), 304)
	try("/api/data", "", 400)
	try("/api/data?s=1:followed%3Dtrue", "", 401)
	try("/api/data?s=77", "", 404)
}
