package store

import (
	"math"
	"slices"
	"unsafe"

	"almanac/internal/stat"
)

// columns holds the observations of a vintage in memory: a table of series, sorted
// by key, and the observations of one series after the other, sorted by period.
// The key of a series has one code position per axis, the geography last. A block
// is a run of series that differ only in the geography.
//
//	block   0                 1
//	key     A EUR B1GQ        A EUR P3           dimensions (and unit)
//	series  0   1   2         3   4              DE FR IT | DE FR
//	start   0   3   6         9   12   15        first observation of each
//	period  1 2 3 1 2 3 …                        positions in periods
//	value   …
//
// It takes about 13 bytes per observation, and for each series 25 bytes and 4 for each
// axis. It is immutable.
type columns struct {
	keys     [][]int32 // for each axis, geography last, the code position of each series
	unit     []int32   // position in units of each series; nil if no unit is stated
	units    []string
	start    []int32 // first observation of each series; then the end of the last one
	block    []int32 // first series of each block; then the end of the last one
	blockKey []int32 // the code positions of the dimensions of each block, one block after the other
	last     []int32 // last observation of each series that has a value, -1 if none
	// lastPeriod and lastValue are its period, -1 if none, and its value. They stand together, while the
	// observations of each series are elsewhere in memory.
	lastPeriod []int32
	lastValue  []float64
	from       []int32 // period of the first observation of each series that leaves out none; else -1
	posting    []posting
	decimals   []stat.Decimals // of each series; nil if they are not known
	periods    []stat.Period
	days       days // of the periods, if they are of one frequency

	period  []int32 // position in periods
	value   []float64
	gaps    bool     // some observations have no value
	mixed   bool     // the periods are of several frequencies
	sorted  bool     // the blocks are in the order of their keys
	flag    []uint16 // position in flagSet; nil if there are no flags
	flagSet []stat.Flags
	note    []int32 // position in noteSet; nil if there are no notes
	noteSet []string
}

// bytesPerObservation estimates the memory that an observation takes.
const bytesPerObservation = 14

// posting lists for each code of an axis the blocks that contain it, ascending:
// those of code c are blocks[offset[c]:offset[c+1]].
type posting struct {
	offset []int32
	blocks []int32
}

func (p posting) of(code int32) []int32 { return p.blocks[p.offset[code]:p.offset[code+1]] }

func (c *columns) geography() []int32 { return c.keys[len(c.keys)-1] }

func (c *columns) dimensions() int  { return len(c.keys) - 1 } // without the geography
func (c *columns) seriesCount() int { return len(c.start) - 1 }
func (c *columns) blockCount() int  { return len(c.block) - 1 }

// index builds what queries need: blocks, last values and postings.
func (c *columns) index(axes []*stat.Dimension) {
	c.indexBlocks()
	c.gaps = slices.ContainsFunc(c.value, math.IsNaN)
	c.indexPeriods()
	c.indexGaps()
	c.sorted = c.isSorted()
	c.indexLast()
	c.posting = nil
	for axis, dim := range axes {
		c.posting = append(c.posting, c.indexPosting(axis, len(dim.Codes)))
	}
}

// indexLast sets the last values of the series.
func (c *columns) indexLast() {
	n := c.seriesCount()
	c.last, c.lastPeriod, c.lastValue = make([]int32, n), make([]int32, n), make([]float64, n)
	for s := range c.last {
		i := c.start[s+1] - 1
		for i >= c.start[s] && math.IsNaN(c.value[i]) {
			i--
		}
		if i < c.start[s] {
			c.last[s], c.lastPeriod[s] = -1, -1
			continue
		}
		c.last[s], c.lastPeriod[s], c.lastValue[s] = i, c.period[i], c.value[i]
	}
}

// indexDecimals sets the decimals of the series.
func (c *columns) indexDecimals() {
	c.decimals = make([]stat.Decimals, c.seriesCount())
	for s := range c.decimals {
		c.decimals[s] = stat.DecimalsOf(c.value[c.start[s]:c.start[s+1]])
	}
}

// decimalsOf returns the decimals of series.
func (c *columns) decimalsOf(series []int32) (most stat.Decimals) {
	if c.decimals == nil {
		return 0
	}
	for _, s := range series {
		if c.decimals[s] == 0 {
			return 0
		}
		most = max(most, c.decimals[s])
	}
	return most
}

// indexPeriods sets what depends on the periods alone.
func (c *columns) indexPeriods() {
	if c.mixed = isMixed(c.periods); !c.mixed {
		c.days = daysOf(c.periods)
	}
}

// isSorted reports whether the blocks are in the order of their keys, without the geography.
func (c *columns) isSorted() bool {
	for b := int32(1); b < int32(c.blockCount()); b++ {
		if slices.Compare(c.keyOfBlock(b-1), c.keyOfBlock(b)) > 0 {
			return false
		}
	}
	return true
}

// isMixed reports whether periods differ in frequency.
func isMixed(periods []stat.Period) bool {
	return slices.ContainsFunc(periods, func(p stat.Period) bool { return p.Frequency() != periods[0].Frequency() })
}

func (c *columns) indexBlocks() {
	c.block = c.block[:0]
	for s := range c.seriesCount() {
		if s == 0 || !c.sameBlock(s-1, s) {
			c.block = append(c.block, int32(s))
		}
	}
	c.block = append(slices.Clip(c.block), int32(c.seriesCount()))
	c.blockKey = make([]int32, 0, c.blockCount()*c.dimensions())
	for _, first := range c.block[:c.blockCount()] {
		for _, key := range c.keys[:c.dimensions()] {
			c.blockKey = append(c.blockKey, key[first])
		}
	}
}

// keyOfBlock returns the code positions of the dimensions of a block.
func (c *columns) keyOfBlock(block int32) []int32 {
	n := int32(c.dimensions())
	return c.blockKey[block*n : (block+1)*n]
}

// sameBlock reports whether two series differ only in the geography.
func (c *columns) sameBlock(s, t int) bool {
	for _, key := range c.keys[:c.dimensions()] {
		if key[s] != key[t] {
			return false
		}
	}
	return c.unit == nil || c.unit[s] == c.unit[t]
}

func (c *columns) indexPosting(axis, codes int) posting {
	key := c.keys[axis]
	isGeography := axis == len(c.keys)-1
	each := func(yield func(code, block int32)) { // one code of a dimension for each block, or all areas
		for b := range c.blockCount() {
			if !isGeography {
				yield(c.keyOfBlock(int32(b))[axis], int32(b))
				continue
			}
			for s := c.block[b]; s < c.block[b+1]; s++ {
				yield(key[s], int32(b))
			}
		}
	}
	p := posting{offset: make([]int32, codes+1)}
	each(func(code, _ int32) { p.offset[code+1]++ })
	for i := range codes {
		p.offset[i+1] += p.offset[i]
	}
	p.blocks = make([]int32, p.offset[codes])
	next := slices.Clone(p.offset)
	each(func(code, block int32) {
		p.blocks[next[code]] = block
		next[code]++
	})
	return p
}

// newColumns returns empty columns of observations, with keys of a number of axes.
func (o *observations) newColumns(axes int) *columns {
	return &columns{keys: make([][]int32, axes), periods: o.periods, flagSet: o.flagSet, noteSet: o.noteSet, units: o.units}
}

// appendSeries appends a series of other columns, whose observations continue the last
// series if that has the same key and unit. The caller appends the end to start.
func (c *columns) appendSeries(from *columns, series int) {
	last := len(c.start) - 1
	isSame := last >= 0 && (from.unit == nil || c.unit[last] == from.unit[series])
	for axis := range c.keys {
		isSame = isSame && c.keys[axis][last] == from.keys[axis][series]
	}
	if !isSame {
		c.start = append(c.start, int32(len(c.value)))
		for axis := range c.keys {
			c.keys[axis] = append(c.keys[axis], from.keys[axis][series])
		}
		if from.unit != nil {
			c.unit = append(c.unit, from.unit[series])
		}
	}
	first, end := from.start[series], from.start[series+1]
	c.period = append(c.period, from.period[first:end]...)
	c.value = append(c.value, from.value[first:end]...)
	if from.flag != nil {
		c.flag = append(c.flag, from.flag[first:end]...)
	}
	if from.note != nil {
		c.note = append(c.note, from.note[first:end]...)
	}
}

func (c *columns) flagsOf(i int32) stat.Flags { return textAt(c.flagSet, c.flag, i) }
func (c *columns) noteOf(i int32) string      { return textAt(c.noteSet, c.note, i) }
func (c *columns) unitOf(series int32) string { return textAt(c.units, c.unit, series) }

// textAt returns the text at positions[i], "" if positions is nil.
func textAt[T ~string, P uint16 | int32](texts []T, positions []P, i int32) T {
	if positions == nil {
		return ""
	}
	return texts[positions[i]]
}

func (c *columns) size() int64 {
	n := 4*(len(c.unit)+len(c.start)+len(c.block)+len(c.blockKey)+2*len(c.last)+len(c.from)+len(c.period)+len(c.note)) +
		8*(len(c.value)+len(c.lastValue)) + 2*len(c.flag) + 8*len(c.days.first) + len(c.periods)*int(unsafe.Sizeof(stat.Period{}))
	for _, key := range c.keys {
		n += 4 * len(key)
	}
	for _, p := range c.posting {
		n += 4 * (len(p.offset) + len(p.blocks))
	}
	for _, note := range c.noteSet {
		n += len(note) + int(unsafe.Sizeof(note))
	}
	return int64(n)
}
