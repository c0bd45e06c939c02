package api_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/request"
)

// wantLimits checks the five headers of the daily limit.
func wantLimits(t testing.TB, name string, got answer, limit, remaining int) {
	t.Helper()
	if !wantPolicy(t, got, `"daily"`, limit, remaining) {
		t.Errorf("the headers above are those of %s", name)
	}
}

// wantPolicy checks the five headers of a limit at the time published, 49170 seconds before
// midnight. It reports whether they are correct.
func wantPolicy(t testing.TB, got answer, policy string, limit, remaining int) (ok bool) {
	t.Helper()
	ok = true
	for header, want := range map[string]string{
		"RateLimit-Policy":      fmt.Sprintf(`%s;q=%d;w=86400`, policy, limit),
		"RateLimit":             fmt.Sprintf(`%s;r=%d;t=49170`, policy, remaining),
		"X-RateLimit-Limit":     strconv.Itoa(limit),
		"X-RateLimit-Remaining": strconv.Itoa(remaining),
		"X-RateLimit-Reset":     "1763769600",
	} {
		if all := got.Header.Values(header); len(all) != 1 || all[0] != want {
			t.Errorf("%s is %q, want %q", header, all, want)
			ok = false
		}
	}
	return ok
}

// wantNoLimits checks that a response has no limit headers.
func wantNoLimits(t testing.TB, name string, got answer) {
	t.Helper()
	for _, header := range limitHeaders {
		if got.Header.Get(header) != "" {
			t.Errorf("%s: unexpected header %s: %s", name, header, got.Header.Get(header))
		}
	}
}

// docs/api.md, Keys and limits: the limits of the tiers anonymous, Essential and Pro, by
// default and as configured. Counted responses have the limit headers, unless the caller
// has no limit.
func TestLimitsOfTiers(t *testing.T) {
	for _, c := range []struct {
		text                  string
		anonymous, keyed, pro int
	}{
		{"", 3, 100, 5000},
		{"anonymous=3,essential=10,pro=unlimited", 3, 10, -1},
		{"anonymous=unlimited,essential=1", -1, 1, 5000},
	} {
		var limits access.Limits
		if err := limits.UnmarshalText([]byte(c.text)); err != nil {
			t.Fatal(err)
		}
		base, callers := serveLimited(t, limits)
		for name, tier := range map[string]struct {
			header string
			limit  int
		}{
			"anonymous": {"X-None: x", c.anonymous},
			"essential": {"X-API-Key: " + newKey(t, callers, "desk", access.Essential), c.keyed},
			"pro":       {"X-API-Key: " + newKey(t, callers, "newsroom", access.Pro), c.pro},
		} {
			name := c.text + ", " + name
			got := ask(t, "GET", base+"/api/datasets", tier.header)
			if got.StatusCode != 200 {
				t.Errorf("%s: %d %s", name, got.StatusCode, got.body)
			}
			if tier.limit < 0 {
				wantNoLimits(t, name, got)
			} else {
				wantLimits(t, name, got, tier.limit, tier.limit-1)
			}
			private := tier.limit >= 0 || tier.header != "X-None: x"
			if want := map[bool]string{true: "private, no-cache", false: "no-cache"}[private]; got.Header.Get("Cache-Control") != want {
				t.Errorf("%s: Cache-Control is %q, want %q", name, got.Header.Get("Cache-Control"), want)
			}
		}
	}
}

// docs/api.md, Keys and limits: a limit that is used up gives 429 with Retry-After and the
// limit headers. The message states the limit of the caller's tier and suggests Pro, but
// not to Pro callers.
func TestLimitUsedUp(t *testing.T) {
	base, callers := serveLimited(t, access.Limits{Anonymous: 2, Essential: 3, Pro: 4})
	unlimited, others := serveLimited(t, access.Limits{Anonymous: 1, Essential: 1, Pro: access.Unlimited})
	for _, c := range []struct {
		name, base, header string
		limit              int
		message            []string
		absent             string
	}{
		{"anonymous", base, "X-None: x", 2, []string{"anonymous callers", "2 requests a day", "midnight UTC", "2025-11-22T00:00:00Z", "free account (Essential)", "3 requests a day", "upgrade to Pro", "4 requests a day"}, "unlimited"},
		{"essential", base, "X-API-Key: " + newKey(t, callers, "desk", access.Essential), 3, []string{"Essential accounts", "3 requests a day", "midnight UTC", "upgrade to Pro", "4 requests a day"}, "free account"},
		{"pro", base, "X-API-Key: " + newKey(t, callers, "newsroom", access.Pro), 4, []string{"Pro accounts", "4 requests a day", "midnight UTC"}, "upgrad"},
		{"anonymous, Pro unlimited", unlimited, "X-None: x", 1, []string{"1 request a day", "Pro gives no daily limit"}, "requests a day"},
		{"essential, Pro unlimited", unlimited, "X-API-Key: " + newKey(t, others, "desk", access.Essential), 1, []string{"upgrade to Pro", "no daily limit"}, "requests a day"},
	} {
		for left := c.limit - 1; left >= 0; left-- {
			got := ask(t, "GET", c.base+"/api/datasets/1/meta", c.header)
			if got.StatusCode != 200 {
				t.Errorf("%s, %d left: %d", c.name, left, got.StatusCode)
			}
			wantLimits(t, c.name, got, c.limit, left)
		}
		for range 2 {
			got := ask(t, "GET", c.base+"/api/datasets/1/meta", c.header)
			wantError(t, got, 429)
			wantLimits(t, c.name, got, c.limit, 0)
			if after := got.Header.Get("Retry-After"); after != "49170" {
				t.Errorf("%s: Retry-After is %q", c.name, after)
			}
			for _, part := range c.message {
				if !strings.Contains(got.body, part) {
					t.Errorf("%s: %s does not contain %q", c.name, got.body, part)
				}
			}
			if strings.Contains(got.body, c.absent) {
				t.Errorf("%s: %s contains %q", c.name, got.body, c.absent)
			}
		}
		if got := standingOf(t, c.base, c.header); *got.Used != int64(c.limit) || *got.Remaining != 0 {
			t.Errorf("%s: used %d, remaining %d", c.name, *got.Used, *got.Remaining)
		}
	}
}

// docs/api.md, Keys and limits: GET /api/limits, which is not counted. All keys of one
// account share the account's count.
func TestStanding(t *testing.T) {
	base, callers := serveLimited(t, access.Limits{Anonymous: 3, Essential: 100, Pro: access.Unlimited})
	one, two := "X-API-Key: "+newKey(t, callers, "desk", access.Essential), "Authorization: Bearer "+newKey(t, callers, "desk", access.Essential)
	proKey := "X-API-Key: " + newKey(t, callers, "newsroom", access.Pro)
	for _, header := range []string{"X-None: x", one, two, proKey} {
		ask(t, "GET", base+"/api/datasets", header)
	}
	for header, want := range map[string]string{
		"X-None: x": `{"tier":"anonymous","limit":3,"used":1,"remaining":2,"reset":1763769600}`,
		one:         `{"tier":"essential","limit":100,"used":2,"remaining":98,"reset":1763769600}`,
		two:         `{"tier":"essential","limit":100,"used":2,"remaining":98,"reset":1763769600}`,
		proKey:      `{"tier":"pro","used":1,"reset":1763769600}`,
	} {
		for range 5 {
			got := ask(t, "GET", base+"/api/limits", header)
			if got.StatusCode != 200 || got.body != want || got.Header.Get("Cache-Control") != "private, no-store" {
				t.Errorf("%d %s, Cache-Control %s; want %s", got.StatusCode, got.body, got.Header.Get("Cache-Control"), want)
			}
			wantNoLimits(t, "/api/limits", got)
		}
	}
	lifted, _ := serveLimited(t, access.Limits{Anonymous: access.Unlimited})
	if got := ask(t, "GET", lifted+"/api/limits"); got.body != `{"tier":"anonymous","reset":1763769600}` {
		t.Errorf("anonymous without a limit: %s", got.body)
	}
}

// docs/api.md, Keys and limits: 2xx, 400, and 404 for an id count, HEAD as GET.
// Unknown routes, 304, 401, 405, 413, 415, 429, 5xx, OPTIONS, images, health and
// documentation do not count, and have no limit headers.
func TestCountedRequests(t *testing.T) {
	callers := newAccess(t, access.Limits{Essential: 900}, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	a := newAPI(t, api.Options{Store: sampleStore(t), Access: callers, FreeAccounts: 1})
	api.AddStream(a, "/api/broken", func(func(string) error) error { return errors.New("the disk is gone") })
	api.AddStream(a, "/api/panic", func(func(string) error) error { panic("no such row") })
	base := serve(t, a)
	const generate = "/api/charts/generate-png"
	picture := pathOf(t, post(t, base, smallChart(""), key))
	tag := "If-None-Match: " + ask(t, "GET", base+"/api/datasets", key).Header.Get("ETag")
	used := *standingOf(t, base, key).Used
	if used != 2 {
		t.Errorf("%d requests were counted, want 2", used)
	}
	for _, c := range []struct {
		method, path, body, header string
		status                     int
		counted                    bool
	}{
		{"GET", "/api/datasets", "", "", 200, true},
		{"HEAD", "/api/datasets", "", "", 200, true},
		{"GET", "/api/datasets/1", "", "", 200, true},
		{"HEAD", "/api/datasets/1", "", "", 200, true},
		{"GET", "/api/datasets/1/chart.svg", "", "", 200, true},
		{"POST", generate, smallChart(""), "", 200, true},
		{"POST", generate, "{}", "", 400, true},
		{"GET", "/api/datasets/x", "", "", 400, true},
		{"GET", "/api/datasets?page=x", "", "", 400, true},
		{"GET", "/api/datasets/77", "", "", 404, true},
		{"HEAD", "/api/datasets/77", "", "", 404, true},
		{"GET", "/api/followed", "", "", 200, true},
		{"PUT", "/api/followed/1", "{}", "", 200, true},
		{"DELETE", "/api/followed/1", "", "", 204, true},
		{"DELETE", "/api/followed/1", "", "", 404, true},
		{"GET", "/api/datasets", "", tag, 304, false},
		{"HEAD", "/api/datasets", "", tag, 304, false},
		{"GET", "/api/datasets/1/chart.svg", "", "If-None-Match: *", 304, false},
		{"GET", "/api/datasets", "", "Authorization: Bearer x", 401, false},
		{"GET", "/api/datasets", "", "Accept-Encoding: identity;q=0", 406, false},
		{"DELETE", "/api/datasets", "", "", 405, false},
		{"OPTIONS", "/api/datasets", "", "", 204, false},
		{"GET", "/api/nothing", "", "", 404, false},
		{"GET", "/api//datasets", "", "", 404, false},
		{"GET", "/api/limits", "", "", 200, false},
		{"GET", "/api/status", "", "", 200, false},
		{"POST", "/api/accounts", `{"name": "another"}`, "", 201, false},
		{"POST", generate, "{}", "Content-Type: text/plain", 415, false},
		{"POST", generate, strings.Repeat(" ", request.MaxChart+1), "", 413, false},
		{"GET", "/api/broken", "", "", 500, false},
		{"GET", "/api/panic", "", "", 500, false},
		{"GET", picture, "", "", 200, false},
		{"GET", "/charts/x", "", "", 404, false},
		{"GET", "/healthz", "", "", 200, false},
		{"GET", "/openapi.json", "", "", 200, false},
		{"GET", "/", "", "", 200, false},
	} {
		name := c.method + " " + c.path
		headers := []string{key}
		if c.header != "" {
			headers = append(headers, c.header)
		}
		got := send(t, c.method, base+c.path, c.body, headers...)
		if got.StatusCode != c.status {
			t.Errorf("%s: %d %.200s, want %d", name, got.StatusCode, got.body, c.status)
		}
		if c.counted {
			used++
			wantLimits(t, name, got, 900, 900-int(used))
		} else {
			wantNoLimits(t, name, got)
		}
		if now := *standingOf(t, base, key).Used; now != used {
			t.Errorf("%s, %d: %d requests were counted, want %d", name, c.status, now, used)
			used = now
		}
	}
	leave := api.FillRenderer(t, a)
	for _, path := range []string{"/api/datasets/1/chart.png", "/api/datasets/1/chart.jpeg"} {
		got := ask(t, "GET", base+path, key)
		wantError(t, got, 503)
		wantNoLimits(t, path, got)
	}
	leave()
	if now := *standingOf(t, base, key).Used; now != used {
		t.Errorf("after 503, %d requests were counted, want %d", now, used)
	}
}

// A response that fails because of the service does not count; one whose caller
// disconnects does.
func TestAbortedResponses(t *testing.T) {
	callers := newAccess(t, access.Limits{Essential: 10}, nil)
	secret := newKey(t, callers, "desk", access.Essential)
	a := newAPI(t, api.Options{Store: newStore(t), Access: callers})
	api.AddStream(a, "/api/broken", func(send func(string) error) error {
		return errors.Join(send(strings.Repeat("x", 300<<10)), errors.New("the disk is gone"))
	})
	api.AddStream(a, "/api/endless", func(send func(string) error) error {
		for {
			if err := send(strings.Repeat("x", 100<<10)); err != nil {
				return err
			}
		}
	})
	ended := make(chan struct{}, 1)
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { ended <- struct{}{} }()
		a.ServeHTTP(w, r)
	}))
	for path, used := range map[string]int64{"/api/broken": 0, "/api/endless": 1} {
		before := usedBy(t, callers, secret)
		r, _ := http.NewRequest("GET", base+path, nil)
		r.Header.Set("X-API-Key", secret)
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		wantLimits(t, path, answer{Response: response}, 10, 9-int(before))
		if path == "/api/broken" {
			_, err = io.ReadAll(response.Body)
			if err == nil {
				t.Error("the broken response looks complete")
			}
		}
		response.Body.Close()
		<-ended
		if got := usedBy(t, callers, secret) - before; got != used {
			t.Errorf("%s: %d requests were counted, want %d", path, got, used)
		}
	}
}

func usedBy(t testing.TB, a *access.Access, key string) int64 {
	t.Helper()
	c, err := a.Verify(key, netip.Addr{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.Standing(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s.Used
}

// docs/api.md, Keys and limits: a request with a response stays counted after a
// restart, and the limit applies to all replicas together.
func TestReplicasAndRestart(t *testing.T) {
	s, dir := sampleStore(t), t.TempDir()
	open := func() (base string, callers *access.Access) {
		callers, err := access.Open(t.Context(), access.Options{Dir: dir, Limits: access.Limits{Anonymous: 4, Essential: 4}, Now: func() time.Time { return published }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { callers.Close() })
		return serve(t, newAPI(t, api.Options{Store: s, Access: callers})), callers
	}
	one, callers := open()
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	two, _ := open() // knows the key, which was created before
	for _, header := range []string{"X-None: x", key} {
		wantLimits(t, header, ask(t, "GET", one+"/api/datasets", header), 4, 3)
		wantLimits(t, header, ask(t, "GET", two+"/api/datasets", header), 4, 2)
	}
	if err := callers.Close(); err != nil {
		t.Fatal(err)
	}
	one, _ = open()
	for _, header := range []string{"X-None: x", key} {
		wantLimits(t, header, ask(t, "GET", one+"/api/datasets", header), 4, 1)
		wantLimits(t, header, ask(t, "GET", two+"/api/datasets", header), 4, 0)
		wantError(t, ask(t, "GET", one+"/api/datasets", header), 429)
		wantError(t, ask(t, "GET", two+"/api/datasets", header), 429)
	}
}

// docs/api.md, Keys and limits: limits reset at midnight UTC. A clock that goes back finds the
// count of that day.
func TestMidnight(t *testing.T) {
	now := clockAt(t, "2025-11-21T23:59:59Z")
	callers := newAccess(t, access.Limits{Anonymous: 2, Essential: 2, Pro: 2000}, now.now)
	essential, pro := newKey(t, callers, "desk", access.Essential), newKey(t, callers, "newsroom", access.Pro)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers}))
	for _, c := range []struct {
		at           string
		status, left int
		seconds      int
		reset        string
		proLeft      int
	}{
		{"2025-11-21T23:59:59Z", 200, 1, 1, "1763769600", 1999},
		{"2025-11-21T23:59:59.5Z", 200, 0, 1, "1763769600", 1998},
		{"2025-11-21T23:59:59.999Z", 429, 0, 1, "1763769600", 1997},
		{"2025-11-22T00:00:00Z", 200, 1, 86400, "1763856000", 1999},
		{"2025-11-21T23:59:58Z", 429, 0, 2, "1763769600", 1996},
		{"2025-11-22T00:00:00Z", 200, 0, 86400, "1763856000", 1998},
		{"2025-11-22T00:00:01Z", 429, 0, 86399, "1763856000", 1997},
		{"2025-11-23T12:00:00+05:00", 200, 1, 61200, "1763942400", 1999},
	} {
		now.set(t, c.at)
		for _, header := range []string{"X-None: x", "X-API-Key: " + essential, "X-API-Key: " + pro} {
			status, left := c.status, c.left
			if strings.HasSuffix(header, pro) {
				status, left = 200, c.proLeft
			}
			got := ask(t, "GET", base+"/api/datasets", header)
			if want := fmt.Sprintf(`"daily";r=%d;t=%d`, left, c.seconds); got.StatusCode != status || got.Header.Get("RateLimit") != want {
				t.Errorf("%s, %.12s: %d, RateLimit is %s, want %d and %s", c.at, header, got.StatusCode, got.Header.Get("RateLimit"), status, want)
			}
			if got.Header.Get("X-RateLimit-Reset") != c.reset {
				t.Errorf("%s: reset is %s, want %s", c.at, got.Header.Get("X-RateLimit-Reset"), c.reset)
			}
			if after := got.Header.Get("Retry-After"); (after != "") != (status == 429) || after != "" && after != strconv.Itoa(c.seconds) {
				t.Errorf("%s: Retry-After is %q", c.at, after)
			}
		}
	}
}

// docs/api.md, Keys and limits: the limit is never exceeded, however many requests
// run concurrently. 1,000 concurrent requests against a limit of 100
// for anonymous and essential callers and two keys of one account mixed: exactly
// 100 are admitted.
func TestConcurrentLimit(t *testing.T) {
	callers := newAccess(t, access.Limits{Anonymous: 100, Essential: 100, Pro: 100}, nil)
	s := sampleStore(t)
	if s.Catalog().Entry(1) == nil { // the catalogue is read before the concurrent requests
		t.Fatal("there is no dataset 1")
	}
	a := newAPI(t, api.Options{Store: s, Access: callers})
	essential := newKey(t, callers, "desk", access.Essential)
	both := []string{newKey(t, callers, "newsroom", access.Pro), newKey(t, callers, "newsroom", access.Pro)}
	counts := [3]map[int]int{{}, {}, {}}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 1000 {
		for kind, key := range []string{"", essential, both[i%2]} {
			all.Go(func() {
				r := httptest.NewRequest("GET", "/api/datasets/1/meta", nil)
				if key != "" {
					r.Header.Set("X-API-Key", key)
				}
				w := httptest.NewRecorder()
				a.ServeHTTP(w, r)
				mu.Lock()
				defer mu.Unlock()
				counts[kind][w.Code]++
			})
		}
	}
	all.Wait()
	for kind, name := range []string{"anonymous", "essential", "two keys of an account"} {
		if got := counts[kind]; got[200] != 100 || got[429] != 900 {
			t.Errorf("%s: statuses %v, want 100 times 200 and 900 times 429", name, got)
		}
	}
}
