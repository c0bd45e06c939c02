package api_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// docs/api.md, Keys and limits: 304 is not counted. Any number of concurrent requests get
// it while a request is left, and none after that.
func TestConcurrentNotModified(t *testing.T) {
	now := clockAt(t, "2025-11-21T10:20:30Z")
	callers := newAccess(t, access.Limits{Anonymous: 3, Essential: 100, Pro: 2000}, now.now)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers, Now: now.now}))
	for _, c := range []struct {
		header string
		limit  int
	}{
		{"X-None: x", 3},
		{"X-API-Key: " + newKey(t, callers, "desk", access.Essential), 100},
		{"X-API-Key: " + newKey(t, callers, "newsroom", access.Pro), 2000},
	} {
		for range c.limit - 1 {
			if got := ask(t, "GET", base+"/api/datasets/1/meta", c.header); got.StatusCode != 200 {
				t.Fatalf("limit %d: %d %s", c.limit, got.StatusCode, got.body)
			}
		}
		var group sync.WaitGroup
		for i := range 60 {
			group.Go(func() {
				condition := []string{"If-None-Match: *", "If-Modified-Since: Fri, 21 Nov 2025 10:20:30 GMT"}[i%2]
				if got := ask(t, "GET", base+"/api/datasets/1/data?country=Germany", c.header, condition); got.StatusCode != 304 || got.Header.Get("RateLimit") != "" {
					t.Errorf("limit %d, one left: %d %v", c.limit, got.StatusCode, got.Header)
				}
			})
		}
		group.Wait()
		// A conditional request that gives 200 counts.
		if got := ask(t, "GET", base+"/api/datasets/1/meta", c.header, `If-None-Match: "x"`); got.StatusCode != 200 || got.Header.Get("X-RateLimit-Remaining") != "0" {
			t.Errorf("limit %d, the last: %d %v", c.limit, got.StatusCode, got.Header)
		}
		for _, path := range []string{"/api/datasets/1/meta", "/api/datasets/nothing"} {
			wantError(t, ask(t, "GET", base+path, c.header, "If-None-Match: *"), 429)
		}
		// 429 comes before errors in the body.
		wantError(t, post(t, base, "{", c.header), 429)
		wantError(t, send(t, "POST", base+"/api/charts/generate-png", "{}", c.header, "Content-Type: text/plain"), 429)
	}
}

// Conditions affect neither requests that cannot give 304 nor Cache-Control.
func TestConditionalRequestsAtTheLimit(t *testing.T) {
	callers := newAccess(t, access.Limits{Anonymous: 10, Essential: 100}, nil)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers}))
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	if got := send(t, "PUT", base+"/api/followed/1", `{}`, key, "If-None-Match: *"); got.StatusCode != 200 {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	got := send(t, "DELETE", base+"/api/followed/1", "", key, "If-None-Match: *")
	if got.StatusCode != 204 || got.Header.Get("X-RateLimit-Remaining") != "98" {
		t.Errorf("a conditional DELETE: %d %v", got.StatusCode, got.Header)
	}
	for _, condition := range []string{"X-None: x", `If-None-Match: "x"`, "If-None-Match: *", "If-Modified-Since: Fri, 21 Nov 2025 10:20:29 GMT"} {
		got := ask(t, "GET", base+"/api/datasets/1/meta", condition)
		if cache := got.Header.Get("Cache-Control"); cache != "private, no-cache" {
			t.Errorf("%s: %d with Cache-Control %s", condition, got.StatusCode, cache)
		}
	}
}

// docs/api.md, Keys and limits: a request whose body does not arrive or is unacceptable
// is not counted.
func TestIncompleteBody(t *testing.T) {
	now := clockAt(t, "2025-11-21T10:20:30Z")
	callers := newAccess(t, access.Limits{Anonymous: 3}, now.now)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers, Now: now.now}))
	used := func(want int) {
		t.Helper()
		if got := ask(t, "GET", base+"/api/limits"); !strings.Contains(got.body, fmt.Sprintf(`"used":%d,`, want)) {
			t.Errorf("the limits are %s, used should be %d", got.body, want)
		}
	}
	for range 5 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /api/charts/generate-png HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
		// The server asks for the body when the handler reads it.
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusContinue {
			t.Fatalf("%v, %v", answer, err)
		}
		fmt.Fprint(conn, "{")
	}
	used(0)
	wantError(t, send(t, "POST", base+"/api/charts/generate-png", "{}", "Content-Type: text/plain"), 415)
	wantError(t, post(t, base, strings.Repeat(" ", 65<<10)), 413)
	used(0)
	wantError(t, post(t, base, "{"), 400)
	used(1)
	if got := post(t, base, `{"datasetId": 1, "chartType": "line", "width": 100, "height": 100}`); got.StatusCode != 200 || got.Header.Get("X-RateLimit-Remaining") != "1" {
		t.Errorf("%d %v", got.StatusCode, got.Header)
	}
	used(2)
}

// What an organisation follows can change at any time and differs between
// organisations, so such responses have no Last-Modified.
func TestFollowedHasNoLastModified(t *testing.T) {
	callers := newAccess(t, access.Limits{Essential: 100}, nil)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers}))
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	for _, path := range []string{"/api/datasets/1/data?followed=true", "/api/datasets/1/chart.svg?type=bar&followed=true"} {
		for _, country := range []string{"Germany", "Japan"} {
			if got := send(t, "PUT", base+"/api/followed/1", `{"country": ["`+country+`"]}`, key); got.StatusCode != 200 {
				t.Fatalf("%d %s", got.StatusCode, got.body)
			}
			got := ask(t, "GET", base+path, key, "If-Modified-Since: Fri, 21 Nov 2025 10:20:30 GMT")
			if got.StatusCode != 200 || got.Header.Get("Last-Modified") != "" || !strings.Contains(got.body, country) {
				t.Errorf("%s: %d %v", path, got.StatusCode, got.Header)
			}
			if again := ask(t, "GET", base+path, key, "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
				t.Errorf("%s: %d for its own ETag", path, again.StatusCode)
			}
		}
	}
}
