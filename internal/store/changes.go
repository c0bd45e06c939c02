package store

import (
	"context"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// Changes are the observations of a vintage that differ from an earlier version.
type Changes struct {
	Since   string           // the earlier version; empty: there was none, so that everything is new
	Removed int              // values of the earlier version that are gone, in the whole dataset
	Kinds   []DifferenceKind // what else differs

	rows    bits
	columns *columns // the observations that differ, unless the vintage is large
	removed *Changes // the observations of the earlier version that are gone; nil: all
}

// bits is a set of small numbers.
type bits []uint64

func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bits) add(i int)      { b[i/64] |= 1 << (i % 64) }

// ChangedSince returns a view of v that has only the observations that were added or changed
// at a time or later: those that differ from the version that was current before. If the vintage
// itself was current then, the view has none. wasDeleted reports that the version that was current
// is no longer kept, so that the view has all observations.
func (s *Store) ChangedSince(ctx context.Context, v *Vintage, t time.Time) (view *Vintage, wasDeleted bool, err error) {
	list, err := s.Versions(ctx, v.Dataset.ID)
	if err != nil {
		return nil, false, err
	}
	before := versionBefore(list, t)
	if before == nil {
		return v.withChanges(&Changes{}), list[0].seq > 1, nil
	}
	if before.seq >= v.seq {
		return v.withChanges(&Changes{Since: v.Version}), false, nil
	}
	c, err := v.Stored().changesFrom(ctx, before)
	if err != nil {
		return nil, false, err
	}
	return v.withChanges(c), false, nil
}

// withChanges returns a view of v that is restricted to changes.
func (v *Vintage) withChanges(c *Changes) *Vintage {
	type viewKey struct{ since string }
	return v.Memo(viewKey{c.Since}, func() any { return v.restricted(c) }).(*Vintage)
}

func (v *Vintage) restricted(c *Changes) *Vintage {
	view := v.View(v.Dataset)
	view.changes = c
	return view
}

// Changes returns what the vintage is restricted to, nil if it is not.
func (v *Vintage) Changes() *Changes { return v.changes }

// RemovedOf returns a view of the earlier version with only the values that are gone.
func (c *Changes) RemovedOf(earlier *Vintage) *Vintage {
	if c.removed == nil {
		return earlier
	}
	return earlier.restricted(c.removed)
}

// changesFrom compares a stored vintage with an earlier version, once.
func (v *Vintage) changesFrom(ctx context.Context, before *Version) (*Changes, error) {
	type changesKey struct{ seq int }
	if c, ok := v.values.Load(changesKey{before.seq}); ok {
		return c.(*Changes), nil
	}
	old, err := v.store.openVersion(ctx, v.Dataset.ID, before)
	if err != nil {
		return nil, err
	}
	c, err := v.changesSince(ctx, old)
	if err != nil {
		return nil, err
	}
	size := c.size()
	if c.removed != nil {
		size += c.removed.size()
	}
	v.store.cache.addBytes(v, size)
	return v.Memo(changesKey{before.seq}, func() any { return c }).(*Changes), nil
}

// size returns the bytes in memory.
func (c *Changes) size() int64 {
	size := int64(len(c.rows)) * 8
	if c.columns != nil {
		size += c.columns.size()
	}
	return size
}

func (v *Vintage) changesSince(ctx context.Context, old *Vintage) (*Changes, error) {
	before, err := (&Side{Vintage: old}).contents()
	if err != nil {
		return nil, err
	}
	after, err := (&Side{Vintage: v}).contents()
	if err != nil {
		return nil, err
	}
	c := &Changes{Since: old.Version}
	if c.rows, err = after.observations.noRows(); err != nil {
		return nil, err
	}
	if sameAxes(old.Dataset, v.Dataset) {
		c.removed = &Changes{Since: old.Version}
		if c.removed.rows, err = before.observations.noRows(); err != nil {
			return nil, err
		}
	} else {
		c.Removed = old.Observations
		before = contents{Dataset: v.Dataset}
	}
	n := newComparison(v.Dataset.Axes())
	n.report = func(before, after *spill.Observation, _ bool) {
		if after.Index >= 0 {
			c.rows.add(after.Index)
		}
		if n.kindOf(before, after) == Removed {
			c.removed.rows.add(before.Index)
		}
	}
	if err := n.run(ctx, v.store, before, after); err != nil {
		return nil, err
	}
	c.Removed += n.counts.Removed
	list, err := Differences(ctx, old, v)
	if err != nil {
		return nil, err
	}
	c.Kinds = n.counts.Kinds(list)
	c.keepColumns(v.Dataset, after.observations)
	if c.removed != nil {
		c.removed.keepColumns(old.Dataset, before.observations)
	}
	return c, nil
}

// keepColumns copies the observations of changes, unless they are those of a large vintage.
func (c *Changes) keepColumns(d *stat.Dataset, of *observations) {
	if of.whole != nil {
		c.columns = of.whole.withRows(c.rows, 0).indexed(d.Axes())
	}
}

// noRows returns an empty set for the rows of observations.
func (o *observations) noRows() (bits, error) {
	rows, err := o.countRows()
	return make(bits, rows/64+1), err
}

// countRows returns the number of rows, with or without a value.
func (o *observations) countRows() (rows int, err error) {
	for c, err := range o.segments() {
		if err != nil {
			return 0, err
		}
		rows += len(c.value)
	}
	return rows, nil
}

// withRows returns the observations with a row in a set. first is the row of the first one.
func (c *columns) withRows(rows bits, first int) *columns {
	to := &columns{keys: make([][]int32, len(c.keys)), periods: c.periods, flagSet: c.flagSet, noteSet: c.noteSet, units: c.units}
	for s := range c.seriesCount() {
		start := len(to.value)
		for i := c.start[s]; i < c.start[s+1]; i++ {
			if !rows.has(first + int(i)) {
				continue
			}
			to.period, to.value = append(to.period, c.period[i]), append(to.value, c.value[i])
			if c.flag != nil {
				to.flag = append(to.flag, c.flag[i])
			}
			if c.note != nil {
				to.note = append(to.note, c.note[i])
			}
		}
		if len(to.value) == start {
			continue
		}
		to.start = append(to.start, int32(start))
		for axis := range c.keys {
			to.keys[axis] = append(to.keys[axis], c.keys[axis][s])
		}
		if c.unit != nil {
			to.unit = append(to.unit, c.unit[s])
		}
	}
	to.start = append(to.start, int32(len(to.value)))
	return to
}

// selectChanged answers a query of what changes leave of a stored vintage.
func (v *Vintage) selectChanged(ctx context.Context, c *Changes, q stat.Query) (*stat.Extract, error) {
	switch {
	case c == nil || c.Since == "":
		return v.Select(ctx, q)
	case c.columns != nil:
		return &stat.Extract{Dataset: v.Dataset, Periods: v.Periods, Blocks: c.columns.extract(ctx, &q, c.columns.scopeOf(v.subject(), &q))}, nil
	case c.rows == nil: // nothing has changed
		return &stat.Extract{Dataset: v.Dataset, Periods: v.Periods, Blocks: func(func(*stat.Block, error) bool) {}}, nil
	}
	o, err := v.changedOnDisk(c)
	if err != nil {
		return nil, err
	}
	return v.selectFrom(ctx, o, q)
}

// changedScope is [Vintage.scopeOf] for what changes leave.
func (v *Vintage) changedScope(c *Changes, q *stat.Query) (scope, error) {
	switch {
	case c == nil || c.Since == "":
		return v.scopeOf(q)
	case c.columns != nil:
		return c.columns.scopeOf(v.subject(), q), nil
	case c.rows == nil:
		return scope{}, nil
	}
	o, err := v.changedOnDisk(c)
	if err != nil {
		return scope{}, err
	}
	return o.scopeOf(v.subject(), q)
}

// changedOnDisk returns the observations of a large vintage that differ.
func (v *Vintage) changedOnDisk(c *Changes) (*observations, error) {
	all, err := v.stored(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	return &observations{tally: newTally(), periods: all.periods, read: func(yield func(*columns) bool) error {
		first := 0
		return all.read(func(segment *columns) bool {
			part := segment.withRows(c.rows, first)
			first += len(segment.value)
			return yield(part)
		})
	}}, nil
}
