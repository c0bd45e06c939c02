package plain

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/ods"
	"almanac/internal/format/table"
	"almanac/internal/format/workbook"
	"almanac/internal/format/xls"
	"almanac/internal/format/xlsx"
	"almanac/internal/stat"
)

// recogniseSheet recognises workbooks by their first bytes: a compound file (.xls), or a
// zip with the entries of one. Other office documents have other entries.
func recogniseSheet(name string, head []byte) bool {
	if bytes.HasPrefix(head, []byte(xls.Signature)) || ods.Recognise(head) {
		return true
	}
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return false
	}
	lower := strings.ToLower(name)
	return strings.HasSuffix(lower, ".xlsx") || strings.HasSuffix(lower, ".xlsm") || bytes.Contains(head, []byte("xl/workbook.xml")) || bytes.Contains(head, []byte("xl/_rels/"))
}

// openBook opens a workbook of any format.
func openBook(in format.Input) (*workbook.Book, error) {
	file := bufio.NewReaderSize(in.Data, 4<<10)
	head, _ := file.Peek(512) // a shorter or unreadable file is an error of its reader
	switch {
	case bytes.HasPrefix(head, []byte(xls.Signature)):
		return xls.Open(file)
	case ods.Recognise(head):
		return ods.Open(file)
	}
	return xlsx.Open(file)
}

// readSheet reads the datasets of a workbook (see workbook.go).
func readSheet(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		stated, err := statedIn(&in)
		if err != nil {
			yield(nil, err)
			return
		}
		if stated.separator != 0 || stated.encoding != "" {
			yield(nil, mappingError("a separator or encoding cannot be stated for a workbook"))
			return
		}
		book, err := openBook(in)
		if err != nil {
			yield(nil, err)
			return
		}
		all := &sheets{ctx: ctx, in: in, stated: stated}
		defer all.close()
		if err := all.open(book); err != nil {
			yield(nil, err)
			return
		}
		all.yield(yield)
	}
}

// sheet is the table of a sheet, opened.
type sheet struct {
	from   workbook.Sheet
	above  string // the lines above the headings
	period string // that is the name of the sheet; empty if the table has periods
	table  *stat.Table
	isArea bool // its name is the area of the table

	isExtract bool // it is of Almanac itself: the sheet Flags explains flags, not codes
	isPart    bool // its table says itself what tells it from others
	isLong    bool // its periods and areas are in columns: a row is about one of each

	numbers int             // in the first rows
	rows    map[string]bool // that may be its headings
	next    func() (*stat.Table, error, bool)
	stop    func()
}

// openSheet opens the table of a sheet. The error is a [stat.FileError] if it has none.
func openSheet(ctx context.Context, in format.Input, from workbook.Sheet, stated statement) (*sheet, error) {
	s := &sheet{from: from.FillDown()}
	tables, err := s.read(ctx, in, stated)
	if err != nil {
		return nil, inSheet(from.Name, err)
	}
	s.next, s.stop = iter.Pull2(tables)
	if s.table, err, _ = s.next(); err != nil {
		s.stop()
		return nil, inSheet(from.Name, err)
	}
	title, description, _ := strings.Cut(s.above, "\n")
	s.table.Dataset.Name = cmp.Or(s.table.Dataset.Name, title)
	s.table.Dataset.Description = cmp.Or(s.table.Dataset.Description, description)
	return s, nil
}

func (s *sheet) read(ctx context.Context, in format.Input, stated statement) (iter.Seq2[*stat.Table, error], error) {
	open := func() (table.Rows, error) { return s.from.Rows() }
	first, err := sampleSheet(s.from)
	if err != nil {
		return nil, err
	}
	if b := findDataBrowser(first.rows); b != nil {
		s.isPart = true
		return b.read(ctx, in, open), nil
	}
	layout, err := sheetLayout(open, stated)
	if err != nil {
		return nil, err
	}
	if layout != nil {
		return crosstab.ReadRows(ctx, in, open, layout), nil
	}
	m, err := s.mapping(in, stated, first)
	if err != nil {
		return nil, err
	}
	s.isExtract = stated.isExtract(first)
	hasArea := slices.ContainsFunc(m.Axes, func(a table.Axis) bool { return a.Role == stat.RoleGeo })
	s.isLong = hasArea && len(m.Period.Columns) > 0
	return table.ReadRows(ctx, in, open, m), nil
}

// inSheet adds the name of a sheet to the error of a file.
func inSheet(name string, err error) error {
	var at *stat.FileError
	if errors.As(err, &at) {
		at.Message = "sheet " + name + ": " + at.Message
	}
	return err
}

// mapping returns the mapping of a sheet, or why it has no table.
func (s *sheet) mapping(in format.Input, stated statement, first sample) (m table.Mapping, err error) {
	if len(first.rows) == 0 {
		return m, stat.BadFile(stat.Position{Line: 1}, "the sheet is empty")
	}
	if m, err = stated.mapping(in, first); err != nil {
		return m, err
	}
	compose, width := m.Headings, len(first.rows[0])
	m.Headings = func(above [][]string, row []string) []string {
		row = append(row, make([]string, max(0, width-len(row)))...) // headings above wider rows
		if compose == nil {
			return row
		}
		return compose(above, row)
	}
	for i, cells := range first.rows {
		if (m.Header == 0 || m.Header == first.lines[i]) && table.HasHeadings([][]string{cells}, stated.columns()...) {
			return m, nil
		}
		if line := strings.TrimSpace(strings.Join(cells, " ")); line != "" {
			s.above += line + "\n"
		}
	}
	return m, stat.BadFile(stat.Position{Line: 1}, "no row has the headings %s", strings.Join(stated.columns(), ", "))
}

// sampleSheet returns the first rows of a sheet, all of one width.
func sampleSheet(from workbook.Sheet) (first sample, err error) {
	if first, err = firstRows(func() (table.Rows, error) { return from.Rows() }); err != nil || len(first.rows) == 0 {
		return first, err
	}
	width := len(first.rows[len(first.rows)-1])
	for i, cells := range first.rows { // rows above the widest are shorter
		first.rows[i] = append(cells, make([]string, width-len(cells))...)
	}
	return first, nil
}
