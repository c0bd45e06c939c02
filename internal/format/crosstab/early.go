package crosstab

import (
	"slices"
	"strconv"
	"strings"
)

// checkAbove doubts rows above the body that may belong to it: rows below a heading that
// have numbers, or marks alone, in the columns of values. Their periods or their texts may
// only be of a kind that the layout does not know, as the year 730 is.
func (l *Layout) checkAbove() {
	hasHeading := false
	for row := range l.body {
		cells := l.valueCells(row)
		switch {
		case slices.Contains(l.periodRows, row):
			l.checkPeriodRow(row, hasHeading)
			hasHeading = true
		case hasHeading && l.mayBeData(row, cells):
			l.doubts = append(l.doubts, "row "+itoa(row+1)+" ("+joinCells(l.rows[row])+") may be data or a heading")
			return
		default:
			hasHeading = hasHeading || len(cells) > 0
		}
	}
}

// valueCells returns the cells of a row in the columns of values that are not empty.
func (l *Layout) valueCells(row int) (cells []string) {
	for _, v := range l.values {
		if cell := at(l.rows[row], v.column); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// mayBeData reports whether a row above the body may hold data. Rows that describe the
// series have known names, numbers of the columns count from left to right, and a row that
// names the column of periods is a heading.
func (l *Layout) mayBeData(row int, cells []string) bool {
	hasNumber := slices.ContainsFunc(cells, isNumber)
	if !hasNumber && (len(cells) == 0 || slices.ContainsFunc(cells, func(c string) bool { return !isMark(c) })) {
		return false
	}
	if _, isKnown := roleOf(l.nameOf(row)); isKnown {
		return false
	}
	for _, h := range l.heads {
		if h.row == row && h.role == roleParts {
			return false
		}
	}
	isTime := slices.ContainsFunc(l.times, func(t int) bool { return isTimeName(at(l.rows[row], t)) })
	return !isTime && !isCounting(l.rows[row])
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
func (l *Layout) checkPeriodRow(row int, hasHeading bool) {
	if len(l.times) > 0 {
		return
	}
	for _, column := range l.stub {
		if l.areMostPeriods(column) {
			l.doubts = append(l.doubts, "there are periods in row "+itoa(row+1)+" and in column "+columnName(column))
			return
		}
	}
	first := l.values[0].column
	if !hasHeading || row == 0 {
		return
	}
	name, above := joinCells(l.rows[row][:first]), joinCells(l.rows[row-1][:min(first, len(l.rows[row-1]))])
	if name == "" || above == "" || isTimeName(name) {
		return
	}
	var headings, years []string
	for _, v := range l.values {
		headings = append(headings, at(l.rows[row-1], v.column))
		years = append(years, at(l.rows[row], v.column))
	}
	if isUnique(headings) && !slices.ContainsFunc(years, func(y string) bool { return !isDigits(y) }) {
		l.doubts = append(l.doubts, "row "+itoa(row+1)+" ("+joinCells(l.rows[row])+") may hold years or numbers")
	}
}

// areMostPeriods reports whether most texts of a column of the stub are periods, at least
// two.
func (l *Layout) areMostPeriods(column int) bool {
	found, others := 0, 0
	for _, row := range l.rows[l.body:] {
		cell := at(row, column)
		switch {
		case cell == "" || !l.isData(row):
		case isPeriod(cell):
			found++
		default:
			others++
		}
	}
	return found > 1 && found > others
}
