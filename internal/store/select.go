package store

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

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
	switch {
	case q.Within.IsZero() && q.From.IsZero() && q.To.IsZero():
		return span{hi: int32(len(periods))}
	case !c.mixed && len(periods) > 0:
		return c.runOf(q)
	}
	var sp span
	for i, p := range periods {
		ok := q.SelectsPeriod(p)
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

// runOf returns the periods that a query selects of periods of one frequency.
func (c *columns) runOf(q *stat.Query) span {
	days, sp := c.days, span{hi: int32(len(c.periods))}
	if within := q.Within; !within.IsZero() {
		if c.periods[0].Frequency() < within.Frequency() {
			return span{}
		}
		first, last := within.StartDay(), within.EndDay()
		sp.lo = days.startingFrom(first, days.shift(within))
		sp.hi = days.endingAfter(last, days.shift(within))
		return span{lo: sp.lo, hi: max(sp.lo, sp.hi)}
	}
	if from := q.From; !from.IsZero() {
		sp.lo = days.endingAfter(from.StartDay()-1, days.shift(from))
	}
	if to := q.To; !to.IsZero() {
		sp.hi = days.startingFrom(to.EndDay()+1, days.shift(to))
	}
	return span{lo: sp.lo, hi: max(sp.lo, sp.hi)}
}

// days has the first and last day of each of several periods of one frequency, as days since
// 1970-01-01, so that queries need not derive them.
type days struct {
	first, last []int32
	areWeeks    bool
}

func daysOf(periods []stat.Period) days {
	var d days
	for _, p := range periods {
		d.first, d.last = append(d.first, p.StartDay()), append(d.last, p.EndDay())
	}
	d.areWeeks = len(periods) > 0 && periods[0].Frequency() == stat.Week
	return d
}

// shift returns by how many days a period is shortened at both ends when it is compared with
// a bound: a week counts as its Thursday, unless the bound is a week or a day.
func (d *days) shift(bound stat.Period) int32 {
	if d.areWeeks && bound.Frequency() < stat.Week {
		return 3
	}
	return 0
}

// startingFrom returns the position of the first period that starts on a day or later.
func (d *days) startingFrom(day, shift int32) int32 {
	i, _ := slices.BinarySearch(d.first, day-shift)
	return int32(i)
}

// endingAfter returns the position of the first period that ends after a day.
func (d *days) endingAfter(day, shift int32) int32 {
	i, _ := slices.BinarySearch(d.last, day+shift+1)
	return int32(i)
}

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
	if c.sorted && isKey(sel) {
		return c.withKey(sel, into)
	}
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

// isKey reports whether a selection has one code of each dimension. The geography is last.
func isKey(sel [][]int32) bool {
	for axis := range len(sel) - 1 {
		if len(sel[axis]) != 1 {
			return false
		}
	}
	return len(sel) > 0
}

// withKey appends the blocks whose dimensions have the only selected codes. Those of one key
// stand together and differ in unit.
func (c *columns) withKey(sel [][]int32, into []int32) []int32 {
	compare := func(b int) int {
		for axis, code := range c.keyOfBlock(int32(b)) {
			if difference := code - sel[axis][0]; difference != 0 {
				return int(difference)
			}
		}
		return 0
	}
	b, end := 0, c.blockCount()
	if len(sel) > 1 { // those with the code of the first dimension also stand together
		first := c.posting[0].of(sel[0][0])
		if len(first) == 0 {
			return into
		}
		b, end = int(first[0]), int(first[len(first)-1])+1
	}
	for b < end {
		if middle := (b + end) / 2; compare(middle) < 0 {
			b = middle + 1
		} else {
			end = middle
		}
	}
	for ; b < c.blockCount() && compare(b) == 0; b++ {
		into = append(into, int32(b))
	}
	return into
}

// inSelection reports whether the codes of a block's dimensions are all selected.
func (c *columns) inSelection(b int32, sel [][]int32) bool {
	for axis, code := range c.keyOfBlock(b) {
		if codes := sel[axis]; codes != nil {
			if _, ok := slices.BinarySearch(codes, code); !ok {
				return false
			}
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
			latest = max(latest, c.lastIn(s, sp, latest))
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
	blk.Areas, w.runs = blk.Areas[:0], w.runs[:0]
	periods, count := span{lo: math.MaxInt32}, int32(0) // that may occur
	geo := c.geography()
	chosen := selected{columns: c, span: sp.span, flags: q.Flags, all: sp.keep == nil && (q.Flags || !c.gaps)}
	for _, s := range w.series {
		r := c.within(s, sp.span)
		if sp.own != nil {
			r = c.lastObserved(r, sp)
		}
		if r = chosen.trim(r); r.first == r.end {
			continue
		}
		blk.Areas, w.runs = append(blk.Areas, geo[s]), append(w.runs, r)
		periods.lo, periods.hi = min(periods.lo, c.periodIn(r, r.first)), max(periods.hi, c.periodIn(r, r.end-1)+1)
		count += r.end - r.first
	}
	if count == 0 {
		return false
	}
	blk.Key = append(blk.Key[:0], c.keyOfBlock(b)...)
	blk.Unit, blk.Decimals = c.unitOf(c.block[b]), c.decimalsOf(w.series)
	if periods.hi-periods.lo > 4*count+64 {
		chosen.sortRows(w)
	} else {
		chosen.countRows(periods, count, w)
	}
	return true
}

// countRows sets the rows of w.block to the selected observations of the runs. It counts those of
// each period, which gives every cell its place. The runs have count observations in these periods.
func (c *selected) countRows(periods span, count int32, w *scratch) {
	blk, width := &w.block, int(periods.hi-periods.lo)
	if c.all && len(w.runs)*width == int(count) {
		c.fillRows(periods, w)
		return
	}
	w.next = slices.Grow(w.next[:0], width)[:width]
	clear(w.next)
	for _, r := range w.runs {
		for i := r.first; i < r.end; i++ {
			if c.all || c.has(i) {
				w.next[c.periodIn(r, i)-periods.lo]++
			}
		}
	}
	blk.Periods, blk.RowStart = blk.Periods[:0], blk.RowStart[:0]
	total := int32(0)
	for p, count := range w.next {
		if count > 0 {
			blk.Periods, blk.RowStart = append(blk.Periods, periods.lo+int32(p)), append(blk.RowStart, total)
		}
		w.next[p] = total
		total += count
	}
	blk.RowStart = append(blk.RowStart, total)
	w.resize(int(total), c.flags, c.hasRemarks())
	hasRemarks := c.flags && c.hasRemarks()
	for area, r := range w.runs {
		for i := r.first; i < r.end; i++ {
			if !c.all && !c.has(i) {
				continue
			}
			next := &w.next[c.periodIn(r, i)-periods.lo]
			blk.Area[*next], blk.Value[*next] = int32(area), c.value[i]
			if hasRemarks {
				blk.Flags[*next], blk.Note[*next] = c.flagsOf(i), c.noteOf(i)
			}
			*next++
		}
	}
}

// fillRows is countRows for runs that have all periods of the rows.
func (c *selected) fillRows(periods span, w *scratch) {
	blk, areas, hasRemarks := &w.block, len(w.runs), c.flags && c.hasRemarks()
	blk.Periods, blk.RowStart = blk.Periods[:0], append(blk.RowStart[:0], 0)
	for p := periods.lo; p < periods.hi; p++ {
		blk.Periods = append(blk.Periods, p)
		blk.RowStart = append(blk.RowStart, int32(len(blk.Periods)*areas))
	}
	w.resize(areas*len(blk.Periods), c.flags, c.hasRemarks())
	for area, r := range w.runs {
		at := area
		for i := r.first; i < r.end; i++ {
			blk.Area[at], blk.Value[at] = int32(area), c.value[i]
			if hasRemarks {
				blk.Flags[at], blk.Note[at] = c.flagsOf(i), c.noteOf(i)
			}
			at += areas
		}
	}
}

// sortRows is countRows for few observations over many periods.
func (c *selected) sortRows(w *scratch) {
	w.cells = w.cells[:0]
	for area, r := range w.runs {
		for i := r.first; i < r.end; i++ {
			if c.has(i) {
				w.cells = append(w.cells, cell{c.periodIn(r, i), int32(area), i})
			}
		}
	}
	slices.SortStableFunc(w.cells, func(x, y cell) int { return cmp.Compare(x.period, y.period) })
	blk, n, hasRemarks := &w.block, len(w.cells), c.flags && c.hasRemarks()
	blk.Periods, blk.RowStart = blk.Periods[:0], blk.RowStart[:0]
	w.resize(n, c.flags, c.hasRemarks())
	for at, o := range w.cells {
		if at == 0 || o.period != w.cells[at-1].period {
			blk.Periods, blk.RowStart = append(blk.Periods, o.period), append(blk.RowStart, int32(at))
		}
		blk.Area[at], blk.Value[at] = o.area, c.value[o.obs]
		if hasRemarks {
			blk.Flags[at], blk.Note[at] = c.flagsOf(o.obs), c.noteOf(o.obs)
		}
	}
	blk.RowStart = append(blk.RowStart, int32(n))
}
