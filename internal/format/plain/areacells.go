package plain

import (
	"slices"
	"strings"

	"almanac/internal/format/assemble"
)

// settlementTypes are the cells of columns called Area that tell towns from villages, or
// countries from their parts.
var settlementTypes = append(strings.Fields("t u r total urban rural both all urbano urbana urbain urbaine"),
	"country", "state", "states", "national", "region", "county", "unitary authority", "metropolitan county", "metropolitan district", "non-metropolitan county",
	"non-metropolitan district", "london borough", "council area", "local government district")

// isSettlementTypes reports whether a column only tells towns from villages, or other kinds
// of areas: it holds no areas, whatever its heading.
func (c *column) isSettlementTypes() bool {
	return c.different > 0 && !slices.ContainsFunc(c.cells, func(cell string) bool {
		return !slices.Contains(settlementTypes, strings.ToLower(cell))
	})
}

// areasIn returns how many cells of a column are known areas, 0 if it may not be the geography.
func (g *guess) areasIn(c *column) int {
	if c == nil || g.countAreas == nil {
		return 0
	}
	return g.countAreas("local", c.name, c.cells)
}

// resolved returns the codes and names of areas that were found by their headings with a
// column of the same areas that has known names or codes, if theirs are not known.
func (g *guess) resolved(code, name *column) (*column, *column) {
	found := code
	if found == nil {
		found = name
	}
	if found == nil || g.areasIn(code)+g.areasIn(name) > 0 {
		return code, name
	}
	var best *column
	for _, c := range g.free() {
		isSame := c != code && c != name && c.isOneToOne(found) && !c.hasGaps() && !c.hasWord(assemble.Words("partner")...)
		if isSame && (best == nil || best.looksCoded() && !c.looksCoded()) && g.areasIn(c) > 0 {
			best = c
		}
	}
	switch {
	case best == nil:
		return code, name
	case best.looksCoded():
		return best, nil
	}
	return found, best
}

// measureAbove returns the heading of the only column of texts in a wide table, if that holds areas
// and the heading says what is measured: "Real GDP growth (Annual percent change)". It is empty for
// other tables.
func (g *guess) measureAbove() string {
	var only *column
	for _, it := range g.items {
		switch {
		case roles[it.key] == "":
		case only != nil || len(it.columns) != 1:
			return ""
		default:
			only = g.column(it.columns[0])
		}
	}
	if !g.isWide || only == nil || strings.Count(only.name, " ") < 2 || isGeoWord(only) || g.areasIn(only) == 0 {
		return ""
	}
	return only.name
}
