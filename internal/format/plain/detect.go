package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// guess is a mapping that is found in a table's headings and first rows.
type guess struct {
	columns []*column
	rows    [][]string
	items   []item
	doubts  []string // what is not plain; with any, the mapping is a proposal only

	area       *column // the column of areas
	hasPeriods bool
	isWide     bool // the headings are periods
	hasValue   bool // a column is called a value
}

// detect finds out what the columns of a table mean.
func detect(headings []string, rows [][]string) *guess {
	g := &guess{rows: rows}
	for i := range headings {
		g.columns = append(g.columns, look(headings, rows, i))
	}
	g.findGeography()
	g.findPeriods(headings)
	isAny := func(*column) bool { return true }
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
		g.doubt("no column holds numbers only")
	}
	slices.SortStableFunc(g.items, func(a, b item) int { return g.rank(a) - g.rank(b) })
	return g
}

// rank is where an item stands in a mapping: dimensions first, in the order of
// their columns, then the others by their words.
func (g *guess) rank(it item) int {
	if roles[it.key] == "" {
		return len(g.columns) + slices.Index(keys, it.key)
	}
	return slices.IndexFunc(g.columns, func(c *column) bool { return c.name == it.columns[0] })
}

// named is the first column that is free, known by one of the words, and fit.
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

// take gives columns a use.
func (g *guess) take(key string, used ...*column) {
	it := item{key: key}
	if len(used) > 1 {
		it.between = ':'
	}
	for _, c := range used {
		c.isTaken = true
		it.columns = append(it.columns, c.name)
	}
	g.items = append(g.items, it)
}

func (g *guess) doubt(text string, args ...any) {
	g.doubts = append(g.doubts, fmt.Sprintf(text, args...))
}

// findGeography looks for areas: codes, names or both. "Code" alone counts
// beside names.
func (g *guess) findGeography() {
	code := g.named(wordsGeoCode, func(*column) bool { return true })
	name := g.named(wordsGeoName, func(c *column) bool { return c != code && !c.isMostlyNumbers() })
	if code == nil && name != nil {
		code = g.named([]string{name.words + " code", "code", name.words + " id"}, func(c *column) bool { return c.words != "code" || g.hasOneEach(name, c) })
	}
	switch {
	case code != nil && name != nil:
		g.area = name
		g.take("geo", code, name)
	case code != nil:
		g.area = code
		g.take("geo", code)
	case name != nil:
		g.area = name
		g.take("geo", name)
	}
}

// findPeriods looks for periods: in a column, in two that make one, or in the
// headings.
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
		if c.business == c.filled && c.different > 1 {
			g.doubt("the column %q may hold years that begin in one year and end in the next, or months", c.name)
		}
	case slices.ContainsFunc(headings, isPeriod):
		g.isWide = true
		g.items = append(g.items, item{key: "period", columns: []string{"*"}})
		for i, h := range headings {
			g.columns[i].isTaken = g.columns[i].isTaken || isPeriod(h)
		}
		// Headings are periods by their shape: numbers of four digits may be anything.
		if at := slices.IndexFunc(headings, func(h string) bool {
			return len(h) == 4 && strings.Trim(h, "0123456789") == "" && isPeriod(h) && !isYear(h)
		}); at >= 0 {
			g.doubt("the heading %q may be a year or another number", headings[at])
		}
	default:
		g.hasPeriods = false
	}
}

// findValue looks for the one column of values, by its heading.
func (g *guess) findValue() {
	c := g.named(wordsValue, func(c *column) bool { return c.isNumeric() || c.filled == c.marks })
	if c == nil {
		return
	}
	g.hasValue = true
	if c.isCount() && c.isCalled(wordsNumber) {
		g.doubt("the column %q counts the rows", c.name)
	}
	g.take("value", c)
	lower, upper := g.named(wordsLower, (*column).isNumeric), g.named(wordsUpper, (*column).isNumeric)
	if lower != nil && upper != nil {
		g.take("lower", lower)
		g.take("upper", upper)
	}
}

// takeRest finds uses for what is left: values where no column has that name or
// the periods are headings, and dimensions.
func (g *guess) takeRest() {
	for _, c := range g.columns {
		if c.isTaken || c.words == "" && c.filled == 0 {
			continue
		}
		other := g.partner(c)
		switch {
		case !g.isWide && !g.hasValue && !c.isCode() && c.numbers+c.marks == c.filled:
			g.take(g.weighValue(c), c)
			continue
		case c.isMixed() && other == nil && !((g.isWide || g.hasValue) && c.isCalled(wordsNumeric)):
			g.takeMixed(c)
			continue
		}
		key := g.weighDimension(c)
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

// partner is the column that has the codes of a column of labels, or the
// labels of one of codes: "Item Code" and "Item", "Indicator Code" and
// "Indicator Name".
func (g *guess) partner(c *column) *column {
	for _, other := range g.columns {
		if !other.isTaken && other != c && other.isCode() != c.isCode() && other.subject() == c.subject() && c.subject() != "" {
			return other
		}
	}
	return nil
}

// weighDimension doubts that a column is a dimension, whose cells are to be
// there, to come again, and to be no numbers that are values themselves. It
// returns what the column is, or may be best.
func (g *guess) weighDimension(c *column) (key string) {
	switch {
	case c.words == "":
		g.doubt("the column %q has no heading", c.name)
	case c.isDated(), slices.Contains(wordsPeriod, strings.TrimSuffix(c.words, " code")), c.isCalled(wordsPart):
		g.doubt("the column %q seems to hold periods too", c.name)
		return "ignore"
	case c.filled < len(g.rows) && c.isNumeric():
		g.doubt("the column %q holds numbers and empty cells", c.name)
		return "value"
	case c.filled < len(g.rows):
		g.doubt("the column %q has empty cells, which a dimension cannot have", c.name)
		return "note"
	case len(g.rows) >= 8 && c.different == len(g.rows):
		g.doubt("the column %q is different in every row, as no dimension is", c.name)
		return "ignore"
	case c.isNumeric() && c.isCode() && g.partner(c) == nil:
		g.doubt("the column %q holds numbers, which may be codes or values", c.name)
	case c.isCount():
		g.doubt("the column %q counts the rows", c.name)
		return "ignore"
	case c.isNumeric() && !c.isCode() && g.partner(c) == nil && !c.isCalled(wordsNumeric):
		g.doubt("the column %q holds numbers, which may be values or a dimension", c.name)
		if c.different*2 > c.filled || c.amounts > 0 {
			return "value"
		}
	}
	return "dim"
}

// weighValue doubts that a column of numbers that nothing calls values is one.
// It returns what the column is, or may be best.
func (g *guess) weighValue(c *column) (key string) {
	switch {
	case c.isDated():
		g.doubt("the column %q seems to hold periods too", c.name)
	case c.isCount():
		g.doubt("the column %q counts the rows", c.name)
	case c.coded != "":
		g.doubt("the column %q holds numbers that begin with a zero (%q), as codes do", c.name, c.coded)
		return "dim"
	case c.isCalled(wordsNumber):
		g.doubt("the column %q holds numbers that may be those of things and no values, by its heading", c.name)
	case c.amounts == 0 && g.numbersAreas(c):
		g.doubt("the column %q holds the same number in all rows of an area and another for each, as a code does", c.name)
	default:
		return "value"
	}
	return "ignore"
}

// takeMixed says what is the matter with numbers that have texts among them, and
// proposes to take the texts for missing values. In a wide table the columns of
// periods hold the values.
func (g *guess) takeMixed(c *column) {
	switch {
	case g.isWide:
		g.doubt("the column %q holds numbers and other texts (%q), and may be a dimension or none", c.name, short(c.texts[0]))
		g.take("dim", c)
		return
	case c.signed > 0 && c.signed*2 >= c.textual:
		g.doubt("the column %q holds numbers with other signs (%q), which no number has; if these are values, take the signs out of the file", c.name, short(c.sign))
		g.take("value", c)
		return
	}
	var texts []string
	for _, t := range c.texts {
		texts = append(texts, strconv.Quote(short(t)))
	}
	g.doubt("the column %q holds numbers and other texts (%s), and may be values or a dimension; if it is values, say which texts mean that there is none (missing=) or zero (zero=)",
		c.name, strings.Join(texts, ", "))
	g.take("value", c)
	for _, t := range c.texts {
		if !slices.ContainsFunc(g.items, func(it item) bool { return it.key == "missing" && it.columns[0] == t }) && len(c.texts) < maxTexts {
			g.items = append(g.items, item{key: "missing", columns: []string{t}})
		}
	}
}

func short(text string) string {
	if len(text) > 30 {
		return strings.ToValidUTF8(text[:30], "") + "…"
	}
	return text
}

// numbersAreas reports whether a column has one number for each area, the same
// in all its rows.
func (g *guess) numbersAreas(c *column) bool {
	if g.area == nil || !g.hasOneEach(g.area, c) {
		return false
	}
	areas := map[string]string{} // by their numbers
	for _, row := range g.rows {
		if !hasCells(row, c, g.area) {
			continue
		}
		area, number := row[g.area.at], row[c.at]
		if before, ok := areas[number]; ok && before != area {
			return false
		}
		areas[number] = area
	}
	return len(areas) > 1 && len(g.rows) > len(areas)
}

// hasOneEach reports whether each name has one code at most, in the first rows.
func (g *guess) hasOneEach(name, code *column) bool {
	codes := map[string]string{}
	for _, row := range g.rows {
		if !hasCells(row, code, name) {
			continue
		}
		if before, ok := codes[row[name.at]]; ok && before != row[code.at] {
			return false
		}
		codes[row[name.at]] = row[code.at]
	}
	return true
}

// hasCells reports whether a row has a code and is long enough for a name.
func hasCells(row []string, code, name *column) bool {
	return code.at < len(row) && name.at < len(row) && row[code.at] != ""
}
