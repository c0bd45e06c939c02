package store

import (
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// sortOnDisk is sortInMemory for a builder with chunks on disk: each chunk becomes a
// sorted run, and the runs are merged into segments.
func (b *Builder) sortOnDisk(draft *Draft, codes [][]int32) (*observations, error) {
	if err := b.spill(); err != nil { // the others need its memory
		return nil, err
	}
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
		if err := b.writeRun(draft, runs, c, codes, periodAt); err != nil {
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
func (b *Builder) writeRun(draft *Draft, runs *spill.Runs, c *chunk, codes [][]int32, periodAt []int32) error {
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
			if !b.isNeedless(draft, s.Observations, &o) {
				s.Observations = append(s.Observations, o)
			}
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

// isNeedless reports whether the merged series does not need another observation, because
// those kept before it hold the same one of the same part, or two of that part that
// conflict. The draft counts it. Without this rule, a file that repeats one series would
// have to fit in memory.
func (b *Builder) isNeedless(draft *Draft, kept []spill.Observation, o *spill.Observation) bool {
	part := b.partOf(o.Index)
	isBeside := func(i int) bool {
		return i >= 0 && kept[i].Period == o.Period && b.partOf(kept[i].Index) == part
	}
	last := len(kept) - 1
	switch {
	case !isBeside(last):
		return false
	case isSame(&kept[last], o):
		draft.Doubled.add(b.place(o, &kept[last]))
		return true
	case isBeside(last - 1): // no error only if a part prepared later has this period, too
		draft.Superseded.add(b.place(o, &kept[last]))
		return true
	}
	return false
}

// merger turns merged series into the segments of a vintage.
type merger struct {
	*Builder
	draft   *Draft
	to      *segments
	old     []stat.Period // the periods of the observations
	periods interned[stat.Period]
	dates   []stat.Period // of a series
}

// add replaces dates and drops duplicates, as redate and sortObservations do in memory.
func (m *merger) add(s *spill.Series) error {
	obs := s.Observations
	slices.SortStableFunc(obs, func(a, b spill.Observation) int { return int(a.Period) - int(b.Period) })
	m.dates = m.dates[:0]
	for i := range obs {
		m.dates = append(m.dates, m.old[obs[i].Period])
	}
	frequency := datedAs(m.dates, s.Frequency)
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
