package store

import (
	"math"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// contents is the part of a vintage that is published and compared.
type contents struct {
	*stat.Dataset
	observations *observations
	parts        int // number of parts of the imported file; 0 if unknown
}

// compare counts the values added, the observations whose value, flags or note differ
// (also flags on a missing value), and the values removed. Series match by the codes of
// their dimensions, in any order, and by unit only if several have the same codes. Vintages
// that do not fit in memory are sorted on disk.
func (s *Store) compare(before, after contents) (added, revised, removed int, err error) {
	if !sameAxes(before.Dataset, after.Dataset) {
		return after.observations.values, 0, before.observations.values, nil // no series matches
	}
	n := newComparison(after.Axes())
	if old, now := before.observations.whole, after.observations.whole; old != nil && now != nil {
		for _, k := range sortedByKey(append(n.keys(before.Dataset, old, 0), n.keys(after.Dataset, now, 1)...)) {
			n.add(n.series(&k))
		}
	} else {
		err = n.addOnDisk(s, before, after)
	}
	n.end()
	return n.added, n.revised, n.removed, err
}

// addOnDisk adds all series, sorted in a temporary file.
func (n *comparison) addOnDisk(s *Store, vintages ...contents) error {
	file, err := s.Scratch()
	if err != nil {
		return err
	}
	defer file.Close()
	runs := spill.NewRuns(file, len(n.axes)+2)
	for version, v := range vintages {
		for c, err := range v.observations.segments() {
			if err != nil {
				return err
			}
			for _, k := range sortedByKey(n.keys(v.Dataset, c, int32(version))) {
				if err := runs.Add(n.series(&k)); err != nil {
					return s.diskError(err)
				}
			}
			if err := runs.EndRun(); err != nil {
				return s.diskError(err)
			}
		}
	}
	return runs.Merge(0, func(s *spill.Series) error {
		n.add(s)
		return nil
	})
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
	axes                    []*stat.Dimension
	codes                   []map[string]int32 // of each axis, of both vintages
	units                   interned[string]
	flags                   interned[stat.Flags]
	notes                   interned[string]
	periods                 interned[stat.Period]
	added, revised, removed int

	open     []int32           // the codes of the series that were not compared yet
	versions [2][]spill.Series // these series, of each vintage
	next     spill.Series
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
}

func sortedByKey(list []keyedSeries) []keyedSeries {
	slices.SortFunc(list, func(a, b keyedSeries) int { return slices.Compare(a.key, b.key) })
	return list
}

// keys returns the series of columns with their keys.
func (n *comparison) keys(d *stat.Dataset, c *columns, version int32) []keyedSeries {
	positions := make([][]int32, len(n.axes)) // for each code of d
	from := make([]int, len(n.axes))
	for at, axis := range n.axes {
		from[at] = slices.IndexFunc(d.Axes(), func(own *stat.Dimension) bool { return own.ID == axis.ID })
		for _, code := range d.Axes()[from[at]].Codes {
			p, ok := n.codes[at][code.ID]
			if !ok {
				p = int32(len(n.codes[at]))
				n.codes[at][code.ID] = p
			}
			positions[at] = append(positions[at], p)
		}
	}
	list := make([]keyedSeries, c.seriesCount())
	for s := range list {
		key := make([]int32, 0, len(n.axes)+2)
		for at := range n.axes {
			key = append(key, positions[at][c.keys[from[at]][s]])
		}
		list[s] = keyedSeries{append(key, n.units.of(c.unitOf(int32(s))), version), c, int32(s)}
	}
	return list
}

// series returns a series with its observations, valid until the next call.
func (n *comparison) series(k *keyedSeries) *spill.Series {
	c, next := k.of, &n.next
	next.Key, next.Observations = k.key, next.Observations[:0]
	for i := c.start[k.series]; i < c.start[k.series+1]; i++ {
		next.Observations = append(next.Observations, spill.Observation{
			Value: c.value[i], Period: n.periods.of(c.periods[c.period[i]]), Flag: n.flags.of(c.flagsOf(i)), Note: n.notes.of(c.noteOf(i)),
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

// end compares the series with the open codes. They match by unit only if several have
// the same codes.
func (n *comparison) end() {
	old, now := n.versions[0], n.versions[1]
	matched := make([]bool, len(old))
	for i := range now {
		at := slices.IndexFunc(old, func(s spill.Series) bool {
			return len(old) == 1 && len(now) == 1 || s.Key[len(s.Key)-2] == now[i].Key[len(s.Key)-2]
		})
		if at < 0 {
			n.added += countNumbers(now[i].Observations)
			continue
		}
		matched[at] = true
		n.compareSeries(old[at].Observations, now[i].Observations)
	}
	for i := range old {
		if !matched[i] {
			n.removed += countNumbers(old[i].Observations)
		}
	}
	n.versions = [2][]spill.Series{old[:0], now[:0]}
}

func countNumbers(list []spill.Observation) int {
	count := 0
	for i := range list {
		if !math.IsNaN(list[i].Value) {
			count++
		}
	}
	return count
}

// compareSeries compares the observations of a series.
func (n *comparison) compareSeries(old, now []spill.Observation) {
	missing := spill.Observation{Value: math.NaN(), Flag: n.flags.of(""), Note: n.notes.of("")}
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
		had, has := !math.IsNaN(before.Value), !math.IsNaN(after.Value)
		switch {
		case has && !had:
			n.added++
		case had && !has:
			n.removed++
		case !sameValue(before.Value, after.Value) || before.Flag != after.Flag || before.Note != after.Note:
			n.revised++
		}
	}
}
