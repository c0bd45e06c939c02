package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/internal/update"
	"almanac/internal/watch"
)

// The display of a round shows the items under way with their size and duration, and
// below them the total, the speed and the remaining time.
func TestLiveRound(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	r := newLiveRound(began)
	at := func(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }
	see := func(seconds, width, rows int, want string) {
		t.Helper()
		got := strings.Join(r.lines(at(seconds), width, rows), "\n")
		if want = strings.Trim(want, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("a line is wider than %d: %q", width, line)
			}
		}
	}
	see(0, 80, 8, `0 of 0`)
	r.note(update.Event{Ref: "eurostat:une_rt_m", Stage: update.Waiting, Left: 4}, at(0))
	see(0, 80, 8, `0 of 4`)
	r.note(update.Event{Ref: "eurostat:une_rt_m", Stage: update.Fetching, Left: 4}, at(0))
	r.note(update.Event{Ref: "eurostat:une_rt_m", Stage: update.Fetching, Bytes: 3_000_000, Left: 4}, at(1))
	r.note(update.Event{Ref: "oecd:a-very-long-code-of-a-dataflow-that-does-not-end-where-others-do", Stage: update.Fetching, Left: 4}, at(1))
	see(2, 80, 8, `
  eurostat:une_rt_m                              fetching      3.0 MB      2.0 s
  oecd:a-very-long-code-of-a-dataflow-that-does… fetching                  1.0 s
0 of 4; 3.0 MB, 1.5 MB/s`)
	r.note(update.Event{Ref: "eurostat:une_rt_m", Stage: update.Importing, Bytes: 4_000_000, Left: 4}, at(3))
	see(4, 80, 1, `
  eurostat:une_rt_m                              importing     4.0 MB      4.0 s
  and 1 more
0 of 4; 4.0 MB, 1.0 MB/s`)
	r.note(update.Event{Ref: "eurostat:une_rt_m", Stage: update.Finished, Bytes: 4_000_000, Entry: &watch.Entry{Status: "updated"}, Left: 3}, at(5))
	r.note(update.Event{Ref: "eurostat:une_rt_m", Stage: update.Finished, Bytes: 4_000_000, Entry: &watch.Entry{Status: "created"}, Left: 3}, at(5)) // from the same response
	see(5, 80, 8, `
  oecd:a-very-long-code-of-a-dataflow-that-does… fetching                  4.0 s
1 of 4, 1 updated; 4.0 MB, 800 kB/s; 15 s left`)
	see(40, 40, 8, `
  oecd:… fetching                   39 s
1 of 4, 1 updated; 4.0 MB; 2 min 0 s l…`)
	r.note(update.Event{Ref: "ecb:EXR", Stage: update.Postponed, Entry: &watch.Entry{Status: "postponed"}, Left: 2}, at(40))
	see(40, 80, 8, `
  oecd:a-very-long-code-of-a-dataflow-that-does… fetching                   39 s
2 of 4, 1 updated, 1 postponed; 4.0 MB; 40 s left`)
	// The code of a dataset does not move the cursor.
	r.note(update.Event{Ref: "x:\x1b[2Jy", Stage: update.Fetching, Left: 3}, at(40))
	if got := strings.Join(r.lines(at(41), 80, 8), "\n"); strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}
