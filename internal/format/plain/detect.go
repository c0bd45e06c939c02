package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/text"
)

// guess is a mapping detected from the headings and the first rows of a table.
type guess struct {
	columns []*column
	rows    [][]string
	items   []item
	doubts  []string // what is not clear; with any, the mapping is only a proposal

	area       *column // the column of areas
	hasPeriods bool
	isWide     bool // the headings are periods
	hasValue   bool // a column has a heading such as Value
}

func detect(headings []string, rows [][]string) *guess {
	g := &guess{rows: rows}
	for i := range headings {
		g.columns = append(g.columns, newColumn(headings, rows, i))
	}
	g.findGeography()
	g.findPeriods(headings)
	isText := func(c *column) bool { return !c.isMostlyNumbers() }
	for _, find := range []struct {
		key   string
		words []string
		isFit func(*column) bool
	}{{"flags", wordsFlag, isAny}, {"conf", wordsConf, isAny}, {"note", wordsNote, isAny}, {"unit", wordsUnit, isText}, {"freq", wordsFreq, isText}} {
		if c := g.named(find.words, find.isFit); c != nil {
			g.take(find.key, c)
		}
	}
	if !g.isWide {
		g.findValue()
	}
	g.takeRest()
	if !g.isWide && !slices.ContainsFunc(g.items, func(it item) bool { return it.key == "value" }) {
		g.doubt("no column contains only numbers")
	}
	slices.SortStableFunc(g.items, func(a, b item) int { return g.rank(a) - g.rank(b) })
	return g
}

func isAny(*column) bool { return true }

// rank orders the items of a mapping: first the dimensions by their columns, then the
// others by their keys.
func (g *guess) rank(it item) int {
	if roles[it.key] == "" {
		return len(g.columns) + slices.Index(keys, it.key)
	}
	return slices.IndexFunc(g.columns, func(c *column) bool { return c.name == it.columns[0] })
}

// named returns the first fitting column that is not taken and whose heading is one of
// the words, in the order of the words.
func (g *guess) named(words []string, isFit func(*column) bool) *column {
	for _, w := range words {
		for _, c := range g.columns {
			if !c.isTaken && c.words == w && isFit(c) {
				return c
			}
		}
	}
	return nil
}

func (g *guess) take(key string, columns ...*column) {
	it := item{key: key}
	if len(columns) > 1 {
		it.between = ':'
	}
	for _, c := range columns {
		c.isTaken = true
		it.columns = append(it.columns, c.name)
	}
	g.items = append(g.items, it)
}

func (g *guess) doubt(format string, args ...any) {
	g.doubts = append(g.doubts, fmt.Sprintf(format, args...))
}

// findGeography finds the codes of areas, their names, or both. "Code" alone counts
// only beside names.
func (g *guess) findGeography() {
	code := g.named(wordsGeoCode, isAny)
	name := g.named(wordsGeoName, func(c *column) bool { return c != code && !c.isMostlyNumbers() })
	if code == nil && name != nil {
		code = g.named([]string{name.words + " code", "code", name.words + " id"}, func(c *column) bool {
			_, isUnique := g.match(name, c, c)
			return c.words != "code" || isUnique
		})
	}
	g.area = cmp.Or(name, code)
	switch {
	case code != nil && name != nil:
		g.take("geo", code, name)
	case g.area != nil:
		g.take("geo", g.area)
	}
}

// findPeriods finds periods in a column, in two that form one, or in the headings.
func (g *guess) findPeriods(headings []string) {
	year := g.named(wordsYear, (*column).isPeriods)
	part := g.named(wordsPart, func(c *column) bool { return !c.isPeriods() && c.filled > 0 })
	c := g.named(wordsPeriod, (*column).isPeriods)
	g.hasPeriods = true
	switch {
	case year != nil && part != nil:
		g.take("period", year, part)
		g.items[len(g.items)-1].between = '+'
	case c != nil:
		g.take("period", c)
	case slices.ContainsFunc(headings, isPeriod):
		g.isWide = true
		g.items = append(g.items, item{key: "period", columns: []string{"*"}})
		for i, h := range headings {
			g.columns[i].isTaken = g.columns[i].isTaken || isPeriod(h)
		}
		// Four digits have the shape of a year, but may be any number.
		if at := slices.IndexFunc(headings, func(h string) bool {
			return len(h) == 4 && strings.Trim(h, "0123456789") == "" && isPeriod(h) && !isYear(h)
		}); at >= 0 {
			g.doubt("the heading %q may be a year or another number", headings[at])
		}
	default:
		g.hasPeriods = false
	}
}

func (g *guess) findValue() {
	c := g.named(wordsValue, func(c *column) bool { return c.isNumeric() || c.filled == c.marks })
	if c == nil {
		return
	}
	g.hasValue = true
	if c.isCount() && c.isCalled(wordsNumber) {
		g.doubt("the column %q numbers the rows", c.name)
	}
	g.take("value", c)
	lower, upper := g.named(wordsLower, (*column).isNumeric), g.named(wordsUpper, (*column).isNumeric)
	if lower != nil && upper != nil {
		g.take("lower", lower)
		g.take("upper", upper)
	}
}

// takeRest takes the remaining columns: numbers as values if no heading is a word for
// values or a period, all others as dimensions.
func (g *guess) takeRest() {
	for _, c := range g.columns {
		if c.isTaken || c.words == "" && c.filled == 0 {
			continue
		}
		other := g.partner(c)
		switch {
		case !g.isWide && !g.hasValue && !c.isCode() && c.numbers+c.marks == c.filled:
			g.take(g.checkValue(c), c)
			continue
		case c.isMixed() && other == nil && !((g.isWide || g.hasValue) && c.isCalled(wordsNumeric)):
			g.takeMixed(c)
			continue
		}
		key := g.checkDimension(c)
		if key == "value" && g.isWide {
			key = "dim"
		}
		switch {
		case other == nil || key != "dim":
			g.take(key, c)
		case c.isCode():
			g.take(key, c, other)
		default:
			g.take(key, other, c)
		}
	}
}

// partner returns the column that holds the codes or labels of another, as "Item Code"
// does of "Item".
func (g *guess) partner(c *column) *column {
	for _, other := range g.columns {
		if !other.isTaken && other != c && other.isCode() != c.isCode() && other.subject() == c.subject() && c.subject() != "" {
			return other
		}
	}
	return nil
}

// doubt is a reason why the meaning of a column is not clear, with the best guess.
type doubt struct {
	applies bool
	reason  string // after "the column X"
	key     string
}

// check returns the key of the first doubt that applies, else the clear one.
func (g *guess) check(c *column, clear string, doubts ...doubt) (key string) {
	for _, d := range doubts {
		if d.applies {
			g.doubt("the column %q %s", c.name, d.reason)
			return d.key
		}
	}
	return clear
}

// checkDimension returns the key of a column. It is clearly a dimension if its cells
// are filled, are repeated, and are not numbers that may be values.
func (g *guess) checkDimension(c *column) (key string) {
	isFilled, isAlone := c.filled == len(g.rows), g.partner(c) == nil
	unclear := "dim"
	if c.different*2 > c.filled || c.amounts > 0 {
		unclear = "value"
	}
	seemsDated := c.isDated() || slices.Contains(wordsPeriod, strings.TrimSuffix(c.words, " code")) || c.isCalled(wordsPart)
	return g.check(c, "dim",
		doubt{c.words == "", "has no heading", "dim"},
		doubt{seemsDated, "also seems to contain periods", "ignore"},
		doubt{!isFilled && c.isNumeric(), "contains numbers and empty cells", "value"},
		doubt{!isFilled, "has empty cells, which a dimension cannot have", "note"},
		doubt{len(g.rows) >= 8 && c.different == len(g.rows), "is different in every row, unlike a dimension", "ignore"},
		doubt{c.isNumeric() && c.isCode() && isAlone, "contains numbers, which may be codes or values", "dim"},
		doubt{c.isCount(), "numbers the rows", "ignore"},
		doubt{c.isNumeric() && !c.isCode() && isAlone && !c.isCalled(wordsNumeric), "contains numbers, which may be values or a dimension", unclear})
}

// checkValue returns the key of a column of numbers without a telling heading.
func (g *guess) checkValue(c *column) (key string) {
	return g.check(c, "value",
		doubt{c.isDated(), "also seems to contain periods", "ignore"},
		doubt{c.isCount(), "numbers the rows", "ignore"},
		doubt{c.coded != "", fmt.Sprintf("contains numbers with leading zeros (%q), as codes have", c.coded), "dim"},
		doubt{c.isCalled(wordsNumber), "contains numbers that may identify things and not be values, by its heading", "ignore"},
		doubt{c.amounts == 0 && g.numbersAreas(c), "contains the same number in all rows of an area and another for each area, like a code", "ignore"})
}

// takeMixed proposes to treat the texts among numbers as missing values, except in a
// wide table, whose columns of periods hold the values.
func (g *guess) takeMixed(c *column) {
	switch {
	case g.isWide:
		g.doubt("the column %q contains numbers and other texts (%q), and may be a dimension or not", c.name, text.Clip(c.texts[0]))
		g.take("dim", c)
		return
	case c.signed > 0 && c.signed*2 >= c.textual:
		g.doubt("the column %q contains numbers with other signs (%q); if these are values, remove the signs from the file", c.name, text.Clip(c.sign))
		g.take("value", c)
		return
	}
	var texts []string
	for _, t := range c.texts {
		texts = append(texts, strconv.Quote(text.Clip(t)))
	}
	g.doubt("the column %q contains numbers and other texts (%s), and may be values or a dimension; for values, state which texts mean missing (missing=) or zero (zero=)",
		c.name, strings.Join(texts, ", "))
	g.take("value", c)
	for _, t := range c.texts {
		if !slices.ContainsFunc(g.items, func(it item) bool { return it.key == "missing" && it.columns[0] == t }) && len(c.texts) < maxTexts {
			g.items = append(g.items, item{key: "missing", columns: []string{t}})
		}
	}
}

// numbersAreas reports whether each area has one number, the same in all its rows.
func (g *guess) numbersAreas(c *column) bool {
	if g.area == nil {
		return false
	}
	_, isOneNumber := g.match(g.area, c, c)
	areas, isOneArea := g.match(c, g.area, c)
	return isOneNumber && isOneArea && len(areas) > 1 && len(g.rows) > len(areas)
}

// match maps the cells of one column to those of another, in rows where the column
// filled is not empty; isUnique is false if a cell has several.
func (g *guess) match(from, to, filled *column) (cells map[string]string, isUnique bool) {
	cells = map[string]string{}
	for _, row := range g.rows {
		if max(from.at, to.at) >= len(row) || row[filled.at] == "" {
			continue
		}
		if before, ok := cells[row[from.at]]; ok && before != row[to.at] {
			return cells, false
		}
		cells[row[from.at]] = row[to.at]
	}
	return cells, true
}
