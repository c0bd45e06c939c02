package plain

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// refusedSheet is a sheet with numbers whose table cannot be read.
type refusedSheet struct {
	err    error // with the suggestions that help
	reason *stat.FileError
	rows   map[string]bool // that may be its headings
}

// unreadSheet is a sheet that is not read.
type unreadSheet struct {
	workbook.Sheet
	reason  string
	isTable bool // that could be read
}

// noteSheets notes the numbers of sheets that are not read; its example names the sheets, with the
// reasons.
const noteSheets = "sheets-not-read"

// noteUnread notes the sheets that are not read. Those beside a stated sheet are left out on
// purpose, so that their numbers are not counted.
func (a *sheets) noteUnread(report *stat.Report) {
	var reasons []string
	names, numbers := map[string][]string{}, 0 // the sheets by the reason
	for _, s := range a.unread {
		n := 0
		if a.stated.sheet == "" {
			n = s.countNumbers()
		}
		if n == 0 {
			report.Add(stat.NoteNotRead, 1, "sheet "+s.Name)
			continue
		}
		if numbers += n; names[s.reason] == nil {
			reasons = append(reasons, s.reason)
		}
		names[s.reason] = append(names[s.reason], s.Name)
	}
	if len(reasons) == 0 {
		return
	}
	var lines []string
	for _, reason := range reasons {
		lines = append(lines, clipped(names[reason])+": "+reason)
	}
	report.Add(noteSheets, numbers, strings.Join(lines, "; "))
}

// countNumbers counts the cells with numbers of a sheet, as far as it can be read.
func (s *unreadSheet) countNumbers() (n int) {
	rows, err := s.Rows()
	if err != nil {
		return 0
	}
	for row, err := range table.All(rows) {
		if err != nil {
			break
		}
		n += countNumbers([][]string{row})
	}
	_ = rows.Close() // it was only read
	return n
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
