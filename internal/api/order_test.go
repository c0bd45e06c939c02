package api_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/request"
)

// docs/api.md, Keys and limits: order of checks: 401, 404 for an unknown route, 405, 429,
// 413/415, 400/404, 304, 200. 403 for a key over plain HTTP comes
// first, and OPTIONS is always allowed. Each request has two errors; the first one is
// reported.
func TestOrderOfChecks(t *testing.T) {
	callers := newAccess(t, access.Limits{Anonymous: 1, Essential: 1, Pro: 1000}, nil)
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers}))
	public := serve(t, newAPI(t, api.Options{Store: s, Access: callers, Public: true}))
	pro := "X-API-Key: " + newKey(t, callers, "newsroom", access.Pro)
	spent := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	const wrong, none = "X-API-Key: wrong", "X-None: x"
	const generate, matches = "/api/charts/generate-png", "If-None-Match: *"
	for _, header := range []string{spent, none} {
		if got := ask(t, "GET", base+"/api/datasets", header); got.StatusCode != 200 {
			t.Fatalf("%d %s", got.StatusCode, got.body)
		}
	}
	large := strings.Repeat(" ", request.MaxChart+1)
	for _, c := range []struct {
		rule, base, method, path, body, headers string
		status                                  int
	}{
		{"403 before 401", public, "GET", "/api/datasets", "", wrong, 403},
		{"403 before an unknown route", public, "GET", "/api/nothing", "", pro, 403},
		{"403 before 405", public, "PUT", "/api/datasets", "", pro, 403},
		{"403 before 429", public, "GET", "/api/datasets", "", spent, 403},
		{"401 before an unknown route", base, "GET", "/api/nothing", "", wrong, 401},
		{"401 before 405", base, "PUT", "/api/datasets", "", wrong, 401},
		{"401 before 415", base, "POST", generate, "{", wrong + "\nContent-Type: text/plain", 401},
		{"401 before 400", base, "GET", "/api/datasets?page=x", "", wrong, 401},
		{"401 before 404", base, "GET", "/api/datasets/77", "", wrong, 401},
		{"401 before 304", base, "GET", "/api/datasets", "", wrong + "\n" + matches, 401},
		{"401 for a missing key before 405", base, "POST", "/api/followed", "", none, 401},
		{"401 for a missing key before 429", base, "GET", "/api/followed", "", none, 401},
		{"401 for followed before 429", base, "GET", "/api/datasets/1/data?followed=true", "", none, 401},
		{"401 for followed before 429 and 400", base, "GET", "/api/datasets/1/data?x=y&followed=1", "", none, 401},
		{"401 for a followed chart before 429", base, "GET", "/api/datasets/1/chart.svg?followed=true", "", none, 401},
		{"401 for the body of a followed chart before 429", base, "POST", generate, `{"datasetId": 1, "chartType": "line", "dimensions_query": "followed=true"}`, none, 401},
		{"429 for followed with a key", base, "GET", "/api/datasets/1/data?followed=true", "", spent, 429},
		{"429 for followed=false", base, "GET", "/api/datasets/1/data?followed=false", "", none, 429},
		{"429 for the body of another chart", base, "POST", generate, smallChart(""), none, 429},
		{"an unknown route before 429", base, "GET", "/api/nothing", "", spent, 404},
		{"405 before 429", base, "PUT", "/api/datasets", "", spent, 405},
		{"429 before 413", base, "POST", generate, large, spent, 429},
		{"429 before 415", base, "POST", generate, "{", spent + "\nContent-Type: text/plain", 429},
		{"429 before 400", base, "GET", "/api/datasets?page=x", "", spent, 429},
		{"429 before 404", base, "GET", "/api/datasets/77", "", spent, 429},
		{"429 before 304", base, "GET", "/api/datasets", "", spent + "\n" + matches, 429},
		{"413 before 400", base, "POST", generate + "?x=y", large, pro, 413},
		{"413 before 404", base, "PUT", "/api/followed/77", large, pro, 413},
		{"415 before 400", base, "POST", generate + "?x=y", "{", pro + "\nContent-Type: text/plain", 415},
		{"415 before 404", base, "PUT", "/api/followed/77", "{}", pro + "\nContent-Type: text/plain", 415},
		{"400 before 304", base, "GET", "/api/datasets?page=x", "", pro + "\n" + matches, 400},
		{"404 before 304", base, "GET", "/api/datasets/77", "", pro + "\n" + matches, 404},
		{"304 before 200", base, "GET", "/api/datasets", "", pro + "\n" + matches, 304},
		{"200", base, "GET", "/api/datasets", "", pro, 200},
		{"OPTIONS needs no valid key", base, "OPTIONS", "/api/datasets", "", wrong, 204},
		{"OPTIONS needs no encryption", public, "OPTIONS", "/api/datasets", "", pro, 204},
		{"OPTIONS needs no requests left", base, "OPTIONS", "/api/datasets", "", spent, 204},
		{"OPTIONS of an address that requires a key", base, "OPTIONS", "/api/followed/1", "", none, 204},
		{"OPTIONS of an unknown address", base, "OPTIONS", "/api/nothing", "", wrong, 204},
	} {
		got := send(t, c.method, c.base+c.path, c.body, strings.Split(c.headers, "\n")...)
		if got.StatusCode != c.status {
			t.Errorf("%s: %d %s, want %d", c.rule, got.StatusCode, got.body, c.status)
		}
		if c.status >= 400 {
			wantError(t, got, c.status)
		}
		if got.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: no CORS headers", c.rule)
		}
		if (got.Header.Get("WWW-Authenticate") == "Bearer") != (c.status == 401) {
			t.Errorf("%s: WWW-Authenticate is %q", c.rule, got.Header.Get("WWW-Authenticate"))
		}
	}
}

// Responses to callers with a key or a limit are private, and every response of the
// interface varies by caller.
func TestPrivateResponses(t *testing.T) {
	base, callers := serveLimited(t, access.Limits{Anonymous: access.Unlimited, Essential: 100, Pro: access.Unlimited})
	for header, want := range map[string]string{
		"X-None: x": "no-cache",
		"X-API-Key: " + newKey(t, callers, "desk", access.Essential): "private, no-cache",
		"X-API-Key: " + newKey(t, callers, "newsroom", access.Pro):   "private, no-cache",
	} {
		for _, path := range []string{"/api/datasets", "/api/datasets/1", "/api/datasets/1/data?country=Germany", "/api/datasets/1/chart.svg"} {
			got := ask(t, "GET", base+path, header)
			again := ask(t, "GET", base+path, header, "If-None-Match: "+got.Header.Get("ETag"))
			for _, each := range []answer{got, again} {
				if each.Header.Get("Cache-Control") != want || each.Header.Get("Vary") != varyOf(path) {
					t.Errorf("%s, %d: Cache-Control is %q, Vary %q", path, each.StatusCode, each.Header.Get("Cache-Control"), each.Header.Get("Vary"))
				}
			}
			if again.StatusCode != 304 {
				t.Errorf("%s requested again: %d", path, again.StatusCode)
			}
		}
	}
	few, _ := serveLimited(t, access.Limits{Anonymous: 10})
	for _, path := range []string{"/api/datasets/77", "/api/datasets/x", "/api/nothing"} {
		if got := ask(t, "GET", base+path); got.Header.Get("Vary") != varyOf(path) || got.Header.Get("Cache-Control") != "" {
			t.Errorf("%s: Vary is %q, Cache-Control %q", path, got.Header.Get("Vary"), got.Header.Get("Cache-Control"))
		}
		got := ask(t, "GET", few+path)
		if tells := got.Header.Get("RateLimit") != ""; tells != (got.Header.Get("Cache-Control") == "private, no-cache") {
			t.Errorf("%s with a limit: %v", path, got.Header)
		}
	}
}

// No log and no error contains a key, wherever it is in the request.
func TestKeysAreRedacted(t *testing.T) {
	var logged serverLog
	callers := newAccess(t, access.DefaultLimits, nil)
	key, err := callers.CreateKey(t.Context(), access.KeyRequest{Account: "newsroom", Tier: access.Pro})
	if err != nil {
		t.Fatal(err)
	}
	s := sampleStore(t)
	a := newAPI(t, api.Options{Store: s, Access: callers, FreeAccounts: 3, Log: slog.New(slog.NewTextHandler(&logged, nil))})
	api.AddStream(a, "/api/broken", func(func(string) error) error { panic("with " + key.Secret) })
	base := serve(t, a)
	header, secret := "X-API-Key: "+key.Secret, key.Secret[12:]
	errors := 0
	see := func(got answer) {
		t.Helper()
		if got.StatusCode < 400 {
			t.Errorf("%s %s: %d", got.Request.Method, got.Request.URL, got.StatusCode)
		}
		for _, value := range got.Header {
			if strings.Contains(strings.Join(value, " "), secret) {
				t.Errorf("a header repeats the key: %v", got.Header)
			}
		}
		if strings.Contains(got.body, secret) {
			t.Errorf("%s %s: %s", got.Request.Method, got.Request.URL.Path, got.body)
		}
		errors++
	}
	for _, path := range []string{"/api/broken?key=", "/api/datasets?api_key=", "/api/datasets?page=", "/api/datasets/", "/", "/api/", "/charts/", "/api/followed/", "/api/datasets/1/data?period="} {
		see(ask(t, "GET", base+path+key.Secret, header))
		see(ask(t, "BREW", base+path+key.Secret, header))
	}
	see(ask(t, "GET", base+"/api/datasets", header+"x"))
	see(post(t, base, `{"datasetId": "`+key.Secret+`"}`))
	see(post(t, base, `{"`+key.Secret+`": 1}`))
	see(send(t, "PUT", base+"/api/followed/1", `{"country": "`+key.Secret+`"}`, header))
	see(send(t, "POST", base+"/api/accounts", `{"`+key.Secret+`": ""}`))
	see(send(t, "POST", base+"/api/accounts", "", "Content-Type: "+key.Secret))
	if text := logged.String(); strings.Contains(text, secret) || !strings.Contains(text, "alm_"+key.ID) {
		t.Errorf("the log: %s", text)
	}
	if errors < 20 {
		t.Errorf("only %d errors were checked", errors)
	}
}

// 403, 401 and 429 are error objects too.
func TestAdmissionErrorsAreObjects(t *testing.T) {
	base, _ := serveLimited(t, access.Limits{})
	got := ask(t, "GET", base+"/api/datasets")
	var members map[string]any
	if err := json.Unmarshal([]byte(got.body), &members); err != nil || len(members) != 2 || members["statusCode"] != 401.0 {
		t.Errorf("%s: %v", got.body, err)
	}
}
