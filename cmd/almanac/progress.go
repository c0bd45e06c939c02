package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"almanac/internal/update"
)

// live shows the progress of a round on a terminal, in lines that are redrawn
// in place: the items that are fetched and imported now, and below them the
// total, the speed and the remaining time. Elsewhere it shows nothing.
type live struct {
	terminal *os.File      // nil if standard error is not a terminal
	stop     chan struct{} // closed by end
	stopped  chan struct{} // closed after the last redraw

	mu    sync.Mutex
	round liveRound
	drawn int // lines on the terminal now
}

const redrawInterval = 200 * time.Millisecond

func newLive(w io.Writer) *live {
	return &live{terminal: terminalOf(w), stop: make(chan struct{}), stopped: make(chan struct{}), round: newLiveRound(time.Now())}
}

func terminalOf(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

func (l *live) start() {
	if l.terminal == nil {
		close(l.stopped)
		return
	}
	go func() {
		defer close(l.stopped)
		tick := time.NewTicker(redrawInterval)
		defer tick.Stop()
		for {
			select {
			case <-l.stop:
				return
			case <-tick.C:
				l.above(func() {})
			}
		}
	}()
}

func (l *live) end() {
	close(l.stop)
	<-l.stopped
	l.clear()
}

func (l *live) note(e update.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.round.note(e, time.Now())
}

// above calls write, which writes text above the lines, and draws the lines anew.
func (l *live) above(write func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	write()
	if l.terminal == nil {
		return
	}
	width, height, err := term.GetSize(int(l.terminal.Fd()))
	if err != nil || width < 20 || height < 4 {
		width, height = 80, 24
	}
	lines := l.round.lines(time.Now(), width, min(height-2, maxLiveRows))
	fmt.Fprint(l.terminal, strings.Join(lines, "\n")+"\n")
	l.drawn = len(lines)
}

// clear moves up to the first line and clears everything below.
func (l *live) clear() {
	if l.drawn > 0 {
		fmt.Fprintf(l.terminal, "\x1b[%dA\r\x1b[J", l.drawn)
		l.drawn = 0
	}
}

const maxLiveRows = 8

type liveRound struct {
	began   time.Time
	running []liveItem // in the order of their start
	left    int
	over    map[string]bool
	ended   map[string]int // by status
	bytes   int64          // of finished items
	marks   []liveMark
}

func newLiveRound(began time.Time) liveRound {
	return liveRound{began: began, over: map[string]bool{}, ended: map[string]int{}}
}

type liveItem struct {
	ref   string
	stage update.Stage
	bytes int64
	began time.Time
}

// liveMark is the number of bytes received at a time.
type liveMark struct {
	at    time.Time
	bytes int64
}

func (r *liveRound) note(e update.Event, now time.Time) {
	r.left = e.Left
	i := slices.IndexFunc(r.running, func(item liveItem) bool { return item.ref == e.Ref })
	switch e.Stage {
	case update.Finished, update.Postponed:
		if i >= 0 {
			r.running = slices.Delete(r.running, i, i+1)
		}
		if r.over[e.Ref] { // another dataset of the same download
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

// lines returns the lines to draw, none wider than width: at most rows items,
// and the summary.
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

// line shows an item with its stage, its size so far and its duration.
func (item liveItem) line(now time.Time, width int) string {
	const rest = 2 + 11 + 10 + 11 // everything but the reference
	size := ""
	if item.bytes > 0 {
		size = humanize.Bytes(uint64(item.bytes))
	}
	return fmt.Sprintf("  %s %-10s %9s %10s", fit(printable(item.ref), width-rest), item.stage, size, tookText(now.Sub(item.began)))
}

func fit(text string, width int) string {
	runes := []rune(text)
	if len(runes) > width {
		return string(runes[:max(0, width-1)]) + "…"
	}
	return text + strings.Repeat(" ", width-len(runes))
}

// summary shows the total, the speed and the remaining time.
func (r *liveRound) summary(now time.Time, width int) string {
	done := len(r.over)
	text := strings.Join(append([]string{fmt.Sprintf("%d of %d", done, done+r.left)}, statusCounts(r.ended)...), ", ")
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

// rate is the number of bytes per second over the last five seconds.
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

// bar shows on a terminal how much of a file has been read, the speed, and the
// remaining time.
type bar struct {
	terminal *os.File // nil if standard error is not a terminal
	file     string
	shown    *progressbar.ProgressBar
}

func (b *bar) start(file string) { b.file, b.shown = filepath.Base(file), nil }

func (b *bar) show(done, total int64) {
	if b.terminal == nil {
		return
	}
	if b.shown == nil {
		b.shown = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.terminal),
			progressbar.OptionSetDescription(b.file),
			progressbar.OptionShowBytes(true),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	_ = b.shown.Set64(done) // the import goes on without the bar
}

func (b *bar) end() {
	if b.shown != nil {
		_ = b.shown.Clear()
	}
}
