package offices_test

import (
	"net/http"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/replay/jsonstattest"
	"almanac/internal/source/replay/pxwebtest"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
)

// A list of contents may be published before the data and must not hide a later
// release. All kinds of servers therefore store a new time only when it is two days old,
// and a day only when it is over.
func TestListAheadOfData(t *testing.T) {
	dir := stattest.DataDir(t)
	pxweb, err := pxwebtest.New(dir, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		office, code string
		handler      http.Handler
	}{
		{"eurostat", "sdg_08_10", eurostattest.New(dir)},
		{"ecb", "EXR", sdmxtest.Offices(dir)["ecb"]},
		{"statcan", "34100158", sdmxtest.StatCan(dir)},
		{"cso", "NQQ25", jsonstattest.New(dir)},
		{"scb", "TAB2936", pxweb},
	} {
		t.Run(c.office, func(t *testing.T) {
			replayServer := sourcetest.CloseAtEnd(t, replay.Serve(c.handler))
			clock := sourcetest.NewClock()
			s := sourcetest.NewServer(t, clock, sourcetest.OfficeAt(t, c.office, replayServer))
			old, now := clock.Now().AddDate(0, -1, 0).Add(time.Minute), clock.Now().Add(-time.Hour)
			fetchAt := func(at time.Time, known source.State) *source.Download {
				t.Helper()
				return sourcetest.MustFetch(t, s, source.Request{Code: c.code, Known: known, Listed: &source.Entry{Code: c.code, Updated: at}})
			}
			first := fetchAt(old, source.State{})
			if first.Unchanged || !first.State.Updated.Equal(old) {
				t.Fatalf("first fetch: got %+v", first)
			}
			ahead := fetchAt(now, first.State)
			if !ahead.Unchanged || !ahead.State.Updated.Equal(old) {
				t.Fatalf("list ahead of the data: got unchanged %v and time %v, want time %v", ahead.Unchanged, ahead.State.Updated, old)
			}
			if again := fetchAt(now.Add(-48*time.Hour), ahead.State); !again.Unchanged || !again.State.Updated.Equal(now.Add(-48*time.Hour)) {
				t.Errorf("time of two days ago: got unchanged %v, stored time %v", again.Unchanged, again.State.Updated)
			}
			today := time.Date(2025, time.March, 3, 0, 0, 0, 0, time.UTC)
			if day := fetchAt(today, source.State{}); day.Unchanged || !day.State.Updated.IsZero() {
				t.Errorf("day that is not over: got stored time %v, want none", day.State.Updated)
			}
			if requests := len(replayServer.Requests("/")); requests < 4 {
				t.Errorf("got %d requests, want at least 4", requests)
			}
		})
	}
}
