package store

import (
	"errors"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// segments writes columns to a temporary file, in segments that fit in memory.
type segments struct {
	observations
	store   *Store
	columns *columns
	at      []segmentAt
}

type segmentAt struct {
	from, to     int64
	series, rows int
}

// segmentRows is the number of rows after which a segment ends with its series.
const segmentRows = 2 * rowGroupRows

// newSegments returns segments of observations with keys of a number of axes.
func (s *Store) newSegments(axes int, flags []stat.Flags, notes, units []string) (*segments, error) {
	file, err := s.Scratch()
	if err != nil {
		return nil, err
	}
	to := &segments{store: s, observations: observations{tally: newTally(), file: file, flagSet: flags, noteSet: notes, units: units}}
	to.columns = to.newColumns(axes)
	return to, nil
}

// add adds the next series; its key is that of a run.
func (to *segments) add(key []int32, obs []spill.Observation) error {
	c, last := to.columns, len(key)-2
	c.start = append(c.start, int32(len(c.value)))
	for axis := range last {
		c.keys[axis] = append(c.keys[axis], key[axis])
	}
	c.keys[last] = append(c.keys[last], key[last+1])
	if len(to.units) > 1 {
		c.unit = append(c.unit, key[last])
	}
	for i := range obs {
		o := &obs[i]
		c.period, c.value = append(c.period, o.Period), append(c.value, o.Value)
		if len(to.flagSet) > 1 {
			c.flag = append(c.flag, uint16(o.Flag))
		}
		if len(to.noteSet) > 1 {
			c.note = append(c.note, o.Note)
		}
	}
	if len(c.value) < segmentRows {
		return nil
	}
	return to.end()
}

// end writes the segment.
func (to *segments) end() error {
	c, file := to.columns, to.file
	at := segmentAt{from: file.Size(), series: len(c.start), rows: len(c.value)}
	c.start = append(c.start, int32(at.rows))
	arrays := spill.WriteTo(file)
	to.arrays(arrays, c, &at)
	if err := errors.Join(arrays.Err(), file.Flush()); err != nil {
		return to.store.diskError(err)
	}
	at.to = file.Size()
	to.at = append(to.at, at)
	return nil
}

// arrays writes the arrays of a segment and empties them, or reads them.
func (o *observations) arrays(a *spill.Arrays, c *columns, at *segmentAt) {
	countIf := func(is bool, n int) int {
		if is {
			return n
		}
		return 0
	}
	spill.Array(a, &c.start, at.series+1)
	spill.Array(a, &c.unit, countIf(len(o.units) > 1, at.series))
	spill.Array(a, &c.period, at.rows)
	spill.Array(a, &c.value, at.rows)
	spill.Array(a, &c.flag, countIf(len(o.flagSet) > 1, at.rows))
	spill.Array(a, &c.note, countIf(len(o.noteSet) > 1, at.rows))
	for axis := range c.keys {
		spill.Array(a, &c.keys[axis], at.series)
	}
}

// finish returns the observations. periods are those that the segments refer to.
func (to *segments) finish(periods []stat.Period) (*observations, error) {
	if err := to.end(); err != nil {
		to.close()
		return nil, err
	}
	to.periods = slices.SortedFunc(slices.Values(periods), stat.Period.Compare)
	position := make([]int32, len(periods))
	for i, p := range periods {
		n, _ := slices.BinarySearchFunc(to.periods, p, stat.Period.Compare)
		position[i] = int32(n)
	}
	o, axes := &to.observations, len(to.columns.keys)
	at := to.at
	o.read = func(yield func(*columns) bool) error {
		c := o.newColumns(axes)
		for i := range at {
			from := spill.ReadFrom(o.file.Section(at[i].from, at[i].to))
			if o.arrays(from, c, &at[i]); from.Err() != nil {
				return stat.Wrap(from.Err(), "reading a temporary file")
			}
			for i, p := range c.period {
				c.period[i] = position[p]
			}
			c.posting = nil
			segment := *c
			if !yield(&segment) {
				return nil
			}
		}
		return nil
	}
	for c, err := range o.segments() {
		if err != nil {
			to.close()
			return nil, err
		}
		o.tally.add(c)
	}
	return o, nil
}
