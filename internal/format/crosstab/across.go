package crosstab

import "strings"

// findAcross finds a heading row of periods with numbers below it.
func (l *Layout) findAcross() bool {
	for row := range min(len(l.rows), maxBoxhead) {
		from := l.firstPeriod(row)
		if from < 1 || !l.isPeriodRow(row, from) {
			continue
		}
		periods := l.periodsOf(row)
		body := l.bodyBelow(row, periods)
		if body < 0 {
			continue
		}
		l.body, l.periodRows = body, []int{row}
		l.findValuesAcross(periods)
		return len(l.values) > 1 && len(l.stub) <= maxStub
	}
	return false
}

// firstPeriod returns the first column of a row that holds a period, -1 if there is none.
func (l *Layout) firstPeriod(row int) int {
	for column, cell := range l.rows[row] {
		if isPeriod(cell) {
			return column
		}
	}
	return -1
}

// periodsOf returns the columns that have a period in a row.
func (l *Layout) periodsOf(row int) map[int]bool {
	periods := map[int]bool{}
	for column, cell := range l.rows[row] {
		if isPeriod(cell) {
			periods[column] = true
		}
	}
	return periods
}

// bodyBelow returns the first row below a row of periods that has numbers or marks in
// its columns, and a text on their left; -1 if there is none. The rows in between may
// hold headings, but no numbers.
func (l *Layout) bodyBelow(row int, periods map[int]bool) int {
	first := l.firstPeriod(row)
	for i := row + 1; i < len(l.rows); i++ {
		numbers, others := 0, 0
		for column := range periods {
			switch cell := at(l.rows[i], column); {
			case isNumber(cell) || isMark(cell):
				numbers++
			case cell != "":
				others++
			}
		}
		hasStub := joinCells(l.rows[i][:min(first, len(l.rows[i]))]) != ""
		switch {
		case numbers > 0 && others == 0 && hasStub:
			return i
		case numbers > 0:
			return -1
		}
	}
	return -1
}

// findValuesAcross finds the columns of values below the periods, the columns of flags
// and notes beside them, and the stub on their left.
func (l *Layout) findValuesAcross(periods map[int]bool) {
	first := l.firstPeriod(l.periodRows[0])
	for column := range first {
		if c := l.contentOf(column); c.numbers+c.marks+c.texts > 0 {
			l.stub = append(l.stub, column)
		}
	}
	for column := first; column < l.width(); column++ {
		isValue := periods[column]
		c := l.contentOf(column)
		last := len(l.values) - 1
		switch {
		case isValue:
			l.values = append(l.values, value{column: column, time: inBoxhead, text: l.rows[l.periodRows[0]][column]})
		case c.numbers+c.marks+c.texts == 0:
		case c.numbers == 0 && last >= 0:
			l.values[last].beside = append(l.values[last].beside, column)
		default:
			l.doubts = append(l.doubts, "column "+columnName(column)+" contains numbers but has no period above")
		}
	}
}

// columnName names a column for messages as mappings do.
func columnName(column int) string { return "#" + itoa(column+1) }

// isFlagWord reports whether the end of a heading says that the column holds flags.
func isFlagWord(ending string) bool {
	switch strings.Trim(strings.ToLower(ending), " _-()") {
	case "flag", "flags", "status", "note", "notes", "footnote", "footnotes", "symbol", "symbols", "comment", "comments":
		return true
	}
	return false
}
