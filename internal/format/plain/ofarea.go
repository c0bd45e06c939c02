package plain

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
)

// isOfArea reports whether a column, or that of its labels, says something of the areas, as their
// currency or income group do: each area has one text in all rows, or most areas do and the column
// is not needed to tell rows apart. Where fewer than minGroups areas may be so by chance, the
// heading must be that of currencies, of groups of areas or the like.
func (g *guess) isOfArea(p pair) bool {
	c := cmp.Or(p.label, p.code)
	if g.area == nil || c == g.area || c.isCalled("place") {
		return false
	}
	isGroup := c.isCalled("group of areas") && isText(c)
	if isGeoWord(c) && c.different >= g.area.different {
		return false // areas within these
	}
	isCode := c.looksCoded() && c.isOfAreas() && !isGroup
	if c.isConstant() { // Division may be one of goods
		return g.area.different > 1 && (isGroup || isGeoWord(c) || isCode && c.isAll(twoOrThreeLetters))
	}
	if isCode {
		return false
	}
	if g.area.isOneToOne(c) && g.area.different > 1 && !isGroup && !c.isCurrency() && slices.Contains(g.described(p.key()), g.area) {
		return false // another code or name
	}
	isCalled := isGroup || c.isOfAreas() || assemble.Means("describing", c.subject())
	isMany := g.area.different >= minGroups && len(g.body) >= 2*g.area.different
	steady := c.steady(newGroups(len(g.body)).with(g.area))
	switch {
	case g.area.determines(c) && g.area.different > 1:
		return isMany && !c.hasGaps() || isCalled || c.isCurrency()
	case !isText(c) || !g.key(p.code, p.label).isUnique():
		return false
	}
	isRegular := isMany && 4*steady >= 3*g.area.different && 2*c.different <= g.area.different && !c.hasTotal()
	return c.isCurrency() || isRegular || g.area.different > 1 && isGroup && 2*steady >= g.area.different
}

// steady returns how many groups of rows have the same text of a column in all rows that have one.
func (c *column) steady(by groups) (n int) {
	const changing = -1
	texts := make([]int, by.n)
	for i, group := range by.ids {
		switch id := c.ids[i]; {
		case id == 0 || texts[group] == id:
		case texts[group] == 0:
			texts[group] = id
			n++
		case texts[group] != changing:
			texts[group] = changing
			n--
		}
	}
	return n
}

// hasTotal reports whether a cell says that it is a total, as those of breakdowns do: "All ages".
func (c *column) hasTotal() bool {
	isTotal := func(word string) bool { return word == "both" || assemble.Means("total cell", word) }
	return slices.ContainsFunc(c.cells, func(cell string) bool {
		return slices.ContainsFunc(strings.Fields(strings.ToLower(cell)), isTotal)
	})
}

// takeOfArea takes the columns of a pair that says something of the areas. Currencies are the
// units of the only column of values, other texts attributes. Codes are left out beside their
// names, and numbers.
func (g *guess) takeOfArea(p pair) {
	isName := func(c *column) bool { // the country of an ISO code
		return isText(c) && !c.looksCoded() && isGeoWord(c) && c.isOneToOne(p.code)
	}
	by := slices.IndexFunc(g.columns, func(c *column) bool { return c != g.area && isName(c) })
	switch {
	case p.key().isCurrency() && !p.key().hasGaps() && g.hasOneValue():
		g.take("units", p.code)
		if p.label != nil {
			g.take("attribute", p.label)
		}
	case p.label != nil && p.label.determines(p.code):
		g.ignore(p.code, p.label)
		g.take("attribute", p.label)
	case p.label == nil && by >= 0 && p.code.looksCoded() && p.code.isOfAreas():
		g.ignore(p.code, g.columns[by])
	case p.label == nil && !isText(p.code):
		g.ignore(p.code, g.area)
	default:
		for _, c := range p.columns() {
			g.take("attribute", c)
		}
	}
}
