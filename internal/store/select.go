package store

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"sort"
	"sync"

	"almanac/internal/stat"
)

// span holds the periods that a query selects: the positions lo … hi-1, and if
// keep is not nil, only those for which it is true.
type span struct {
	lo, hi int32
	keep   []bool
}

func (sp span) has(period int32) bool {
	return period >= sp.lo && period < sp.hi && (sp.keep == nil || sp.keep[period-sp.lo])
}

// spanOf returns the periods that a query selects. If all periods have the same
// frequency, they are a run.
func (c *columns) spanOf(q *stat.Query) span {
	periods := c.periods
	isSelected := func(p stat.Period) bool { return p.OverlapsSpan(q.From, q.To) }
	if !q.Within.IsZero() {
		isSelected = func(p stat.Period) bool { return p.Within(q.Within) }
	} else if q.From.IsZero() && q.To.IsZero() {
		return span{hi: int32(len(periods))}
	}
	var sp span
	if !c.mixed {
		lo := sort.Search(len(periods), func(i int) bool { return isSelected(periods[i]) || startsAfter(periods[i], q) })
		n := sort.Search(len(periods)-lo, func(i int) bool { return !isSelected(periods[lo+i]) })
		return span{lo: int32(lo), hi: int32(lo + n)}
	}
	for i, p := range periods {
		ok := isSelected(p)
		if ok && sp.keep == nil {
			sp.lo = int32(i)
		}
		if ok || sp.keep != nil {
			sp.keep = append(sp.keep, ok)
		}
	}
	sp.hi = sp.lo + int32(len(sp.keep))
	return sp
}

// startsAfter reports whether p is after the periods that the query selects.
func startsAfter(p stat.Period, q *stat.Query) bool {
	if !q.Within.IsZero() {
		return p.StartDay() > q.Within.StartDay()
	}
	return !p.OverlapsSpan(stat.Period{}, q.To)
}

// scratch is the working memory of a Select, reused by the next one.
type scratch struct {
	block  stat.Block
	blocks []int32 // candidates
	series []int32 // of the current block
	cells  []cell  // of the current block, by area
	sorted []cell  // by period, then area
	next   []int32 // for each period the number of cells before it
	flags  []stat.Flags
	notes  []string
}

// cell is a selected observation of a block.
type cell struct{ period, area, obs int32 }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// extract yields the selected blocks, with what a scope says of their series.
func (c *columns) extract(ctx context.Context, q *stat.Query, within scope) iter.Seq2[*stat.Block, error] {
	return func(yield func(*stat.Block, error) bool) {
		if within.lo >= within.hi {
			return
		}
		w := scratches.Get().(*scratch)
		defer scratches.Put(w)
		w.blocks = c.candidates(q.Select, w.blocks[:0])
		for i, b := range w.blocks {
			if i%256 == 255 && ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if !c.fill(b, q, within, w) {
				continue
			}
			if !yield(&w.block, nil) {
				return
			}
		}
	}
}

// candidates appends the blocks that may contain what is selected, ascending. It
// starts with the axis with the fewest blocks, so that it does not visit all series.
func (c *columns) candidates(sel [][]int32, into []int32) []int32 {
	best, bestCount := -1, c.blockCount()
	for axis, codes := range sel {
		if codes == nil {
			continue
		}
		count := 0
		for _, code := range codes {
			count += len(c.posting[axis].of(code))
		}
		if count == 0 {
			return into
		}
		if best < 0 || count < bestCount {
			best, bestCount = axis, count
		}
	}
	if best < 0 {
		for b := range c.blockCount() {
			into = append(into, int32(b))
		}
		return into
	}
	for _, code := range sel[best] {
		into = append(into, c.posting[best].of(code)...)
	}
	if len(sel[best]) > 1 {
		slices.Sort(into)
		into = slices.Compact(into)
	}
	return slices.DeleteFunc(into, func(b int32) bool { return !c.inSelection(b, sel) })
}

// inSelection reports whether the codes of a block's dimensions are all selected.
func (c *columns) inSelection(b int32, sel [][]int32) bool {
	for axis, codes := range sel {
		if codes == nil || axis == len(c.keys)-1 {
			continue
		}
		if _, ok := slices.BinarySearch(codes, c.keys[axis][c.block[b]]); !ok {
			return false
		}
	}
	return true
}

// selectSeries sets w.series to the series of a block whose areas are selected.
func (c *columns) selectSeries(b int32, sel [][]int32, w *scratch) {
	w.series = w.series[:0]
	lo, hi := c.block[b], c.block[b+1]
	var areas []int32
	if sel != nil {
		areas = sel[len(c.keys)-1]
	}
	if areas == nil {
		for s := lo; s < hi; s++ {
			w.series = append(w.series, s)
		}
		return
	}
	geo := c.geography()
	for _, area := range areas {
		i, ok := slices.BinarySearch(geo[lo:hi], area)
		lo += int32(i)
		if ok {
			w.series = append(w.series, lo)
		}
	}
}

// latestSpan narrows a span to the last period for which the selection has a value.
func (c *columns) latestSpan(sel [][]int32, sp span, w *scratch) span {
	latest := int32(-1)
	for _, b := range w.blocks {
		c.selectSeries(b, sel, w)
		for _, s := range w.series {
			for i := c.last[s]; i >= c.start[s] && c.period[i] > latest && c.period[i] >= sp.lo; i-- {
				if sp.has(c.period[i]) && !math.IsNaN(c.value[i]) {
					latest = c.period[i]
				}
			}
		}
	}
	if latest < 0 {
		return span{}
	}
	return span{lo: latest, hi: latest + 1}
}

// fill sets w.block to what a query selects from a block, if anything.
func (c *columns) fill(b int32, q *stat.Query, sp scope, w *scratch) bool {
	c.selectSeries(b, q.Select, w)
	blk := &w.block
	blk.Areas, w.cells = blk.Areas[:0], w.cells[:0]
	periods := span{lo: math.MaxInt32} // that occur
	geo := c.geography()
	all := sp.keep == nil && (q.Flags || !c.gaps) // all observations in the span
	for _, s := range w.series {
		area, before := int32(len(blk.Areas)), len(w.cells)
		first, end := c.within(s, sp.span)
		if sp.own != nil {
			first, end = c.lastObserved(first, end, sp)
		}
		for i := first; i < end; i++ {
			if p := c.period[i]; all || sp.has(p) && (q.Flags || !math.IsNaN(c.value[i])) {
				w.cells = append(w.cells, cell{p, area, i})
			}
		}
		if last := len(w.cells); last > before {
			blk.Areas = append(blk.Areas, geo[s])
			periods.lo = min(periods.lo, w.cells[before].period)
			periods.hi = max(periods.hi, w.cells[last-1].period+1)
		}
	}
	if len(w.cells) == 0 {
		return false
	}
	blk.Key = blk.Key[:0]
	for _, key := range c.keys[:len(c.keys)-1] {
		blk.Key = append(blk.Key, key[c.block[b]])
	}
	blk.Unit = c.unitOf(c.block[b])
	w.sortCells(periods)
	c.arrange(q.Flags, w)
	return true
}

// within returns the observations between a span's first and last period.
func (c *columns) within(s int32, sp span) (first, end int32) {
	first, end = c.start[s], c.start[s+1]
	periods := c.period[first:end]
	if n := len(periods); n > 0 && periods[n-1] >= sp.hi {
		i, _ := slices.BinarySearch(periods, sp.hi)
		end = first + int32(i)
		periods = periods[:i]
	}
	if len(periods) > 0 && periods[0] < sp.lo {
		i, _ := slices.BinarySearch(periods, sp.lo)
		first += int32(i)
	}
	return first, end
}

// lastObserved narrows observations to the last observed one in a scope.
func (c *columns) lastObserved(first, end int32, w scope) (int32, int32) {
	for i := end - 1; i >= first; i-- {
		if w.has(c.period[i]) && w.own.has(c, i) {
			return i, i + 1
		}
	}
	return first, first
}

// arrange sets the rows of w.block to the sorted cells.
func (c *columns) arrange(flags bool, w *scratch) {
	blk := &w.block
	blk.Periods, blk.RowStart = blk.Periods[:0], blk.RowStart[:0]
	n := len(w.sorted)
	blk.Area = slices.Grow(blk.Area[:0], n)[:n]
	blk.Value = slices.Grow(blk.Value[:0], n)[:n]
	period := int32(-1)
	for at, o := range w.sorted {
		if o.period != period {
			period = o.period
			blk.Periods = append(blk.Periods, period)
			blk.RowStart = append(blk.RowStart, int32(at))
		}
		blk.Area[at], blk.Value[at] = o.area, c.value[o.obs]
	}
	blk.RowStart = append(blk.RowStart, int32(n))
	blk.Flags, blk.Note = nil, nil
	if flags {
		w.flags = slices.Grow(w.flags[:0], n)[:n]
		w.notes = slices.Grow(w.notes[:0], n)[:n]
		for at, o := range w.sorted {
			w.flags[at], w.notes[at] = c.flagsOf(o.obs), c.noteOf(o.obs)
		}
		blk.Flags, blk.Note = w.flags, w.notes
	}
}

// sortCells sorts the cells by period into w.sorted and keeps the order of areas. It
// counts the cells of each period, unless there are few cells over many periods.
func (w *scratch) sortCells(periods span) {
	n, width := len(w.cells), int(periods.hi-periods.lo)
	if width > 4*n+64 {
		w.sorted = append(w.sorted[:0], w.cells...)
		slices.SortStableFunc(w.sorted, func(x, y cell) int { return cmp.Compare(x.period, y.period) })
		return
	}
	w.next = slices.Grow(w.next[:0], width+1)[:width+1]
	clear(w.next)
	for _, o := range w.cells {
		w.next[o.period-periods.lo+1]++
	}
	for i := range width {
		w.next[i+1] += w.next[i]
	}
	w.sorted = slices.Grow(w.sorted[:0], n)[:n]
	for _, o := range w.cells {
		at := &w.next[o.period-periods.lo]
		w.sorted[*at] = o
		*at++
	}
}
