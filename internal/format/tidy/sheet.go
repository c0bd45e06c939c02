package tidy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// SheetFormat is that of plain tables in a workbook (XLSX).
func SheetFormat() format.Format {
	return format.Format{Name: "table-xlsx", Recognise: recogniseSheet, Read: readSheet}
}

// recogniseSheet knows workbooks by what their zip begins with; the other
// files of office programs have other folders.
func recogniseSheet(name string, head []byte) bool {
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return false
	}
	lower := strings.ToLower(name)
	return strings.HasSuffix(lower, ".xlsx") || strings.HasSuffix(lower, ".xlsm") || bytes.Contains(head, []byte("xl/workbook.xml")) || bytes.Contains(head, []byte("xl/_rels/"))
}

// readSheet reads the table of a workbook: that of the sheet that is stated,
// or of the first that has one.
func readSheet(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		found, err := findTable(&in)
		if err != nil {
			yield(nil, err)
			return
		}
		open := func() (table.Rows, error) { return found.book.Rows(found.sheet) }
		for t, err := range table.ReadRows(ctx, in, open, found.mapping) {
			if err == nil && found.noted != "" {
				t.Report.Add(noteMapping, 1, found.noted)
			}
			if err == nil && len(found.others) > 0 {
				t.Report.Add(stat.NoteNotRead, len(found.others), "sheet "+found.others[0])
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// sheetTable is the table that was found in a workbook.
type sheetTable struct {
	book    *table.Workbook
	sheet   table.Sheet
	mapping table.Mapping
	noted   string   // the mapping, where it was found out
	others  []string // sheets that are not read
}

// findTable finds the sheet with the table, and its mapping.
func findTable(in *format.Input) (found sheetTable, err error) {
	items, err := parseItems(in.Mapping)
	if err != nil {
		return found, err
	}
	set, err := settingsOf(items)
	if err != nil {
		return found, err
	}
	if in.Decimal != "" && in.Decimal != "." || set.decimal == "," || set.separator != 0 || set.encoding != "" {
		return found, stat.BadFile(stat.Position{}, "a workbook has no decimal comma, separator or encoding that could be stated: its numbers are stored as such")
	}
	if found.book, err = table.OpenWorkbook(in.Data); err != nil {
		return found, err
	}
	var first error // why the first sheet with cells has no table
	var names []string
	taken := false
	for _, sheet := range found.book.Sheets {
		names = append(names, sheet.Name)
		if taken || set.sheet == "" && sheet.Hidden || set.sheet != "" && !strings.EqualFold(sheet.Name, set.sheet) {
			found.others = append(found.others, sheet.Name)
			continue
		}
		m, noted, err := mappingOfSheet(in, found.book, sheet, items, set)
		var at *stat.FileError
		switch {
		case err == nil:
			found.sheet, found.mapping, found.noted, taken = sheet, m, noted, true
		case !errors.As(err, &at):
			return found, err
		default:
			at.Message = "sheet " + sheet.Name + ": " + at.Message
			if first == nil {
				first = at
			}
			found.others = append(found.others, sheet.Name)
		}
	}
	switch {
	case taken:
		in.Decimal = ""
		return found, nil
	case first != nil:
		return found, first
	}
	return found, badMapping("the workbook has no sheet %q; its sheets are %s", set.sheet, strings.Join(names, ", "))
}

// mappingOfSheet is the mapping of a sheet, or why it has no table.
func mappingOfSheet(in *format.Input, book *table.Workbook, sheet table.Sheet, items []item, set settings) (m table.Mapping, noted string, err error) {
	rows, err := book.Rows(sheet)
	if err != nil {
		return m, "", err
	}
	defer rows.Close()
	var head []headRow
	for len(head) < sampled {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return m, "", err
		}
		head = append(head, headRow{slices.Clone(row), rows.At(0).Line})
	}
	for i, row := range head { // the rows above the widest are shorter
		head[i].cells = append(row.cells, make([]string, max(0, len(head[len(head)-1].cells)-len(row.cells)))...)
	}
	if len(head) == 0 {
		return m, "", stat.BadFile(stat.Position{Line: 1}, "the sheet is empty")
	}
	if m, noted, err = mappingOf(in, items, set, head); err != nil {
		return m, "", err
	}
	m.Numbers = text.Style{Decimal: '.'}
	if !set.detect {
		err = hasColumns(m, head, items)
	}
	return m, noted, err
}

// hasColumns reports that a sheet lacks the columns that are stated, so that
// the next one is tried.
func hasColumns(m table.Mapping, head []headRow, items []item) error {
	var names []string
	for _, it := range items {
		if slices.Contains(statesColumns, it.key) && it.columns[0] != "*" {
			names = append(names, it.columns...)
		}
	}
	for _, row := range head {
		if (m.Header == 0 || m.Header == row.line) && table.HasHeadings([][]string{row.cells}, names...) {
			return nil
		}
	}
	return stat.BadFile(stat.Position{Line: 1}, "no row has the headings %s", strings.Join(names, ", "))
}
