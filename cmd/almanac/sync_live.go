package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"almanac/internal/update"
)

// live shows on a terminal how a round goes, in lines that are drawn anew in
// their place: what is fetched and imported at the moment, and below it what is
// done, how fast it goes and how long the rest will take. Elsewhere it shows
// nothing.
type live struct {
	terminal *os.File // nil: none
	now      func() time.Time
	stop     chan struct{} // closed at the end
	stopped  chan struct{} // closed when nothing is drawn any more

	mu      sync.Mutex
	round   liveRound
	waiting []func() // to be written above the lines
	drawn   int      // lines that stand on the terminal now
}

// redraws is how often the lines are drawn anew.
const redraws = 200 * time.Millisecond

func newLive(w io.Writer, now func() time.Time) *live {
	l := &live{now: now, stop: make(chan struct{}), stopped: make(chan struct{}), round: newLiveRound(now())}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		l.terminal = f
	}
	return l
}

// start draws from now on.
func (l *live) start() {
	if l.terminal == nil {
		close(l.stopped)
		return
	}
	go func() {
		defer close(l.stopped)
		tick := time.NewTicker(redraws)
		defer tick.Stop()
		for {
			select {
			case <-l.stop:
				return
			case <-tick.C:
				l.draw()
			}
		}
	}()
}

// end writes what is left to be written and takes the lines away.
func (l *live) end() {
	close(l.stop)
	<-l.stopped
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write()
}

// note takes a step of an item in.
func (l *live) note(e update.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.round.note(e, l.now())
}

// above lets something be written where the lines stand, and the lines then
// stand below it: when they are drawn next, or at once if they are not drawn.
func (l *live) above(write func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, write)
	if l.terminal == nil {
		l.write()
	}
}

// write takes the lines away and writes what waits.
func (l *live) write() {
	l.clear()
	for _, write := range l.waiting {
		write()
	}
	l.waiting = nil
}

// draw writes what waits and draws the lines below it.
func (l *live) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write()
	width, height, err := term.GetSize(int(l.terminal.Fd()))
	if err != nil || width < 20 || height < 4 {
		width, height = 80, 24
	}
	lines := l.round.lines(l.now(), width, min(height-2, liveRows))
	fmt.Fprint(l.terminal, strings.Join(lines, "\n")+"\n")
	l.drawn = len(lines)
}

// clear takes the lines from the terminal: up to the first, and away all below.
func (l *live) clear() {
	if l.drawn > 0 {
		fmt.Fprintf(l.terminal, "\x1b[%dA\r\x1b[J", l.drawn)
		l.drawn = 0
	}
}

// liveRows is how many items are shown at most.
const liveRows = 8

// liveRound is what is known of a round. It draws nothing itself.
type liveRound struct {
	began   time.Time
	running []liveItem // in the order in which they began
	left    int
	over    map[string]bool
	ended   map[string]int // by status
	bytes   int64          // of items that are over
	marks   []liveMark
}

func newLiveRound(began time.Time) liveRound {
	return liveRound{began: began, over: map[string]bool{}, ended: map[string]int{}}
}

// liveItem is an item that is fetched or imported.
type liveItem struct {
	ref   string
	stage update.Stage
	bytes int64
	began time.Time
}

// liveMark is how many bytes had come at a time.
type liveMark struct {
	at    time.Time
	bytes int64
}

// note takes a step of an item in.
func (r *liveRound) note(e update.Event, now time.Time) {
	r.left = e.Left
	i := slices.IndexFunc(r.running, func(item liveItem) bool { return item.ref == e.Ref })
	switch e.Stage {
	case update.Finished, update.Postponed:
		if i >= 0 {
			r.running = slices.Delete(r.running, i, i+1)
		}
		if r.over[e.Ref] { // another dataset of the same answer
			return
		}
		r.over[e.Ref] = true
		r.bytes += e.Bytes
		if e.Entry != nil {
			r.ended[e.Entry.Status]++
		}
	case update.Fetching, update.Importing:
		if i < 0 {
			r.running = append(r.running, liveItem{ref: e.Ref, began: now})
			i = len(r.running) - 1
		}
		r.running[i].stage, r.running[i].bytes = e.Stage, e.Bytes
	}
}

// lines are the lines to be drawn, at most rows items and the summary, none
// wider than width.
func (r *liveRound) lines(now time.Time, width, rows int) []string {
	var lines []string
	for _, item := range r.running[:min(len(r.running), rows)] {
		lines = append(lines, item.line(now, width))
	}
	if more := len(r.running) - rows; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return append(lines, r.summary(now, width))
}

// line shows an item: what it is, what is done with it, how much has come and
// how long it takes already.
func (item liveItem) line(now time.Time, width int) string {
	const rest = 2 + 11 + 10 + 11 // what stands beside the reference
	size := ""
	if item.bytes > 0 {
		size = humanize.Bytes(uint64(item.bytes))
	}
	return fmt.Sprintf("  %s %-10s %9s %10s", fit(printable(item.ref), width-rest), item.stage, size, tookText(now.Sub(item.began)))
}

// fit cuts or fills a text to a width.
func fit(text string, width int) string {
	runes := []rune(text)
	if len(runes) > width {
		return string(runes[:max(0, width-1)]) + "…"
	}
	return text + strings.Repeat(" ", width-len(runes))
}

// summary shows what is done, how fast it goes, and how long the rest will take.
func (r *liveRound) summary(now time.Time, width int) string {
	done := len(r.over)
	text := fmt.Sprintf("%d of %d", done, done+r.left)
	for _, status := range []string{"created", "updated", "unchanged", "quarantined", "refused", "failed", "postponed"} {
		if n := r.ended[status]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, status)
		}
	}
	bytes := r.bytes
	for _, item := range r.running {
		bytes += item.bytes
	}
	if bytes > 0 {
		text += "; " + humanize.Bytes(uint64(bytes))
		if rate := r.rate(now, bytes); rate > 0 {
			text += ", " + humanize.Bytes(uint64(rate)) + "/s"
		}
	}
	if elapsed := now.Sub(r.began); done > 0 && r.left > 0 {
		text += "; " + tookText(elapsed/time.Duration(done)*time.Duration(r.left)) + " left"
	}
	return strings.TrimRight(fit(text, width-1), " ")
}

// rate is how many bytes came in each of the last seconds.
func (r *liveRound) rate(now time.Time, bytes int64) float64 {
	const span = 5 * time.Second
	if r.marks == nil {
		r.marks = []liveMark{{at: r.began}}
	}
	r.marks = append(r.marks, liveMark{now, bytes})
	for len(r.marks) > 2 && now.Sub(r.marks[0].at) > span {
		r.marks = r.marks[1:]
	}
	first := r.marks[0]
	if !now.After(first.at) {
		return 0
	}
	return float64(max(0, bytes-first.bytes)) / now.Sub(first.at).Seconds()
}
