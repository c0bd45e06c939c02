package plain

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/workbook"
	"almanac/internal/format/xlsx"
	"almanac/internal/stat"
)

// recogniseSheet recognises workbooks by name or by the first entries of the zip;
// other office documents have other folders.
func recogniseSheet(name string, head []byte) bool {
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return false
	}
	lower := strings.ToLower(name)
	return strings.HasSuffix(lower, ".xlsx") || strings.HasSuffix(lower, ".xlsm") || bytes.Contains(head, []byte("xl/workbook.xml")) || bytes.Contains(head, []byte("xl/_rels/"))
}

// readSheet reads the table of the stated sheet, or else of the first sheet that has
// one.
func readSheet(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		found, err := findSheet(in)
		if err != nil {
			yield(nil, err)
			return
		}
		in.Decimal = "" // numbers are stored as such
		open := func() (table.Rows, error) { return found.sheet.Rows() }
		for t, err := range table.ReadRows(ctx, in, open, found.mapping) {
			if err == nil && len(found.others) > 0 {
				t.Report.Add(stat.NoteNotRead, len(found.others), "sheet "+found.others[0])
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

type sheetTable struct {
	sheet   workbook.Sheet
	mapping table.Mapping
	others  []string // sheets that are not read
}

func findSheet(in format.Input) (found sheetTable, err error) {
	stated, err := parseMapping(in.Mapping)
	if err != nil {
		return found, err
	}
	if in.Decimal != "" && in.Decimal != "." || stated.decimal == "," || stated.separator != 0 || stated.encoding != "" {
		return found, stat.BadFile(stat.Position{}, "a decimal comma, separator or encoding cannot be stated for a workbook, which stores numbers as such")
	}
	book, err := xlsx.Open(in.Data)
	if err != nil {
		return found, err
	}
	var firstErr *stat.FileError // why the first sheet has no table
	var names []string
	for _, sheet := range book.Sheets {
		names = append(names, sheet.Name)
	}
	for i, sheet := range book.Sheets {
		if stated.sheet == "" && sheet.Hidden || stated.sheet != "" && !strings.EqualFold(sheet.Name, stated.sheet) {
			continue
		}
		found.mapping, err = sheetMapping(in, sheet, stated)
		if err == nil {
			found.sheet, found.others = sheet, slices.Delete(names, i, i+1)
			return found, nil
		}
		var at *stat.FileError
		if !errors.As(err, &at) {
			return found, err
		}
		if firstErr == nil {
			firstErr = at
			at.Message = "sheet " + sheet.Name + ": " + at.Message
		}
	}
	if firstErr != nil {
		return found, firstErr
	}
	return found, mappingError("the workbook has no sheet %q; its sheets are %s", stated.sheet, strings.Join(names, ", "))
}

// sheetMapping returns the mapping of a sheet, or why it has no table.
func sheetMapping(in format.Input, sheet workbook.Sheet, stated statement) (m table.Mapping, err error) {
	rows, err := sheet.Rows()
	if err != nil {
		return m, err
	}
	defer rows.Close()
	first, err := firstRows(rows)
	if err != nil {
		return m, err
	}
	if len(first.rows) == 0 {
		return m, stat.BadFile(stat.Position{Line: 1}, "the sheet is empty")
	}
	width := len(first.rows[len(first.rows)-1])
	for i, cells := range first.rows { // rows above the widest are shorter
		first.rows[i] = append(cells, make([]string, width-len(cells))...)
	}
	if m, err = stated.mapping(in, first); err != nil {
		return m, err
	}
	m.Row, m.Numbers = skipFooters(true), table.DecimalPoint
	for i, cells := range first.rows {
		if (m.Header == 0 || m.Header == first.lines[i]) && table.HasHeadings([][]string{cells}, stated.columns()...) {
			return m, nil
		}
	}
	return m, stat.BadFile(stat.Position{Line: 1}, "no row has the headings %s", strings.Join(stated.columns(), ", "))
}
