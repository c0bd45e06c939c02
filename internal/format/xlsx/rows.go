package xlsx

import (
	"encoding/xml"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// Rows are the rows of a sheet that hold cells.
type Rows struct {
	file  *File
	part  *part
	row   int // number of the row, from 1
	cells []string
	width int
}

// Rows opens the rows of a sheet. Numbers come as their shortest text with a
// decimal point; dates as 2024-01-31, or as 2024-01 and 2024 where the cell
// shows no more; an error as #N/A, which is a mark for a missing value. Rows
// are filled up to the width of the widest above. A position is the row's
// number and the column's.
func (f *File) Rows(s Sheet) (*Rows, error) {
	p, err := f.open(s.path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, badFile("the sheet %q is not in it", s.Name)
	}
	return &Rows{file: f, part: p}, nil
}

// At is the row's and the column's number.
func (r *Rows) At(cell int) stat.Position {
	return stat.Position{Line: max(r.row, 1), Column: cell + 1}
}

// Close closes the sheet.
func (r *Rows) Close() error { return r.part.file.Close() }

// Next reads the next row of the sheet.
func (r *Rows) Next() ([]string, error) {
	for {
		token, err := r.part.next()
		if err != nil {
			return nil, err
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		number := r.row + 1
		if text := attr(e, "r"); text != "" {
			if number, err = strconv.Atoi(text); err != nil || number <= r.row {
				return nil, r.part.bad("the row has the number %q after the row %d", text, r.row)
			}
		}
		if number > maxRows {
			return nil, r.part.bad("a sheet has at most %d rows", maxRows)
		}
		r.row = number
		return r.readRow()
	}
}

// readRow reads the cells of a row.
func (r *Rows) readRow() ([]string, error) {
	r.cells = r.cells[:0]
	for {
		token, err := r.part.next()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			r.fillTo(r.width)
			r.width = len(r.cells)
			return r.cells, nil
		case xml.StartElement:
			if err := r.readCell(t); err != nil {
				return nil, err
			}
		}
	}
}

// fillTo appends empty cells up to a width.
func (r *Rows) fillTo(width int) {
	for len(r.cells) < width {
		r.cells = append(r.cells, "")
	}
}

// readCell reads a cell and puts it into its column.
func (r *Rows) readCell(e xml.StartElement) error {
	at := len(r.cells)
	if ref := attr(e, "r"); ref != "" {
		if at = columnOf(ref); at < len(r.cells) {
			return r.part.bad("the cell %q of row %d stands out of order", ref, r.row)
		}
	}
	if at >= maxColumns {
		return stat.BadFile(r.At(at), "a table may have %d columns", maxColumns)
	}
	value, hasFormula, err := r.readValue()
	if err != nil {
		return err
	}
	text, err := r.textOf(e, value)
	if err != nil {
		return err
	}
	if hasFormula && value == "" && attr(e, "t") != "str" {
		return stat.BadFile(r.At(at), "the cell has a formula without its result; open the file in a spreadsheet program and save it")
	}
	r.fillTo(at)
	r.cells = append(r.cells, strings.TrimSpace(text))
	return nil
}

// columnOf is the column that a reference such as "B3" names, from 0; -1 if it
// is none.
func columnOf(ref string) int {
	at := 0
	for i := 0; i < len(ref) && i < 4 && ref[i] >= 'A' && ref[i] <= 'Z'; i++ {
		at = at*26 + int(ref[i]-'A') + 1
	}
	return at - 1
}

// readValue reads the rest of a cell: its value or text, and whether a formula
// is beside it.
func (r *Rows) readValue() (value string, hasFormula bool, err error) {
	for {
		token, err := r.part.next()
		if err != nil {
			return "", false, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return value, hasFormula, nil
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				value, err = r.part.characters()
			case "is":
				value, err = r.part.richText()
			default:
				hasFormula = hasFormula || t.Name.Local == "f"
				_, err = r.part.characters()
			}
			if err != nil {
				return "", false, err
			}
		}
	}
}

// textOf is the text of a cell by its type and format.
func (r *Rows) textOf(e xml.StartElement, value string) (string, error) {
	switch attr(e, "t") {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(r.file.strings) {
			return "", r.part.bad("a cell of row %d has the string number %q, and there are %d", r.row, value, len(r.file.strings))
		}
		return r.file.strings[n], nil
	case "e":
		return "#N/A", nil
	case "", "n":
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || strings.ContainsAny(value, "xX_") {
			return value, nil // empty, or no number, which the table's reader will say
		}
		if n, err := strconv.Atoi(attr(e, "s")); err == nil && n >= 0 && n < len(r.file.styles) {
			if date, ok := r.file.styles[n].date(v, r.file.since04); ok {
				return date, nil
			}
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return value, nil
}
