package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Some tables are printed as pages, which repeat the heading rows with other periods:
//
//	,Dec,Nov
//	Country,2025,2025
//	Japan,1185.5,1202.7
//	,Dec,Nov
//	Country,2024,2024
//	Japan,1061.5,1087.1

// isPage reports whether a heading row of periods begins a page: its periods are all new, the
// row above it is the one above the first, and no other text stands between it and the numbers
// of the page before, as the title of another table does.
func (s *survey) isPage(l *Layout, row []string) bool {
	if l.periodRow == noRow || l.prefix != "" || len(l.heads) > 1 || s.below != len(l.heads) {
		return false
	}
	if s.periods == nil {
		s.periods = map[string]bool{}
		for _, v := range l.values {
			s.periods[v.text] = true
		}
	}
	if slices.ContainsFunc(l.values, func(v value) bool { cell := at(row, v.column); return cell != "" && s.periods[cell] }) {
		return false
	}
	for _, v := range l.values {
		s.periods[strings.Clone(at(row, v.column))] = true
	}
	for _, h := range l.heads {
		isOther := func(v value) bool {
			cell := at(s.above, v.column)
			return cell != "" && cell != at(l.rows[h.row], v.column)
		}
		if h.row != l.periodRow-1 || s.above == nil || slices.ContainsFunc(l.values, isOther) {
			return false
		}
	}
	return true
}

// splitPages gives each column of values of a table with pages its own rows, whose period is that
// of the page.
func (r *reader) splitPages() error {
	if r.found.pages == 0 {
		return nil
	}
	if r.partAt >= 0 {
		return stat.BadFile(stat.Position{Line: r.first + 1}, "another heading row begins below; a file can have only one table")
	}
	r.values = slices.Clone(r.values)
	for j := range r.values {
		r.values[j].time = r.values[j].column
	}
	return nil
}

// turnPage keeps the periods of a heading row that is there again.
func (b *bodyRows) turnPage(row []string) {
	b.page, b.section = slices.Clone(row), ""
}

// periodCell returns the cell with the period of a row, or of a column of values of the page.
func (b *bodyRows) periodCell(column int) string {
	switch {
	case b.found.pages == 0:
		return b.carried.cell(b.row, column, b.Layout)
	case b.page == nil:
		return at(b.reader.rows[b.periodRow], column)
	}
	return at(b.page, column)
}
