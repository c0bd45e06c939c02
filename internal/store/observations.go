package store

import (
	"iter"
	"math"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// observations are those of a vintage that is published or compared, sorted: in memory
// as one table of columns, or on disk as segments, each of which is a table of columns
// that fits in memory. A series may continue in the next segment of a vintage's file, but
// not in those that a builder wrote. The segments share periods, flags, notes and units.
type observations struct {
	tally
	periods []stat.Period
	flagSet []stat.Flags // one or none: there are no flags
	noteSet []string     // likewise
	units   []string     // likewise

	whole *columns                              // nil: on disk
	read  func(yield func(*columns) bool) error // reads the segments on disk
	file  *spill.File                           // where they are, if it is a temporary file
	axes  []int                                 // of the segments that are in the key; nil: all
}

// tally counts observations.
type tally struct {
	series, values, notes int
	rows                  int     // with or without a value
	flags                 []int   // observations with each position in flagSet
	isUnitUsed            []bool  // for each position in units
	oldest, newest        int32   // periods with a value; newest is -1 if there are none
	last                  []int32 // key and unit of the last series
}

func newTally() tally { return tally{oldest: math.MaxInt32, newest: -1} }

// add counts the next columns.
func (t *tally) add(c *columns) {
	t.series += c.seriesCount()
	if c.seriesCount() > 0 {
		if slices.Equal(t.last, c.keyOf(0)) {
			t.series-- // it continues
		}
		t.last = c.keyOf(c.seriesCount() - 1)
	}
	t.rows += len(c.value)
	for i, v := range c.value {
		if !math.IsNaN(v) {
			t.values++
			t.oldest, t.newest = min(t.oldest, c.period[i]), max(t.newest, c.period[i])
		}
	}
	for _, f := range c.flag {
		for len(t.flags) <= int(f) {
			t.flags = append(t.flags, 0)
		}
		t.flags[f]++
	}
	for _, n := range c.note {
		if n != 0 {
			t.notes++
		}
	}
	for _, u := range c.unit {
		for len(t.isUnitUsed) <= int(u) {
			t.isUnitUsed = append(t.isUnitUsed, false)
		}
		t.isUnitUsed[u] = true
	}
}

// keyOf returns the key of a series, and its unit if there are any.
func (c *columns) keyOf(series int) []int32 {
	key := make([]int32, 0, len(c.keys)+1)
	for _, codes := range c.keys {
		key = append(key, codes[series])
	}
	if c.unit != nil {
		key = append(key, c.unit[series])
	}
	return key
}

// inMemory returns the observations of columns.
func inMemory(c *columns) *observations {
	o := &observations{tally: newTally(), periods: c.periods, flagSet: c.flagSet, noteSet: c.noteSet, units: c.units, whole: c}
	o.add(c)
	return o
}

// segments yields the segments in order. Each is valid until the next one.
func (o *observations) segments() iter.Seq2[*columns, error] {
	return func(yield func(*columns, error) bool) {
		if o.whole != nil {
			yield(o.whole, nil)
			return
		}
		isStopped := false
		err := o.read(func(c *columns) bool {
			if o.axes != nil {
				keys := make([][]int32, len(o.axes))
				for i, axis := range o.axes {
					keys[i] = c.keys[axis]
				}
				c.keys = keys
			}
			isStopped = !yield(c, nil)
			return !isStopped
		})
		if err != nil && !isStopped {
			yield(nil, err)
		}
	}
}

// omit removes an axis with a single code from the keys.
func (o *observations) omit(axis, axes int) {
	if o.whole != nil {
		o.whole.keys = slices.Delete(o.whole.keys, axis, axis+1)
		return
	}
	if o.axes == nil {
		for i := range axes {
			o.axes = append(o.axes, i)
		}
	}
	o.axes = slices.Delete(o.axes, axis, axis+1)
}

// close removes the temporary file.
func (o *observations) close() { o.file.Close() }

// window holds rows of consecutive observations, each with its key.
type window struct {
	keys   [][]int32 // for each axis, the code position of each row
	unit   []int32   // nil: there are none
	period []int32
	value  []float64
	flag   []int32 // nil: there are none
	note   []int32 // nil: there are none
}

// windows calls use with windows of the given number of rows; the last may be shorter. use
// returns the window for the next rows, which may be the same.
func (o *observations) windows(rows int, use func(*window) (*window, error)) error {
	w := &window{}
	for c, err := range o.segments() {
		if err != nil {
			return err
		}
		for s := range c.seriesCount() {
			for first, end := c.start[s], c.start[s+1]; first < end; {
				n := min(end-first, int32(rows-len(w.value)))
				w.append(c, s, first, first+n)
				first += n
				if len(w.value) < rows {
					continue
				}
				if w, err = use(w); err != nil {
					return err
				}
				w.reset()
			}
		}
	}
	if len(w.value) == 0 {
		return nil
	}
	_, err := use(w)
	return err
}

// append appends the observations first … end-1 of a series.
func (w *window) append(c *columns, series int, first, end int32) {
	if w.keys == nil {
		w.keys = make([][]int32, len(c.keys))
	}
	n := int(end - first)
	for axis, key := range c.keys {
		w.keys[axis] = appendTimes(w.keys[axis], key[series], n)
	}
	if c.unit != nil {
		w.unit = appendTimes(w.unit, c.unit[series], n)
	}
	w.period = append(w.period, c.period[first:end]...)
	w.value = append(w.value, c.value[first:end]...)
	if c.flag != nil {
		for _, flag := range c.flag[first:end] {
			w.flag = append(w.flag, int32(flag))
		}
	}
	if c.note != nil {
		w.note = append(w.note, c.note[first:end]...)
	}
}

func (w *window) reset() {
	for axis := range w.keys {
		w.keys[axis] = w.keys[axis][:0]
	}
	w.unit, w.period, w.value, w.flag, w.note = w.unit[:0], w.period[:0], w.value[:0], w.flag[:0], w.note[:0]
}

func appendTimes(to []int32, v int32, n int) []int32 {
	for range n {
		to = append(to, v)
	}
	return to
}
