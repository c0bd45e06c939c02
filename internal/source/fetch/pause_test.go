package fetch_test

import (
	"net/http"
	"testing"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

// A 403 with a web page and a quota without the time of its end are not retried, and the
// server asks for a pause. A 403 with another body is a refusal.
func TestBlocked(t *testing.T) {
	for _, c := range []struct {
		name    string
		fault   replay.Fault
		request fetch.Request
		reason  fetch.Reason
		tries   int
		pause   bool
	}{
		{"firewall", replay.Fault{Status: 403, Body: "<!DOCTYPE html><title>Attention Required!</title>"}, fetch.Request{}, fetch.Blocked, 1, true},
		{"refusal", replay.Fault{Status: 403, Body: "too many cells"}, fetch.Request{}, fetch.Denied, 1, false},
		{"query", replay.Fault{Status: 403, Body: "<html><title>403</title>"}, fetch.Request{Body: []byte("{}")}, fetch.Denied, 1, false},
		{"quota", replay.Fault{Status: 429, Body: "You have exceeded the number of requests. Please contact us"}, fetch.Request{}, fetch.Busy, 1, true},
		{"rate", replay.Fault{Status: 429, Body: "Too many requests"}, fetch.Request{}, fetch.Busy, 4, true},
		{"outage", replay.Fault{Status: 503, Body: "<html>"}, fetch.Request{}, fetch.Busy, 4, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, replay.NewFiles(nil))
			s.Fault(c.fault)
			client, _ := newClient(t)
			c.request.Address = s.URL
			_, _, err := client.Read(t.Context(), c.request, 100)
			failed := failure(t, err, c.reason)
			if failed.Tries != c.tries || failed.Pause() != c.pause || len(s.Requests("")) != c.tries {
				t.Errorf("got %d attempts, pause %t, want %d, %t", failed.Tries, failed.Pause(), c.tries, c.pause)
			}
		})
	}
}

// The pause between downloads of data and the pause that a 429 asks for on them do not
// delay other requests.
func TestDataPause(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("data")) }))
	client, clock := newClient(t)
	get := func(path string, pause time.Duration) error {
		_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + path, DataPause: pause}, 100)
		return err
	}
	for _, step := range []struct {
		path  string
		pause time.Duration
		want  time.Duration // in all
	}{{"/data/1", time.Minute, 0}, {"/list", 0, 0}, {"/data/2", time.Minute, time.Minute}, {"/list", 0, time.Minute}, {"/data/3", time.Minute, 2 * time.Minute}} {
		if err := get(step.path, step.pause); err != nil || clock.total() != step.want {
			t.Errorf("%s: got %v after %v, want %v", step.path, err, clock.total(), step.want)
		}
	}
	s.Fault(replay.Fault{Match: "/data/", Status: 429, After: "3600", Times: 1})
	if failed := failure(t, get("/data/4", time.Second), fetch.Busy); failed.After != time.Hour {
		t.Errorf("got %v, want a pause of an hour", failed)
	}
	if err := get("/list", 0); err != nil {
		t.Errorf("a list during the pause: %v", err)
	}
	if failed := failure(t, get("/data/5", time.Second), fetch.Busy); failed.Tries != 1 {
		t.Errorf("data during the pause: got %v", failed)
	}
}
