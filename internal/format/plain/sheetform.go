package plain

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// refusedSheet is a sheet with numbers whose table cannot be read.
type refusedSheet struct {
	err    error // with the suggestions that help
	reason *stat.FileError
	rows   map[string]bool // that may be its headings
}

// maxHeadings is how many rows of a sheet may be its headings.
const maxHeadings = 40

// rowsOf returns the first rows with three cells or more, which may be headings.
func rowsOf(rows [][]string) map[string]bool {
	headings := map[string]bool{}
	for _, row := range rows[:min(len(rows), maxHeadings)] {
		if filledCells(row) > 2 {
			headings[strings.TrimRight(strings.Join(row, "\x00"), "\x00")] = true
		}
	}
	return headings
}

// errSister returns an error if a sheet cannot be read but has the headings of one that can:
// it belongs to what the workbook is about.
func (a *sheets) errSister() error {
	for _, r := range a.refused {
		for _, s := range a.tables {
			isShared := func(row string) bool { return s.rows[row] }
			switch {
			case !slices.ContainsFunc(slices.Collect(maps.Keys(r.rows)), isShared):
			case stat.ReadingsOf(r.err) != nil:
				return r.err
			default:
				r.reason.Message += "; the sheet " + s.from.Name + " with the same headings can be read alone"
				return stat.Suggest(r.err, s.suggestion())
			}
		}
	}
	return nil
}
