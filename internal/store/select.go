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
	wanted := func(p stat.Period) bool { return p.OverlapsSpan(q.From, q.To) }
	if !q.Within.IsZero() {
		wanted = func(p stat.Period) bool { return p.Within(q.Within) }
	} else if q.From.IsZero() && q.To.IsZero() {
		return span{hi: int32(len(periods))}
	}
	var sp span
	if !c.mixed {
		lo := sort.Search(len(periods), func(i int) bool { return wanted(periods[i]) || startsAfter(periods[i], q) })
		n := sort.Search(len(periods)-lo, func(i int) bool { return !wanted(periods[lo+i]) })
		return span{lo: int32(lo), hi: int32(lo + n)}
	}
	for i, p := range periods {
		ok := wanted(p)
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
	block    stat.Block
	blocks   []int32 // candidates
	series   []int32 // of the current block
	first    []int32 // of each of these series: its first observation in the span
	end      []int32 // of each of these series: the end of its observations in the span
	all      bool    // all observations from first to end are selected
	obs      []int32 // of each cell
	rowCount []int32 // number of cells of each period, then the next position in its row
	order    []cell
	flags    []stat.Flags
	notes    []string
}

// cell is an observation that is being sorted into a row.
type cell struct{ period, area, obs int32 }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (c *columns) extract(ctx context.Context, q *stat.Query) iter.Seq2[*stat.Block, error] {
	return func(yield func(*stat.Block, error) bool) {
		w := scratches.Get().(*scratch)
		defer scratches.Put(w)
		w.blocks = c.candidates(q.Select, w.blocks[:0])
		sp := c.spanOf(q)
		if q.Latest {
			sp = c.latestSpan(q.Select, sp, w)
		}
		if sp.lo >= sp.hi {
			return
		}
		for i, b := range w.blocks {
			if i%256 == 255 && ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if !c.fill(b, q, sp, w) {
				continue
			}
			if !yield(&w.block, nil) {
				return
			}
		}
	}
}

// candidates appends the blocks that may contain what is selected, ascending. It
// starts with the axis whose codes have the fewest blocks, so that a filter does
// not visit all series.
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

// fill sets w.block to what a query selects from a block. It returns false if that
// is nothing.
func (c *columns) fill(b int32, q *stat.Query, sp span, w *scratch) bool {
	c.selectSeries(b, q.Select, w)
	blk := &w.block
	blk.Areas = blk.Areas[:0]
	w.first, w.end = w.first[:0], w.end[:0]
	geo := c.geography()
	w.all = sp.keep == nil && (q.Flags || !c.gaps)
	rows, cells := span{lo: math.MaxInt32}, 0
	for _, s := range w.series {
		first, end := c.within(s, sp)
		if !w.all {
			first, end = c.trim(first, end, q, sp)
		}
		if first == end {
			continue
		}
		cells += int(end - first) // an upper bound if some in between are not selected
		rows.lo = min(rows.lo, c.period[first])
		rows.hi = max(rows.hi, c.period[end-1]+1)
		w.first, w.end = append(w.first, first), append(w.end, end)
		blk.Areas = append(blk.Areas, geo[s])
	}
	if cells == 0 {
		return false
	}
	blk.Key = blk.Key[:0]
	for _, key := range c.keys[:len(c.keys)-1] {
		blk.Key = append(blk.Key, key[c.block[b]])
	}
	blk.Unit = c.unitOf(c.block[b])
	c.arrange(q, sp, rows, cells, w)
	return true
}

// within returns the observations of a series between a span's first and last
// period.
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

// trim removes observations from both ends that are not selected.
func (c *columns) trim(first, end int32, q *stat.Query, sp span) (int32, int32) {
	for first < end && !c.wanted(first, q, sp) {
		first++
	}
	for first < end && !c.wanted(end-1, q, sp) {
		end--
	}
	return first, end
}

// wanted reports whether the query selects an observation within the span.
func (c *columns) wanted(i int32, q *stat.Query, sp span) bool {
	if sp.keep != nil && !sp.keep[c.period[i]-sp.lo] {
		return false
	}
	return q.Flags || !math.IsNaN(c.value[i])
}

// arrange sorts the cells of the current block into rows by period. rows is the
// span of periods that occur, cells an upper bound of their number.
func (c *columns) arrange(q *stat.Query, sp, rows span, cells int, w *scratch) {
	blk := &w.block
	blk.Periods, blk.RowStart = blk.Periods[:0], blk.RowStart[:0]
	blk.Area = slices.Grow(blk.Area[:0], cells)[:cells]
	blk.Value = slices.Grow(blk.Value[:0], cells)[:cells]
	w.obs = slices.Grow(w.obs[:0], cells)[:cells]
	if width := int(rows.hi - rows.lo); width <= 4*cells+64 {
		c.arrangeByCounting(q, sp, rows, w)
	} else {
		c.arrangeBySorting(q, sp, w)
	}
	cells = int(blk.RowStart[len(blk.RowStart)-1])
	blk.Area, blk.Value = blk.Area[:cells], blk.Value[:cells]
	blk.Flags, blk.Note = nil, nil
	if q.Flags {
		w.flags = slices.Grow(w.flags[:0], cells)[:cells]
		w.notes = slices.Grow(w.notes[:0], cells)[:cells]
		for at, i := range w.obs[:cells] {
			w.flags[at], w.notes[at] = c.flagsOf(i), c.noteOf(i)
		}
		blk.Flags, blk.Note = w.flags, w.notes
	}
}

// arrangeByCounting is a counting sort. Its cost is proportional to cells plus
// periods.
func (c *columns) arrangeByCounting(q *stat.Query, sp, rows span, w *scratch) {
	width := int(rows.hi - rows.lo)
	w.rowCount = slices.Grow(w.rowCount[:0], width)[:width]
	clear(w.rowCount)
	for a := range w.first {
		for i := w.first[a]; i < w.end[a]; i++ {
			if w.all || c.wanted(i, q, sp) {
				w.rowCount[c.period[i]-rows.lo]++
			}
		}
	}
	blk, at := &w.block, int32(0)
	for p, n := range w.rowCount {
		if n > 0 {
			blk.Periods = append(blk.Periods, rows.lo+int32(p))
			blk.RowStart = append(blk.RowStart, at)
		}
		w.rowCount[p] = at
		at += n
	}
	blk.RowStart = append(blk.RowStart, at)
	area, value, obs, next := blk.Area, blk.Value, w.obs, w.rowCount
	for a := range w.first {
		for i := w.first[a]; i < w.end[a]; i++ {
			if !w.all && !c.wanted(i, q, sp) {
				continue
			}
			row := c.period[i] - rows.lo
			to := next[row]
			next[row] = to + 1
			area[to], value[to], obs[to] = int32(a), c.value[i], i
		}
	}
}

// arrangeBySorting is for a block with few cells over many periods.
func (c *columns) arrangeBySorting(q *stat.Query, sp span, w *scratch) {
	w.order = w.order[:0]
	for a := range w.first {
		for i := w.first[a]; i < w.end[a]; i++ {
			if w.all || c.wanted(i, q, sp) {
				w.order = append(w.order, cell{c.period[i], int32(a), i})
			}
		}
	}
	slices.SortFunc(w.order, func(x, y cell) int {
		if x.period != y.period {
			return cmp.Compare(x.period, y.period)
		}
		return cmp.Compare(x.area, y.area)
	})
	blk := &w.block
	for at, o := range w.order {
		if at == 0 || o.period != w.order[at-1].period {
			blk.Periods = append(blk.Periods, o.period)
			blk.RowStart = append(blk.RowStart, int32(at))
		}
		blk.Area[at], blk.Value[at], w.obs[at] = o.area, c.value[o.obs], o.obs
	}
	blk.RowStart = append(blk.RowStart, int32(len(w.order)))
}
