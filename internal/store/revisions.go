package store

import (
	"context"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// RevisionKind says how an observation differs between two versions.
type RevisionKind string

// The kinds of revisions. An observation is revised if its value, its flags or its note
// changed; also one without a value in both versions whose flags or note changed.
const (
	Added   RevisionKind = "added"
	Revised RevisionKind = "revised"
	Removed RevisionKind = "removed"
)

// Revision is an observation that differs between two versions of a dataset.
type Revision struct {
	Kind    RevisionKind
	Dataset *stat.Dataset // of the newer version, of the older one if only that has the dimensions
	Codes   []*stat.Code  // of each of its axes, geography last
	Unit    string        // of the series, as [stat.Dataset.UnitOf] returns it
	Period  stat.Period
	Old     Observed
	New     Observed
}

// Observed is an observation of a version: its value, NaN if it has none, its flags and its note.
type Observed struct {
	Value float64
	Flags stat.Flags
	Note  string
}

// Side is one of two versions that are compared, and the series that are compared of it, as in
// [stat.Query.Select].
type Side struct {
	*Vintage
	Select [][]int32
}

// RevisionCounts counts revisions by their kind.
type RevisionCounts struct{ Added, Revised, Removed int }

// Sum returns the number of revisions.
func (n RevisionCounts) Sum() int { return n.Added + n.Revised + n.Removed }

// Revisions calls use with each observation that differs between an older and a newer version
// of a dataset, as publications count them, and returns their numbers. isSelected says
// which periods are compared; nil: all. The order is that of the code lists of the newer version,
// then of units and periods. If the versions have different dimensions, nothing matches: all of the
// older one is removed, then all of the newer one added. use must not keep the Revision.
func (s *Store) Revisions(ctx context.Context, old, now Side, isSelected func(stat.Period) bool, use func(*Revision)) (RevisionCounts, error) {
	before, err := old.contents()
	if err != nil {
		return RevisionCounts{}, err
	}
	after, err := now.contents()
	if err != nil {
		return RevisionCounts{}, err
	}
	selects := [2][][]int32{old.Select, now.Select}
	if sameAxes(before.Dataset, after.Dataset) {
		return s.reportRevisions(ctx, [2]contents{before, after}, selects, isSelected, use)
	}
	removed, err := s.reportRevisions(ctx, [2]contents{before, {Dataset: before.Dataset}}, selects, isSelected, use)
	if err != nil {
		return removed, err
	}
	added, err := s.reportRevisions(ctx, [2]contents{{Dataset: after.Dataset}, after}, selects, isSelected, use)
	added.Removed = removed.Removed
	return added, err
}

// HaveSameAxes reports whether two vintages have the same dimensions, in any order.
func HaveSameAxes(v, w *Vintage) bool { return sameAxes(v.Dataset, w.Dataset) }

// contents returns what is compared, at least the selection.
func (s *Side) contents() (contents, error) {
	v := s.Stored()
	c := contents{Dataset: s.Dataset, parts: v.parts}
	if v.isLarge() {
		var err error
		c.observations, err = v.stored(s.Select)
		return c, err
	}
	all, err := v.columnsFor(s.Select)
	if err != nil {
		return c, err
	}
	c.observations = &observations{periods: all.periods, flagSet: all.flagSet, noteSet: all.noteSet, units: all.units, whole: all}
	return c, nil
}

func (s *Store) reportRevisions(ctx context.Context, sides [2]contents, selects [2][][]int32, isSelected func(stat.Period) bool, use func(*Revision)) (RevisionCounts, error) {
	n := newComparison(sides[1].Axes())
	n.selects, n.isSelected = selects, isSelected
	r := &Revision{Dataset: sides[1].Dataset, Codes: make([]*stat.Code, len(n.axes))}
	earlier := n.earlierKeys(sides[0].Dataset)
	n.report = func(before, after *spill.Observation, isCounted bool) {
		if !isCounted {
			return
		}
		period := before.Period
		if before.Index < 0 {
			period = after.Period
		}
		r.Kind, r.Period = kindOf(before, after), n.periods.values[period]
		r.Old, r.New = n.observed(before), n.observed(after)
		n.setSeries(r, earlier)
		use(r)
	}
	err := n.run(ctx, s, sides[0], sides[1])
	return RevisionCounts{n.added, n.revised, n.removed}, err
}

// setSeries sets what a revision says of the series that is compared.
func (n *comparison) setSeries(r *Revision, earlier *earlierKeys) {
	isNew := true
	for axis, number := range n.open {
		if codes := n.axes[axis].Codes; int(number) < len(codes) {
			r.Codes[axis] = &codes[number]
			continue
		}
		isNew = false
		r.Codes[axis] = &earlier.axes[axis].Codes[earlier.positions[axis][number]]
	}
	unit := n.units.values[n.unit]
	if isNew {
		r.Unit = r.Dataset.UnitOf(n.open, unit)
		return
	}
	key := make([]int32, len(n.open)) // some codes are only in the older version
	for axis, number := range n.open {
		key[earlier.order[axis]] = earlier.positions[axis][number]
	}
	r.Unit = earlier.dataset.UnitOf(key, unit)
}

// earlierKeys finds the codes of an earlier dataset by the numbers that they have in a
// comparison, for each axis of the newer one.
type earlierKeys struct {
	dataset   *stat.Dataset
	axes      []*stat.Dimension // of dataset
	order     []int             // the position of the axis in dataset
	positions []map[int32]int32 // of codes, by their number
}

func (n *comparison) earlierKeys(d *stat.Dataset) *earlierKeys {
	e := &earlierKeys{dataset: d}
	own := d.Axes()
	for at, axis := range n.axes {
		i := slices.IndexFunc(own, func(dim *stat.Dimension) bool { return dim.ID == axis.ID })
		positions := make(map[int32]int32, len(own[i].Codes))
		for p := range own[i].Codes {
			positions[n.position(at, own[i].Codes[p].ID)] = int32(p)
		}
		e.axes, e.order, e.positions = append(e.axes, own[i]), append(e.order, i), append(e.positions, positions)
	}
	return e
}

func (n *comparison) observed(o *spill.Observation) Observed {
	return Observed{Value: o.Value, Flags: n.flags.values[o.Flag], Note: n.notes.values[o.Note]}
}
