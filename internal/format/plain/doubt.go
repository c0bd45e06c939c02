package plain

import (
	"cmp"
	"slices"
)

// readings returns the items of a mapping and, if other columns may as well mean something else,
// those of the other mapping.
func (g *guess) readings() [][]item {
	if len(g.others) == 0 {
		return [][]item{g.items}
	}
	other := slices.Clone(g.items)
	for _, meant := range g.others {
		for i, it := range other {
			switch isOf := it.columns[0] == meant.columns[0]; {
			case isOf && (len(it.columns) == 1 || it.isRemarkOfColumn()):
				other[i] = meant
			case it.key == "period" && meant.key == "period" && len(it.columns) == 1:
				other[i].key = "dim"
			}
		}
	}
	g.sort(other)
	return [][]item{g.items, other}
}

// keptTimes returns what becomes of a column of periods beside those of the values, which is never
// left out: a dimension if it tells rows apart, else a note, or the periods.
func (g *guess) keptTimes(c *column, applies bool) doubtReason {
	d := doubtReason{applies: applies, reason: "also seems to contain periods", key: "dim"}
	if isOfYears := g.isWide || len(g.times) == 1 && g.times[0].years == g.times[0].filled; applies && isOfYears && c.isCalledPart() {
		g.isVain = true // the values are those of its parts, not of the years
	}
	if c.hasGaps() || g.key(c).isUnique() {
		d.key = "note"
	}
	if applies && g.isWide && c.numbers == 0 && d.key == "dim" {
		g.isVain = true // a table of dates is not read by its headings
	}
	if !c.hasGaps() && isPeriodWord(c) && c.isDated() && len(g.times) == 1 {
		d.or = "period"
	}
	return d
}

// doubtReason is a reason why the meaning of a column is not clear, with the best guess.
type doubtReason struct {
	applies bool
	reason  string // after "the column X"
	key     string
	or      string // another meaning that is as likely
}

// firstDoubt returns the key of the first doubt that applies, else the clear one.
func (g *guess) firstDoubt(c *column, clear string, doubts ...doubtReason) (key string) {
	for _, d := range doubts {
		if d.applies {
			g.doubt("the column %q %s", c.name, d.reason)
			if d.or != "" {
				g.others = append(g.others, item{key: d.or, columns: []string{c.name}})
			}
			if d.key == "dim" && g.area == nil && 2*g.areasIn(c) > c.different {
				g.area = c
				return "geo"
			}
			return d.key
		}
	}
	return cmp.Or(clear, "dim")
}
