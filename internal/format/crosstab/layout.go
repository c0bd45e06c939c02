package crosstab

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/format/workbook"
	"almanac/internal/lazyregexp"
)

// Layout says where the parts of a cross table are. They are found in steps, of which each
// knows those before: the body, the boxhead above it, and what the stub repeats.
type Layout struct {
	*boxhead

	hasParts    bool   // years in one direction and parts of them in the other
	isSectioned bool   // rows of the sample differ only in their section
	block       string // the first section of those that the heading row begins; empty if there are none
	isFilled    bool   // rows of the sample differ only in what they repeat of the row above
	isComplete  []bool // columns of the stub in which an empty cell does not repeat the one above
	unitFirst   string // the unit above the first row; empty if there is none
	hasUnitRows bool   // rows of the sample state the units of others
	hasRemarks  bool   // numbers below periods have remarks behind them, or marks of this package in their place
}

// sample is the first rows of a table. Rows are counted from 0 in the order in which the
// file yields them.
type sample struct {
	rows           [][]string
	merged         map[int][]workbook.Span // the merged headings, by their row
	doubts         []string                // what is not clear
	prefix         string                  // what all headings of periods begin with
	hasEarly       bool                    // a heading row has years such as 1 and 1000
	hasAreasBeside bool                    // years in the first column have areas on their right
	noted          notedLetters            // letters of footnotes behind numbers
	Stated         Stated
}

// Stated is what the caller states about cells that leave something open.
type Stated struct {
	Dates         []string // [text.PeriodFinder.Choices]
	Missing, Zero []string // texts in place of numbers
}

// HasTitle reports whether the layout is clear and has lines above the headings.
func (l *Layout) HasTitle() bool {
	return len(l.doubts) == 0 && l.first > 0 && (len(l.stub) == 0 || len(l.times) == 0)
}

// IsCertain reports whether the layout is clear, and has several heading rows,
// sections, periods in two directions or a list of its columns, so that it cannot be read as a plain table.
func (l *Layout) IsCertain() bool {
	headings := len(l.heads)
	if l.periodRow != noRow {
		headings++
	}
	return len(l.doubts) == 0 && (l.hasRemarks || l.hasUnitRows || l.hasStubRow || l.hasEarly || l.isFilled || headings >= 2 || l.isSectioned || l.hasParts || l.isCarried || l.hasNamedYears() || len(l.list) > 0 || len(l.stairs) > 0)
}

// Find finds the layout of a table by its first rows; nil if there are no periods beside
// or above a block of numbers.
func Find(rows [][]string) *Layout { return find(newSample(rows, nil)) }

func find(s *sample) *Layout {
	var b *body
	for _, findBody := range []func() *body{s.findDown, s.findYears, s.findAcross, s.findStairsOfPeriods} {
		if b = findBody(); b != nil {
			break
		}
	}
	if b == nil {
		return nil
	}
	l := &Layout{boxhead: findBoxhead(b)}
	l.checkAbove()
	l.findRepeated()
	l.block = l.firstBlock()
	if l.periodRow != noRow {
		l.unitFirst = l.unitBelowPeriods()
	}
	l.hasRemarks = len(l.times) == 0 && slices.ContainsFunc(l.dataRows(), func(row []string) bool {
		return slices.ContainsFunc(l.values, func(v value) bool {
			cell := at(row, v.column)
			return !text.IsNumber(cell) && hasNumber(cell) && !bounded.MatchString(cell) || isMark(cell) && !text.IsMissing(cell) && cell != "-"
		})
	})
	if found, err := l.survey(&sampleRows{rows: s.rows, next: -1}); err == nil {
		l.hasUnitRows = found.units.count > len(found.units.open)
		l.isSectioned = found.isSectioned && found.sections > 1
		l.hasParts = l.values[0].part != "" || slices.ContainsFunc(found.stub, (*stubColumn).isPart)
		l.checkStubParts(found.stub)
	}
	return l
}

// newSample returns the first rows without what programs write in place of empty cells, and
// with the periods of headings such as "Population as of 31.12.2001" alone.
func newSample(rows [][]string, merged map[int][]workbook.Span) *sample {
	s := &sample{merged: merged, hasAreasBeside: len(rows) > 0 && office.HasAreasBeside(at(rows[0], 0)), noted: findLetters(rows)}
	for n, row := range rows {
		row = slices.Clone(row)
		s.noted.bracket(row)
		isBlank := table.IsBlank(row)
		for i, cell := range row {
			if isBlank || unnamed.MatchString(cell) {
				row[i] = ""
			}
		}
		if n > 0 {
			findDayOfHeading(row, s.rows[n-1])
		}
		s.hasEarly = s.hasEarly || s.markEarlyYears(row)
		periods, prefix := periodsBehind(row)
		if prefix != "" && s.prefix == "" && n+1 < len(rows) && countHeadings(rows[n+1]) >= 2*countHeadings(row) {
			row, s.prefix = periods, prefix
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// countHeadings returns how many cells of a row behind the first are filled.
func countHeadings(row []string) (n int) {
	for i, cell := range row {
		if i > 0 && cell != "" {
			n++
		}
	}
	return n
}

// unnamed matches what the library pandas writes for an empty heading.
var unnamed = lazyregexp.New(`^Unnamed: [0-9]+(_level_[0-9]+)?$`)

// periodsBehind returns a row of which all headings but the first are periods behind the same
// words, without these; an empty prefix for others. Only headings that cover several columns
// are such periods: "entered into force 4 Jan 1969" above one column may say anything of it.
func periodsBehind(row []string) (periods []string, prefix string) {
	found := 0
	periods = slices.Clone(row)
	for i, cell := range row {
		if i == 0 || cell == "" {
			continue
		}
		words := strings.Fields(cell)
		behind := slices.IndexFunc(words, isPeriod)
		for k := max(behind-2, 1); k < behind && isYear(words[behind]); k++ { // "1 January 2001"
			if isPeriod(strings.Join(words[k:], " ")) {
				behind = k
			}
		}
		if behind < 1 || !isPeriod(strings.Join(words[behind:], " ")) {
			return nil, ""
		}
		before := strings.Join(words[:behind], " ")
		if prefix = cmp.Or(prefix, before); prefix != before {
			return nil, ""
		}
		periods[i] = strings.Join(words[behind:], " ")
		found++
	}
	if found < 2 {
		return nil, ""
	}
	return periods, prefix
}

func (s *sample) doubt(text string) { s.doubts = append(s.doubts, text) }

func (s *sample) width() int {
	width := 0
	for _, row := range s.rows {
		width = max(width, len(row))
	}
	return width
}

func (s *sample) hasNumbers(from, first, last int) bool {
	return slices.ContainsFunc(s.rows[first:last], func(row []string) bool {
		return slices.ContainsFunc(row[min(from, len(row)):], hasNumber)
	})
}

// isPeriodRow reports whether the cells of a row from a column on are periods.
func (s *sample) isPeriodRow(row, from int) bool {
	found := 0
	for column := from; column < len(s.rows[row]); column++ {
		switch cell := s.rows[row][column]; {
		case isPeriod(cell):
			found++
		case cell != "" && !letters.MatchString(cell) && !isFlagWord(cell):
			return false
		}
	}
	return found > 1
}

// run returns the longest run of rows that hold periods in a column, different ones for
// the same texts on their left; -1 if it is too short. Blank rows do not end it.
func (s *sample) run(column int) (from, to int) {
	from, to = -1, -1
	start, length, longest := -1, 0, 0
	seen := map[string]bool{}
	left := make([]string, column) // the texts on the left, repeated downwards
	for i, row := range s.rows {
		if table.IsBlank(row) {
			continue
		}
		for k := range left {
			if at(row, k) != "" {
				left[k] = at(row, k)
			}
		}
		cell := at(row, column)
		key := strings.Join(left, "\x00") + "\x00" + cell + s.areasBeside(i, column)
		if !isPeriod(cell) || seen[key] {
			length = 0
			clear(seen)
			continue
		}
		if length == 0 {
			start = i
		}
		length++
		seen[key] = true
		if length > longest {
			from, to, longest = start, i+1, length
		}
	}
	if longest == 0 || longest < minRun && !s.areAllRows(column, from, to) || !s.isOrdered(column, from, to) {
		return -1, -1
	}
	return from, to
}

// areAllRows reports whether a few rows with a period are all of a table that has several
// heading rows, with nothing above the periods or the name of time. Years have their months on
// the right.
func (s *sample) areAllRows(column, from, to int) bool {
	if from > 1 && isYear(at(s.rows[from], column)) && isTimeName(at(s.rows[from-1], column)) {
		_, areMonths := areParts(s.rows[from-1][column+1:])
		return areMonths && !s.hasNumbers(0, to, len(s.rows))
	}
	if isYear(at(s.rows[from], column)) || slices.ContainsFunc(s.rows[to:], func(row []string) bool { return !table.IsBlank(row) }) {
		return false
	}
	headings := 0
	for _, row := range s.rows[:from] {
		if above := joinCells(row[:min(column+1, len(row))]); above != "" && !isTimeName(above) {
			headings = 0
		} else if len(row) > column+1 && slices.ContainsFunc(row[column+1:], isTextual) {
			headings++
		}
	}
	return headings > 1
}

// isOrdered reports whether years without any other sign are in order, unlike numbers of
// four digits. They begin again for another text on their left; some of these have several.
func (s *sample) isOrdered(column, from, to int) bool {
	before, above, ups, downs, others := "", "", 0, 0, 0
	for _, row := range s.rows[from:to] {
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
