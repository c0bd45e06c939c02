package sdmxcsv

import (
	"bufio"
	"io"
	"slices"

	rows "almanac/internal/format/table"
	"almanac/internal/stat"
)

// records are the records of a text, without those whose cells are all empty.
type records struct {
	rows  *rows.TextRows
	cells []string // of the current record; the next one may overwrite them
	line  int      // where it begins
	width int      // cells of every record; 0: any number

	isEdited   bool // columns were removed, so that the line break at the end may be too
	hasOpenEnd bool // it is missing
}

// newRecords returns the records of a text in UTF-8 and the kind and separator that its
// beginning shows.
func newRecords(text io.Reader) (r *records, k kind, sep byte) {
	in := bufio.NewReaderSize(text, 64<<10)
	head, _ := in.Peek(64 << 10) // an error occurs again
	k, sep = kindOf(head)
	return &records{rows: rows.NewTextRows(in, rune(sep))}, k, sep
}

// read reads the next record; [io.EOF] after the last one.
func (r *records) read() (err error) {
	for {
		r.cells, err = r.rows.Next()
		r.line = r.rows.At(0).Line
		if err == io.EOF {
			return r.checkEnd()
		}
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(r.cells, func(cell string) bool { return cell != "" }) {
			continue
		}
		if r.width > 0 {
			r.cells = trimEmpty(r.cells, r.width)
		}
		if got := len(r.cells); got != r.width && r.width > 0 {
			return r.bad(min(got, r.width), "the record has %d cells, but the first line has %d", got, r.width)
		}
		return nil
	}
}

// checkEnd returns [io.EOF] if the last line is whole.
func (r *records) checkEnd() error {
	if last := r.rows.LastByte(); last == 0 || last == '\n' {
		return io.EOF
	}
	if r.hasOpenEnd = r.isEdited; r.isEdited {
		return io.EOF
	}
	return stat.BadFile(stat.Position{Line: r.line}, "the last line does not end with a line break, so the file may be cut off; if it is complete, add a line break")
}

// trimEmpty drops empty cells after the first n, up to the end. Spreadsheet programs add them.
func trimEmpty(cells []string, n int) []string {
	for len(cells) > n && len(cells[len(cells)-1]) == 0 {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// cell returns a cell of the current record; empty for a missing column.
func (r *records) cell(at int) string {
	if at < 0 {
		return ""
	}
	return r.cells[at]
}

// at returns the place of a cell; the columns are those of the headings.
func (r *records) at(cell int) stat.Position { return stat.Position{Line: r.line, Column: cell + 1} }

func (r *records) bad(cell int, text string, args ...any) error {
	return stat.BadFile(r.at(cell), text, args...)
}
