package store

import (
	"math"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// compareOnDisk is compareVintages for vintages that do not fit in memory: both are
// sorted by the codes of the dimensions and then by unit, and merged.
func (s *Store) compareOnDisk(before, after contents) (added, revised, removed int, err error) {
	axes := after.Axes()
	if !sameAxes(before.Dataset, after.Dataset) {
		return after.observations.values, 0, before.observations.values, nil // no series matches
	}
	file, err := s.Scratch()
	if err != nil {
		return 0, 0, 0, err
	}
	defer file.Close()
	var numbers comparison
	numbers.units.of("")
	runs := spill.NewRuns(file, len(axes)+2)
	for version, v := range []contents{before, after} {
		for c, err := range v.observations.segments() {
			if err != nil {
				return 0, 0, 0, err
			}
			if err := numbers.writeRun(runs, v.Dataset, c, axes, int32(version)); err != nil {
				return 0, 0, 0, s.diskError(err)
			}
		}
	}
	if err := runs.Merge(0, numbers.add); err != nil {
		return 0, 0, 0, err
	}
	numbers.end()
	return numbers.added, numbers.revised, numbers.removed, nil
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
	codes                   []map[string]int32 // of each axis, of both vintages
	units                   interned[string]
	flags                   interned[stat.Flags]
	notes                   interned[string]
	periods                 interned[stat.Period]
	added, revised, removed int

	open     []int32           // the codes of the series that were not compared yet
	versions [2][]spill.Series // these series, of each vintage
}

// writeRun writes the series of columns as a run.
func (n *comparison) writeRun(runs *spill.Runs, d *stat.Dataset, c *columns, axes []*stat.Dimension, version int32) error {
	positions := make([][]int32, len(axes)) // for each code of d
	from := make([]int, len(axes))
	for at, axis := range axes {
		if n.codes == nil || len(n.codes) <= at {
			n.codes = append(n.codes, axis.Positions())
		}
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
	keys := make([][]int32, c.seriesCount())
	for s := range keys {
		for at := range axes {
			keys[s] = append(keys[s], positions[at][c.keys[from[at]][s]])
		}
		keys[s] = append(keys[s], n.units.of(c.unitOf(int32(s))), version)
	}
	order := numbersTo(len(keys))
	slices.SortFunc(order, func(i, j int32) int { return slices.Compare(keys[i], keys[j]) })
	var series spill.Series
	for _, s := range order {
		series.Key, series.Observations = keys[s], series.Observations[:0]
		for i := c.start[s]; i < c.start[s+1]; i++ {
			series.Observations = append(series.Observations, spill.Observation{
				Value: c.value[i], Period: n.periods.of(c.periods[c.period[i]]), Flag: n.flags.of(c.flagsOf(i)), Note: n.notes.of(c.noteOf(i)),
			})
		}
		if err := runs.Add(&series); err != nil {
			return err
		}
	}
	return runs.EndRun()
}

// add adds the next series.
func (n *comparison) add(s *spill.Series) error {
	codes := s.Key[:len(s.Key)-2]
	if !slices.Equal(codes, n.open) {
		n.end()
		n.open = slices.Clone(codes)
	}
	version := s.Key[len(s.Key)-1]
	n.versions[version] = append(n.versions[version], spill.Series{Key: slices.Clone(s.Key), Observations: slices.Clone(s.Observations)})
	return nil
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

// compareSeries is [compareSeries] for two series.
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
