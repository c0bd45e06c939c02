package portal

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A page that its reader no longer waits for is no error of the service, and breaks off.
func TestGivenUpPage(t *testing.T) {
	var log bytes.Buffer
	p, err := New(Options{BaseURL: "http://127.0.0.1", Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	handler := p.serve(func(one *page) error { return one.r.Context().Err() })
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	defer func() {
		if got := recover(); got != http.ErrAbortHandler || strings.Contains(log.String(), "failed") {
			t.Errorf("the page ends with %v; the log: %s", got, log.String())
		}
	}()
	handler(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/", nil))
}

func TestTimeLeft(t *testing.T) {
	for seconds, want := range map[int]string{1: "1 s", 59: "59 s", 60: "1 min", 61: "2 min", 3600: "1 h 0 min", 35700: "9 h 55 min"} {
		if got := strings.ReplaceAll(timeLeft(seconds), "\u00a0", " "); got != want {
			t.Errorf("%d seconds are %s, want %s", seconds, got, want)
		}
	}
}
