package plain

import (
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// refuseSecond refuses a row that holds headings: another table begins there.
func (r *rowRules) refuseSecond(row *table.Row) {
	if r.err == nil {
		r.err = stat.BadFile(row.At(), "another table seems to begin here, with the headings %s: a file can have only one; put the tables into files of their own",
			clipped(row.Cells))
	}
}

// isSecondHeading reports whether a row has periods below the headings that are periods,
// and repeats another heading, or these follow one another. Two periods follow one another by
// chance, unless the row stands apart. Texts in the place of numbers are errors anyway.
func (r *rowRules) isSecondHeading(row []string, isApart bool) bool {
	periods, last, isRun := 0, "", true
	for _, at := range r.periods {
		if at >= len(row) || row[at] == "" {
			continue
		}
		if !isPeriod(row[at]) {
			return false
		}
		isRun = isRun && (last == "" || follows(last, row[at]))
		periods, last = periods+1, row[at]
	}
	return periods > 0 && r.repeatsHeading(row) || isRun && (periods > 2 || periods == 2 && isApart)
}

func (r *rowRules) repeatsHeading(row []string) bool {
	for at, heading := range r.layout.headings[:min(len(row), len(r.layout.headings))] {
		if heading != "" && strings.EqualFold(row[at], heading) && !slices.Contains(r.periods, at) {
			return true
		}
	}
	return false
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
