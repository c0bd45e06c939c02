package ods

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// rows are the rows of a sheet.
type rows struct {
	workbook.Line
	file    *file
	part    *workbook.Part
	at      workbook.Place
	next    int      // number of the row that follows
	repeats int      // how often the row still follows
	columns []string // default styles of the columns
	merged  []workbook.Span
}

// rows opens the sheet at a place.
func (f *file) rows(at workbook.Place) (workbook.Rows, error) {
	p, err := f.OpenAt(at)
	if err != nil {
		return nil, err
	}
	if _, err := p.Next(); err != nil { // the beginning of the sheet
		_ = p.Close()
		return nil, err
	}
	return &rows{file: f, part: p, at: at, next: 1}, nil
}

// Close closes the sheet.
func (r *rows) Close() error { return r.part.Close() }

// Merged reads the sheet to its end and returns its merged cells.
func (r *rows) Merged() ([]workbook.Span, error) {
	other, err := r.file.rows(r.at)
	if err != nil {
		return nil, err
	}
	defer other.Close()
	for {
		if _, err := other.Next(); err == io.EOF {
			return other.(*rows).merged, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// Next returns the next row that has cells.
func (r *rows) Next() ([]string, error) {
	if r.repeats > 0 {
		r.repeats--
		r.Row++
		return r.Cells(), nil
	}
	for {
		token, err := r.part.Next()
		if err != nil {
			return nil, err
		}
		if r.part.Depth() == 0 {
			return nil, io.EOF
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "table-column":
			for range min(countOf(e, "number-columns-repeated"), workbook.MaxColumns-len(r.columns)) {
				r.columns = append(r.columns, workbook.Attr(e, "default-cell-style-name"))
			}
		case "table-row":
			isFilled, err := r.readRow(e)
			if err != nil || isFilled {
				return r.Cells(), err
			}
		}
	}
}

// readRow reads a row and reports whether it has cells.
func (r *rows) readRow(e xml.StartElement) (bool, error) {
	count := countOf(e, "number-rows-repeated")
	r.Begin(r.next)
	at := 0
	err := r.part.Children(func(e xml.StartElement) error {
		if e.Name.Local != "table-cell" && e.Name.Local != "covered-table-cell" {
			return nil
		}
		times := countOf(e, "number-columns-repeated")
		c, err := r.readCell(e, at)
		if err != nil {
			return err
		}
		if c.Text != "" {
			if at+times > workbook.MaxColumns {
				return stat.BadFile(r.At(at), "the sheet has more than %d columns", workbook.MaxColumns)
			}
			for n := range times {
				r.Set(at+n, c)
			}
		}
		at += times
		return nil
	})
	r.next += count
	if err != nil || r.Used() == 0 {
		return false, err
	}
	if r.next > workbook.MaxRows {
		return false, stat.BadFile(r.At(0), "the sheet has more than %d rows", workbook.MaxRows)
	}
	r.repeats = count - 1
	return true, nil
}

// countOf returns how often a row or cell is repeated, or how many it spans.
func countOf(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(workbook.Attr(e, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1<<24)
}

// readCell reads a cell to its end.
func (r *rows) readCell(e xml.StartElement, at int) (c workbook.Cell, err error) {
	shown, err := r.shownText()
	if err != nil || e.Name.Local == "covered-table-cell" {
		return c, err
	}
	if across, down := countOf(e, "number-columns-spanned"), countOf(e, "number-rows-spanned"); across > 1 || down > 1 {
		r.merged = append(r.merged, workbook.Span{Top: r.Row, Left: at + 1, Bottom: r.Row + down - 1, Right: at + across})
	}
	c.Text = strings.TrimSpace(shown)
	switch kind := workbook.Attr(e, "value-type"); kind {
	case "float", "percentage", "currency":
		v, err := strconv.ParseFloat(workbook.Attr(e, "value"), 64)
		if err != nil {
			return c, stat.BadFile(r.At(at), "the cell has the number %q, which cannot be read", workbook.Attr(e, "value"))
		}
		c = workbook.Cell{Text: workbook.NumberText(v), Kind: workbook.Number}
		if kind == "percentage" {
			c.Kind = workbook.Percent
		}
	case "date":
		c.Text = r.dateOf(e, at)
	case "boolean":
		c = workbook.BoolCell(workbook.Attr(e, "boolean-value") == "true")
	case "string":
		if s := workbook.Attr(e, "string-value"); s != "" {
			c.Text = strings.TrimSpace(s)
		}
		if strings.HasPrefix(c.Text, "Err:") || workbook.IsErrorText(c.Text) && workbook.Attr(e, "formula") != "" {
			c.Text = "#N/A"
		}
	}
	return c, nil
}

// shownText reads the paragraphs of a cell, without comments.
func (r *rows) shownText() (string, error) {
	var b strings.Builder
	paragraphs, inNote := 0, 0
	for end := r.part.Depth(); ; {
		token, err := r.part.Next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch {
			case t.Name.Local == "annotation" || inNote > 0:
				inNote++
			case t.Name.Local == "p":
				if paragraphs++; paragraphs > 1 {
					b.WriteByte('\n')
				}
			case t.Name.Local == "s" || t.Name.Local == "tab" || t.Name.Local == "line-break":
				b.WriteByte(' ')
			}
		case xml.EndElement:
			if inNote > 0 {
				inNote--
			}
			if r.part.Depth() < end {
				return b.String(), nil
			}
		case xml.CharData:
			if inNote == 0 && paragraphs > 0 {
				b.Write(t)
			}
		}
		if b.Len() > workbook.MaxText {
			return "", r.part.Bad("a text has more than %d bytes", workbook.MaxText)
		}
	}
}

// dateOf returns a date as far as the cell shows it.
func (r *rows) dateOf(e xml.StartElement, at int) string {
	date := workbook.Attr(e, "date-value")
	style := workbook.Attr(e, "style-name")
	if style == "" && at < len(r.columns) {
		style = r.columns[at]
	}
	day, isMidnight := strings.CutSuffix(date, "T00:00:00")
	parsed, err := time.Parse(workbook.DayLayout, day)
	if layout := r.file.layouts[style]; err == nil && layout != "" {
		return parsed.Format(layout)
	}
	if isMidnight {
		return day
	}
	return date
}
