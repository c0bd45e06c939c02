package xlsx

import (
	"encoding/xml"
	"strconv"
	"strings"

	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// rows are the rows of a sheet.
type rows struct {
	workbook.Line
	file *file
	part *workbook.Part
	path string
}

func (f *file) rows(path string) (workbook.Rows, error) {
	p, err := f.Open(path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, workbook.BadFile("it does not contain the sheet %s", path)
	}
	return &rows{file: f, part: p, path: path}, nil
}

// Close closes the sheet.
func (r *rows) Close() error { return r.part.Close() }

// Merged reads the list of merged cells, which follows the rows.
func (r *rows) Merged() (all []workbook.Span, err error) {
	if found, err := r.file.Contains(r.path, "mergeCell"); !found {
		return nil, err
	}
	err = r.file.Elements(r.path, func(p *workbook.Part, e xml.StartElement) error {
		if e.Name.Local != "mergeCell" {
			return nil
		}
		first, last, _ := strings.Cut(workbook.Attr(e, "ref"), ":")
		span := workbook.Span{Top: rowOf(first), Left: columnOf(first) + 1, Bottom: rowOf(last), Right: columnOf(last) + 1}
		if span.Top < 1 || span.Left < 1 || span.Bottom < span.Top || span.Right < span.Left || len(all) == maxMerged {
			return p.Bad("the merged cells %q are invalid, or more than %d", workbook.Attr(e, "ref"), maxMerged)
		}
		all = append(all, span)
		return nil
	})
	return all, err
}

// rowOf returns the row of a reference such as "B3", from 1, or 0.
func rowOf(ref string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	return n
}

// Next reads the next row that the sheet holds.
func (r *rows) Next() ([]string, error) {
	for {
		token, err := r.part.Next()
		if err != nil {
			return nil, err
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		number := r.Row + 1
		if text := workbook.Attr(e, "r"); text != "" {
			if number, err = strconv.Atoi(text); err != nil || number <= r.Row {
				return nil, r.part.Bad("the row has the number %q but follows the row %d", text, r.Row)
			}
		}
		if number > workbook.MaxRows {
			return nil, r.part.Bad("the sheet has more than %d rows", workbook.MaxRows)
		}
		r.Begin(number)
		err = r.part.Children(r.readCell)
		return r.Cells(), err
	}
}

func (r *rows) readCell(e xml.StartElement) error {
	at := r.Used()
	if ref := workbook.Attr(e, "r"); ref != "" {
		if at = columnOf(ref); at < r.Used() {
			return r.part.Bad("the cell %q of row %d is out of order", ref, r.Row)
		}
	}
	if at >= workbook.MaxColumns {
		return stat.BadFile(r.At(at), "the sheet has more than %d columns", workbook.MaxColumns)
	}
	value, hasFormula := "", false
	err := r.part.Children(func(e xml.StartElement) error {
		text, err := r.part.Text(e.Name.Local)
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
	c, err := r.cellOf(e, value)
	if err != nil {
		return err
	}
	if hasFormula && value == "" && workbook.Attr(e, "t") != "str" {
		return stat.BadFile(r.At(at), "the cell has a formula without a result; open the file in a spreadsheet program and save it")
	}
	r.Set(at, c)
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

// cellOf returns a cell by its type and format.
func (r *rows) cellOf(e xml.StartElement, value string) (c workbook.Cell, err error) {
	c.Text = value
	switch workbook.Attr(e, "t") {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(r.file.strings) {
			return c, r.part.Bad("a cell of row %d has the string number %q, but the workbook has %d strings", r.Row, value, len(r.file.strings))
		}
		c.Text = r.file.strings[n]
	case "e":
		c.Text = "#N/A"
	case "b":
		c = workbook.BoolCell(strings.TrimSpace(value) == "1")
	case "d": // a date, as strict OOXML has it
		c.Text = strings.TrimSuffix(value, "T00:00:00")
	case "", "n":
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || strings.ContainsAny(value, "xX_") {
			return c, nil // empty or not a number, as the reader of the table reports
		}
		layout := ""
		if n, err := strconv.Atoi(workbook.Attr(e, "s")); err == nil && n >= 0 && n < len(r.file.styles) {
			layout = r.file.styles[n]
		}
		return workbook.NumberCell(layout, v, r.file.since04), nil
	}
	return c, nil
}
