package api_test

import (
	"context"
	"net/http"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// docs/api.md, Keys and limits: a tier may have a limit a minute beside the daily one, which others and what does not count
// are free of.
func TestBursts(t *testing.T) {
	now := clockAt(t, "2026-05-01T12:00:00Z")
	limits := access.Limits{Anonymous: 100, Essential: access.Unlimited, Pro: access.Unlimited}
	callers, err := access.Open(context.Background(), access.Options{Dir: t.TempDir(), Limits: limits, Bursts: access.Limits{Anonymous: 2, Essential: access.Unlimited}, Now: now.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { callers.Close() })
	a := newAPI(t, api.Options{Store: sampleStore(t), Access: callers})
	from := func(address, target string, status int) answer {
		t.Helper()
		got := sendFrom(a, address, target)
		if got.StatusCode != status {
			t.Errorf("%s from %s: %d %s, want %d", target, address, got.StatusCode, got.body, status)
		}
		return got
	}
	for range 2 {
		from("192.0.2.1:1", "/api/datasets", http.StatusOK)
	}
	refused := from("192.0.2.1:1", "/api/datasets", http.StatusTooManyRequests)
	for name, want := range map[string]string{
		"Retry-After": "30", "RateLimit-Policy": `"daily";q=100;w=86400, "burst";q=2;w=60`, "RateLimit": `"daily";r=98;t=43200, "burst";r=0;t=30`,
	} {
		if got := refused.Header[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	from("192.0.2.1:1", "/api/limits", http.StatusOK)
	from("192.0.2.2:1", "/api/datasets", http.StatusOK)
	now.set(t, "2026-05-01T12:00:30Z")
	from("192.0.2.1:1", "/api/datasets", http.StatusOK)
}

// docs/api.md, Keys and limits: a network that sends thousands of invalid keys in a minute gets 429 for them. A valid key works there.
func TestGuesses(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, clockAt(t, "2026-05-01T12:00:00Z").now)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers}))
	valid := newKey(t, callers, "newsroom", access.Pro)
	statuses := map[int]int{}
	for range 3010 {
		statuses[ask(t, "GET", base+"/api/limits", "X-API-Key: alm_guess").StatusCode]++
	}
	if statuses[http.StatusUnauthorized] != 3000 || statuses[http.StatusTooManyRequests] != 10 {
		t.Errorf("statuses of 3010 guesses: %v", statuses)
	}
	refused := ask(t, "GET", base+"/api/limits", "X-API-Key: alm_guess")
	if refused.Header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", refused.Header.Get("Retry-After"))
	}
	if got := ask(t, "GET", base+"/api/limits", "X-API-Key: "+valid); got.StatusCode != http.StatusOK {
		t.Errorf("a valid key from there: %d %s", got.StatusCode, got.body)
	}
}
