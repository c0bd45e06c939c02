package crosstab

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// findAcross finds a row of periods with numbers below it.
func (s *sample) findAcross() *body {
	for row := range min(len(s.rows), maxBoxhead) {
		from := slices.IndexFunc(s.rows[row], isPeriod)
		if from < 1 || !s.isPeriodRow(row, from) && !s.isOnlyPeriod(row, from) {
			continue
		}
		top := s.bodyBelow(row, s.periodsOf(row))
		if top < 0 {
			continue
		}
		b := &body{sample: s, top: top, years: years{year: noYears}}
		b.periodRow = b.chooseRow(row, from)
		for column := range s.periodsOf(b.periodRow) { // the numbers below them tell rows of data
			b.values = append(b.values, value{column: column})
		}
		if first := slices.IndexFunc(s.rows[b.periodRow], isPeriod); b.findValues(first) && (len(b.values) > 1 || s.isOnlyPeriod(row, from)) {
			return b
		}
		return nil
	}
	return nil
}

// isOnlyPeriod reports whether a row has only one period, which all numbers below are about:
// below a heading of time that is no column of years, as SIDRA of the IBGE writes one year, or
// above the headings of several columns:
//
//	"Unidade da Federação","Ano"      Country,2023,,
//	"Unidade da Federação","2020"     ,Total,Men,Women
//	"Acre","894470"                   France,68,33,35
//
// What is on the left of the period repeats the heading above or is empty, or else the row
// below has nothing there.
func (s *sample) isOnlyPeriod(row, column int) bool {
	cell := at(s.rows[row], column)
	if cell == "" || joinCells(s.rows[row][column+1:]) != "" || !s.isMostlyValues(row+1, column) {
		return false
	}
	var above []string
	if row > 0 {
		above = s.rows[row-1]
	}
	left := s.rows[row][:column]
	if isTimeName(at(above, column)) && joinCells(above[min(column+1, len(above)):]) == "" {
		for i, cell := range left {
			if cell != "" && cell != at(above, i) {
				return false
			}
		}
		return true
	}
	p, ok := readPeriod(cell)
	below := s.rows[min(row+1, len(s.rows)-1)]
	name := joinCells(left)
	_, isKnown := roleOf(name)
	return ok && p.Frequency() != stat.Day && !isKnown && (name == "" || joinCells(below[:min(column, len(below))]) == "") &&
		len(below) > column+1 && isTextual(below[column]) && isTextual(below[column+1])
}

// isMostlyValues reports whether a column has more values than periods from a row on.
func (s *sample) isMostlyValues(from, column int) bool {
	values, periods := 0, 0
	for _, row := range s.rows[from:] {
		switch cell := at(row, column); {
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
func (b *body) chooseRow(row, from int) int {
	var ofData []int
	for i := row; i < b.top; i++ {
		name := joinCells(b.rows[i][:min(from, len(b.rows[i]))])
		if _, isKnown := roleOf(name); isKnown || !b.isPeriodRow(i, from) || edition.MatchString(name) {
			continue
		}
		if last := len(ofData) - 1; last >= 0 && b.arePartsOf(i, ofData[last]) {
			ofData = ofData[:last]
		}
		ofData = append(ofData, i)
	}
	switch {
	case len(ofData) == 0:
		return row
	case len(ofData) > 1 && !slices.Equal(b.rows[ofData[0]], b.rows[ofData[1]]):
		b.doubt("the rows " + strconv.Itoa(ofData[0]+1) + " and " + strconv.Itoa(ofData[1]+1) + " both hold periods")
	}
	return ofData[0]
}

// arePartsOf reports whether the periods of a row are parts of the years in a row above, of
// which each stands once or above each of its parts.
func (s *sample) arePartsOf(row, years int) bool {
	year, found := "", false
	for column, cell := range s.rows[row] {
		if above := at(s.rows[years], column); isYear(above) {
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
var edition = lazyregexp.New(`(?i)\b(edition|édition|edición|edição|edizione|ausgabe|release|vintage|publication|published)\b`)

// periodsOf returns the columns that have a period in a row.
func (s *sample) periodsOf(row int) map[int]bool {
	periods := map[int]bool{}
	for column, cell := range s.rows[row] {
		if isPeriod(cell) {
			periods[column] = true
		}
	}
	return periods
}

// bodyBelow returns the first row below a row of periods that has numbers or marks in
// its columns, and a text on their left; -1 if there is none. The rows in between may
// hold headings, but no numbers, or periods again above such a heading.
func (s *sample) bodyBelow(row int, periods map[int]bool) int {
	first := slices.IndexFunc(s.rows[row], isPeriod)
	for i := row + 1; i < len(s.rows); i++ {
		numbers, others := 0, 0
		var below []string // the cells of the next row
		for column := range periods {
			if i+1 < len(s.rows) {
				below = append(below, at(s.rows[i+1], column))
			}
			switch cell := at(s.rows[i], column); {
			case isValue(cell):
				numbers++
			case cell != "":
				others++
			}
		}
		hasStub := joinCells(s.rows[i][:min(first, len(s.rows[i]))]) != ""
		switch {
		case s.isUnitRow(i, first):
		case numbers == 0 && others > 0 && s.isRowOfTexts(i, row, first):
			return -1
		case others == 0 && s.isPeriodRow(i, first) && allCells(below, isTextual):
		case numbers > 0 && others == 0 && hasStub:
			return i
		case numbers > 0:
			return -1
		}
	}
	return -1
}

// isRowOfTexts reports whether a row below a row of periods is one of data whose cells are all
// texts: the headings above are complete, since the periods all differ and the stub has a
// heading, and the row begins as the one below does, which has numbers.
//
//	Country,2018,2019
//	Albania,<0.1,1.5a
//	Spain,0,1
func (s *sample) isRowOfTexts(row, periods, first int) bool {
	if row+1 >= len(s.rows) || !isUnique(slices.DeleteFunc(slices.Clone(s.rows[periods][first:]), func(cell string) bool { return !isPeriod(cell) })) {
		return false
	}
	name := joinCells(s.rows[row][:min(first, len(s.rows[row]))])
	heading := joinCells(s.rows[periods][:first])
	if _, isKnown := roleOf(name); isKnown || heading == "" || isTimeName(heading) || isTimeName(name) || name == heading {
		return false
	}
	for column := range first {
		if (at(s.rows[row], column) == "") != (at(s.rows[row+1], column) == "") {
			return false
		}
	}
	return slices.ContainsFunc(s.rows[row+1][min(first, len(s.rows[row+1])):], isValue)
}

// isCovered reports whether the period on the left of a column covers it: it has a heading
// below the row of periods, and none in it or in the rows right above.
func (b *body) isCovered(column int) bool {
	isFilled := func(row []string) bool { return at(row, column) != "" }
	below := b.periodRow + 1
	above := b.periodRow
	for above > 0 && !table.IsBlank(b.rows[above-1]) {
		above--
	}
	return slices.ContainsFunc(b.rows[below:b.top], isFilled) && !slices.ContainsFunc(b.rows[above:below], isFilled)
}

// isNumberedStub reports whether a column of the stub may hold numbers: codes, and numbers
// of lines or ranks, which have a name that says so or stand on the left of the texts.
func (b *body) isNumberedStub(column int) bool {
	for row := range b.top {
		words := strings.Fields(strings.ToLower(at(b.rows[row], column)))
		if len(words) > 0 && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(numberWords, w) || strings.HasSuffix(w, "code") }) {
			return true
		}
	}
	isWhole := true
	for _, row := range b.rows[b.top:] {
		cell := at(row, column)
		isWhole = isWhole && (!text.IsNumber(cell) || text.IsDigits(cell))
	}
	last := b.stub[len(b.stub)-1]
	return isWhole && column < last
}

// numberWords are names of columns of the stub with numbers that are no values.
var numberWords = []string{"code", "id", "line", "no", "no.", "nr", "nr.", "rank", "number", "fips", "geofips", "linecode", "nuts", "kód", "código", "codigo", "clave", "age", "alter", "edad"}

// columnName names a column for messages as mappings do.
func columnName(column int) string { return "#" + strconv.Itoa(column+1) }

// isFlagWord reports whether the end of a heading says that the column holds flags.
func isFlagWord(ending string) bool {
	ending = assemble.Fold(strings.Trim(ending, " _-()"))
	return slices.Contains([]string{"flag", "flags", "status", "symbol", "symbols"}, ending) || assemble.Means("note", ending) || assemble.Means("text note", ending)
}
