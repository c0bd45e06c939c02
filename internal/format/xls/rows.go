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

// place is the place of a record with cells in the stream. Sheets are mostly but not always in
// order, so the places of all records are kept while a sheet is read.
type place struct {
	row    uint16
	column uint16 // of the formula whose result the record is
	at     uint32
}

// cell is a cell of the current row with a value.
type cell struct {
	column int
	workbook.Cell
}

// rows are the rows of a sheet.
type rows struct {
	*file
	workbook.Line
	places []place // of the records that are not read yet
	cells  []cell
	merged []workbook.Span

	formula    place // whose result is the text of a record that follows
	hasFormula bool
}

func (f *file) rows(from int) (workbook.Rows, error) {
	r := &rows{file: f}
	if err := f.records(from, r.find); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.places, func(a, b place) int { return cmp.Compare(a.row, b.row) })
	return r, nil
}

// find keeps the place of a record with cells.
func (r *rows) find(found record) error {
	at := place{row: uint16(found.uint16(0)), column: uint16(found.uint16(2)), at: found.at}
	switch found.kind {
	case recordFormula:
		if found.uint16(12) == notNumber && found.uint16(6)&0xFF == resultText {
			r.formula, r.hasFormula = at, true
			return nil
		}
	case recordString:
		if !r.hasFormula {
			return nil
		}
		at.row, at.column, r.hasFormula = r.formula.row, r.formula.column, false
	case recordMergedCells:
		for i := range found.uint16(0) {
			if at := 2 + 8*i; at+8 <= len(found.parts[0]) {
				r.merged = append(r.merged, workbook.Span{Top: found.uint16(at) + 1, Bottom: found.uint16(at+2) + 1, Left: found.uint16(at+4) + 1, Right: found.uint16(at+6) + 1})
			}
		}
		return nil
	case recordLabelSST, recordNumber, recordRK, recordMulRK, recordLabel, recordRString, recordBoolErr:
	default:
		return nil
	}
	r.places = append(r.places, at)
	return nil
}

func (r *rows) Close() error { return nil }

func (r *rows) Merged() ([]workbook.Span, error) { return r.merged, nil }

// Next returns the next row that has cells.
func (r *rows) Next() ([]string, error) {
	for len(r.places) > 0 {
		row := r.places[0].row
		for r.cells = r.cells[:0]; len(r.places) > 0 && r.places[0].row == row; r.places = r.places[1:] {
			rest := r.stream[r.places[0].at:]
			found, err := nextRecord(&rest)
			if err == nil {
				err = r.read(found, int(r.places[0].column))
			}
			if err != nil {
				return nil, err
			}
		}
		if len(r.cells) == 0 {
			continue
		}
		slices.SortStableFunc(r.cells, func(a, b cell) int { return cmp.Compare(a.column, b.column) })
		r.Begin(int(row) + 1)
		for i, c := range r.cells {
			if i > 0 && r.cells[i-1].column == c.column {
				return nil, stat.BadFile(stat.Position{Line: int(row) + 1, Column: c.column + 1}, "the workbook has this cell twice; it may be damaged")
			}
			r.Set(c.column, c.Cell)
		}
		return r.Cells(), nil
	}
	return nil, io.EOF
}

// read reads the cells of a record; column is that of the first.
func (r *rows) read(from record, column int) error {
	switch from.kind {
	case recordLabelSST:
		n := from.uint32(6)
		if int64(n) >= int64(len(r.strings)) {
			return workbook.BadFile("a cell of row %d has the string number %d, but the workbook has %d strings", from.uint16(0)+1, n, len(r.strings))
		}
		r.add(column, workbook.Cell{Text: r.strings[n]})
	case recordNumber:
		r.add(column, r.float(from))
	case recordFormula:
		r.add(column, r.result(from))
	case recordRK:
		r.add(column, r.number(from.uint16(4), numberOfRK(from.uint32(6))))
	case recordMulRK:
		for at := 4; at+8 <= len(from.parts[0]); at, column = at+6, column+1 {
			r.add(column, r.number(from.uint16(at), numberOfRK(from.uint32(at+2))))
		}
	case recordLabel, recordRString:
		text, err := newTextReader(from, 6).text(2)
		r.add(column, workbook.Cell{Text: text})
		return err
	case recordString:
		text, err := newTextReader(from, 0).text(2)
		r.add(column, workbook.Cell{Text: text})
		return err
	case recordBoolErr:
		r.add(column, boolOrError(from.uint16(6)&0xFF, from.uint16(6)>>8 != 0))
	}
	return nil
}

// What is in place of the number of a formula's result.
const (
	notNumber   = 0xFFFF
	resultText  = 0 // in a record that follows
	resultTruth = 1
	resultFault = 2
)

// result returns the result of a formula, which is no text.
func (r *rows) result(from record) workbook.Cell {
	switch kind := from.uint16(6) & 0xFF; {
	case from.uint16(12) != notNumber:
		return r.float(from)
	case kind == resultTruth, kind == resultFault:
		return boolOrError(from.uint16(8)&0xFF, kind == resultFault)
	}
	return workbook.Cell{}
}

func (r *rows) float(from record) workbook.Cell {
	return r.number(from.uint16(4), math.Float64frombits(uint64(from.uint32(6))|uint64(from.uint32(10))<<32))
}

func (r *rows) add(column int, c workbook.Cell) {
	if strings.TrimSpace(c.Text) != "" && column < workbook.MaxColumns {
		r.cells = append(r.cells, cell{column, c})
	}
}

// number returns the cell of a number, which may be a date by its format.
func (f *file) number(style int, v float64) workbook.Cell {
	layout := ""
	if style < len(f.styles) {
		layout = f.styles[style]
	}
	return workbook.NumberCell(layout, v, f.since04)
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
