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

// Rows opens the rows of a sheet. A number is its shortest text with a decimal point;
// a date is like 2024-01-31, or 2024-01 and 2024 if the cell shows no more; an error
// is #N/A, a mark for a missing value. Rows are padded to the widest one above.
func (f *File) Rows(s Sheet) (*Rows, error) {
	p, err := f.open(s.path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, badFile("it does not contain the sheet %q", s.Name)
	}
	return &Rows{file: f, part: p}, nil
}

// At returns the numbers of the row and the column.
func (r *Rows) At(cell int) stat.Position {
	return stat.Position{Line: max(r.row, 1), Column: cell + 1}
}

// Close closes the sheet.
func (r *Rows) Close() error { return r.part.file.Close() }

// Next reads the next row that the sheet holds.
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
				return nil, r.part.bad("the row has the number %q but follows the row %d", text, r.row)
			}
		}
		if number > maxRows {
			return nil, r.part.bad("the sheet has more than %d rows", maxRows)
		}
		r.row, r.cells = number, r.cells[:0]
		if err := r.part.children(r.readCell); err != nil {
			return nil, err
		}
		r.fillTo(r.width)
		r.width = len(r.cells)
		return r.cells, nil
	}
}

func (r *Rows) fillTo(width int) {
	for len(r.cells) < width {
		r.cells = append(r.cells, "")
	}
}

func (r *Rows) readCell(e xml.StartElement) error {
	at := len(r.cells)
	if ref := attr(e, "r"); ref != "" {
		if at = columnOf(ref); at < len(r.cells) {
			return r.part.bad("the cell %q of row %d is out of order", ref, r.row)
		}
	}
	if at >= maxColumns {
		return stat.BadFile(r.At(at), "the sheet has more than %d columns", maxColumns)
	}
	value, hasFormula := "", false
	err := r.part.children(func(e xml.StartElement) error {
		text, err := r.part.text(e.Name.Local)
		switch e.Name.Local {
		case "v", "is":
			value = text
		case "f":
			hasFormula = true
		}
		return err
	})
	if err != nil {
		return err
	}
	text, err := r.textOf(e, value)
	if err != nil {
		return err
	}
	if hasFormula && value == "" && attr(e, "t") != "str" {
		return stat.BadFile(r.At(at), "the cell has a formula without a result; open the file in a spreadsheet program and save it")
	}
	r.fillTo(at)
	r.cells = append(r.cells, strings.TrimSpace(text))
	return nil
}

// columnOf returns the column of a reference such as "B3", from 0, or -1.
func columnOf(ref string) int {
	at := 0
	for i := 0; i < len(ref) && i < 4 && ref[i] >= 'A' && ref[i] <= 'Z'; i++ {
		at = at*26 + int(ref[i]-'A') + 1
	}
	return at - 1
}

// textOf returns the text of a cell by its type and format.
func (r *Rows) textOf(e xml.StartElement, value string) (string, error) {
	switch attr(e, "t") {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(r.file.strings) {
			return "", r.part.bad("a cell of row %d has the string number %q, but the workbook has %d strings", r.row, value, len(r.file.strings))
		}
		return r.file.strings[n], nil
	case "e":
		return "#N/A", nil
	case "", "n":
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || strings.ContainsAny(value, "xX_") {
			return value, nil // empty or not a number, as the reader of the table reports
		}
		if n, err := strconv.Atoi(attr(e, "s")); err == nil && n >= 0 && n < len(r.file.styles) {
			if date, ok := dateText(r.file.styles[n], v, r.file.since04); ok {
				return date, nil
			}
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return value, nil
}
