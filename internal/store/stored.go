package store

import (
	"context"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
)

// A vintage that is too large for the memory of the cache is read from its file, some row
// groups at a time, for each query.

// isLarge reports whether the observations are never loaded as a whole.
func (v *Vintage) isLarge() bool {
	return v.columns.Load() == nil && v.Observations >= 2*rowGroupRows && int64(v.Observations)*bytesPerObservation > v.store.cache.budgetOf(v)
}

// observations returns all observations, for an import or an edit.
func (v *Vintage) observations() (*observations, error) {
	if int64(v.Observations)*bytesPerAdded <= v.store.importMemory || v.columns.Load() != nil {
		c, err := v.load(context.Background())
		if err != nil {
			return nil, err
		}
		return inMemory(c), nil
	}
	o, err := v.stored(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	return o, o.count()
}

// stored returns the observations of the file that may be selected, which are read each
// time they are needed.
func (v *Vintage) stored(ctx context.Context, sel [][]int32) (*observations, error) {
	b, err := v.openBlob(ctx, useOf(sel))
	if err != nil {
		return nil, err
	}
	o, err := storedObservations(b, v.Dataset, v.Periods, sel)
	if err != nil {
		return nil, v.damaged(err)
	}
	read := o.read
	o.read = func(yield func(*columns) bool) error { return v.damaged(read(yield)) }
	return o, nil
}

// useOf returns what a file is opened for to read a selection. A nil selection selects everything.
func useOf(sel [][]int32) blob.Use {
	if slices.ContainsFunc(sel, func(codes []int32) bool { return codes != nil }) {
		return blob.Part
	}
	return blob.Whole
}

// openBlob opens the file of the vintage.
func (v *Vintage) openBlob(ctx context.Context, use blob.Use) (*blob.Blob, error) {
	b, err := v.openFile(ctx, use)
	return b, v.damaged(stat.Wrap(err, "loading dataset %d, version %s", v.Dataset.ID, v.Version))
}

func (v *Vintage) openFile(ctx context.Context, use blob.Use) (*blob.Blob, error) {
	if v.isHeld {
		return v.store.quarantine.Open(ctx, v.file, use)
	}
	return v.store.blobs.Open(ctx, v.file, use)
}

// observationsOf returns the observations of a vintage's file. The file is closed when they
// are no longer used.
func (s *Store) observationsOf(f *vintageFile) (*observations, error) {
	if int64(f.info.Observations)*bytesPerAdded <= s.importMemory {
		defer f.blob.Close()
		c, err := readColumns(f.blob, f.dataset, f.info.Periods, nil)
		if err != nil {
			return nil, err
		}
		return inMemory(c), nil
	}
	o, err := storedObservations(f.blob, f.dataset, f.info.Periods, nil)
	if err != nil {
		f.blob.Close()
		return nil, err
	}
	return o, o.count()
}

// groupsAtOnce is how many row groups of a large vintage are in memory.
const groupsAtOnce = 2

// storedObservations returns the observations in the row groups of a file that may hold
// what is selected. The file is closed when they are no longer used. A segment ends with
// the series of one block.
func storedObservations(b *blob.Blob, d *stat.Dataset, periods []stat.Period, sel [][]int32) (*observations, error) {
	f, groups, err := openGroups(b, d, sel)
	if err != nil {
		return nil, err
	}
	l := newLoader(f, b, d, periods)
	o := &observations{tally: newTally(), periods: periods}
	o.read = func(yield func(*columns) bool) error {
		rest := groups
		var open *columns // the last block, which may continue
		for len(rest) > 0 {
			n := min(groupsAtOnce, len(rest))
			c, err := l.columns(rest[:n])
			if err != nil {
				return err
			}
			rest = rest[n:]
			o.flagSet, o.noteSet, o.units = c.flagSet, c.noteSet, c.units
			if open != nil {
				c = joinColumns(o, open, c)
			}
			done := c.seriesCount()
			if len(rest) > 0 {
				c.indexBlocks()
				done = int(c.block[len(c.block)-2])
				open = c.slice(done, c.seriesCount())
			}
			if done > 0 && !yield(c.slice(0, done)) {
				return nil
			}
		}
		return nil
	}
	return o, nil
}

// joinColumns returns the series of a, then those of b, whose first may continue the last
// of a.
func joinColumns(o *observations, a, b *columns) *columns {
	joined := o.newColumns(len(a.keys))
	for _, c := range []*columns{a, b} {
		for s := range c.seriesCount() {
			joined.appendSeries(c, s)
		}
	}
	joined.start = append(joined.start, int32(len(joined.value)))
	return joined
}

// slice returns the series first … end-1.
func (c *columns) slice(first, end int) *columns {
	from, to := c.start[first], c.start[end]
	part := &columns{periods: c.periods, flagSet: c.flagSet, noteSet: c.noteSet, units: c.units, period: c.period[from:to], value: c.value[from:to]}
	for _, at := range c.start[first : end+1] {
		part.start = append(part.start, at-from)
	}
	for _, key := range c.keys {
		part.keys = append(part.keys, key[first:end])
	}
	if c.unit != nil {
		part.unit = c.unit[first:end]
	}
	if c.flag != nil {
		part.flag = c.flag[from:to]
	}
	if c.note != nil {
		part.note = c.note[from:to]
	}
	return part
}

// count reads all observations and counts them.
func (o *observations) count() error {
	for c, err := range o.segments() {
		if err != nil {
			return err
		}
		o.tally.add(c)
	}
	return nil
}

// selectFromDisk answers a query without loading all observations.
func (v *Vintage) selectFromDisk(ctx context.Context, q stat.Query) (*stat.Extract, error) {
	o, err := v.stored(ctx, q.Select)
	if err != nil {
		return nil, err
	}
	return v.selectFrom(ctx, o, q)
}

// selectFrom answers a query of observations of the vintage that are on disk.
func (v *Vintage) selectFrom(ctx context.Context, o *observations, q stat.Query) (*stat.Extract, error) {
	axes := v.Dataset.Axes()
	within, err := o.scopeOf(v.subject(), &q)
	if err != nil {
		return nil, err
	}
	blocks := func(yield func(*stat.Block, error) bool) {
		for c, err := range o.segments() {
			if err != nil {
				yield(nil, stat.Wrap(err, "reading dataset %d, version %s", v.Dataset.ID, v.Version))
				return
			}
			c.index(axes)
			for block, err := range c.extract(ctx, &q, within) {
				if !yield(block, err) || err != nil {
					return
				}
			}
		}
	}
	return &stat.Extract{Dataset: v.Dataset, Periods: v.Periods, Blocks: blocks}, nil
}

// scopeOf returns what a query selects of all segments.
func (o *observations) scopeOf(s *subject, q *stat.Query) (scope, error) {
	all := &columns{periods: o.periods}
	all.indexPeriods()
	if q.Latest == "" {
		return scope{span: all.spanOf(q)}, nil
	}
	n := coverage{counts: make([]int32, len(o.periods))}
	for c, err := range o.segments() {
		if err != nil {
			return scope{}, err
		}
		n.add(c.indexed(s.Axes()), s, q)
		all = c
	}
	return n.scope(all, s, q), nil
}
