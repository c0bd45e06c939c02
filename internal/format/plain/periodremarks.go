package plain

import (
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/assemble"
)

// A wide table may have columns with the flags or notes of each period:
//
//	Country,2018,2018_flag,2019,2019_flag      Country,2018,,2019,
//	Germany,1.5,p,1.6,                         Germany,1.5,p,1.6,

// takeRemarksOfPeriods takes such columns, by the period in their heading, or by their place if one stands on the
// right of each period. Of flags beside some periods only, nothing tells whether they are of these or of the row.
func (g *guess) takeRemarksOfPeriods() {
	if len(g.dated) < 2 {
		return
	}
	of := map[*column]*column{} // the period on the left of a column of remarks
	beside := map[*column]int{} // how many of them stand beside a period
	var covered []*column
	var last *column
	for _, c := range g.columns {
		named := slices.IndexFunc(g.dated, c.isNamedBy)
		if named < 0 {
			named = g.ofSameYear(c)
		}
		switch {
		case slices.Contains(g.dated, c):
			last = c
		case named >= 0:
			if !c.isTaken {
				g.takeRemarkOf(g.dated[named], c)
			}
		case last == nil || !g.mayBeRemark(c):
			last = nil
		default:
			of[c] = last
			beside[last]++
			if !slices.Contains(covered, last) {
				covered = append(covered, last)
			}
		}
	}
	for _, c := range g.free() {
		switch period := of[c]; {
		case period == nil || c.isEmpty() || c.isCalled("note") && c.name == g.headings[c.at] && isOneMore(beside, g.dated, period):
		case len(covered) == len(g.dated):
			g.takeRemarkOf(period, c)
		case g.keyOfRemark(c) == "flags":
			g.doubt("the column %q may be about the column %q on its left, or about the whole row", c.name, period.name)
			g.takeRemarkOf(period, c)
			g.others = append(g.others, item{key: "flags", columns: []string{c.name}})
		}
	}
}

// isOneMore reports whether one more column of remarks stands behind the last period than beside each of the others:
// it is about the row.
//
//	Country,2018,Flag,2019,Flag,Comment
func isOneMore(beside map[*column]int, dated []*column, period *column) bool {
	last := len(dated) - 1
	return period == dated[last] && !slices.ContainsFunc(dated[:last], func(d *column) bool { return beside[d] == 0 || beside[d]+1 != beside[period] })
}

// isNamedBy reports whether the heading of a column says that it is about a column with a period, as "2018 flag" does.
// Texts of any name are: "2018 fn".
func (c *column) isNamedBy(dated *column) bool {
	if c.remarkOf(dated) != "" {
		return true
	}
	return c.numbers == 0 && (strings.HasPrefix(c.words, dated.words+" ") || strings.HasSuffix(c.words, " "+dated.words))
}

// ofSameYear returns which of the dated columns the flags of a year are about: the only one with this year, as Value 2018
// is beside Flag 2018; -1 for other columns.
func (g *guess) ofSameYear(c *column) (at int) {
	flag, ok := splitHeading(g.headings[c.at])
	if !ok || c.numbers > 0 || !assemble.Means("flag", assemble.Fold(flag.measure)) {
		return -1
	}
	at = -1
	for i, dated := range g.dated {
		switch of, ok := splitHeading(g.headings[dated.at]); {
		case !ok || of.year != flag.year:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// mayBeRemark reports whether a column may hold flags or notes: its heading says so, or it has no numbers, and no
// heading or a repeated one.
func (g *guess) mayBeRemark(c *column) bool {
	return c.isCalled("flag", "note") || c.numbers == 0 && c.name != g.headings[c.at]
}

// keyOfRemark returns whether a column holds flags or notes. If its heading does not say so, flags are short.
func (g *guess) keyOfRemark(c *column) (key string) {
	isLong := func(cell string) bool { return utf8.RuneCountInString(cell) > 3 }
	if c.isCalled("note") || !c.isCalled("flag") && slices.ContainsFunc(c.cells, isLong) {
		return "note"
	}
	return "flags"
}

// takeRemarkOf takes a column of flags or notes of a period. Each has one column of flags.
func (g *guess) takeRemarkOf(period, c *column) {
	key := c.remarkOf(period)
	if key == "" {
		key = g.keyOfRemark(c)
	}
	if slices.ContainsFunc(g.items, func(it item) bool { return it.key == key && it.isRemarkOfColumn() && it.columns[1] == period.name }) {
		key = "note"
	}
	g.takeFor(key, c, period)
}
