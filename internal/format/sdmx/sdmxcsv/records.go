package sdmxcsv

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"almanac/internal/stat"
)

// Bounds of a record, against hostile files.
const (
	maxRecord = 4 << 20 // bytes
	maxCell   = 64 << 10
	maxCells  = 4096
)

// records splits text into records of cells, as RFC 4180 has them. It keeps
// one record at a time in memory.
type records struct {
	lines  *bufio.Scanner // of whole records
	sep    byte
	width  int      // cells of every record; 0: any number
	cells  [][]byte // of the current record, overwritten by the next
	line   int      // where the current record begins
	next   int      // where the next one begins
	seen   int      // bytes of the next record that splitText has examined
	quotes int      // in these bytes, then in the record
}

func newRecords(in io.Reader) *records {
	r := &records{lines: bufio.NewScanner(in), next: 1}
	r.lines.Buffer(make([]byte, 256<<10), maxRecord)
	r.lines.Split(r.splitText)
	return r
}

// splitText finds the end of a record for the scanner. A line end within quotes
// does not end it: up to its end there is an even number of quotes.
func (r *records) splitText(data []byte, atEOF bool) (advance int, record []byte, err error) {
	for {
		size := bytes.IndexByte(data[r.seen:], '\n')
		if size < 0 {
			break
		}
		end := r.seen + size
		r.quotes += bytes.Count(data[r.seen:end], []byte{'"'})
		r.seen = end + 1
		r.next++
		if r.quotes%2 == 0 {
			return end + 1, bytes.TrimSuffix(data[:end], []byte{'\r'}), nil
		}
	}
	r.quotes += bytes.Count(data[r.seen:], []byte{'"'})
	r.seen = len(data)
	switch at := (stat.Position{Line: r.line}); {
	case !atEOF:
		return 0, nil, nil
	case len(bytes.TrimSpace(data)) == 0:
		return len(data), nil, nil
	case r.quotes%2 != 0:
		return 0, nil, stat.BadFile(at, "a cell that begins with a quote in this record has no closing quote: the file may be cut off")
	default:
		return 0, nil, stat.BadFile(at, "the last line does not end with a line break, so the file may be cut off; if it is whole, end its last line with one")
	}
}

// text returns the text of the next record; [io.EOF] after the last one.
func (r *records) text() ([]byte, error) {
	r.line, r.seen, r.quotes = r.next, 0, 0
	at := stat.Position{Line: r.line}
	if !r.lines.Scan() {
		err := r.lines.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = stat.BadFile(at, "the record that begins here is longer than %d bytes: a quote may not be closed", maxRecord)
		} else if err == nil {
			err = io.EOF
		}
		return nil, err
	}
	if bytes.IndexByte(r.lines.Bytes(), 0) >= 0 {
		return nil, stat.BadFile(at, "the record contains a zero byte: the file is damaged, or not text")
	}
	return r.lines.Bytes(), nil
}

// read reads the next record that is not blank; [io.EOF] after the last one.
func (r *records) read() error {
	for {
		text, err := r.text()
		if err == nil {
			err = r.split(text)
		}
		if err != nil {
			return err
		}
		for _, cell := range r.cells {
			if len(cell) == 0 {
				continue
			}
			if got := len(r.cells); got != r.width && r.width > 0 {
				return r.bad(min(got, r.width), "the record has %d cells, but the first line has %d", got, r.width)
			}
			return nil
		}
	}
}

// split splits a record into cells without the white space around them.
func (r *records) split(text []byte) error {
	sep, cells := r.sep, r.cells[:0]
	for end := 0; end >= 0; text = text[end+1:] {
		cell := text
		if end = bytes.IndexByte(text, sep); end >= 0 {
			cell = text[:end]
		}
		if r.quotes > 0 {
			var err error
			if cell, end, err = r.quoted(len(cells), text, cell, end); err != nil {
				return err
			}
		}
		if len(cell) > 0 && (cell[0] <= ' ' || cell[len(cell)-1] <= ' ') {
			cell = bytes.TrimSpace(cell)
		}
		if len(cell) > maxCell {
			return r.bad(len(cells), "the cell has more than %d bytes", maxCell)
		}
		if len(cells) == maxCells {
			return r.bad(maxCells, "the record has more than %d cells", maxCells)
		}
		cells = append(cells, cell)
	}
	r.cells = cells
	return nil
}

// quoted removes the quotes of the n-th cell of a record, at the start of text, if
// it has any; doubled quotes become single ones in place. plain and plainEnd are
// the cell and its end if it has none. end is the place of the separator after the
// cell, -1 at the end of the record.
func (r *records) quoted(n int, text, plain []byte, plainEnd int) (cell []byte, end int, err error) {
	if len(text) == 0 || text[0] != '"' {
		if bytes.IndexByte(plain, '"') >= 0 {
			err = r.bad(n, "a cell that does not begin with a quote contains one; put the cell in quotes and double the quotes within")
		}
		return plain, plainEnd, err
	}
	kept := 1
	for end = 1; end < len(text); end++ {
		if text[end] == '"' {
			if end++; end >= len(text) || text[end] != '"' {
				break
			}
		}
		text[kept] = text[end]
		kept++
	}
	switch {
	case end >= len(text):
		return text[1:kept], -1, nil
	case text[end] != r.sep:
		return nil, 0, r.bad(n, "%.20q follows the closing quote of a cell; quotes within a cell must be doubled", text[end:])
	}
	return text[1:kept], end, nil
}

// cell returns a cell of the current record; nil for a missing column.
func (r *records) cell(at int) []byte {
	if at < 0 {
		return nil
	}
	return r.cells[at]
}

func (r *records) at(cell int) stat.Position { return stat.Position{Line: r.line, Column: cell + 1} }

func (r *records) bad(cell int, text string, args ...any) error {
	return stat.BadFile(r.at(cell), text, args...)
}
