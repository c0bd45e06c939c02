// Package ods reads the rows of OpenDocument spreadsheets (.ods), as LibreOffice and
// many offices write them. Formulas count as their stored results.
//
// All sheets are in one XML file, content.xml. Rows and cells that repeat are written
// once with a count, which may be that of all empty rows of a sheet.
package ods

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"

	"almanac/internal/format/workbook"
)

// mimetype is the content of the first entry of the archive.
const mimetype = "application/vnd.oasis.opendocument.spreadsheet"

// Recognise reports whether a file with the first bytes is a spreadsheet.
func Recognise(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) && bytes.Contains(head[:min(len(head), 200)], []byte(mimetype))
}

const content = "content.xml"

// file is a workbook.
type file struct {
	*workbook.Archive
	layouts map[string]string // of the styles of cells, by name
	hidden  map[string]bool   // the styles of sheets that are not shown
	sheets  []workbook.Sheet
}

// Open reads the styles and the list of sheets.
func Open(from io.Reader) (*workbook.Book, error) {
	archive, err := workbook.OpenArchive(from)
	if err != nil {
		return nil, err
	}
	f := &file{Archive: archive, layouts: map[string]string{}, hidden: map[string]bool{}}
	f.Keep(content)
	dates := map[string]string{} // layouts of the styles of dates
	for _, name := range []string{"styles.xml", content} {
		if err := f.Elements(name, func(p *workbook.Part, e xml.StartElement) error { return f.readStyle(p, e, dates) }); err != nil {
			return nil, err
		}
	}
	if len(f.sheets) == 0 {
		return nil, workbook.BadFile("it has no sheet with cells; it may be encrypted: save it without a password")
	}
	book := &workbook.Book{Sheets: f.sheets}
	book.Keep()
	return book, nil
}

// readStyle notes the styles that decide what a cell shows of a date, and the sheets.
func (f *file) readStyle(p *workbook.Part, e xml.StartElement, dates map[string]string) error {
	name := workbook.Attr(e, "name")
	switch e.Name.Local {
	case "date-style":
		var shown string
		err := p.Children(func(e xml.StartElement) error {
			shown += e.Name.Local + " "
			return nil
		})
		dates[name] = layoutOf(shown)
		return err
	case "style":
		if layout, ok := dates[workbook.Attr(e, "data-style-name")]; ok {
			f.layouts[name] = layout
		}
		return p.Children(func(e xml.StartElement) error {
			if e.Name.Local == "table-properties" && workbook.Attr(e, "display") == "false" {
				f.hidden[name] = true
			}
			return nil
		})
	case "table":
		at := p.Start()
		f.sheets = append(f.sheets, workbook.Sheet{
			Name: name, Hidden: f.hidden[workbook.Attr(e, "style-name")],
			Rows: func() (workbook.Rows, error) { return f.rows(at) },
		})
		return p.Children(func(xml.StartElement) error { return nil }) // also tables within cells
	}
	return nil
}

// layoutOf returns the layout of a date style that shows some elements.
func layoutOf(shown string) string {
	switch {
	case strings.Contains(shown, "day"):
		return workbook.DayLayout
	case strings.Contains(shown, "month"):
		return workbook.MonthLayout
	case strings.Contains(shown, "year"):
		return workbook.YearLayout
	}
	return workbook.DayLayout
}
