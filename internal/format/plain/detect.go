package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
)

// guess is a mapping detected from the headings and the first rows of a table.
type guess struct {
	layout
	columns []*column
	items   []item
	doubts  []string // what is not clear; with any, the mapping is only a proposal
	others  []item   // what the columns in doubt may mean as well
	isVain  bool     // no mapping could read the file as it is
	checks  []check  // what the rows below the sample must fulfil

	falseYear  *column // a column that its heading calls periods and that holds none
	filePeriod string  // which the notes below the table state
	year       string  // of all rows, if it is stated or in the title
	measure    string  // the only one of all headings that hold a measure and a year
	totals     bool    // rows without a period are totals over periods
	area       *column // the column of areas
	times      []*column
	values     []*column
	dated      []*column // the columns of values whose headings are periods, or contain them
	dims       []*column
	hasPeriods bool
	isWide     bool // the headings are periods, or contain them
	hasValue   bool // a column has a heading such as Value
}

// check says that a column may be left out because the columns at by decide its cells;
// without any, all its cells are the same.
type check struct {
	at int
	by []int
}

func newGuess(l layout) *guess {
	g := &guess{layout: l}
	for i := range l.headings {
		g.columns = append(g.columns, newColumn(l.headings, l.body, i))
		g.columns[i].isTaken = i >= len(l.written) // bounds of the values in another column
	}
	return g
}

// detect finds what the columns mean: first those that headings and cells tell, then
// the values, then the dimensions, until the key of each row is unique.
func detect(l layout, year string) *guess {
	g := newGuess(l)
	g.year = year
	g.findStatuses()
	if last := len(l.headings) - 1; last == len(l.written) && len(l.marks.bounded) == 0 {
		g.doubt("the rows have a cell more than the headings")
		g.take("ignore", g.columns[last])
	}
	g.takeEmpty()
	g.findPeriods()
	g.findTotals()
	g.findAttributes()
	g.findParts()
	if !g.isWide {
		g.findValue()
	}
	g.findGeography()
	g.checkAreaGaps()
	g.takeDimensions()
	g.takeNumbers()
	g.takeNationalUnits()
	g.keepAttributes()
	g.checkRemarks()
	g.thinKey()
	if !g.isWide && len(g.values) == 0 && !g.has("value") {
		g.doubt("no column contains only numbers")
	}
	g.sort(g.items)
	return g
}

func isAny(*column) bool { return true }

func isText(c *column) bool { return !c.isMostlyNumbers() }

func (g *guess) has(key string) bool {
	return slices.ContainsFunc(g.items, func(it item) bool { return it.key == key })
}

// rank orders the items of a mapping: first the dimensions by their columns, then the
// others by their keys.
func (g *guess) rank(it item) int {
	if roles[it.key] == "" {
		return len(g.columns) + slices.Index(keys, it.key)
	}
	return slices.IndexFunc(g.columns, func(c *column) bool { return c.name == it.columns[0] })
}

func (g *guess) sort(items []item) {
	slices.SortStableFunc(items, func(a, b item) int { return g.rank(a) - g.rank(b) })
}

// column returns the column that a mapping names; nil if there is none.
func (g *guess) column(name string) *column {
	if at := g.indexOf(name); at >= 0 {
		return g.columns[at]
	}
	return nil
}

// named returns the first fitting column that is not taken and whose heading is a word of
// a kind, in the order of the words.
func (g *guess) named(kind string, isFit func(*column) bool) *column {
	return g.headed(assemble.Words(kind), func(c *column) bool { return c.mayMean(kind) && isFit(c) })
}

func (g *guess) headed(words []string, isFit func(*column) bool) *column {
	for _, w := range words {
		for _, c := range g.columns {
			if !c.isTaken && c.words == w && isFit(c) {
				return c
			}
		}
	}
	return nil
}

// first returns the first fitting column that is not taken.
func (g *guess) first(isFit func(*column) bool) *column {
	if free := g.free(); slices.ContainsFunc(free, isFit) {
		return free[slices.IndexFunc(free, isFit)]
	}
	return nil
}

// free returns the columns that are not taken.
func (g *guess) free() (free []*column) {
	for _, c := range g.columns {
		if !c.isTaken {
			free = append(free, c)
		}
	}
	return free
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

// ignore leaves out a column whose cells others decide, or nothing does.
func (g *guess) ignore(c *column, by ...*column) {
	g.take("ignore", c)
	if len(by) == 0 && (c.different > 1 || c.different == 1 && c.hasGaps()) {
		return
	}
	added := check{at: c.at}
	for _, b := range by {
		added.by = append(added.by, b.at)
	}
	g.checks = append(g.checks, added)
}

func (g *guess) doubt(format string, args ...any) {
	g.doubts = append(g.doubts, fmt.Sprintf(format, args...))
}

// takeEmpty leaves out the columns without cells, except those without a heading, which
// a mapping need not name.
func (g *guess) takeEmpty() {
	for _, c := range g.columns {
		switch {
		case !c.isEmpty() || len(g.body) == 0 || len(g.remarksOf(c)) > 0:
		case g.headings[c.at] == "":
			c.isTaken = true
		case !isPeriod(c.name) && !c.isCalled("value"):
			g.ignore(c)
		}
	}
}

// findAttributes finds the columns that describe observations.
func (g *guess) findAttributes() {
	g.takeRemarksOfPeriods()
	g.takeRepeatedFlags()
	for _, find := range []struct {
		key, kind string
		isFit     func(*column) bool
	}{{"flags", "flag", isAny}, {"conf", "confidentiality", isAny}, {"note", "note", isAny}, {"unit", "unit", (*column).mayBeUnits}, {"freq", "frequency", isText}} {
		isFit := func(c *column) bool { return find.isFit(c) && (roles[find.key] == "" || g.isFilledBesideNumbers(c)) }
		c := g.named(find.kind, isFit)
		if c == nil && find.key == "flags" {
			c = g.first(g.hasOnlyStatuses)
		}
		if c == nil {
			continue
		}
		if label := g.partner(c); label != nil && (roles[find.key] != "" || c.isOneToOne(label)) {
			if roles[find.key] == "" {
				g.ignore(label, c)
			} else {
				g.take(find.key, g.codeFirst(c, label)...)
				continue
			}
		}
		g.take(find.key, c)
		if roles[find.key] != "" && c.hasGaps() && !g.has("empty") {
			g.items = append(g.items, item{key: "empty", columns: []string{"_Z"}})
		}
	}
	g.takeRemarks()
	g.takeFlagsOfColumns()
	next := func() *column { return cmp.Or(g.named("note", isAny), g.named("text note", isText)) }
	for c := next(); c != nil; c = next() {
		g.take("note", c)
	}
	for _, c := range g.free() {
		switch {
		case c.isCalled("attribute", "updated"), c.isAll(coordinates), c.isEpoch():
			g.ignore(c)
		case c.isCalled("multiplier"):
			g.takeMultiplier(c)
		case (c.isCalled("row") || g.headings[c.at] == "") && c.isCount() && !g.isIndex(c):
			g.ignore(c)
		default:
			g.ignoreCopy(c)
		}
	}
}

// isFilledBesideNumbers reports whether a column is empty only in rows without numbers.
func (g *guess) isFilledBesideNumbers(c *column) bool {
	for i, id := range c.ids {
		if id == 0 && hasNumber(g.body[i]) {
			return false
		}
	}
	return true
}

// keepAttributes makes a dimension of an attribute, such as Source, that tells apart rows
// which are the same in all dimensions.
func (g *guess) keepAttributes() {
	for i, it := range g.items {
		c := g.column(it.columns[0])
		if it.key != "ignore" || c == nil || !c.isCalled("attribute", "updated") || c.hasGaps() {
			continue
		}
		if key := g.key(); !key.isUnique() && key.with(c).n > key.n {
			g.items[i].key = "dim"
			g.dims = append(g.dims, c)
		}
	}
}

// ignoreCopy leaves out a column of texts or codes with the same cells as another.
func (g *guess) ignoreCopy(c *column) {
	for _, other := range g.columns[:c.at] {
		if c.different > 1 && c.isCopyOf(other) && (isText(c) || c.isCodeByHeading()) && !slices.Contains(g.values, other) {
			g.ignore(c, other)
			return
		}
	}
}

// takeMultiplier leaves out a column of multipliers that change nothing. Others are a
// dimension of the units, because values are never rescaled.
func (g *guess) takeMultiplier(c *column) {
	if isOne := func(cell string) bool { return assemble.Means("one cell", strings.ToLower(cell)) }; !slices.ContainsFunc(c.cells, func(s string) bool { return !isOne(s) }) {
		g.ignore(c)
	} else if key := "dim"; !c.hasGaps() {
		if isText(c) && !g.has("unit") {
			key = "unit" // Millions
		}
		g.take(key, c)
		g.dims = append(g.dims, c)
	}
}

// findValue finds the column of values by its heading, and the bounds beside it.
func (g *guess) findValue() {
	isFit := func(c *column) bool { return c.isNumeric() || c.filled == c.marks && c.filled > 0 }
	c := g.named("value", isFit)
	if c == nil {
		return
	}
	if c.isCalled("weak value") && slices.ContainsFunc(g.free(), func(o *column) bool {
		return o != c && o.isNumeric() && !o.isCode() && !o.isCalled("numeric", "number") && !o.isCodeLike() && !isGeoWord(o)
	}) {
		return // it is one of several columns of values
	}
	g.hasValue = true
	if c.isCount() && (c.isCalled("number", "weak value")) {
		g.doubt("the column %q numbers the rows", c.name)
	}
	g.takeValue(c)
	lower, upper := g.named("lower bound", (*column).isNumeric), g.named("upper bound", (*column).isNumeric)
	if lower != nil && upper != nil {
		g.take("lower", lower)
		g.take("upper", upper)
	}
	for d := g.named("display", isAny); d != nil; d = g.named("display", isAny) {
		g.ignore(d)
	}
}

func (g *guess) takeValue(c *column) {
	g.take("value", c)
	g.values = append(g.values, c)
	g.addMarks(c)
}

// addMarks adds the words and signs that stand for missing values in a column, or for zero by a line below the table.
func (g *guess) addMarks(c *column) {
	for _, cell := range c.cells {
		if isMissing(cell) && (!text.IsMissing(cell) || g.layout.marks.isZero(cell)) {
			g.addMark(cell)
		}
	}
}

func (g *guess) addMark(cell string) {
	mark := item{key: "missing", columns: []string{cell}}
	if g.layout.marks.isZero(cell) {
		mark.key = "zero"
	}
	if !slices.ContainsFunc(g.items, func(it item) bool { return it.key == mark.key && it.columns[0] == cell }) {
		g.items = append(g.items, mark)
	}
}

// codeFirst orders a column of codes and one of labels.
func (g *guess) codeFirst(a, b *column) []*column {
	isSame := a.kind() == b.kind() || b.subject() != a.subject()
	if !isSame && b.kind() < a.kind() || isSame && (b.isCode() && !a.isCode() || a.isCode() == b.isCode() && b.length() < a.length()) {
		return []*column{b, a}
	}
	return []*column{a, b}
}

// length returns the length of all distinct cells.
func (c *column) length() (n int) {
	for _, cell := range c.cells {
		n += len(cell)
	}
	return n
}

// partner returns the free column that holds the codes or labels of another: one with
// a heading of the same subject, as "Item Code" and "Item" have.
func (g *guess) partner(c *column) *column {
	for _, other := range g.free() {
		isSame := other.isOneToOne(c) && (other.words == c.words || c.abbreviates(other) || other.abbreviates(c)) // sex and Sex
		isNext := other.at == c.at+1 && c.kind() == 0 && other.kind() != 0 && g.labelsFollow()
		if isSame && other != c && !c.isCopyOf(other) || isNext {
			return other
		}
		if other == c || other.kind() == c.kind() || other.subject() != c.subject() {
			continue
		}
		code, label := c, other
		if other.kind() < c.kind() {
			code, label = other, c
		}
		isGeneric := c.subject() == "" // Code and Name
		if code.isOneToOne(label) || !isGeneric && code.determinesFilled(label) {
			return other
		}
	}
	return nil
}

// known returns the area and the dimensions known so far.
func (g *guess) known() []*column {
	if g.area == nil {
		return g.dims
	}
	return append([]*column{g.area}, g.dims...)
}

// key returns the groups of rows that have all dimensions known so far in common, except
// those left out.
func (g *guess) key(without ...*column) groups {
	key := newGroups(len(g.body))
	for _, c := range append(slices.Clone(g.times), g.known()...) {
		if !slices.Contains(without, c) {
			key = key.with(c)
		}
	}
	return key
}
