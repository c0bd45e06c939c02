package update_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/internal/source/replay"
	"almanac/internal/update"
)

// An office that blocks requests, or whose quota is used up, is paused at the first
// answer, for longer each time.
func TestBlockedOffice(t *testing.T) {
	for name, fault := range map[string]replay.Fault{
		"firewall": {Match: "/data/", Status: http.StatusForbidden, Body: "<!DOCTYPE html><title>Attention Required!</title>"},
		"quota":    {Match: "/data/", Status: http.StatusTooManyRequests, Body: "You have exceeded the number of requests permitted"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 4)
			w.watch("made:*")
			w.server.Fault(fault)
			for _, pause := range []time.Duration{5 * time.Minute, 10 * time.Minute, 20 * time.Minute} {
				w.server.Forget()
				w.wantSync(update.Summary{Items: 4, Failed: 1, Postponed: 3})
				o := w.office("made")
				if n := len(w.server.Requests("/data/")); n != 1 || o.Until.Sub(w.clock()) != pause || o.Deferred || !strings.Contains(o.Error, "status 4") {
					t.Errorf("got %d requests, and the office is %+v at %v, want a pause of %v", n, o, w.clock(), pause)
				}
				w.pass(2 * time.Hour)
			}
			w.server.Mend()
			w.wantSync(update.Summary{Items: 4, Created: 4})
		})
	}
}
