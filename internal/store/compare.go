package store

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// compareVintages counts the changes of a new vintage: values added, observations
// whose value, flags or note differ (also flags on a missing value), and values
// removed. Series are matched by the codes of their dimensions, in any order, and
// by unit only if several series have the same codes.
func compareVintages(before, after contents) (added, revised, removed int) {
	old, c := before.columns, after.columns
	was, now := seriesByName(before), seriesByName(after)
	matched := 0
	for name, series := range now {
		for _, s := range series {
			t, ok := sameSeries(was[name], old, series, c, s)
			if !ok {
				added += c.valuesOf(s)
				continue
			}
			matched += old.valuesOf(t)
			a, r, gone := compareSeries(old, t, c, s)
			added, revised, removed = added+a, revised+r, removed+gone
		}
	}
	return added, revised, removed + old.values() - matched
}

// contents is the part of a vintage that is published and compared.
type contents struct {
	*stat.Dataset
	columns *columns
	parts   int // number of parts of the imported file; 0 if unknown
}

// seriesByName returns the series of a vintage by their codes, in the order of the
// axes' IDs. Several series of one name have different units.
func seriesByName(v contents) map[string][]int32 {
	axes, c := v.Axes(), v.columns
	order := make([]int, len(axes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(axes[i].ID, axes[j].ID) })
	named := make(map[string][]int32, c.seriesCount())
	var b strings.Builder
	for s := range int32(c.seriesCount()) {
		b.Reset()
		for _, axis := range order {
			b.WriteString(axes[axis].ID)
			b.WriteByte(0)
			b.WriteString(axes[axis].Codes[c.keys[axis][s]].ID)
			b.WriteByte(0)
		}
		named[b.String()] = append(named[b.String()], s)
	}
	return named
}

// sameSeries finds among the old series of one name the one that matches the new
// series s of that name.
func sameSeries(before []int32, old *columns, now []int32, c *columns, s int32) (t int32, ok bool) {
	if len(before) == 1 && len(now) == 1 {
		return before[0], true
	}
	for _, t := range before {
		if old.unitOf(t) == c.unitOf(s) {
			return t, true
		}
	}
	return 0, false
}

// compareSeries merges two series by period.
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

// point is an observation; a missing one has no value, flags or note.
type point struct {
	value float64
	flags stat.Flags
	note  string
}

// at returns observation i, or a missing one if there is none.
func (c *columns) at(i int32, there bool) point {
	if !there {
		return point{value: math.NaN()}
	}
	return point{c.value[i], c.flagsOf(i), c.noteOf(i)}
}
