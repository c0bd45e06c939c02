package store

import (
	"errors"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// sortOnDisk is sortInMemory for a builder with chunks on disk: each chunk becomes a
// sorted run, and the runs are merged into segments.
func (b *Builder) sortOnDisk(draft *Draft, codes [][]int32) (*observations, error) {
	file, err := b.store.Scratch()
	if err != nil {
		return nil, err
	}
	defer func() { file.Close() }()
	periods, periodAt := b.sortPeriods()
	runs := spill.NewRuns(file, b.width)
	for c, err := range b.chunks() {
		if err != nil {
			return nil, err
		}
		if err := b.writeRun(runs, c, codes, periodAt); err != nil {
			return nil, b.store.diskError(err)
		}
	}
	b.file.Close()
	b.chunk, b.series = chunk{}, nil
	segments, err := b.store.newSegments(len(codes), b.flags.values, b.notes.values, b.units.values)
	if err != nil {
		return nil, err
	}
	m := merger{Builder: b, draft: draft, to: segments, old: periods}
	if err := runs.Merge(asDated, m.add); err != nil {
		segments.close()
		return nil, err
	}
	return segments.finish(m.periods.values)
}

// writeRun sorts a chunk and writes it as a run. The keys have the new code positions,
// in the order in which a vintage is sorted: dimensions, unit, geography.
func (b *Builder) writeRun(runs *spill.Runs, c *chunk, codes [][]int32, periodAt []int32) error {
	current := b.chunk
	b.chunk = *c
	defer func() { b.chunk = current }()
	series := b.sortSeries(codes)
	rank := make([]int32, len(series))
	for r, s := range series {
		rank[s] = int32(r)
	}
	s := spill.Series{Key: make([]int32, b.width)}
	order := c.orderOf(rank, periodAt)
	for len(order) > 0 {
		number := c.of[order[0]]
		n := 0
		s.Observations = s.Observations[:0]
		for ; n < len(order) && c.of[order[n]] == number; n++ {
			o := b.observation(order[n])
			o.Period, o.Index = periodAt[o.Period], c.before+o.Index
			s.Observations = append(s.Observations, o)
		}
		order = order[n:]
		key := c.keys[int(number)*b.width:][:b.width]
		last := len(codes) - 1
		for axis := range last {
			s.Key[axis] = codes[axis][key[axis]]
		}
		s.Key[last], s.Key[last+1] = key[last+1], codes[last][key[last]]
		s.Frequency = c.frequency[number]
		if err := runs.Add(&s); err != nil {
			return err
		}
	}
	return runs.EndRun()
}

// merger turns merged series into the segments of a vintage.
type merger struct {
	*Builder
	draft   *Draft
	to      *segments
	old     []stat.Period // the periods of the observations
	periods interned[stat.Period]
}

// add replaces dates and drops duplicates, as redate and sortObservations do in memory.
func (m *merger) add(s *spill.Series) error {
	obs := s.Observations
	slices.SortStableFunc(obs, func(a, b spill.Observation) int { return int(a.Period) - int(b.Period) })
	frequency := m.frequencyOf(s)
	kept := obs[:0]
	for i := range obs {
		o := obs[i]
		p := m.old[o.Period]
		if frequency != asDated {
			p = p.In(frequency)
		}
		o.Period = m.periods.of(p)
		last := len(kept) - 1
		if last < 0 || kept[last].Period != o.Period {
			kept = append(kept, o)
			continue
		}
		keepsFirst, err := m.choose(m.draft, &kept[last], &o)
		if err != nil {
			return err
		}
		if !keepsFirst {
			kept[last] = o
		}
	}
	return m.to.add(s.Key, kept)
}

// frequencyOf returns the frequency of the periods that the dates of a series represent
// (see redate), asDated if they stay.
func (m *merger) frequencyOf(s *spill.Series) stat.Frequency {
	f := s.Frequency
	if f == asDated {
		return asDated
	}
	var dates []stat.Period
	for i := range s.Observations {
		dates = append(dates, m.old[s.Observations[i].Period])
	}
	if !representLonger(dates, f) {
		return asDated
	}
	return f
}

// representLonger reports whether ascending dates represent periods of a frequency: all
// are the first day of one, or all the last, and no two are in the same.
func representLonger(dates []stat.Period, f stat.Frequency) bool {
	allFirst, allLast := true, true
	for i, day := range dates {
		longer := day.In(f)
		allFirst = allFirst && day.Start().Equal(longer.Start())
		allLast = allLast && day.Start().Equal(longer.End())
		if i > 0 && dates[i-1] != day && dates[i-1].In(f) == longer {
			return false
		}
	}
	return allFirst || allLast
}

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
	errs := []error{spill.WriteArray(file, c.start), spill.WriteArray(file, c.unit), spill.WriteArray(file, c.period),
		spill.WriteArray(file, c.value), spill.WriteArray(file, c.flag), spill.WriteArray(file, c.note)}
	for axis := range c.keys {
		errs = append(errs, spill.WriteArray(file, c.keys[axis]))
		c.keys[axis] = c.keys[axis][:0]
	}
	errs = append(errs, file.Flush())
	if err := errors.Join(errs...); err != nil {
		return to.store.diskError(err)
	}
	at.to = file.Size()
	to.at = append(to.at, at)
	c.start, c.unit, c.period, c.value, c.flag, c.note = c.start[:0], c.unit[:0], c.period[:0], c.value[:0], c.flag[:0], c.note[:0]
	return nil
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
			if err := o.readSegment(c, &at[i]); err != nil {
				return stat.Wrap(err, "reading a temporary file")
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

// readSegment reads a segment into c.
func (o *observations) readSegment(c *columns, at *segmentAt) error {
	from := o.file.Section(at.from, at.to)
	count := func(is bool, n int) int {
		if is {
			return n
		}
		return 0
	}
	var errs [6]error
	c.start, errs[0] = spill.ReadArray(from, c.start, at.series+1)
	c.unit, errs[1] = spill.ReadArray(from, c.unit, count(len(o.units) > 1, at.series))
	c.period, errs[2] = spill.ReadArray(from, c.period, at.rows)
	c.value, errs[3] = spill.ReadArray(from, c.value, at.rows)
	c.flag, errs[4] = spill.ReadArray(from, c.flag, count(len(o.flagSet) > 1, at.rows))
	c.note, errs[5] = spill.ReadArray(from, c.note, count(len(o.noteSet) > 1, at.rows))
	err := errors.Join(errs[:]...)
	for axis := range c.keys {
		if err == nil {
			c.keys[axis], err = spill.ReadArray(from, c.keys[axis], at.series)
		}
	}
	return err
}
