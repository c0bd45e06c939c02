package crosstab

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/text"
)

// A layout with a doubt is not read: what follows finds tables that have two readings.

// checkAbove doubts rows above the body that may belong to it: rows below a heading that
// have numbers, or marks alone, in the columns of values. Their periods or their texts may
// only be of a kind that the layout does not know, as the year 730 is.
func (b *boxhead) checkAbove() {
	hasHeading := false
	for row := range b.top {
		cells := b.valueCells(row)
		switch {
		case row == b.periodRow:
			b.checkPeriodRow(row, hasHeading)
			hasHeading = true
		case hasHeading && b.mayBeData(row, cells):
			b.doubt("row " + strconv.Itoa(row+1) + " (" + joinCells(b.rows[row]) + ") may be data or a heading")
			return
		default:
			hasHeading = hasHeading || len(cells) > 0
		}
	}
}

// valueCells returns the cells of a row in the columns of values that are not empty.
func (b *body) valueCells(row int) (cells []string) {
	for _, v := range b.values {
		if cell := at(b.rows[row], v.column); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// mayBeData reports whether a row above the body may hold data. Rows that describe the
// series have known names, numbers of the columns count from left to right, multiples are beside
// units, and a row that names the column of periods is a heading.
func (b *boxhead) mayBeData(row int, cells []string) bool {
	hasNumber := slices.ContainsFunc(cells, text.IsNumber)
	if !hasNumber && (len(cells) == 0 || slices.ContainsFunc(cells, func(c string) bool { return !isMark(c) })) {
		return false
	}
	if _, isKnown := roleOf(b.nameOf(row)); isKnown {
		return false
	}
	for _, h := range b.heads {
		if h.row == row && h.role == roleParts {
			return false
		}
	}
	isTime := slices.ContainsFunc(b.times, func(t int) bool { return isTimeName(at(b.rows[row], t)) })
	return !isTime && !isCounting(b.rows[row]) && !b.isUnitRow(row, b.values[0].column)
}

// isCounting reports whether the cells of a row are the numbers of its columns: 1, 2, 3 …
func isCounting(row []string) bool {
	found, last := 0, 0
	for _, cell := range row {
		n, err := strconv.Atoi(strings.Trim(cell, "()"))
		switch {
		case cell == "" || err != nil && found == 0 && len(cell) == 1:
			continue
		case err != nil, found > 0 && n != last+1, n > 2 && found == 0:
			return false
		}
		found, last = found+1, n
	}
	return found > 1
}

// checkPeriodRow doubts a row of periods if a column of the stub has periods too, and a
// row of years below a row that has a heading for each column: its numbers may be values.
func (b *boxhead) checkPeriodRow(row int, hasHeading bool) {
	if len(b.times) > 0 {
		return
	}
	for _, column := range b.stub {
		if b.areMostPeriods(column) {
			b.doubt("there are periods in row " + strconv.Itoa(row+1) + " and in column " + columnName(column))
			return
		}
	}
	first := b.values[0].column
	if !hasHeading || row == 0 || b.isOnlyPeriod(row, first) {
		return
	}
	name := joinCells(b.rows[row][:first])
	if name == "" || isTimeName(name) || isAreaWord(name) {
		return
	}
	var headings, years []string
	for _, v := range b.values {
		headings = append(headings, at(b.rows[row-1], v.column))
		years = append(years, at(b.rows[row], v.column))
	}
	if isUnique(headings) && !slices.ContainsFunc(years, func(y string) bool { return !text.IsDigits(y) }) {
		b.doubt("row " + strconv.Itoa(row+1) + " (" + joinCells(b.rows[row]) + ") may hold years or numbers")
	}
}

// areMostPeriods reports whether most texts of a column of the stub are periods, at least
// two.
func (b *body) areMostPeriods(column int) bool {
	found, others := 0, 0
	for _, cell := range b.cellsOf(column) {
		if isPeriod(cell) {
			found++
		} else if cell != "" {
			others++
		}
	}
	return found > 1 && found > others
}

// checkYears doubts a column of years that may be codes: one with a column of texts on its
// right, and one with a heading of areas or codes, unless the heading says that they are
// years.
func (b *body) checkYears() {
	column := b.times[0]
	name := ""
	for _, row := range b.rows[:b.top] {
		if cell := at(row, column); cell != "" && (name == "" || !isSection(row)) {
			name = cell
		}
	}
	if !text.IsDigits(at(b.rows[b.top], column)) || isTimeName(name) || b.hasAreasBeside {
		return
	}
	words := strings.Fields(strings.ToLower(name))
	hasText := slices.ContainsFunc(b.stub, func(c int) bool { return c > column })
	isCoded := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(numberWords, w) || strings.HasSuffix(w, "code") })
	_, isRole := roleOf(name)
	isSeries := isRole && b.countFilled(column) > 1 // "Series code" below the names of the series
	isOther := isAreaWord(name) || isCoded && !isSeries || name != "" && !isRole && !b.isEven(column)
	if hasText || isOther {
		b.doubt("the numbers in column " + columnName(column) + " may be years or codes")
	}
}

// countFilled returns how many rows above the body have a text in a column of the stub and
// in one of values.
func (b *body) countFilled(column int) (n int) {
	for row := range b.top {
		if at(b.rows[row], column) != "" && len(b.valueCells(row)) > 0 {
			n++
		}
	}
	return n
}

// isEven reports whether the years of a column have the same distance, in each run of
// them.
func (b *body) isEven(column int) bool {
	step, last, found := 0, 0, 0
	for _, row := range b.rows[b.top:] {
		year, err := strconv.Atoi(at(row, column))
		if err != nil {
			continue
		}
		next := year - last
		if last = year; found > 1 && next != step && next*step > 0 {
			return false
		}
		if found++; found > 1 && step == 0 {
			step = next
		}
	}
	return true
}

// hasPeriodsAbove reports whether a row above the body has periods in a column and in
// others on its right: then the column holds values, or the years are in two directions.
func (b *body) hasPeriodsAbove(column int) bool {
	if b.top > 0 && b.isPeriodRow(b.top-1, column+1) {
		return true
	}
	return slices.ContainsFunc(b.rows[:b.top], func(row []string) bool {
		return isPeriod(at(row, column)) && slices.ContainsFunc(row[column+1:], isPeriod)
	})
}

// checkStubParts doubts a layout with years in a column of the stub and their months or
// quarters in another one: the two form one period, which a plain table says. Codes such as
// Q1 in a column without a name may be quarters or quintiles.
func (b *body) checkStubParts(stub []*stubColumn) {
	for _, c := range stub {
		most, _ := areParts(c.names())
		switch {
		case len(b.times) == 0 && b.hasYears() && most && c.name == "" && !c.isPart():
			b.doubt("column " + columnName(c.column) + " may hold parts of the years or codes")
		case len(b.times) == 0 || b.year != noYears:
		case isTimeName(c.name) && allCells(c.names(), isYear): // with "June 30" beside them
			b.doubt("the column " + c.name + " holds years, and another column periods")
		case b.hasYears() && c.isPart():
			b.doubt("the column " + c.name + " holds parts of the years in another column")
		}
	}
}
