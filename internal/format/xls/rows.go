package xls

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// cell is a cell with a value. Sheets are mostly but not always in order, so all cells
// of a sheet are kept while it is read.
type cell struct {
	row, column uint16
	workbook.Cell
}

// rows are the rows of a sheet.
type rows struct {
	workbook.Line
	cells  []cell // those that are not read yet
	merged []workbook.Span
}

func (f *file) rows(from int) (workbook.Rows, error) {
	s := sheet{file: f, rows: &rows{}}
	if err := f.records(from, s.read); err != nil {
		return nil, err
	}
	byPlace := func(a, b cell) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column)) }
	slices.SortStableFunc(s.cells, byPlace)
	for i := 1; i < len(s.cells); i++ {
		if byPlace(s.cells[i-1], s.cells[i]) == 0 {
			return nil, stat.BadFile(stat.Position{Line: int(s.cells[i].row) + 1, Column: int(s.cells[i].column) + 1}, "the workbook has this cell twice; it may be damaged")
		}
	}
	return s.rows, nil
}

func (r *rows) Close() error { return nil }

func (r *rows) Merged() ([]workbook.Span, error) { return r.merged, nil }

// Next returns the next row that has cells.
func (r *rows) Next() ([]string, error) {
	if len(r.cells) == 0 {
		return nil, io.EOF
	}
	first := r.cells[0].row
	r.Begin(int(first) + 1)
	for len(r.cells) > 0 && r.cells[0].row == first {
		r.Set(int(r.cells[0].column), r.cells[0].Cell)
		r.cells = r.cells[1:]
	}
	return r.Cells(), nil
}

// sheet reads the records of a sheet.
type sheet struct {
	*file
	*rows
	formula    cell // whose result is the text of a record that follows
	hasFormula bool
}

func (s *sheet) read(r record) error {
	switch r.kind {
	case recordLabelSST:
		n := r.uint32(6)
		if int64(n) >= int64(len(s.strings)) {
			return workbook.BadFile("a cell of row %d has the string number %d, but the workbook has %d strings", r.uint16(0)+1, n, len(s.strings))
		}
		s.add(r, workbook.Cell{Text: s.strings[n]})
	case recordNumber:
		s.add(r, s.number(r.uint16(4), math.Float64frombits(uint64(r.uint32(6))|uint64(r.uint32(10))<<32)))
	case recordRK:
		s.add(r, s.number(r.uint16(4), numberOfRK(r.uint32(6))))
	case recordMulRK:
		for at, column := 4, r.uint16(2); at+8 <= len(r.parts[0]); at, column = at+6, column+1 {
			s.addCell(r.uint16(0), column, s.number(r.uint16(at), numberOfRK(r.uint32(at+2))))
		}
	case recordLabel, recordRString:
		text, err := newTextReader(r, 6).text(2)
		s.add(r, workbook.Cell{Text: text})
		return err
	case recordBoolErr:
		s.add(r, boolOrError(r.uint16(6)&0xFF, r.uint16(6)>>8 != 0))
	case recordFormula:
		s.readFormula(r)
	case recordString:
		if s.hasFormula {
			text, err := newTextReader(r, 0).text(2)
			s.addCell(int(s.formula.row), int(s.formula.column), workbook.Cell{Text: text})
			s.hasFormula = false
			return err
		}
	case recordMergedCells:
		for i := range r.uint16(0) {
			if at := 2 + 8*i; at+8 <= len(r.parts[0]) {
				s.merged = append(s.merged, workbook.Span{Top: r.uint16(at) + 1, Bottom: r.uint16(at+2) + 1, Left: r.uint16(at+4) + 1, Right: r.uint16(at+6) + 1})
			}
		}
	}
	return nil
}

// readFormula reads the result of a formula: a number, or what is in its place.
func (s *sheet) readFormula(r record) {
	const mark, text, boolean, fault = 0xFFFF, 0, 1, 2 // another one is an empty text
	if r.uint16(12) != mark {
		s.add(r, s.number(r.uint16(4), math.Float64frombits(uint64(r.uint32(6))|uint64(r.uint32(10))<<32)))
		return
	}
	switch r.uint16(6) & 0xFF {
	case text:
		s.formula, s.hasFormula = cell{row: uint16(r.uint16(0)), column: uint16(r.uint16(2))}, true
	case boolean, fault:
		s.add(r, boolOrError(r.uint16(8)&0xFF, r.uint16(6)&0xFF == fault))
	}
}

func (s *sheet) add(r record, c workbook.Cell) { s.addCell(r.uint16(0), r.uint16(2), c) }

func (s *sheet) addCell(row, column int, c workbook.Cell) {
	if strings.TrimSpace(c.Text) != "" && column < workbook.MaxColumns {
		s.cells = append(s.cells, cell{uint16(row), uint16(column), c})
	}
}

// number returns the cell of a number, which may be a date by its format.
func (s *sheet) number(style int, v float64) workbook.Cell {
	layout := ""
	if style < len(s.styles) {
		layout = s.styles[style]
	}
	return workbook.NumberCell(layout, v, s.since04)
}

func boolOrError(value int, isError bool) workbook.Cell {
	if isError {
		return workbook.Cell{Text: "#N/A"}
	}
	return workbook.BoolCell(value != 0)
}

// numberOfRK unpacks a number: an integer of 30 bits or the upper 30 bits of a float64,
// perhaps a hundred times the value.
func numberOfRK(rk uint32) float64 {
	var v float64
	if rk&2 != 0 {
		v = float64(int32(rk) >> 2)
	} else {
		v = math.Float64frombits(uint64(rk&^3) << 32)
	}
	if rk&1 != 0 {
		v /= 100
	}
	return v
}
