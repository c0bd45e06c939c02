package transform

import (
	"slices"

	"almanac/internal/stat"
)

// breakFlag marks the first value after a break in a series, which is not comparable with those before.
const breakFlag = "B"

// countBreaks counts the breaks of each series, those on missing values too.
func (g *grid) countBreaks() {
	if !slices.ContainsFunc(g.Flags, func(f stat.Flags) bool { return f.Has(breakFlag) }) {
		return
	}
	g.breaks = make([]int32, len(g.cells))
	counts := map[stat.Frequency][]int32{} // by area
	for _, f := range g.frequencies {
		counts[f] = make([]int32, len(g.Areas))
	}
	for row, p := range g.periods {
		count := counts[p.Frequency()]
		for area := range g.Areas {
			if at := g.cell(row, area); at >= 0 && g.Flags[at].Has(breakFlag) {
				count[area]++
			}
		}
		copy(g.breaks[row*len(g.Areas):], count)
	}
}

// isBroken reports whether there is a break between the value of an area in a row and what it is
// compared with, or within that.
func (g *grid) isBroken(row, area int, from operand) bool {
	if g.breaks == nil {
		return false
	}
	first, last := min(row, from.first), max(row, from.last)
	return g.breaks[last*len(g.Areas)+area] > g.breaks[first*len(g.Areas)+area]
}

// joinFlags adds to the flags of a value those of what it is compared with or divided by. Breaks are left out
// of values that are compared, because [grid.isBroken] says whether one separates the two; OwnBreaks keeps
// that of the value itself.
func (t Transform) joinFlags(own stat.Flags, others []stat.Flags) stat.Flags {
	var codes []string
	for i, flags := range append([]stat.Flags{own}, others...) {
		for _, code := range flags.List() {
			if code != breakFlag || t.Kind == PerCapita || t.OwnBreaks && i == 0 {
				codes = append(codes, code)
			}
		}
	}
	return stat.NewFlags(codes...)
}
