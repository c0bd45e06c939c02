package table

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

const maxSheetRows = 1 << 20 // as many as the programs can write

// Rows opens the rows of a sheet. Numbers come as their shortest text with a
// decimal point; dates as 2024-01-31, or as 2024-01 and 2024 where the cell
// shows no more; an error as #N/A, which is a mark for a missing value. Rows
// are filled up to the width of the widest above. A position is the row's
// number and the column's.
func (w *Workbook) Rows(s Sheet) (Rows, error) {
	x, err := w.open(s.path)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, notWorkbook("the sheet %q is not in it", s.Name)
	}
	return &sheetRows{book: w, x: x}, nil
}

// sheetRows are the rows of a sheet that hold cells.
type sheetRows struct {
	book  *Workbook
	x     *sheetXML
	row   int // number of the row, from 1
	cells []string
	width int
}

// At is the row's and the column's number.
func (s *sheetRows) At(cell int) stat.Position {
	return stat.Position{Line: max(s.row, 1), Column: cell + 1}
}

// Close closes the sheet.
func (s *sheetRows) Close() error { return s.x.file.Close() }

// Next reads the next row of the sheet.
func (s *sheetRows) Next() ([]string, error) {
	for {
		token, err := s.x.next()
		if err != nil {
			return nil, err
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		number := s.row + 1
		if text := attr(e, "r"); text != "" {
			if number, err = strconv.Atoi(text); err != nil || number <= s.row {
				return nil, s.x.bad("the row has the number %q after the row %d", text, s.row)
			}
		}
		if number > maxSheetRows {
			return nil, s.x.bad("a sheet has at most %d rows", maxSheetRows)
		}
		s.row = number
		return s.readRow()
	}
}

// readRow reads the cells of a row.
func (s *sheetRows) readRow() ([]string, error) {
	s.cells = s.cells[:0]
	for {
		token, err := s.x.next()
		if err == io.EOF {
			return nil, s.x.bad("the sheet ends within a row")
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			for len(s.cells) < s.width {
				s.cells = append(s.cells, "")
			}
			s.width = len(s.cells)
			return s.cells, nil
		case xml.StartElement:
			if err := s.readCell(t); err != nil {
				return nil, err
			}
		}
	}
}

// readCell reads a cell and puts it into its column.
func (s *sheetRows) readCell(e xml.StartElement) error {
	at := len(s.cells)
	if ref := attr(e, "r"); ref != "" {
		if at = columnOf(ref); at < len(s.cells) {
			return s.x.bad("the cell %q of row %d stands out of order", ref, s.row)
		}
	}
	if at >= MaxColumns {
		return stat.BadFile(s.At(at), "a table may have %d columns", MaxColumns)
	}
	value, formula, err := s.cellValue()
	if err != nil {
		return err
	}
	for len(s.cells) < at {
		s.cells = append(s.cells, "")
	}
	text, err := s.meaning(e, value)
	if err == nil && formula && value == "" && attr(e, "t") != "str" {
		err = stat.BadFile(s.At(at), "the cell has a formula without its result; open the file in a spreadsheet program and save it")
	}
	s.cells = append(s.cells, strings.TrimSpace(text))
	return err
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

// cellValue reads what stands in a cell: its value or text, and whether a
// formula is beside it.
func (s *sheetRows) cellValue() (value string, formula bool, err error) {
	for {
		token, err := s.x.next()
		if err == io.EOF {
			return "", false, s.x.bad("the sheet ends within a cell")
		}
		if err != nil {
			return "", false, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return value, formula, nil
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				value, err = s.x.chars()
			case "is":
				value, err = s.x.text()
			default:
				formula = formula || t.Name.Local == "f"
				_, err = s.x.chars()
			}
			if err != nil {
				return "", false, err
			}
		}
	}
}

// chars are the characters directly within the element that was begun, to its
// end.
func (x *sheetXML) chars() (string, error) {
	var b strings.Builder
	for depth := 1; depth > 0; {
		token, err := x.next()
		if err == io.EOF {
			return "", x.bad("the file ends within an element")
		}
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 1 {
				b.Write(t)
			}
		}
		if b.Len() > MaxField {
			return "", x.bad("a cell has more than %d bytes", MaxField)
		}
	}
	return b.String(), nil
}

// meaning is the text of a cell by its type and format.
func (s *sheetRows) meaning(e xml.StartElement, value string) (string, error) {
	switch attr(e, "t") {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(s.book.strings) {
			return "", s.x.bad("a cell of row %d has the string number %q, and there are %d", s.row, value, len(s.book.strings))
		}
		return s.book.strings[n], nil
	case "e":
		return "#N/A", nil
	case "", "n":
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || strings.ContainsAny(value, "xX_") {
			return value, nil // empty, or no number, which the table's reader will say
		}
		if n, err := strconv.Atoi(attr(e, "s")); err == nil && n >= 0 && n < len(s.book.styles) {
			if date, ok := s.book.styles[n].text(v, s.book.since04); ok {
				return date, nil
			}
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return value, nil
}

// dateStyle is what a cell format shows of a date.
type dateStyle int

const (
	noDate dateStyle = iota
	showsYear
	showsMonth
	showsDay
)

// text writes the number of a date, days since the end of 1899 or since
// 1904; ok is false where the number is shown as one.
func (d dateStyle) text(days float64, since04 bool) (string, bool) {
	if d == noDate || !(days >= 1 && days < 2_958_466) { // to the end of 9999
		return "", false
	}
	if since04 {
		days += 1462
	} else if days < 61 {
		days++ // the programs count a 29 February 1900
	}
	whole := int(days)
	date := time.Date(1899, 12, 30+whole, 0, 0, 0, 0, time.UTC)
	if seconds := (days - float64(whole)) * 86400; seconds >= 0.5 {
		return date.Add(time.Duration(seconds * float64(time.Second))).Format("2006-01-02T15:04:05"), true
	}
	return date.Format([]string{showsYear: "2006", showsMonth: "2006-01", showsDay: "2006-01-02"}[d]), true
}

// readStyles finds out which cell formats are dates.
func (w *Workbook) readStyles(name string) error {
	custom := map[string]dateStyle{}
	inCells := false
	return w.elements(name, func(_ *sheetXML, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			custom[attr(e, "numFmtId")] = dateStyleOf(attr(e, "formatCode"))
		case "cellXfs":
			inCells = true
		case "cellStyles", "dxfs":
			inCells = false
		case "xf":
			if inCells {
				w.styles = append(w.styles, builtIn(attr(e, "numFmtId"), custom))
			}
		}
		return nil
	})
}

// builtIn is what a number format shows: those below 164 are fixed.
func builtIn(id string, custom map[string]dateStyle) dateStyle {
	if style, ok := custom[id]; ok {
		return style
	}
	n, err := strconv.Atoi(id)
	switch {
	case err != nil:
		return noDate
	case n == 17: // mmm-yy
		return showsMonth
	case n >= 14 && n <= 16, n == 22, n >= 27 && n <= 31, n >= 50 && n <= 54, n == 57, n == 58:
		return showsDay
	}
	return noDate
}

// dateStyleOf tells by a format's text what it shows of a date.
func dateStyleOf(code string) dateStyle {
	code, _, _ = strings.Cut(code, ";")
	var letters strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*':
			i++
		case '"':
			if end := strings.IndexByte(code[i+1:], '"'); end >= 0 {
				i += end + 1
			}
		case '[':
			if end := strings.IndexByte(code[i:], ']'); end >= 0 {
				i += end
			}
		default:
			letters.WriteByte(code[i] | 0x20)
		}
	}
	has := func(letter string) bool { return strings.Contains(letters.String(), letter) }
	switch {
	case !has("y") || has("general"):
		return noDate // a number, or a time of day
	case has("d"):
		return showsDay
	case has("m"):
		return showsMonth
	}
	return showsYear
}
