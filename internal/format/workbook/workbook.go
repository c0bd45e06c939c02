// Package workbook is what all readers of workbooks share: the sheets of a file as
// rows of text, merged cells, and the dates that cells show.
package workbook

import (
	"io"

	"almanac/internal/stat"
)

// Limits of a sheet.
const (
	MaxColumns = 4096
	MaxRows    = 1 << 20   // as many as spreadsheet programs have
	MaxText    = 64 << 10  // bytes of a cell
	maxFile    = 100 << 20 // bytes of a file
)

// Book is a workbook.
type Book struct {
	Sheets []Sheet // in the order of the workbook
}

// Sheet is a sheet of a workbook.
type Sheet struct {
	Name   string
	Hidden bool
	// Rows opens the rows of the sheet. It may be called several times.
	Rows func() (Rows, error)
}

// Rows are the rows of a sheet that hold cells, in order. A number is its shortest text
// with a decimal point, and with the leading zeros that the cell shows; a date is like
// 2024-01-31, or 2024-01 and 2024 if the cell shows no more; an error is #N/A, a mark for
// a missing value. A row is as wide as the widest one above, or wider.
type Rows interface {
	// Next returns the next row, which is valid until the following call; [io.EOF]
	// after the last.
	Next() ([]string, error)
	// At returns the numbers of the last row and of a column, counted from 1.
	At(cell int) stat.Position
	// IsNumber reports whether a cell of the last row is stored as a number, and ShownAs
	// returns the note about one that shows another number.
	IsNumber(cell int) bool
	ShownAs(cell int) string
	// Merged returns the merged cells of the sheet. It may be called at any time.
	Merged() ([]Span, error)
	Close() error
}

// Span is a rectangle of merged cells, of which only the first holds a value. Rows and
// columns count from 1, as in [Rows.At].
type Span struct {
	Top, Left, Bottom, Right int
}

// ReadAll reads a file into memory, unless it is too large.
func ReadAll(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err != nil {
		return nil, BadFile("reading it failed: %v", err)
	}
	if len(data) > maxFile {
		return nil, BadFile("it is larger than %d MiB", maxFile>>20)
	}
	return data, nil
}

// BadFile returns the error that a workbook cannot be read.
func BadFile(text string, args ...any) error {
	return stat.BadFile(stat.Position{}, "the workbook cannot be read: "+text, args...)
}
