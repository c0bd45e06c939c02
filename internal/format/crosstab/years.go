package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/format/assemble"
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
// A row of a year alone that has numbers is about the whole year.

const noYears = -1 // the number of the column of years if there is none

// findYears finds a column of years with the parts of the years in the same column or in
// the next one.
func (l *Layout) findYears(width int) bool {
	for column := range min(width, maxStub) {
		for _, part := range []int{column, column + 1} {
			if l.tryYears(column, part, width) {
				return true
			}
		}
	}
	return false
}

func (l *Layout) tryYears(column, part, width int) bool {
	l.year, l.times, l.top = column, []int{part}, -1
	first, parts := -1, 0
	for i, row := range l.rows {
		if isYear(at(row, column)) && l.top < 0 {
			l.top = i
		}
		if l.top < 0 || !l.isDated(row) {
			continue
		}
		if first < 0 {
			first = i
		}
		if !isYear(at(row, part)) {
			parts++
		}
	}
	l.body = first
	if parts >= minRun && l.top <= maxBoxhead && l.hasNumbers(part+1, width, first, len(l.rows)) && l.isWhole() {
		l.isCarried = column == part || slices.ContainsFunc(l.rows[first:], func(row []string) bool { return l.isDated(row) && at(row, column) == "" })
		l.findValuesDown(width)
		if len(l.values) > 0 && len(l.stub) <= maxStub {
			return true
		}
	}
	l.year, l.times, l.stub, l.values, l.isCarried = noYears, nil, nil, nil, false
	return false
}

// isDated reports whether a row has a period in the stub.
func (l *Layout) isDated(row []string) bool {
	if l.year == noYears {
		return slices.ContainsFunc(l.times, func(t int) bool { return isPeriod(at(row, t)) })
	}
	cell := at(row, l.times[0])
	if _, ok := partIn(anyYear, cell); ok {
		return true
	}
	return l.year == l.times[0] && isYear(cell) && slices.ContainsFunc(row[min(len(row), l.times[0]+1):], hasNumber)
}

// readYear keeps the year that a row begins. It reports whether the row does nothing else.
func (r *reader) readYear(row []string) (isAll bool) {
	if r.year == noYears || !isYear(at(row, r.year)) {
		return false
	}
	if p, ok := readPeriod(at(row, r.year)); ok {
		r.current = p
	}
	return !r.isDated(row)
}

// partOfCurrent returns the period of a row by the year above or beside it.
func (r *reader) partOfCurrent(name string, where stat.Position) (stat.Period, error) {
	if p, ok := partIn(r.current, name); ok {
		return p, nil
	}
	if r.year == r.times[0] && isYear(name) {
		return r.current, nil
	}
	return stat.Period{}, stat.BadFile(where, "%q is not a part of the year %s, such as a month or a quarter", text.Clip(name), r.current)
}

// isTimeName reports whether a text in the stub names a column of periods.
func isTimeName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' || r == '/' || r == ',' })
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !assemble.IsTimeWord(w) })
}
