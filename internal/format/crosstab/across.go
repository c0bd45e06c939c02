package crosstab

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// findAcross finds a heading row of periods with numbers below it.
func (l *Layout) findAcross() bool {
	for row := range min(len(l.rows), maxBoxhead) {
		from := slices.IndexFunc(l.rows[row], isPeriod)
		if from < 1 || !l.isPeriodRow(row, from) && !l.isNamedPeriod(row, from) {
			continue
		}
		body := l.bodyBelow(row, l.periodsOf(row))
		if body < 0 {
			continue
		}
		l.body = body
		l.periodRows = []int{l.chooseRow(row, from)}
		l.findValuesAcross(l.periodsOf(l.periodRows[0]))
		return (len(l.values) > 1 || l.isNamedPeriod(row, from)) && len(l.stub) <= maxStub
	}
	return false
}

// isNamedPeriod reports whether a row has only one period, below a heading of time that is no
// column of years, as SIDRA of the IBGE writes one year:
//
//	"Unidade da Federação","Ano"
//	"Unidade da Federação","2020"
//	"Acre","894470"
//
// What is on the left of the period repeats the heading above or is empty.
func (l *Layout) isNamedPeriod(row, column int) bool {
	if row == 0 || at(l.rows[row], column) == "" || !isTimeName(at(l.rows[row-1], column)) {
		return false
	}
	if joinCells(l.rows[row-1][column+1:])+joinCells(l.rows[row][column+1:]) != "" {
		return false
	}
	for i, cell := range l.rows[row][:column] {
		if cell != "" && cell != at(l.rows[row-1], i) {
			return false
		}
	}
	values, periods := 0, 0
	for _, r := range l.rows[row+1:] {
		switch cell := at(r, column); {
		case isPeriod(cell):
			periods++
		case isValue(cell):
			values++
		}
	}
	return values > periods
}

// chooseRow returns which of the rows of periods above the body says what time the numbers
// are about: not the one that is named as the time of publication, nor years above their
// quarters.
func (l *Layout) chooseRow(row, from int) int {
	var ofData []int
	for i := row; i < l.body; i++ {
		name := joinCells(l.rows[i][:min(from, len(l.rows[i]))])
		if _, isKnown := roleOf(name); isKnown || !l.isPeriodRow(i, from) || edition.MatchString(name) {
			continue
		}
		if last := len(ofData) - 1; last >= 0 && l.arePartsOf(i, ofData[last]) {
			ofData = ofData[:last]
		}
		ofData = append(ofData, i)
	}
	switch {
	case len(ofData) == 0:
		return row
	case len(ofData) > 1 && !slices.Equal(l.rows[ofData[0]], l.rows[ofData[1]]):
		l.doubts = append(l.doubts, "the rows "+strconv.Itoa(ofData[0]+1)+" and "+strconv.Itoa(ofData[1]+1)+" both hold periods")
	}
	return ofData[0]
}

// arePartsOf reports whether the periods of a row are parts of the years in a row above, of
// which each stands once or above each of its parts.
func (l *Layout) arePartsOf(row, years int) bool {
	year, found := "", false
	for column, cell := range l.rows[row] {
		if above := at(l.rows[years], column); isYear(above) {
			year = above
		}
		if !isPeriod(cell) {
			continue
		}
		p, ok := readPeriod(periodText(cell))
		if !ok || p.Frequency() == stat.Annual || strconv.Itoa(p.Year()) != year {
			return false
		}
		found = true
	}
	return found
}

// edition matches the name of a row with times of publication.
var edition = regexp.MustCompile(`(?i)\b(edition|édition|edición|edição|edizione|ausgabe|release|vintage|publication|published)\b`)

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
// hold headings, but no numbers, or periods again above such a heading.
func (l *Layout) bodyBelow(row int, periods map[int]bool) int {
	first := slices.IndexFunc(l.rows[row], isPeriod)
	for i := row + 1; i < len(l.rows); i++ {
		numbers, others := 0, 0
		for column := range periods {
			switch cell := at(l.rows[i], column); {
			case isValue(cell):
				numbers++
			case cell != "":
				others++
			}
		}
		hasStub := joinCells(l.rows[i][:min(first, len(l.rows[i]))]) != ""
		switch {
		case others == 0 && l.isPeriodRow(i, first) && l.isTextRow(i+1, periods):
		case numbers > 0 && others == 0 && hasStub:
			return i
		case numbers > 0:
			return -1
		}
	}
	return -1
}

// isTextRow reports whether a row has words in some columns, and nothing else.
func (l *Layout) isTextRow(row int, columns map[int]bool) bool {
	if row >= len(l.rows) {
		return false
	}
	var cells []string
	for column := range columns {
		cells = append(cells, at(l.rows[row], column))
	}
	return allCells(cells, isTextual)
}

// findValuesAcross finds the columns of values below the periods, the columns of flags
// and notes beside them, and the stub on their left.
func (l *Layout) findValuesAcross(periods map[int]bool) {
	first := slices.IndexFunc(l.rows[l.periodRows[0]], isPeriod)
	l.findDated(func(row []string) bool {
		for column := range periods {
			if isValue(at(row, column)) {
				return true
			}
		}
		return false
	})
	l.findStub(first)
	for _, column := range l.stub {
		if c := l.contentOf(column); c.numbers > 0 && !l.isNumberedStub(column) {
			l.doubts = append(l.doubts, "column "+columnName(column)+" contains numbers but has no period above")
		}
	}
	for column := first; column < l.width(); column++ {
		isValue := periods[column]
		c := l.contentOf(column)
		last := len(l.values) - 1
		switch {
		case isValue && last >= 0 && c.numbers+c.marks == 0 && l.values[last].text == l.rows[l.periodRows[0]][column]: // flags
			l.values[last].beside = append(l.values[last].beside, column)
		case isValue:
			l.values = append(l.values, value{column: column, time: inBoxhead, text: l.rows[l.periodRows[0]][column]})
		case c.numbers > 0 && last >= 0 && l.isCovered(column): // the period covers several columns
			l.values = append(l.values, value{column: column, time: inBoxhead, text: l.values[last].text})
		case c == (content{}):
		case c.numbers == 0 && last >= 0:
			l.checkBeside(column)
			l.values[last].beside = append(l.values[last].beside, column)
		default:
			l.doubts = append(l.doubts, "column "+columnName(column)+" contains numbers but has no period above")
		}
	}
}

// isCovered reports whether the period on the left of a column covers it: it has a heading
// below the row of periods, and none in it or above.
func (l *Layout) isCovered(column int) bool {
	isFilled := func(row []string) bool { return at(row, column) != "" }
	below := l.periodRows[0] + 1
	return slices.ContainsFunc(l.rows[below:l.body], isFilled) && !slices.ContainsFunc(l.rows[:below], isFilled)
}

// isNumberedStub reports whether a column of the stub may hold numbers: codes, and numbers
// of lines or ranks, which have a name that says so or stand on the left of the texts.
func (l *Layout) isNumberedStub(column int) bool {
	for row := range l.body {
		words := strings.Fields(strings.ToLower(at(l.rows[row], column)))
		if len(words) > 0 && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(numberWords, w) || strings.HasSuffix(w, "code") }) {
			return true
		}
	}
	isWhole := true
	for _, row := range l.rows[l.body:] {
		cell := at(row, column)
		isWhole = isWhole && (!text.IsNumber(cell) || text.IsDigits(cell))
	}
	last := l.stub[len(l.stub)-1]
	return isWhole && column < last
}

// numberWords are names of columns of the stub with numbers that are no values.
var numberWords = []string{"code", "id", "line", "no", "no.", "nr", "nr.", "rank", "number", "fips", "geofips", "linecode", "nuts", "kód", "código", "codigo", "clave", "age", "alter", "edad"}

// columnName names a column for messages as mappings do.
func columnName(column int) string { return "#" + strconv.Itoa(column+1) }

// isFlagWord reports whether the end of a heading says that the column holds flags.
func isFlagWord(ending string) bool {
	switch strings.Trim(strings.ToLower(ending), " _-()") {
	case "flag", "flags", "status", "note", "notes", "footnote", "footnotes", "symbol", "symbols", "comment", "comments":
		return true
	}
	return false
}
