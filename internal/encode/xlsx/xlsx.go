// Package xlsx writes tables as Excel workbooks (ECMA-376) with three sheets: Data, one
// observation a row with the columns of package csv; About, what is true of all of them; and
// Flags, what the flags mean.
//
// Numbers are numbers and days are dates; all else is text, so a code 01 keeps its zero, and
// no text can become a formula. The workbook is written while the table is read; only its
// distinct texts are kept in memory.
package xlsx

import (
	"io"
	"iter"
	"slices"
	"unicode/utf16"

	"almanac/internal/encode"
	"almanac/internal/encode/tidy"
	"almanac/internal/encode/wide"
	"almanac/internal/stat"
)

// Bounds of the file format.
const (
	maxRows       = 1 << 20 // of a sheet, its header included
	maxColumns    = 1 << 14
	maxCharacters = 1<<15 - 1 // of a cell, in UTF-16
)

// Write writes a table. It runs the query twice: the first time to count the rows. The error is
// [stat.Invalid] if a sheet cannot hold them; nothing is then written.
func Write(to io.Writer, t *encode.Table, o encode.Options) error {
	again, err := t.Again()
	if err != nil {
		return err
	}
	s, err := surveyOf(again)
	if err == nil {
		err = s.check(t, o)
	}
	if err != nil {
		return err
	}
	w := newWorkbook(to)
	if err := w.writeData(t, o, s); err != nil {
		return err
	}
	w.writeAbout(t, s)
	w.writeFlags(t.Vintage.Dataset, s)
	return w.close(t)
}

// survey is what must be known of a table before it is written.
type survey struct {
	rows    int
	longest int            // characters of the longest note
	unit    int            // likewise of the longest unit
	flags   map[string]int // number of observations of each flag
}

func surveyOf(blocks iter.Seq2[*stat.Block, error]) (*survey, error) {
	s := &survey{flags: map[string]int{}}
	count := map[stat.Flags]int{}
	for b, err := range blocks {
		if err != nil {
			return nil, err
		}
		s.rows += len(b.Value)
		s.unit = max(s.unit, characters(b.Unit))
		for _, flags := range b.Flags {
			if flags != "" {
				count[flags]++
			}
		}
		for _, note := range b.Note {
			if len(note) > s.longest {
				s.longest = max(s.longest, characters(note))
			}
		}
	}
	for flags, n := range count {
		for _, flag := range flags.List() {
			s.flags[flag] += n
		}
	}
	return s, nil
}

// characters returns how many characters a text has as the bounds of the format count them.
func characters(text string) int {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// check returns an error if the table exceeds a bound.
func (s *survey) check(t *encode.Table, o encode.Options) error {
	if s.rows >= maxRows && o.Wide == "" {
		return stat.Errorf(stat.Invalid, "a sheet of XLSX holds %d rows with its header, and this selection has %d observations; select less, or use data.csv or data.parquet, which have no limit", maxRows, s.rows)
	}
	for _, axis := range t.Vintage.Dataset.Axes() {
		for _, code := range axis.Codes {
			if len(code.Label) > maxCharacters {
				s.longest = max(s.longest, characters(code.Label))
			}
		}
	}
	if s.longest > maxCharacters {
		return stat.Errorf(stat.Invalid, "a cell of XLSX holds %d characters, and a text of this selection has %d; use data.csv or data.parquet, which have no limit", maxCharacters, s.longest)
	}
	return nil
}

// writeData writes the sheet of the observations.
func (w *workbook) writeData(t *encode.Table, o encode.Options, s *survey) error {
	sheet := &dataSheet{workbook: w, rows: s.rows + 1, isRightToLeft: isRightToLeft(t)}
	w.cells.widths[tidy.Unit], w.cells.widths[tidy.Note] = s.unit, s.longest
	if o.Wide != "" {
		table, err := wide.Read(t, o, &w.cells)
		if err != nil {
			return err
		}
		if sheet.columns, sheet.rows = table.Columns(), table.Rows()+1; len(sheet.columns) > maxColumns {
			return stat.Errorf(stat.Invalid, "a sheet of XLSX holds %d columns, and wide=%s would have %d; select less, leave wide out, or use data.csv, which has no limit", maxColumns, o.Wide, len(sheet.columns))
		}
		sheet.head = max(0, slices.IndexFunc(sheet.columns, func(c tidy.Column) bool { return c.Kind == tidy.Number }))
		return sheet.write(table)
	}
	table := &tidy.Rows{Texts: tidy.NewTexts(t, o, &w.cells)}
	sheet.columns = table.Columns()
	return sheet.write(table)
}
