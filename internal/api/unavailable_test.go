package api_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// lineCounter is a log that counts its lines.
type lineCounter struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lineCounter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lineCounter) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), "request failed")
}

// docs/api.md, All responses: temporary failures are 503 with Retry-After. If all
// requests fail alike, the log has one line a second. Requests that do not count still
// succeed.
func TestCountingUnavailable(t *testing.T) {
	now := clockAt(t, "2025-11-21T10:20:30Z")
	callers := newAccess(t, access.Limits{Anonymous: 3, Essential: 100, Pro: access.Unlimited}, now.now)
	key := newKey(t, callers, "desk", access.Essential)
	var log lineCounter
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers, Now: now.now, Log: slog.New(slog.NewTextHandler(&log, nil))}))
	if err := callers.Close(); err != nil { // from here on, nothing can be counted
		t.Fatal(err)
	}
	for range 3 {
		for _, headers := range []string{"X-None: x", "X-API-Key: " + key} {
			got := ask(t, "GET", base+"/api/datasets", headers)
			wantError(t, got, 503)
			if got.Header.Get("Retry-After") == "" || got.Header.Get("RateLimit") != "" {
				t.Errorf("headers are %v", got.Header)
			}
		}
	}
	if n := log.count(); n != 1 {
		t.Errorf("within a second, the log has %d lines", n)
	}
	now.set(t, "2025-11-21T10:20:31Z")
	wantError(t, ask(t, "GET", base+"/api/datasets"), 503)
	if n := log.count(); n != 2 {
		t.Errorf("a second later, the log has %d lines", n)
	}
	for _, path := range []string{"/healthz", "/openapi.json", "/"} {
		if got := ask(t, "GET", base+path); got.StatusCode != 200 {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
	if got := ask(t, "GET", base+"/api/datasets", "X-API-Key: wrong"); got.StatusCode != 401 {
		t.Errorf("a wrong key: %d", got.StatusCode)
	}
}
