package store

import (
	"math"
	"slices"
)

// run is the selected part of a series: the observations from first to before end. If it leaves
// out no period between them, from is the period of the first, else -1.
type run struct{ first, end, from int32 }

// indexGaps sets the first periods of the series that leave out no period. Most series of most
// offices do not, and then nothing needs to read the periods of their observations.
func (c *columns) indexGaps() {
	c.from = make([]int32, c.seriesCount())
	for s := range c.from {
		c.from[s] = -1
		if periods := c.period[c.start[s]:c.start[s+1]]; len(periods) > 0 && int(periods[len(periods)-1]-periods[0]) == len(periods)-1 {
			c.from[s] = periods[0]
		}
	}
}

// periodIn returns the period of an observation of a run.
func (c *columns) periodIn(r run, i int32) int32 {
	if r.from >= 0 {
		return r.from + i - r.first
	}
	return c.period[i]
}

// all returns all observations of a series.
func (c *columns) all(s int32) run { return run{c.start[s], c.start[s+1], c.from[s]} }

// within returns the observations of a series between a span's first and last period.
func (c *columns) within(s int32, sp span) run {
	first, end := c.start[s], c.start[s+1]
	if from := c.from[s]; from >= 0 {
		lo := min(max(sp.lo-from, 0), end-first)
		hi := min(max(sp.hi-from, lo), end-first)
		return run{first + lo, first + hi, from + lo}
	}
	periods := c.period[first:end]
	lo, _ := slices.BinarySearch(periods, sp.lo)
	hi, _ := slices.BinarySearch(periods[lo:], sp.hi)
	return run{first + int32(lo), first + int32(lo+hi), -1}
}

// lastIn returns the last period of a span, after another one, in which a series has a value. If there
// is none, it returns a period that is not after the other one.
func (c *columns) lastIn(s int32, sp span, after int32) int32 {
	if p := c.lastPeriod[s]; p <= after || sp.has(p) {
		return p
	}
	all := c.all(s)
	for i := c.last[s] - 1; i >= all.first; i-- {
		p := c.periodIn(all, i)
		if p <= after || p < sp.lo {
			break
		}
		if sp.has(p) && !math.IsNaN(c.value[i]) {
			return p
		}
	}
	return after
}

// lastObserved narrows a run to the last observed observation in a scope.
func (c *columns) lastObserved(r run, w scope) run {
	for i := r.end - 1; i >= r.first; i-- {
		if w.has(c.periodIn(r, i)) && w.own.has(c, i) {
			return run{i, i + 1, c.periodIn(r, i)}
		}
	}
	return run{r.first, r.first, -1}
}

// selected tells which observations of a run within a span are selected: all, or those in the span
// that have a value, or flags if these are wanted.
type selected struct {
	*columns
	span  span
	flags bool
	all   bool
}

func (c *selected) has(i int32) bool {
	return c.all || (c.span.keep == nil || c.span.has(c.period[i])) && (c.flags || !math.IsNaN(c.value[i]))
}

// trim narrows a run to begin and end with a selected observation.
func (c *selected) trim(r run) run {
	first := r.first
	for r.first < r.end && !c.has(r.first) {
		r.first++
	}
	for r.first < r.end && !c.has(r.end-1) {
		r.end--
	}
	if r.from >= 0 {
		r.from += r.first - first
	}
	return r
}

// hasRemarks reports whether any observation has flags or a note.
func (c *columns) hasRemarks() bool { return c.flag != nil || c.note != nil }
