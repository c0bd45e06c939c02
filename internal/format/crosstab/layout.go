package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// Layout says where the parts of a cross table are. Rows are counted from 0 in the order
// in which the file yields them.
type Layout struct {
	rows       [][]string              // the sample
	merged     map[int][]workbook.Span // its merged headings, by their row
	body       int                     // the first row of the body with numbers
	first      int                     // the first row of the boxhead
	below      int                     // the first row below the boxhead, which may be the heading of a section
	periodRows []int                   // the rows of the boxhead that hold the periods: years, or years and parts of them
	times      []int                   // the columns of the stub that hold the periods
	year       int                     // the column of years if times holds only parts of them; noYears: there is none
	top        int                     // the first row with such a year
	numerals   stat.Frequency          // of parts of the years that are written I, II, III …; 0: of none
	stub       []int                   // the other columns of the stub
	values     []value
	heads      []*head
	dated      []bool            // which rows of the sample from the body on hold data
	list       map[string]string // labels of the columns, from a list above the table
	doubts     []string          // what is not clear

	Stated Stated

	isCarried   bool   // a year stands once for several rows
	hasParts    bool   // years in one direction and parts of them in the other
	isSectioned bool   // rows of the sample differ only in their section
	isFilled    bool   // rows of the sample differ only in what they repeat of the row above
	isComplete  []bool // columns of the stub in which an empty cell does not repeat the one above
	hasRemarks  bool   // numbers below periods have remarks behind them, or marks of this package in their place
}

// Stated is what the caller states about cells that leave something open.
type Stated struct {
	Dates         []string // [text.PeriodFinder.Choices]
	Missing, Zero []string // texts in place of numbers
}

// value is a column of values.
type value struct {
	column int
	time   int    // its column of periods, or inBoxhead
	text   string // of the period in the boxhead
	part   string // the part of the year in the boxhead, with the years in the stub
	beside []int  // columns on its right that hold flags or notes
}

// head is a heading row.
type head struct {
	row   int
	name  string   // what the stub calls it; empty if it has none
	role  rowRole  // what it says
	cells []string // for each column of values
}

// HasTitle reports whether the layout is clear and has lines above the headings.
func (l *Layout) HasTitle() bool {
	return len(l.doubts) == 0 && l.first > 0 && (len(l.stub) == 0 || len(l.times) == 0)
}

// IsCertain reports whether the layout is clear, and has several heading rows,
// sections, periods in two directions or a list of its columns, so that it cannot be read as a plain table.
func (l *Layout) IsCertain() bool {
	return len(l.doubts) == 0 && (l.hasRemarks || l.isFilled || len(l.heads)+len(l.periodRows) >= 2 || l.isSectioned || l.hasParts || l.isCarried || len(l.list) > 0)
}

// Find finds the layout of a table by its first rows; nil if there are no periods beside
// or above a block of numbers.
func Find(rows [][]string) *Layout { return find(rows, nil) }

func find(rows [][]string, merged map[int][]workbook.Span) *Layout {
	l := &Layout{rows: rows, merged: merged, year: noYears}
	if !l.findDown() && !l.findAcross() {
		return nil
	}
	l.findHeads()
	l.checkAbove()
	l.findRepeated()
	l.hasRemarks = len(l.times) == 0 && slices.ContainsFunc(l.dataRows(), func(row []string) bool {
		return slices.ContainsFunc(l.values, func(v value) bool {
			cell := at(row, v.column)
			return !text.IsNumber(cell) && hasNumber(cell) && !bounded.MatchString(cell) || isMark(cell) && !text.IsMissing(cell) && cell != "-"
		})
	})
	if s, err := l.survey(&sampleRows{rows: rows, next: -1}); err == nil {
		l.isSectioned = s.isSectioned && s.sections > 1
		l.hasParts = l.values[0].part != "" || slices.ContainsFunc(s.stub, (*stubColumn).isPart)
		l.checkStubParts(s.stub)
	}
	return l
}

// dataRows returns the rows of data of the sample.
func (l *Layout) dataRows() [][]string {
	return slices.DeleteFunc(slices.Clone(l.rows[l.body:]), func(row []string) bool { return !l.isData(row) })
}

func (l *Layout) width() int {
	width := 0
	for _, row := range l.rows {
		width = max(width, len(row))
	}
	return width
}

const (
	minRun     = 3  // rows with periods that prove a column of periods
	maxBoxhead = 80 // rows that may precede the body
	maxStub    = 8  // columns of the stub
)

// findDown finds columns of periods: the longest runs of rows that hold a period there
// and numbers on its right. A second column of periods needs values of its own.
func (l *Layout) findDown() bool {
	width := l.width()
	for column := 0; column < min(width, 64); column++ {
		from, to := l.run(column)
		if from < 0 || !l.hasNumbers(column+1, width, from, to) {
			continue
		}
		switch {
		case len(l.times) == 0:
			l.body = from
			l.times = []int{column}
		case from == l.body && column > l.times[len(l.times)-1]+1 && !text.IsNumber(at(l.rows[from], column)):
			l.times = append(l.times, column)
		}
	}
	if len(l.times) == 0 && l.findYears(width) {
		return true
	}
	if len(l.times) == 0 || l.body > maxBoxhead || !l.isWhole() || l.hasPeriodsAbove(l.times[0]) {
		l.times = nil
		return false
	}
	l.findValuesDown(width)
	l.checkYears()
	return len(l.values) > 0 && len(l.stub) <= maxStub
}

// isWhole reports whether most rows of the body hold periods: it is not a part of a longer
// table.
func (l *Layout) isWhole() bool {
	dated, others, below := 0, 0, 0
	for _, row := range l.rows[l.body:] {
		switch {
		case l.isDated(row):
			dated++
			others += below
			below = 0
		case !table.IsBlank(row):
			below++
		}
	}
	return dated > others
}

// run returns the longest run of rows that hold periods in a column, different ones for
// the same texts on their left; -1 if it is too short. Blank rows do not end it.
func (l *Layout) run(column int) (from, to int) {
	from, to = -1, -1
	start, length, longest := -1, 0, 0
	seen := map[string]bool{}
	left := make([]string, column) // the texts on the left, repeated downwards
	for i := 0; i <= len(l.rows); i++ {
		cell := ""
		if i < len(l.rows) {
			if table.IsBlank(l.rows[i]) {
				continue
			}
			cell = at(l.rows[i], column)
		}
		for k := range left {
			if i < len(l.rows) && at(l.rows[i], k) != "" {
				left[k] = at(l.rows[i], k)
			}
		}
		key := strings.Join(left, "\x00") + "\x00" + cell
		if i < len(l.rows) {
			key += l.areasBeside(i, column)
		}
		if isPeriod(cell) && !seen[key] {
			if length == 0 {
				start = i
			}
			length++
			seen[key] = true
			if length > longest {
				from, to, longest = start, i+1, length
			}
			continue
		}
		length = 0
		clear(seen)
	}
	if longest < minRun || !l.isOrdered(column, from, to) {
		return -1, -1
	}
	return from, to
}

// isOrdered reports whether years without any other sign are in order, unlike numbers of
// four digits. They begin again for another text on their left; some of these have several.
func (l *Layout) isOrdered(column, from, to int) bool {
	before, above, ups, downs, others := "", "", 0, 0, 0
	for _, row := range l.rows[from:to] {
		year, _ := withoutRemark(at(row, column))
		left := joinCells(row[:min(column, len(row))])
		isSame := left == "" || left == above
		switch {
		case !text.IsDigits(year):
			others++
		case before == "" || !isSame || before == year:
		case before < year:
			ups++
		default:
			downs++
		}
		before, above = year, left
	}
	return (ups == 0 || downs == 0) && ups+downs+others > 0
}

func (l *Layout) hasNumbers(from, to, first, last int) bool {
	for _, row := range l.rows[first:last] {
		for column := from; column < to; column++ {
			if hasNumber(at(row, column)) {
				return true
			}
		}
	}
	return false
}

// isPeriodRow reports whether the cells of a row from a column on are periods.
func (l *Layout) isPeriodRow(row, from int) bool {
	found := 0
	for column := from; column < len(l.rows[row]); column++ {
		switch cell := l.rows[row][column]; {
		case isPeriod(cell):
			found++
		case cell != "" && !letters.MatchString(cell):
			return false
		}
	}
	return found > 1
}

// content is what the sample has of a column in the body.
type content struct{ numbers, marks, texts int }

func (l *Layout) contentOf(column int) (c content) {
	for i, row := range l.rows[l.body:] {
		if !l.dated[i] {
			continue
		}
		switch cell := at(row, column); {
		case cell == "":
		case hasNumber(cell):
			c.numbers++
		case isMark(cell):
			c.marks++
		default:
			c.texts++
		}
	}
	return c
}

// hasHeading reports whether a column has a heading where most columns of numbers have
// one: in the row above the body with most cells.
func (l *Layout) hasHeading(column int) bool {
	most, has := 0, false
	for _, row := range l.rows[:l.body] {
		filled := 0
		for _, cell := range row[min(len(row), l.times[0]+1):] {
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

// findStub finds the columns of the stub: those on the left of a column that are not empty.
func (l *Layout) findStub(end int) {
	for column := range end {
		if c := l.contentOf(column); c != (content{}) && column != l.year {
			l.stub = append(l.stub, column)
		}
	}
}

// findValuesDown finds the columns of values of a table with columns of periods: those
// on their right with numbers, or with a heading and nothing else. Columns of text are
// flags or notes of the value on their left.
func (l *Layout) findValuesDown(width int) {
	l.findDated(l.isDated)
	l.findStub(l.times[0])
	for column := l.times[0] + 1; column < width; column++ {
		if slices.Contains(l.times, column) {
			continue
		}
		c := l.contentOf(column)
		isText := c.texts > 0 && c.numbers == 0
		isBeside := isText || c.numbers == 0 && l.isNamedBeside(column)
		last := len(l.values) - 1
		switch {
		case last < 0 && l.isGENESIS() && !l.hasHeading(column):
			l.stub = append(l.stub, column)
		case isBeside && last >= 0:
			l.checkBeside(column)
			l.values[last].beside = append(l.values[last].beside, column)
		case isText:
			l.stub = append(l.stub, column)
		case c.numbers > 0 || l.hasHeading(column):
			l.values = append(l.values, value{column: column, time: l.timeOf(column)})
		}
	}
}

func (l *Layout) findDated(isData func(row []string) bool) {
	l.dated = l.dated[:0]
	for _, row := range l.rows[l.body:] {
		l.dated = append(l.dated, isData(row))
	}
}

func (l *Layout) timeOf(column int) (time int) {
	for _, t := range l.times {
		if t < column {
			time = t
		}
	}
	return time
}

// isNamedBeside reports whether the heading of a column is a word for flags or notes, alone
// or behind the heading of the column on its left.
func (l *Layout) isNamedBeside(column int) bool {
	for _, row := range l.rows[:l.body] {
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
func (l *Layout) checkBeside(column int) {
	hasHeading := slices.ContainsFunc(l.rows[:l.body], func(row []string) bool { return at(row, column) != "" })
	isFlag := func(cell string) bool {
		return letters.MatchString(cell) || shortWord.MatchString(cell) || isMark(cell)
	}
	if hasHeading && !l.isNamedBeside(column) && !allCells(l.cellsOf(column), isFlag) {
		l.doubts = append(l.doubts, "column "+columnName(column)+" may hold notes or a dimension")
	}
}

// isUsed reports whether a column belongs to the stub or to the body.
func (l *Layout) isUsed(column int) bool {
	return column == l.year || slices.Contains(l.times, column) || slices.Contains(l.stub, column) ||
		slices.ContainsFunc(l.values, func(v value) bool { return v.column == column || slices.Contains(v.beside, column) })
}
