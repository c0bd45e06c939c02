package fetch_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

// A download that is too slow or does not begin is abandoned and not retried. The
// test uses real time; without the limits each case would take an hour, so a slow
// machine cannot make it fail.
func TestTooSlow(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/data", strings.Repeat("x", 10_000))
	s := serve(t, files)
	for _, c := range []struct {
		name    string
		fault   replay.Fault
		set     func(*fetch.Options)
		message string
	}{
		{"stalls after one byte", replay.Fault{Slow: time.Hour}, func(o *fetch.Options) { o.Stall = 100 * time.Millisecond }, "fewer than 102 bytes in 100ms"},
		{"too few bytes a second", replay.Fault{Slow: 20 * time.Millisecond}, func(o *fetch.Options) { o.Stall = 200 * time.Millisecond }, "fewer than 204 bytes in 200ms"},
		{"no response", replay.Fault{Delay: time.Hour}, func(o *fetch.Options) { o.Time = 100 * time.Millisecond }, ""},
		{"exceeds the time limit", replay.Fault{Slow: time.Hour}, func(o *fetch.Options) { o.Time = 100 * time.Millisecond }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.Mend()
			s.Fault(c.fault)
			client, _ := newClient(t, c.set, func(o *fetch.Options) { o.Tries = 2 })
			dir := t.TempDir()
			_, err := client.Save(t.Context(), fetch.Request{Address: s.URL + "/data"}, filepath.Join(dir, "f"))
			failed := failure(t, err, fetch.Slow)
			if !strings.Contains(failed.Error(), c.message) || failed.Tries != 1 || !failed.Outage() {
				t.Errorf("got %v, want it to contain %q", failed, c.message)
			}
			wantEmpty(t, dir)
		})
	}
}

// The first byte may take longer than the stall time, because a large query takes
// time.
func TestSlowStart(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/data", strings.Repeat("x", 4000))
	s := serve(t, files)
	s.Fault(replay.Fault{Delay: 700 * time.Millisecond})
	client, _ := newClient(t, func(o *fetch.Options) { o.Stall = 400 * time.Millisecond; o.Tries = 1 })
	if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/data"}, 4000); err != nil {
		t.Error(err)
	}
}

// The status decides even if the body of an error never arrives in full.
func TestSlowRefusal(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("there is no"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	client, _ := newClient(t, func(o *fetch.Options) { o.Stall = 50 * time.Millisecond })
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL}, 100)
	if failed := failure(t, err, fetch.Missing); string(failed.Body) != "there is no" {
		t.Errorf("got %v", failed)
	}
}
