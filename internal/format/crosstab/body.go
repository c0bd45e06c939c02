package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
)

// body is the block of numbers of a table, with the periods beside or above it.
type body struct {
	*sample
	top       int   // the first row with numbers
	periodRow int   // the row above that holds the periods; noRow: columns of the stub do
	times     []int // the columns of the stub that hold the periods
	stub      []int // its other columns
	stairs    []int // those of the stub, and of the periods, whose texts stand in rows of their own
	values    []value
	ofRow     rowNotes
	years

	areaRows map[int]bool // whether rows with a name of areas hold the areas of the columns, where their texts tell
}

const noRow = -1 // of a table with its periods in the stub

// value is a column of values.
type value struct {
	column int
	time   int    // its column of periods, or inBoxhead
	text   string // of the period in the boxhead
	part   string // the part of the year in the boxhead, with the years in the stub
	beside []int  // columns on its right that hold flags or notes
}

const (
	minRun     = 3  // rows with periods that prove a column of periods
	maxBoxhead = 80 // rows that may precede the body
	maxStub    = 8  // columns of the stub
)

// findDown finds columns of periods: the longest runs of rows that hold a period there
// and numbers on its right. A second column of periods needs values of its own.
func (s *sample) findDown() *body {
	b := &body{sample: s, periodRow: noRow, years: years{year: noYears}}
	for column := range min(s.width(), 64) {
		from, to := s.run(column)
		if from < 0 || !s.hasNumbers(column+1, from, to) {
			continue
		}
		switch {
		case len(b.times) == 0:
			b.top = from
			b.times = []int{column}
		case from == b.top && column > b.times[len(b.times)-1]+1 && !text.IsNumber(at(s.rows[from], column)):
			b.times = append(b.times, column)
		}
	}
	if len(b.times) == 0 || b.top > maxBoxhead || !b.isWhole() || b.hasPeriodsAbove(b.times[0]) || !b.findValues(b.times[0]+1) {
		return nil
	}
	b.checkYears()
	return b
}

// isWhole reports whether most rows of the body hold periods: it is not a part of a longer
// table.
func (b *body) isWhole() bool {
	dated, others, below := 0, 0, 0
	for _, row := range b.rows[b.top:] {
		switch {
		case b.isDated(row):
			dated++
			others += below
			below = 0
		case !table.IsBlank(row):
			below++
		}
	}
	return dated > others
}

// isData reports whether a row of the body holds data: a period in the stub, or a number
// or mark below a period.
func (b *body) isData(row []string) bool {
	if len(b.times) > 0 && !slices.Contains(b.stairs, b.times[0]) {
		return b.isDated(row)
	}
	return slices.ContainsFunc(b.values, func(v value) bool {
		cell := at(row, v.column)
		return isValue(cell) || slices.Contains(b.Stated.Missing, cell) || slices.Contains(b.Stated.Zero, cell)
	})
}

// dataRows returns the rows of data of the sample.
func (b *body) dataRows() [][]string {
	return slices.DeleteFunc(slices.Clone(b.rows[b.top:]), func(row []string) bool { return !b.isData(row) })
}

// content is what the sample has of a column in the body.
type content struct{ numbers, marks, texts int }

func (b *body) contents() []content {
	contents := make([]content, b.width())
	for _, row := range b.dataRows() {
		for column, cell := range row {
			switch c := &contents[column]; {
			case cell == "":
			case hasNumber(cell):
				c.numbers++
			case isMark(cell):
				c.marks++
			default:
				c.texts++
			}
		}
	}
	return contents
}

// findValues finds the columns of values from a column on, those of flags and notes beside
// them, and the stub on their left. It reports whether there are values and not too many
// columns of the stub.
func (b *body) findValues(first int) bool {
	contents := b.contents()
	for column, c := range contents[:first] {
		isTime := column == b.year || b.hasDays && column == b.year+1
		if c != (content{}) && !isTime && !slices.Contains(b.times, column) {
			b.stub = append(b.stub, column)
		}
	}
	if len(b.times) == 0 {
		b.findStairs()
	}
	for _, column := range b.stub {
		if b.periodRow != noRow && contents[column].numbers > 0 && !b.isNumberedStub(column) {
			b.doubt("column " + columnName(column) + " contains numbers but has no period above")
		}
	}
	b.values = nil
	for column := first; column < len(contents); column++ {
		c, last := contents[column], len(b.values)-1
		v, isValue := b.valueIn(column, c)
		switch {
		case slices.Contains(b.times, column):
		case isValue:
			b.values = append(b.values, v)
		case last >= 0 && c.numbers == 0 && (c != content{} || b.isNamedBeside(column)):
			b.checkBeside(column)
			b.values[last].beside = append(b.values[last].beside, column)
		case c == content{}:
		case b.periodRow == noRow:
			b.stub = append(b.stub, column)
		default:
			b.doubt("column " + columnName(column) + " contains numbers but has no period above")
		}
	}
	b.findNotesOfRow()
	return len(b.values) > 0 && len(b.stub) <= maxStub
}

// valueIn reports whether a column holds values: it is below a period, or has numbers, or a
// heading and nothing else, on the right of a column of periods.
func (b *body) valueIn(column int, c content) (v value, isValue bool) {
	last := len(b.values) - 1
	if b.periodRow == noRow {
		if len(b.times) == 0 { // they are above the rows
			return value{column: column}, c.numbers > 0
		}
		isArea := last < 0 && b.hasAreasBeside && !b.hasHeading(column)
		isFlags := last >= 0 && c.numbers == 0 && b.isNamedBeside(column)
		return value{column: column, time: b.timeOf(column)}, c.numbers > 0 && !isArea || c.texts == 0 && !isFlags && b.hasHeading(column)
	}
	v = value{column: column, time: inBoxhead, text: at(b.rows[b.periodRow], column)}
	if isPeriod(v.text) {
		isFlags := last >= 0 && c.numbers+c.marks == 0 && b.values[last].text == v.text
		return v, !isFlags
	}
	if last < 0 || c.numbers == 0 || !b.isCovered(column) {
		return v, false
	}
	v.text = b.values[last].text
	return v, true
}

// hasHeading reports whether a column has a heading where most columns of numbers have
// one: in the row above the body with most cells.
func (b *body) hasHeading(column int) bool {
	most, has := 0, false
	for _, row := range b.rows[:b.top] {
		filled := 0
		for _, cell := range row[min(len(row), b.times[0]+1):] {
			if cell != "" {
				filled++
			}
		}
		if filled >= most {
			most, has = filled, at(row, column) != ""
		}
	}
	return has
}

func (b *body) timeOf(column int) (time int) {
	for _, t := range b.times {
		if t < column {
			time = t
		}
	}
	return time
}

// isNamedBeside reports whether the heading of a column is a word for flags or notes, alone
// or behind the heading of the column on its left.
func (b *body) isNamedBeside(column int) bool {
	for _, row := range b.rows[:b.top] {
		here, left := at(row, column), at(row, column-1)
		ending, _ := strings.CutPrefix(here, left)
		if role, _ := roleOf(here); role == roleRemark || ending != "" && isFlagWord(ending) {
			return true
		}
	}
	return false
}

// checkBeside doubts a column of texts on the right of the values that may be a dimension:
// it has a heading that does not say that it holds flags or notes, and its texts are words.
func (b *body) checkBeside(column int) {
	hasHeading := slices.ContainsFunc(b.rows[:b.top], func(row []string) bool { return at(row, column) != "" })
	isFlag := func(cell string) bool {
		return letters.MatchString(cell) || shortWord.MatchString(cell) || isMark(cell)
	}
	if hasHeading && !b.isNamedBeside(column) && !allCells(b.cellsOf(column), isFlag) {
		b.doubt("column " + columnName(column) + " may hold notes or a dimension")
	}
}

// cellsOf returns the cells of a column in the rows of data of the sample.
func (b *body) cellsOf(column int) (cells []string) {
	for _, row := range b.dataRows() {
		cells = append(cells, at(row, column))
	}
	return cells
}

// isUsed reports whether a column belongs to the stub or to the body.
func (b *body) isUsed(column int) bool {
	return column == b.year || b.hasDays && column == b.year+1 || slices.Contains(b.times, column) || slices.Contains(b.stub, column) || column == b.ofRow.column ||
		slices.ContainsFunc(b.values, func(v value) bool { return v.column == column || slices.Contains(v.beside, column) })
}
