package plain

import (
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// checkSecond refuses a row that holds headings: another table begins there. The row may
// repeat a heading of the first table, or hold years that follow one another below a
// heading row of years.
func (r *rowRules) checkSecond(row *table.Row, isApart bool) {
	if r.periods == nil {
		for _, heading := range r.layout.headings {
			r.periods = append(r.periods, isPeriod(heading))
		}
	}
	if r.err == nil && mayRepeat(row.Cells, r.layout.headings, r.periods) && isSecondHeading(row.Cells, r.layout.headings, isApart) {
		r.err = stat.BadFile(row.At(), "another table seems to begin here, with the headings %s: a file can have only one; put the tables into files of their own",
			clipped(row.Cells))
	}
}

// mayRepeat reports whether a row repeats a heading, or has a cell below one that is a
// period. Other rows need no closer look.
func mayRepeat(row, headings []string, periods []bool) bool {
	for i, cell := range row[:min(len(row), len(headings))] {
		if cell != "" && (periods[i] || len(cell) == len(headings[i]) && strings.EqualFold(cell, headings[i])) {
			return true
		}
	}
	return false
}

// isSecondHeading reports whether a row has headings where the table has texts, and no
// numbers but periods. isApart says that a blank line or a note precedes it.
func isSecondHeading(row, headings []string, isApart bool) bool {
	if len(row) < 2 {
		return false
	}
	same, texts, periods, steps, last := 0, 0, 0, 0, ""
	for i, cell := range row {
		heading := ""
		if i < len(headings) {
			heading = headings[i]
		}
		switch {
		case cell == "":
		case isPeriod(heading) && isPeriod(cell):
			periods++
			if last != "" && follows(last, cell) {
				steps++
			}
			last = cell
		case looksNumeric.MatchString(cell) || isMissing(cell):
			return false
		case strings.EqualFold(cell, heading):
			same++
		default:
			texts++
		}
	}
	isRun := periods > 1 && steps == periods-1
	switch {
	case same+texts == 0:
		return false
	case same > 0 && periods > 0:
		return true
	case isRun:
		return periods > 2 || isApart
	}
	return same > 1 && same >= texts
}

// follows reports whether a period is the next or the previous one of another.
func follows(before, after string) bool {
	b, err := table.ReadPeriod(before)
	a, err2 := table.ReadPeriod(after)
	if err != nil || err2 != nil || a.Frequency() != b.Frequency() {
		return false
	}
	first, second := b, a
	if a.Compare(b) < 0 {
		first, second = a, b
	}
	return first != second && !second.Start().After(first.End().AddDate(0, 0, 1))
}
