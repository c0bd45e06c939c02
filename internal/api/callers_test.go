package api_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
)

// limitHeaders are the headers of a limit.
var limitHeaders = []string{"RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}

// clock is a clock that a test sets.
type clock struct{ at atomic.Pointer[time.Time] }

func clockAt(t testing.TB, text string) *clock {
	c := &clock{}
	c.set(t, text)
	return c
}

func (c *clock) set(t testing.TB, text string) {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	c.at.Store(&at)
}

func (c *clock) now() time.Time { return *c.at.Load() }

// serveLimited serves the sample data with limits and a clock that stands still.
func serveLimited(t testing.TB, limits access.Limits) (base string, callers *access.Access) {
	t.Helper()
	callers = newAccess(t, limits, nil)
	return serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers})), callers
}

// sendFrom sends a request as if the connection came from an address.
func sendFrom(a *api.API, address, target string, headers ...string) answer {
	r := httptest.NewRequest("GET", target, nil)
	r.RemoteAddr = address
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	result := w.Result()
	result.Request = r
	return answer{result, w.Body.String()}
}

// standing is a response of /api/limits.
type standing struct {
	Tier                          string
	Limit, Used, Remaining, Reset *int64
}

func standingOf(t testing.TB, base string, headers ...string) standing {
	t.Helper()
	got := ask(t, "GET", base+"/api/limits", headers...)
	var s standing
	if err := json.Unmarshal([]byte(got.body), &s); err != nil || got.StatusCode != 200 {
		t.Fatalf("/api/limits: %d %s", got.StatusCode, got.body)
	}
	return s
}

// withChecksum appends the checksum to the first 44 characters of a key.
func withChecksum(body string) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum, text := crc32.ChecksumIEEE([]byte(body)), ""
	for range 6 {
		text, sum = string(alphabet[sum%62])+text, sum/62
	}
	return body + text
}

// docs/api.md, Keys and limits: a key is sent in X-API-Key or as Authorization: Bearer, in
// any case; other schemes are ignored. A request without a key is anonymous.
func TestIdentify(t *testing.T) {
	base, callers := serveLimited(t, access.DefaultLimits)
	essential, pro := newKey(t, callers, "desk", access.Essential), newKey(t, callers, "newsroom", access.Pro)
	for _, c := range []struct{ headers, tier string }{
		{"X-None: x", "anonymous"},
		{"Authorization: Basic dXNlcjpwYXNz", "anonymous"},
		{"Authorization: Digest username=x", "anonymous"},
		{"X-API-Key: " + essential, "essential"},
		{"x-api-key: " + pro, "pro"},
		{"Authorization: Bearer\t" + essential, "essential"},
		{"Authorization: Bearer " + essential, "essential"},
		{"authorization: bearer " + pro, "pro"},
		{"Authorization: BEARER   " + pro, "pro"},
		{"Authorization: Basic dXNlcjpwYXNz\nX-API-Key: " + pro, "pro"},
		{"Cookie: key=" + pro, "anonymous"},
	} {
		headers := strings.Split(c.headers, "\n")
		if got := standingOf(t, base, headers...); got.Tier != c.tier {
			t.Errorf("%q is %s, want %s", c.headers, got.Tier, c.tier)
		}
		if got := ask(t, "GET", base+"/api/datasets", headers...); c.tier != "anonymous" && got.StatusCode != 200 {
			t.Errorf("%q: %d %s", c.headers, got.StatusCode, got.body)
		}
	}
}

// docs/api.md, Keys and limits: a key that is empty, repeated, malformed, unknown, revoked
// or expired, or sent in both headers, gives the same 401 on every endpoint. The request
// never counts as anonymous.
func TestInvalidKeys(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, nil)
	good, other := newKey(t, callers, "desk", access.Pro), newKey(t, callers, "desk", access.Pro)
	revoked := newKey(t, callers, "desk", access.Pro)
	if _, err := callers.RevokeKey(t.Context(), revoked); err != nil {
		t.Fatal(err)
	}
	now := clockAt(t, "2025-11-21T10:20:30Z")
	soon := newAccess(t, access.DefaultLimits, now.now)
	expiring, err := soon.CreateKey(t.Context(), access.KeyRequest{Account: "desk", Expires: now.now().Add(time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers}))
	baseSoon := serve(t, newAPI(t, api.Options{Store: s, Access: soon}))
	if got := ask(t, "GET", baseSoon+"/api/datasets", "X-API-Key: "+expiring.Secret); got.StatusCode != 200 {
		t.Fatalf("a key before it expires: %d %s", got.StatusCode, got.body)
	}
	now.set(t, "2025-11-21T10:20:31Z")

	var want answer
	same := func(name, url string, headers ...string) {
		t.Helper()
		got := ask(t, "GET", url, headers...)
		wantError(t, got, 401)
		got.Header.Del("X-Request-Id")
		got.Header.Del("Date")
		if want.Response == nil {
			want = got
		}
		if got.body != want.body || fmt.Sprint(got.Header) != fmt.Sprint(want.Header) {
			t.Errorf("%s: %v %s\nwant %v %s", name, got.Header, got.body, want.Header, want.body)
		}
	}
	last := "0"
	if strings.HasSuffix(good, "0") {
		last = "1"
	}
	for _, path := range []string{"/api/datasets", "/api/datasets/1/data?nonsense=1", "/api/datasets/x", "/api/limits", "/api/followed", "/api/accounts", "/api/nothing", "/nothing"} {
		for name, headers := range map[string]string{
			"empty":                        "X-API-Key: ",
			"sent twice":                   "X-API-Key: " + good + "\nX-API-Key: " + good,
			"two keys":                     "X-API-Key: " + good + "\nX-API-Key: " + other,
			"two keys in one line":         "X-API-Key: " + good + ", " + other,
			"10 KB":                        "X-API-Key: " + strings.Repeat("x", 10<<10),
			"too short":                    "X-API-Key: " + good[:len(good)-1],
			"wrong checksum":               "X-API-Key: " + good[:len(good)-1] + last,
			"known id, wrong secret":       "X-API-Key: " + withChecksum(good[:12]+strings.Repeat("0", 32)),
			"unknown id":                   "X-API-Key: " + withChecksum("alm_"+strings.Repeat("0", 40)),
			"other prefix":                 "X-API-Key: " + withChecksum("xyz_"+good[4:44]),
			"revoked":                      "X-API-Key: " + revoked,
			"both headers":                 "X-API-Key: " + good + "\nAuthorization: Bearer " + good,
			"bearer without a key":         "Authorization: Bearer ",
			"bearer, revoked":              "Authorization: Bearer " + revoked,
			"bearer sent twice":            "Authorization: Bearer " + good + "\nAuthorization: Bearer " + good,
			"bearer beside another scheme": "Authorization: Basic eDp5\nAuthorization: Bearer " + good,
			"empty Authorization":          "Authorization: ",
			"key without a scheme":         "Authorization: " + good,
			"key and empty Authorization":  "X-API-Key: " + good + "\nAuthorization: ",
		} {
			same(name, base+path, strings.Split(headers, "\n")...)
		}
		same("expired", baseSoon+path, "X-API-Key: "+expiring.Secret)
	}
	if want.Header.Get("WWW-Authenticate") != "Bearer" || !strings.Contains(want.body, "invalid API key") {
		t.Errorf("%v %s", want.Header, want.body)
	}
	if used := standingOf(t, base).Used; *used != 0 {
		t.Errorf("%d requests with wrong keys were counted as anonymous", *used)
	}
}

// docs/api.md, Keys and limits: with anonymous=0, a request without a key is 401. Addresses
// outside the interface and accounts still work.
func TestAnonymousDisabled(t *testing.T) {
	callers := newAccess(t, access.Limits{Essential: 100, Pro: 5000}, nil)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers, FreeAccounts: 1}))
	for _, path := range []string{"/api/datasets", "/api/datasets/1/chart.png", "/api/limits", "/api/followed", "/api/nothing"} {
		got := ask(t, "GET", base+path)
		wantError(t, got, 401)
		if !strings.Contains(got.body, "API key") || got.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %v %s", path, got.Header, got.body)
		}
	}
	for _, path := range []string{"/healthz", "/readyz", "/openapi.json", "/"} {
		if got := ask(t, "GET", base+path); got.StatusCode != 200 {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
	got := send(t, "POST", base+"/api/accounts", `{"name": "Newsroom"}`)
	var created struct{ Key string }
	if err := json.Unmarshal([]byte(got.body), &created); err != nil || got.StatusCode != 201 {
		t.Fatalf("an account: %d %s", got.StatusCode, got.body)
	}
	if got := ask(t, "GET", base+"/api/datasets", "X-API-Key: "+created.Key); got.StatusCode != 200 {
		t.Errorf("with its key: %d %s", got.StatusCode, got.body)
	}
}

// docs/api.md, Keys and limits: health, documentation, pages and images need no key and
// ignore keys.
func TestAddressesWithoutKeys(t *testing.T) {
	callers := newAccess(t, access.Limits{}, nil)
	pro := newAccess(t, access.Limits{Pro: 10}, nil)
	key := "X-API-Key: " + newKey(t, pro, "newsroom", access.Pro)
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers, Public: true}))
	picture := pathOf(t, post(t, serve(t, newAPI(t, api.Options{Store: s, Access: pro})), smallChart(""), key))
	for _, path := range []string{"/healthz", "/readyz", "/openapi.json", "/", picture} {
		for _, header := range []string{"X-None: x", "X-API-Key: wrong", "Authorization: Bearer wrong"} {
			got := ask(t, "GET", base+path, header)
			if got.StatusCode != 200 || strings.Contains(got.Header.Get("Vary"), "X-API-Key") {
				t.Errorf("%s with %s: %d, Vary %q", path, header, got.StatusCode, got.Header.Get("Vary"))
			}
			for _, name := range limitHeaders {
				if got.Header.Get(name) != "" {
					t.Errorf("%s with %s: unexpected header %s", path, header, name)
				}
			}
		}
	}
}

// A public service answers a key over plain HTTP with 403, without a redirect that would
// leak it. The scheme is X-Forwarded-Proto of a trusted proxy, else that of the connection.
func TestKeyOverPlainHTTP(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, nil)
	key := "X-API-Key: " + newKey(t, callers, "newsroom", access.Pro)
	var trusted access.Networks
	if err := trusted.UnmarshalText([]byte("10.0.0.0/8")); err != nil {
		t.Fatal(err)
	}
	o := api.Options{Store: sampleStore(t), Access: callers, Proxies: access.Proxies{Trusted: trusted}, Public: true, FreeAccounts: 1}
	a := newAPI(t, o)
	const proxy, client = "10.1.2.3:4000", "192.0.2.7:4000"
	for _, c := range []struct {
		name, peer, headers string
		status              int
	}{
		{"plain, with a key", client, key, 403},
		{"plain, with a wrong key, which was exposed as well", client, "X-API-Key: wrong", 403},
		{"plain, as Authorization: Bearer", client, "Authorization: Bearer wrong", 403},
		{"plain, without a key", client, "X-None: x", 200},
		{"X-Forwarded-Proto of an untrusted client", client, key + "\nX-Forwarded-Proto: https", 403},
		{"X-Forwarded-Proto of a proxy", proxy, key + "\nX-Forwarded-Proto: https", 200},
		{"… in capitals", proxy, key + "\nX-Forwarded-Proto: HTTPS", 200},
		{"a proxy that says http", proxy, key + "\nX-Forwarded-Proto: http", 403},
		{"a proxy that says nothing", proxy, key, 403},
		{"a chain of proxies", proxy, key + "\nX-Forwarded-Proto: https, HTTPS", 200},
		{"a hop over plain HTTP", proxy, key + "\nX-Forwarded-Proto: https, http", 403},
		{"a hop over plain HTTP before others", proxy, key + "\nX-Forwarded-Proto: http,https", 403},
		{"a hop over plain HTTP in the last line", proxy, key + "\nX-Forwarded-Proto: https\nX-Forwarded-Proto: http", 403},
	} {
		got := sendFrom(a, c.peer, "/api/datasets", strings.Split(c.headers, "\n")...)
		if got.StatusCode != c.status || got.Header.Get("Location") != "" {
			t.Errorf("%s: %d %s", c.name, got.StatusCode, got.body)
		}
		if c.status == 403 {
			wantError(t, got, 403)
		}
	}
	if got := send(t, "POST", serve(t, a)+"/api/accounts", `{"name": "Newsroom"}`); got.StatusCode != 403 {
		t.Errorf("an account over plain HTTP: %d %s", got.StatusCode, got.body)
	}
	server := httptest.NewTLSServer(a)
	defer server.Close()
	r, _ := http.NewRequest("GET", server.URL+"/api/datasets", nil)
	r.Header.Set("X-API-Key", strings.TrimPrefix(key, "X-API-Key: "))
	got, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if got.StatusCode != 200 {
		t.Errorf("over https: %d", got.StatusCode)
	}
	o.Public = false
	if got := sendFrom(newAPI(t, o), client, "/api/datasets", key); got.StatusCode != 200 {
		t.Errorf("plain HTTP on a service that is not public: %d", got.StatusCode)
	}
}
