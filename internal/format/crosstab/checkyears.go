package crosstab

import (
	"slices"
	"strconv"
	"strings"
)

// checkYears doubts a column of years that may be codes: one with a column of texts on its
// right, and one with a heading of areas or codes, unless the heading says that they are
// years.
func (l *Layout) checkYears() {
	column := l.times[0]
	name := ""
	for _, row := range l.rows[:l.body] {
		if cell := at(row, column); cell != "" && (name == "" || !l.isSection(row)) {
			name = cell
		}
	}
	if !isDigits(at(l.rows[l.body], column)) || isTimeName(name) {
		return
	}
	words := strings.Fields(strings.ToLower(name))
	hasText := slices.ContainsFunc(l.stub, func(c int) bool { return c > column })
	isCoded := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(numberWords, w) || strings.HasSuffix(w, "code") })
	_, isRole := roleOf(name)
	isSeries := isRole && l.countFilled(column) > 1 // "Series code" below the names of the series
	isOther := isAreaWord(name) || isCoded && !isSeries || name != "" && !isRole && !l.isEven(column)
	if hasText || isOther {
		l.doubts = append(l.doubts, "the numbers in column "+columnName(column)+" may be years or codes")
	}
}

// countFilled returns how many rows above the body have a text in a column of the stub and
// in one of values.
func (l *Layout) countFilled(column int) (n int) {
	for row := range l.body {
		if at(l.rows[row], column) != "" && len(l.valueCells(row)) > 0 {
			n++
		}
	}
	return n
}

// isEven reports whether the years of a column have the same distance, in each run of
// them.
func (l *Layout) isEven(column int) bool {
	step, last, found := 0, 0, 0
	for _, row := range l.rows[l.body:] {
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
func (l *Layout) hasPeriodsAbove(column int) bool {
	if l.body > 0 && l.isPeriodRow(l.body-1, column+1) {
		return true
	}
	return slices.ContainsFunc(l.rows[:l.body], func(row []string) bool {
		return isPeriod(at(row, column)) && slices.ContainsFunc(row[column+1:], isPeriod)
	})
}
