package xls

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// cell is a cell with a value. Sheets are mostly but not always in order, so all cells
// of a sheet are kept while it is read.
type cell struct {
	row, column uint16
	text        string
}

// rows are the rows of a sheet.
type rows struct {
	cells  []cell // those that are not read yet
	merged []workbook.Span
	row    int // number of the row, from 1
	line   []string
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

// At returns the numbers of the row and the column.
func (r *rows) At(cell int) stat.Position {
	return stat.Position{Line: max(r.row, 1), Column: cell + 1}
}

func (r *rows) Close() error { return nil }

func (r *rows) Merged() ([]workbook.Span, error) { return r.merged, nil }

// Next returns the next row that has cells.
func (r *rows) Next() ([]string, error) {
	if len(r.cells) == 0 {
		return nil, io.EOF
	}
	first := r.cells[0].row
	r.row = int(first) + 1
	clear(r.line)
	for len(r.cells) > 0 && r.cells[0].row == first {
		c := r.cells[0]
		for len(r.line) <= int(c.column) {
			r.line = append(r.line, "")
		}
		r.line[c.column] = c.text
		r.cells = r.cells[1:]
	}
	return r.line, nil
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
		s.add(r, s.strings[n])
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
		s.add(r, text)
		return err
	case recordBoolErr:
		s.add(r, boolOrError(r.uint16(6)&0xFF, r.uint16(6)>>8 != 0))
	case recordFormula:
		s.readFormula(r)
	case recordString:
		if s.hasFormula {
			text, err := newTextReader(r, 0).text(2)
			s.addCell(int(s.formula.row), int(s.formula.column), text)
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

func (s *sheet) add(r record, text string) { s.addCell(r.uint16(0), r.uint16(2), text) }

func (s *sheet) addCell(row, column int, text string) {
	if text = strings.TrimSpace(text); text != "" && column < workbook.MaxColumns {
		s.cells = append(s.cells, cell{uint16(row), uint16(column), text})
	}
}

// number returns the text of a number, which is a date by its cell format.
func (s *sheet) number(style int, v float64) string {
	if style < len(s.styles) {
		if date, ok := workbook.DateText(s.styles[style], v, s.since04); ok {
			return date
		}
	}
	return workbook.NumberText(v)
}

func boolOrError(value int, isError bool) string {
	if isError {
		return "#N/A"
	}
	return strconv.Itoa(value)
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
