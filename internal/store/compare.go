package store

import (
	"math"
	"strings"

	"almanac/internal/stat"
)

// compareVintages counts what a new vintage changes: observations with a value
// that the old one had none for, observations whose value, flags or note
// differ (also flags on a missing value), and observations that lost their
// value. Series are matched by codes.
func compareVintages(oldSet *stat.Dataset, old *columns, newSet *stat.Dataset, c *columns) (added, revised, removed int) {
	index := map[string]int32{}
	names := newSeriesNames(oldSet)
	for s := range int32(old.seriesCount()) {
		index[names.of(old, s)] = s
	}
	names = newSeriesNames(newSet)
	matched := 0
	for s := range int32(c.seriesCount()) {
		t, ok := index[names.of(c, s)]
		if !ok {
			added += c.valuesOf(s)
			continue
		}
		matched += old.valuesOf(t)
		a, r, gone := compareSeries(old, t, c, s)
		added, revised, removed = added+a, revised+r, removed+gone
	}
	return added, revised, removed + old.values() - matched
}

// seriesNames writes the key of a series as text: code IDs by axis ID.
type seriesNames struct {
	axes []*stat.Dimension
	b    strings.Builder
}

func newSeriesNames(d *stat.Dataset) *seriesNames { return &seriesNames{axes: d.Axes()} }

func (n *seriesNames) of(c *columns, series int32) string {
	n.b.Reset()
	for axis, dim := range n.axes {
		n.b.WriteString(dim.ID)
		n.b.WriteByte(0)
		n.b.WriteString(dim.Codes[c.keys[axis][series]].ID)
		n.b.WriteByte(0)
	}
	n.b.WriteString(c.unitOf(series))
	return n.b.String()
}

// valuesOf counts the observations of a series that have a value.
func (c *columns) valuesOf(series int32) int {
	n := 0
	for _, v := range c.value[c.start[series]:c.start[series+1]] {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// compareSeries walks through two series, both in order of period.
func compareSeries(old *columns, t int32, c *columns, s int32) (added, revised, removed int) {
	i, j := old.start[t], c.start[s]
	for i < old.start[t+1] || j < c.start[s+1] {
		order := 0
		switch {
		case i == old.start[t+1]:
			order = 1
		case j == c.start[s+1]:
			order = -1
		default:
			order = old.periods[old.period[i]].Compare(c.periods[c.period[j]])
		}
		before, after := old.at(i, order <= 0), c.at(j, order >= 0)
		had, has := !math.IsNaN(before.value), !math.IsNaN(after.value)
		switch {
		case has && !had:
			added++
		case had && !has:
			removed++
		case !sameValue(before.value, after.value) || before.flags != after.flags || before.note != after.note:
			revised++
		}
		if order <= 0 {
			i++
		}
		if order >= 0 {
			j++
		}
	}
	return added, revised, removed
}

// point is what stands at one place; without anything there it has no value,
// no flags and no note.
type point struct {
	value float64
	flags stat.Flags
	note  string
}

// at returns observation i if it is there.
func (c *columns) at(i int32, there bool) point {
	if !there {
		return point{value: math.NaN()}
	}
	return point{c.value[i], c.flagsOf(i), c.noteOf(i)}
}
