package store

import (
	"cmp"
	"context"
	"math"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// contents is the part of a vintage that is published and compared.
type contents struct {
	*stat.Dataset
	stored       *stat.Dataset // of which Dataset is a view; nil: Dataset is none
	observations *observations
	parts        int // number of parts of the imported file; 0 if unknown
}

// storedDataset returns the dataset with the texts that everybody gets.
func (c *contents) storedDataset() *stat.Dataset { return cmp.Or(c.stored, c.Dataset) }

// compare counts the values added, the observations whose value, unit, flags or note differ
// (also flags on a missing value), and the values removed. Series match by the codes of
// their dimensions, in any order, and by unit only if several have the same codes. Vintages
// that do not fit in memory are sorted on disk.
func (s *Store) compare(before, after contents) (RevisionCounts, error) {
	if !sameAxes(before.Dataset, after.Dataset) {
		return RevisionCounts{Added: after.observations.values, Removed: before.observations.values}, nil // no series matches
	}
	n := newComparison(after.Axes())
	err := n.run(context.Background(), s, before, after)
	return n.counts, err
}

// run compares two vintages. One without observations has no series.
func (n *comparison) run(ctx context.Context, s *Store, before, after contents) error {
	n.stored = [2]*stat.Dataset{before.storedDataset(), after.storedDataset()}
	n.earlier = n.earlierKeys(before.Dataset)
	isInMemory := true
	var all []keyedSeries
	for version, v := range []contents{before, after} {
		switch {
		case v.observations == nil || !isInMemory:
		case v.observations.whole == nil:
			isInMemory = false
		default:
			all = append(all, n.keys(v.Dataset, v.observations.whole, int32(version), 0)...)
		}
	}
	if !isInMemory {
		return n.addOnDisk(ctx, s, before, after)
	}
	for i, k := range sortedByKey(all) {
		if i%256 == 255 && ctx.Err() != nil {
			return ctx.Err()
		}
		n.add(n.series(&k))
	}
	n.end()
	return nil
}

// addOnDisk adds all series, sorted in a temporary file.
func (n *comparison) addOnDisk(ctx context.Context, s *Store, vintages ...contents) error {
	file, err := s.Scratch()
	if err != nil {
		return err
	}
	defer file.Close()
	runs := spill.NewRuns(file, len(n.axes)+2)
	for version, v := range vintages {
		if v.observations == nil {
			continue
		}
		row := 0
		for c, err := range v.observations.segments() {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			for _, k := range sortedByKey(n.keys(v.Dataset, c, int32(version), row)) {
				if err := runs.Add(n.series(&k)); err != nil {
					return s.diskError(err)
				}
			}
			if err := runs.EndRun(); err != nil {
				return s.diskError(err)
			}
			row += len(c.value)
		}
	}
	err = runs.Merge(0, func(s *spill.Series) error {
		n.add(s)
		return ctx.Err()
	})
	n.end()
	return err
}

func sameAxes(a, b *stat.Dataset) bool {
	ids := func(d *stat.Dataset) []string {
		var ids []string
		for _, axis := range d.Axes() {
			ids = append(ids, axis.ID)
		}
		slices.Sort(ids)
		return ids
	}
	return slices.Equal(ids(a), ids(b))
}

// comparison compares two vintages whose series come in the order of their keys: the
// codes, the unit, and 0 for the old vintage or 1 for the new one.
type comparison struct {
	axes    []*stat.Dimension
	codes   []map[string]int32 // of each axis, of both vintages
	units   interned[string]
	flags   interned[stat.Flags]
	notes   interned[string]
	periods interned[stat.Period]
	counts  RevisionCounts
	stored  [2]*stat.Dataset // with the texts that everybody gets
	earlier *earlierKeys

	// selects is what is compared of each vintage, as in [stat.Query.Select]; nil: everything.
	selects [2][][]int32
	// isSelected says which periods are compared; nil: all.
	isSelected func(stat.Period) bool
	// report is called with each difference; nil: they are only counted.
	report func(before, after *spill.Observation, isCounted bool)

	open          []int32           // the codes of the series that were not compared yet
	versions      [2][]spill.Series // these series, of each vintage
	unit          int32             // of the series that is compared, in the newer vintage if that has it
	oldUnit       int32             // in the older vintage
	isUnitChanged bool              // of the series that is compared
	next          spill.Series
}

func newComparison(axes []*stat.Dimension) *comparison {
	n := &comparison{axes: axes}
	for _, axis := range axes {
		n.codes = append(n.codes, axis.Positions())
	}
	return n
}

// keyedSeries is a series of columns with its key.
type keyedSeries struct {
	key    []int32
	of     *columns
	series int32
	row    int // of the first observation of the columns in the vintage
}

func sortedByKey(list []keyedSeries) []keyedSeries {
	slices.SortFunc(list, func(a, b keyedSeries) int { return slices.Compare(a.key, b.key) })
	return list
}

// position returns the number of a code of an axis: its position in the newer vintage, or one
// after those for a code that only the older one has.
func (n *comparison) position(axis int, code string) int32 {
	p, ok := n.codes[axis][code]
	if !ok {
		p = int32(len(n.codes[axis]))
		n.codes[axis][code] = p
	}
	return p
}

// keys returns the selected series of columns with their keys. row is that of the columns in the
// vintage.
func (n *comparison) keys(d *stat.Dataset, c *columns, version int32, row int) []keyedSeries {
	positions := make([][]int32, len(n.axes)) // for each code of d
	from := make([]int, len(n.axes))
	for at, axis := range n.axes {
		from[at] = slices.IndexFunc(d.Axes(), func(own *stat.Dimension) bool { return own.ID == axis.ID })
		for _, code := range d.Axes()[from[at]].Codes {
			positions[at] = append(positions[at], n.position(at, code.ID))
		}
	}
	list := make([]keyedSeries, 0, c.seriesCount())
	for s := range c.seriesCount() {
		if !c.isSelected(s, n.selects[version]) {
			continue
		}
		key := make([]int32, 0, len(n.axes)+2)
		for at := range n.axes {
			key = append(key, positions[at][c.keys[from[at]][s]])
		}
		list = append(list, keyedSeries{append(key, n.units.of(c.unitOf(int32(s))), version), c, int32(s), row})
	}
	return list
}

// isSelected reports whether a series has a selected code on every axis.
func (c *columns) isSelected(series int, sel [][]int32) bool {
	for axis, codes := range sel {
		if codes == nil {
			continue
		}
		if _, ok := slices.BinarySearch(codes, c.keys[axis][series]); !ok {
			return false
		}
	}
	return true
}

// series returns a series with its observations, valid until the next call.
func (n *comparison) series(k *keyedSeries) *spill.Series {
	c, next := k.of, &n.next
	next.Key, next.Observations = k.key, next.Observations[:0]
	for i := c.start[k.series]; i < c.start[k.series+1]; i++ {
		period := c.periods[c.period[i]]
		if n.isSelected != nil && !n.isSelected(period) {
			continue
		}
		next.Observations = append(next.Observations, spill.Observation{
			Value: c.value[i], Period: n.periods.of(period), Flag: n.flags.of(c.flagsOf(i)), Note: n.notes.of(c.noteOf(i)), Index: k.row + int(i),
		})
	}
	return next
}

// add adds the next series.
func (n *comparison) add(s *spill.Series) {
	codes := s.Key[:len(s.Key)-2]
	if !slices.Equal(codes, n.open) {
		n.end()
		n.open = slices.Clone(codes)
	}
	version := s.Key[len(s.Key)-1]
	n.versions[version] = append(n.versions[version], spill.Series{Key: slices.Clone(s.Key), Observations: slices.Clone(s.Observations)})
}

// end compares the series with the open codes. A series that is the only one with them in both
// vintages is the same, whatever its unit. Otherwise series match by unit, and an observation that
// moved to another unit is compared with the one that it was.
func (n *comparison) end() {
	old, now := n.versions[0], n.versions[1]
	isOnly := len(old) == 1 && len(now) == 1
	var moves []move
	if !isOnly && len(old) > 0 && len(now) > 0 {
		moves = takeMoves(old, now)
	}
	matched := make([]bool, len(old))
	for i := range now {
		for _, m := range moves {
			if m.to == i {
				n.compareSeries(old[m.from].Key, now[i].Key, []spill.Observation{m.before}, []spill.Observation{m.after})
			}
		}
		at := slices.IndexFunc(old, func(s spill.Series) bool { return isOnly || unitOfKey(s.Key) == unitOfKey(now[i].Key) })
		if at < 0 {
			n.compareSeries(nil, now[i].Key, nil, now[i].Observations)
			continue
		}
		matched[at] = true
		n.compareSeries(old[at].Key, now[i].Key, old[at].Observations, now[i].Observations)
	}
	for i := range old {
		if !matched[i] {
			n.compareSeries(old[i].Key, nil, old[i].Observations, nil)
		}
	}
	n.versions = [2][]spill.Series{old[:0], now[:0]}
}

// unitOfKey returns the number of the unit that is stated for a series.
func unitOfKey(key []int32) int32 { return key[len(key)-2] }

// hasOtherUnit reports whether the series that both vintages have has another unit in the newer
// one. A unit that is a code of a dimension is the same if only its label changed.
func (n *comparison) hasOtherUnit() bool {
	before, after := n.stored[0], n.stored[1]
	key, was, is := n.earlier.key(n.open), n.units.values[n.oldUnit], n.units.values[n.unit]
	if before.UnitOf(key, was) == after.UnitOf(n.open, is) {
		return false
	}
	code := before.UnitCodeOf(key, was)
	return code == "" || code != after.UnitCodeOf(n.open, is)
}

// compareSeries compares the observations of a series. A nil key says that the vintage does not have
// the series. If only one has it, observations without a value are not counted, but reported.
func (n *comparison) compareSeries(oldKey, key []int32, old, now []spill.Observation) {
	isInBoth := oldKey != nil && key != nil
	if oldKey == nil {
		oldKey = key
	} else if key == nil {
		key = oldKey
	}
	n.oldUnit, n.unit = unitOfKey(oldKey), unitOfKey(key)
	n.isUnitChanged = isInBoth && n.hasOtherUnit()
	missing := spill.Observation{Value: math.NaN(), Flag: n.flags.of(""), Note: n.notes.of(""), Index: -1}
	for len(old) > 0 || len(now) > 0 {
		order := 0
		switch {
		case len(old) == 0:
			order = 1
		case len(now) == 0:
			order = -1
		default:
			order = n.periods.values[old[0].Period].Compare(n.periods.values[now[0].Period])
		}
		before, after := missing, missing
		if order <= 0 {
			before, old = old[0], old[1:]
		}
		if order >= 0 {
			after, now = now[0], now[1:]
		}
		n.compareObservations(&before, &after, isInBoth)
	}
}

func (n *comparison) compareObservations(before, after *spill.Observation, isInBoth bool) {
	kind := n.kindOf(before, after)
	switch {
	case kind == "":
		return
	case kind == Added:
		n.counts.Added++
	case kind == Removed:
		n.counts.Removed++
	case isInBoth:
		n.counts.Revised++
		if n.isUnitChanged {
			n.counts.Units++
		}
	default:
		n.counts.WithoutValue++
	}
	if n.report != nil {
		n.report(before, after, isInBoth || kind != Revised)
	}
}

// kindOf returns how an observation differs from an earlier one; empty: it does not.
func (n *comparison) kindOf(before, after *spill.Observation) RevisionKind {
	had, has := !math.IsNaN(before.Value), !math.IsNaN(after.Value)
	switch {
	case has && !had:
		return Added
	case had && !has:
		return Removed
	case !sameValue(before.Value, after.Value) || before.Flag != after.Flag || before.Note != after.Note || has && n.isUnitChanged:
		return Revised
	}
	return ""
}
