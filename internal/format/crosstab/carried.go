package crosstab

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Some tables write a year once, beside or above its months or quarters:
//
//	Year,Month,Food       Period,Food
//	2023,January,1.5      2023,1.6
//	,February,1.6         January,1.5
//	2024,January,1.7      February,1.6
//
// A row of a year alone that has numbers is about the whole year. Days may stand beside their
// months in the same way.

// years are the years of a table that stand apart from their parts.
type years struct {
	year      int            // the column of years; noYears: there is none
	firstYear int            // the first row with one
	numerals  stat.Frequency // of parts of the years that are written I, II, III …; 0: of none
	isCarried bool           // a year stands once for several rows
	hasWhole  bool           // rows among those of the parts are about the whole year: Total
	isAnnual  bool           // these are annual values of what the parts are values of
	hasDays   bool           // months stand on the right of the years, and days on their right
}

// calendar is the year and the month of the rows that have only a part of them.
type calendar struct{ year, month stat.Period }

const noYears = -1 // the number of the column of years if there is none

// findYears finds a column of years with the parts of the years in the same column or in
// the next one, or with the months in the next one and the days behind them.
func (s *sample) findYears() *body {
	for column := range min(s.width(), maxStub) {
		for _, part := range []int{column, column + 1, column + 2} {
			if b := s.tryYears(column, part); b != nil {
				return b
			}
		}
	}
	return nil
}

func (s *sample) tryYears(column, part int) *body {
	first := slices.IndexFunc(s.rows, func(row []string) bool { return isYear(at(row, column)) })
	if first < 0 || first > maxBoxhead {
		return nil
	}
	b := &body{sample: s, periodRow: noRow, times: []int{part}, years: years{year: column, firstYear: first, hasDays: part == column+2}}
	if b.hasDays && !b.areDays() {
		return nil
	}
	b.findNumerals(part)
	b.hasWhole = b.areWhole()
	parts := 0
	b.top = -1
	for i, row := range s.rows[first:] {
		if !b.isDated(row) {
			continue
		}
		if b.top < 0 {
			b.top = first + i
		}
		if cell := at(row, part); !isYear(cell) && !isWholeYear(cell) {
			parts++
		}
	}
	if parts < minRun || !s.hasNumbers(part+1, b.top, len(s.rows)) || !b.isWhole() || !b.findValues(part+1) {
		return nil
	}
	b.isCarried = column == part || slices.ContainsFunc(b.dataRows(), func(row []string) bool { return at(row, column) == "" })
	return b
}

// areDays reports whether the cells behind months are days of these: their heading is empty or
// says so, they change within each month, and some months stand once for several days.
func (b *body) areDays() bool {
	if name := at(b.rows[max(b.firstYear-1, 0)], b.times[0]); name != "" && !isTimeName(name) {
		return false
	}
	var c calendar
	before, months, days := stat.Period{}, 0, 0
	for _, row := range b.rows[b.firstYear:] {
		b.readYear(row, &c)
		cell := at(row, b.times[0])
		if joinCells(row[min(len(row), b.year+1):]) == "" || !text.IsDigits(cell) {
			continue
		}
		day, ok := b.periodIn(&c, cell)
		if !ok || before == day {
			return false
		}
		if before = day; at(row, b.year+1) != "" {
			months++
		}
		days++
	}
	return days >= minRun && months < days
}

// numerals are the Roman numbers of quarters and months.
var numerals = strings.Fields("I II III IV V VI VII VIII IX X XI XII")

// findNumerals finds out whether Roman numbers in a column of parts of the years, which its
// heading names as time, are quarters or months: three years or more have none above four, or
// some are.
func (b *body) findNumerals(part int) {
	b.numerals = 0
	if b.firstYear < 0 || !slices.ContainsFunc(b.rows[:b.firstYear], func(row []string) bool { return isTimeName(at(row, part)) }) {
		return
	}
	first, last := 0, 0
	for _, row := range b.rows[b.firstYear:] {
		n := slices.Index(numerals, at(row, part))
		if last = max(last, n); n == 0 {
			first++
		}
	}
	switch {
	case last > 3:
		b.numerals = stat.Month
	case first > 2: // in fewer years they may be the first months
		b.numerals = stat.Quarter
	}
}

// partIn is partIn for the parts of the years in the stub.
func (y *years) partIn(year stat.Period, name string) (stat.Period, bool) {
	if n := slices.Index(numerals, name); n >= 0 && y.numerals != 0 {
		return stat.NewPeriod(y.numerals, year.Year(), n+1), true
	}
	return partIn(year, name)
}

// isDated reports whether a row has a period in the stub.
func (b *body) isDated(row []string) bool {
	if b.year == noYears {
		return slices.ContainsFunc(b.times, func(t int) bool { return isPeriod(at(row, t)) })
	}
	cell := at(row, b.times[0])
	if _, ok := b.partIn(anyYear, cell); ok || b.hasDays && text.IsDigits(cell) {
		return true
	}
	isWhole := b.hasWhole && isWholeYear(cell) || b.year == b.times[0] && isYear(cell)
	return isWhole && slices.ContainsFunc(row[min(len(row), b.times[0]+1):], hasNumber)
}

// readYear keeps the year and the month that a row begins. It reports whether the row does
// nothing else.
func (b *body) readYear(row []string, c *calendar) (isAll bool) {
	if b.year == noYears {
		return false
	}
	isYear := isYear(at(row, b.year))
	if p, ok := readPeriod(at(row, b.year)); ok && isYear {
		c.year = p
	}
	if p, ok := partIn(c.year, at(row, b.year+1)); ok && b.hasDays {
		c.month = p
	}
	return isYear && !b.isDated(row)
}

// periodIn returns the period of a row by the year above or beside it.
func (b *body) periodIn(c *calendar, name string) (p stat.Period, ok bool) {
	switch {
	case b.hasDays:
		p, err := stat.ParsePeriod(fmt.Sprintf("%02s/%s", name, c.month))
		return p, err == nil && p.In(stat.Month) == c.month
	case b.year == b.times[0] && isYear(name):
		return c.year, true
	case b.hasWhole && isWholeYear(name):
		_, year := cutYear(name)
		return c.year, !c.year.IsZero() && (year == "" || year == c.year.String())
	}
	return b.partIn(c.year, name)
}
