package crosstab

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
)

// cursor follows the rows of a table from the first one, and knows what they say of the rows
// below them.
type cursor struct {
	*Layout
	n       int // the number of the row; -1 before the first
	section string
	current calendar
	before  []string        // the cells of the stub of the row before
	steps   []string        // the last texts of the columns that have rows of their own
	page    []string        // the last heading row of periods; nil: that of the boxhead
	periods map[string]bool // of all pages
	upper   []string        // the row before, if it may be the upper one of two heading rows
	texts   int             // rows of text since the last row of data
	unit    string          // that a row above states

	isUnitNew bool // no row of data stands below the unit
}

// rowKind is what a row is.
type rowKind uint8

const (
	rowNone    rowKind = iota // above the table, blank, or only a text that stands for the rows below
	rowData                   // of the body
	rowText                   // the heading of a section, or a note
	rowBlock                  // a heading row with the name of a section
	rowHeading                // a heading row that is there again
	rowPage                   // one with other periods
	rowOther                  // a heading row of another table
	rowUnit                   // the unit of the rows below
)

func (l *Layout) newCursor() *cursor {
	return &cursor{Layout: l, n: -1, section: l.block, unit: l.unitFirst, isUnitNew: l.unitFirst != ""}
}

// read returns what the next row is.
func (c *cursor) read(row []string) rowKind {
	if c.n++; c.n < c.below || table.IsBlank(row) {
		return rowNone
	}
	upper := c.upper
	if c.upper = nil; c.periodRow != noRow && slices.ContainsFunc(c.values, func(v value) bool { return isTextual(at(row, v.column)) }) {
		c.upper = slices.Clone(row)
	}
	isOnlyYear := c.readYear(row, &c.current)
	if block := c.blockOf(row); block != "" {
		c.section = block
		return rowBlock
	}
	isAgain, isSame := c.repeatsHeading(row)
	switch {
	case isAgain && c.isNew(upper):
		return rowOther
	case isAgain && isSame:
		return rowHeading
	case isAgain && c.isPage(row, upper):
		c.page, c.section = slices.Clone(row), ""
		return rowPage
	case isAgain:
		return rowOther
	case isOnlyYear, c.step(row):
		return rowNone
	case !c.isData(row) && c.readUnit(row):
		return rowUnit
	case !c.isData(row):
		c.section = joinCells(row)
		c.texts++
		return rowText
	}
	c.texts, c.isUnitNew = 0, false
	return rowData
}

// step keeps the text of a row that has nothing else, for the rows below. It reports whether
// the row is such.
func (c *cursor) step(row []string) bool {
	column, isAlone := onlyCell(row)
	at := slices.Index(c.stairs, column)
	if !isAlone || at < 0 {
		return false
	}
	if c.steps == nil {
		c.steps = make([]string, len(c.stairs))
	}
	c.steps[at] = clean(row[column])
	clear(c.steps[at+1:])
	return true
}

// cell returns a cell of the stub of a row, which may be the text of a row above.
func (c *cursor) cell(row []string, column int) string {
	if i := slices.Index(c.stairs, column); i >= 0 && c.steps != nil {
		return c.steps[i]
	}
	return at(row, column)
}

// fill returns the cells of the stub of a row of data. An empty one repeats that of the row
// above if a cell on its right is filled, or the period is.
func (c *cursor) fill(row []string) []string {
	cells := make([]string, len(c.stub))
	for i, column := range c.stub {
		cells[i] = clean(c.cell(row, column))
	}
	for i := len(cells) - 1; i >= 0 && c.before != nil; i-- {
		isInner := slices.ContainsFunc(cells[i+1:], func(s string) bool { return s != "" }) ||
			slices.ContainsFunc(c.times, func(t int) bool { return t > c.stub[i] })
		if cells[i] == "" && isInner && !c.isComplete[i] {
			cells[i] = c.before[i]
		}
	}
	c.before = cells
	return cells
}

// repeatsHeading reports whether a row below the boxhead is a heading row of periods
// again, and whether it is the same one.
func (l *Layout) repeatsHeading(row []string) (isAgain, isSame bool) {
	if len(l.times) > 0 {
		isAgain = slices.ContainsFunc(l.heads, func(h *head) bool { return slices.Equal(l.rows[h.row], row) })
		return isAgain, isAgain
	}
	if len(l.values) < 2 {
		return false, false
	}
	for _, column := range l.stub {
		if cell := at(row, column); cell != "" && !strings.EqualFold(clean(cell), l.stubName(column)) {
			return l.hasShiftedYears(row), false
		}
	}
	filled, periods := 0, 0
	isSame = true
	for _, v := range l.values {
		cell := at(row, v.column)
		switch {
		case cell == "":
			continue
		case isPeriod(cell):
			periods++
		case isValue(cell):
			return false, false
		}
		filled++
		isSame = isSame && cell == v.text
	}
	return filled > 1 && periods > 0, isSame
}

// hasShiftedYears reports whether a row has years in place of values, all as long after those of
// the boxhead: it is a heading row too.
func (l *Layout) hasShiftedYears(row []string) bool {
	shift := 0
	for j, v := range l.values {
		year, _ := strconv.Atoi(at(row, v.column))
		heading, err := strconv.Atoi(v.text)
		if err != nil || !isYear(at(row, v.column)) || j > 0 && year-heading != shift {
			return false
		}
		shift = year - heading
	}
	return true
}

// isNew reports whether a row with texts in columns of values is none of the boxhead.
func (l *Layout) isNew(row []string) bool {
	return row != nil && !slices.ContainsFunc(l.rows[:l.below], func(r []string) bool { return slices.Equal(r, row) })
}

// Some tables repeat the heading row above each section, with the name of the section in place
// of the name of the stub:
//
//	Región GBA,2017-01,2017-02
//	Nivel general,101.6,103.7
//	Región Pampeana,2017-01,2017-02
//	Nivel general,101.2,103.1

// blockOf returns the name of the section that a row begins; empty if it begins none.
func (l *Layout) blockOf(row []string) string {
	if len(l.times) > 0 || len(l.stub) == 0 {
		return ""
	}
	name, filled := clean(at(row, l.stub[0])), 0
	for _, v := range l.values {
		switch at(row, v.column) {
		case v.text:
			filled++
		case "":
		default:
			return ""
		}
	}
	stub := strings.ToLower(l.stubName(l.stub[0]))
	rest, isAgain := strings.CutPrefix(strings.ToLower(name), stub)
	if filled < 2 || isAgain && (rest == "" || strings.HasPrefix(rest, " (")) { // "Region (continued)"
		return ""
	}
	return name
}

// firstBlock returns the name of the first section of a table that has such sections.
func (l *Layout) firstBlock() string {
	if !slices.ContainsFunc(l.rows[l.top:], func(row []string) bool { return l.blockOf(row) != "" }) {
		return ""
	}
	return l.stubName(l.stub[0])
}

// Some tables are printed as pages, which repeat the heading rows with other periods:
//
//	,Dec,Nov
//	Country,2025,2025
//	Japan,1185.5,1202.7
//	,Dec,Nov
//	Country,2024,2024
//	Japan,1061.5,1087.1

// isPage reports whether a heading row of periods begins a page: its periods are all new, the
// row above it is the one above the first, and no other text stands between it and the numbers
// of the page before, as the title of another table does.
func (c *cursor) isPage(row, upper []string) bool {
	if c.periodRow == noRow || c.prefix != "" || len(c.heads) > 1 || c.texts != len(c.heads) {
		return false
	}
	for _, h := range c.heads {
		isOther := func(v value) bool {
			cell := at(upper, v.column)
			return cell != "" && cell != at(c.rows[h.row], v.column)
		}
		if h.row != c.periodRow-1 || upper == nil || slices.ContainsFunc(c.values, isOther) {
			return false
		}
	}
	if c.periods == nil {
		c.periods = map[string]bool{}
	}
	for _, v := range c.values {
		if cell := at(row, v.column); cell != "" && (cell == v.text || c.periods[cell]) {
			return false
		}
	}
	for _, v := range c.values {
		c.periods[strings.Clone(at(row, v.column))] = true
	}
	return true
}

// periodCell returns the cell with the period of a row of data or, if there are pages, of a
// column of values.
func (c *cursor) periodCell(row []string, column int, hasPages bool) string {
	switch {
	case !hasPages:
		return c.cell(row, column)
	case c.page == nil:
		return at(c.rows[c.periodRow], column)
	}
	return at(c.page, column)
}
