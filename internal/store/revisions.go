package store

import (
	"context"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// RevisionKind says how an observation differs between two versions.
type RevisionKind string

// The kinds of revisions. An observation is revised if its value, its unit, its flags or its note
// changed; also one without a value in both versions whose flags or note changed. A unit that is a
// code of a dimension has not changed if its label has.
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
	OldUnit string        // likewise in the older version if that has another unit; else empty
	// HasOtherUnit says that the series is in both versions and has another unit in the newer one.
	HasOtherUnit bool
	Period       stat.Period
	Old          Observed
	New          Observed
}

// Observed is an observation of a version: its value, NaN if it has none, its flags and its note.
type Observed struct {
	Value    float64
	Flags    stat.Flags
	Note     string
	Decimals stat.Decimals // of the values of its series, if the reader of the revision knows them
}

// Side is one of two versions that are compared, and the series that are compared of it, as in
// [stat.Query.Select].
type Side struct {
	*Vintage
	Select [][]int32
}

// RevisionCounts counts revisions by their kind.
type RevisionCounts struct {
	Added, Revised, Removed int
	Units                   int // revised ones that have another unit
	// WithoutValue counts observations without a value, in series that only one of the versions
	// has. They are no revisions.
	WithoutValue int
}

// Sum returns the number of revisions.
func (n RevisionCounts) Sum() int { return n.Added + n.Revised + n.Removed }

// Kinds returns the kinds of differences between two versions besides their observations: those
// of a list, units if observations have other ones, and the structure if series came or went that
// have no values.
func (n RevisionCounts) Kinds(list []Difference) []DifferenceKind {
	kinds := KindsOf(list)
	if n.Units > 0 {
		kinds = append(kinds, Units)
	}
	if n.WithoutValue > 0 {
		kinds = append(kinds, Structure)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

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
	counts, err := s.reportRevisions(ctx, [2]contents{before, {Dataset: before.Dataset, stored: before.stored}}, selects, isSelected, use)
	if err != nil {
		return counts, err
	}
	added, err := s.reportRevisions(ctx, [2]contents{{Dataset: after.Dataset, stored: after.stored}, after}, selects, isSelected, use)
	counts.Added = added.Added
	counts.WithoutValue += added.WithoutValue
	return counts, err
}

// HaveSameAxes reports whether two vintages have the same dimensions, in any order.
func HaveSameAxes(v, w *Vintage) bool { return sameAxes(v.Dataset, w.Dataset) }

// contents returns what is compared, at least the selection.
func (s *Side) contents() (contents, error) {
	v := s.Stored()
	c := contents{Dataset: s.Dataset, stored: v.Dataset, parts: v.parts}
	if v.isLarge() {
		var err error
		c.observations, err = v.stored(context.Background(), s.Select)
		return c, err
	}
	all, err := v.columnsFor(context.Background(), s.Select)
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
	n.report = func(before, after *spill.Observation, isCounted bool) {
		if !isCounted {
			return
		}
		period := before.Period
		if before.Index < 0 {
			period = after.Period
		}
		r.Kind, r.Period = n.kindOf(before, after), n.periods.values[period]
		r.Old, r.New = n.observed(before), n.observed(after)
		n.setSeries(r)
		use(r)
	}
	err := n.run(ctx, s, sides[0], sides[1])
	return n.counts, err
}

// setSeries sets what a revision says of the series that is compared.
func (n *comparison) setSeries(r *Revision) {
	isNew := true
	for axis, number := range n.open {
		if codes := n.axes[axis].Codes; int(number) < len(codes) {
			r.Codes[axis] = &codes[number]
			continue
		}
		isNew = false
		r.Codes[axis] = &n.earlier.axes[axis].Codes[n.earlier.positions[axis][number]]
	}
	r.OldUnit, r.HasOtherUnit = "", n.isUnitChanged
	if n.isUnitChanged || !isNew { // some codes are only in the older version
		r.Unit = n.earlier.dataset.UnitOf(n.earlier.key(n.open), n.units.values[n.oldUnit])
	}
	if !isNew {
		return
	}
	if n.isUnitChanged {
		r.OldUnit = r.Unit
	}
	r.Unit = r.Dataset.UnitOf(n.open, n.units.values[n.unit])
}

// earlierKeys finds the codes of an earlier dataset by the numbers that they have in a
// comparison, for each axis of the newer one.
type earlierKeys struct {
	dataset   *stat.Dataset
	axes      []*stat.Dimension // of dataset
	order     []int             // the position of the axis in dataset
	positions []map[int32]int32 // of codes, by their number
	buffer    []int32
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

// key returns the key in the earlier dataset of a series with codes by their numbers, valid until
// the next call. The earlier dataset has all of them.
func (e *earlierKeys) key(numbers []int32) []int32 {
	if e.buffer == nil {
		e.buffer = make([]int32, len(numbers))
	}
	for axis, number := range numbers {
		e.buffer[e.order[axis]] = e.positions[axis][number]
	}
	return e.buffer
}

func (n *comparison) observed(o *spill.Observation) Observed {
	return Observed{Value: o.Value, Flags: n.flags.values[o.Flag], Note: n.notes.values[o.Note]}
}
