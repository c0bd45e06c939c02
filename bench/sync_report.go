package main

import (
	"fmt"
	"strings"
	"time"
)

const syncHeading = "## Keeping datasets up to date\n"

// Goals of two rounds over 10,000 datasets.
const (
	firstGoal  = 10 * time.Minute
	secondGoal = time.Minute
	memoryGoal = 500 << 20
)

// write writes a section.
func (s *syncRun) write(b *strings.Builder) {
	idle, busy := quantile(s.idle, 50), quantile(s.busy, 50)
	ratio := float64(busy) / float64(idle)
	fmt.Fprintf(b, syncHeading+"\nAn office on the loopback (a file server in a process of its own, `Last-Modified` its only validator) has %d datasets of %d observations each, files of all these formats in turn. "+
		"They are watched by one pattern, and `almanac sync` makes two rounds, with one connection to the office.\n\n"+
		"| round | seconds | goal | ms a dataset | created | unchanged | peak MB | goal |\n|---|--:|--:|--:|--:|--:|--:|--:|\n", s.datasets, s.cells)
	for _, r := range []struct {
		name string
		round
		goal time.Duration
	}{{"all are new", s.first, firstGoal}, {"nothing has changed", s.second, secondGoal}} {
		fmt.Fprintf(b, "| %s | **%.0f** | %s | %.1f | %d | %d | %.0f | %s |\n", r.name, r.took.Seconds(), verdict(r.took <= r.goal, r.goal.String()),
			r.took.Seconds()*1e3/float64(max(1, s.datasets)), r.Created, r.Unchanged, float64(r.peak)/1e6, verdict(r.peak <= memoryGoal, "500 MiB"))
	}
	fmt.Fprintf(b, "\nDuring the first round a server on the same store was asked for a catalog page of 100 every %v: median **%s** ms, p99 %s ms, beside %s and %s ms before it: **%s** times the idle median (goal %s). "+
		"A tenth as many datasets of others were there before, so that the page had its length.\n\n",
		askEvery, millis(busy), millis(quantile(s.busy, 99)), millis(idle), millis(quantile(s.idle, 99)), figure(ratio), verdict(ratio <= latencyGoal, figure(latencyGoal)))
}
