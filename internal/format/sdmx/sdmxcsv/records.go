package sdmxcsv

import (
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
	in         io.Reader
	sep        byte
	buffer     []byte
	start, end int // of what is read and not yet handed out
	ended      bool
	cells      [][]byte // of the current record, overwritten by the next
	line       int      // where the current record begins
	next       int      // where the next one begins
}

func newRecords(in io.Reader) *records {
	return &records{in: in, buffer: make([]byte, 256<<10), next: 1}
}

// read reads the next record that is not blank into r.cells; [io.EOF] after
// the last one.
func (r *records) read() error {
	for {
		text, err := r.record()
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return stat.BadFile(stat.Position{Line: r.line}, "there is a zero byte in the text: the file is damaged, or no text")
		}
		if bytes.IndexByte(text, '"') < 0 {
			err = r.plain(text)
		} else {
			err = r.quoted(text)
		}
		if err != nil {
			return err
		}
		for _, cell := range r.cells {
			if len(cell) > 0 {
				return nil
			}
		}
	}
}

// record is the text of the next record, without its line end. Line ends
// within quotes do not end it: up to its end there is an even number of quotes.
func (r *records) record() ([]byte, error) {
	r.line = r.next
	quotes := 0
	seen := r.start // everything before is looked through
	for {
		at := bytes.IndexByte(r.buffer[seen:r.end], '\n')
		if at >= 0 {
			quotes += bytes.Count(r.buffer[seen:seen+at], []byte{'"'})
			seen += at + 1
			r.next++
			if quotes%2 == 0 {
				text := r.buffer[r.start : seen-1]
				r.start = seen
				return bytes.TrimSuffix(text, []byte{'\r'}), nil
			}
			continue
		}
		if r.ended {
			return nil, r.unended(quotes + bytes.Count(r.buffer[seen:r.end], []byte{'"'}))
		}
		quotes += bytes.Count(r.buffer[seen:r.end], []byte{'"'})
		looked := r.end - r.start
		if err := r.fill(); err != nil {
			return nil, err
		}
		seen = r.start + looked
	}
}

// unended is the error for what stands after the last line end, [io.EOF] if
// that is nothing.
func (r *records) unended(quotes int) error {
	if len(bytes.TrimSpace(r.buffer[r.start:r.end])) == 0 {
		return io.EOF
	}
	if quotes%2 != 0 {
		return stat.BadFile(stat.Position{Line: r.line}, "a cell that begins with a quote in this record has no closing quote: the file may be cut off")
	}
	return stat.BadFile(stat.Position{Line: r.line}, "the last line does not end with a line break, so the file may be cut off; if it is whole, end its last line with one")
}

// fill reads more behind what is there.
func (r *records) fill() error {
	if r.start > 0 {
		r.end = copy(r.buffer, r.buffer[r.start:r.end])
		r.start = 0
	}
	if r.end == len(r.buffer) {
		if len(r.buffer) >= maxRecord {
			return stat.BadFile(stat.Position{Line: r.line}, "the record that begins here is longer than %d bytes: it may have a quote that is not closed", maxRecord)
		}
		r.buffer = append(r.buffer, make([]byte, len(r.buffer))...)
	}
	for range 100 {
		n, err := r.in.Read(r.buffer[r.end:])
		r.end += n
		if errors.Is(err, io.EOF) {
			r.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		if n > 0 {
			return nil
		}
	}
	return io.ErrNoProgress
}

// plain splits a record without quotes.
func (r *records) plain(text []byte) error {
	r.cells = r.cells[:0]
	for {
		at := bytes.IndexByte(text, r.sep)
		if at < 0 {
			return r.add(text)
		}
		if err := r.add(text[:at]); err != nil {
			return err
		}
		text = text[at+1:]
	}
}

// add takes in a cell without the white space around it.
func (r *records) add(cell []byte) error {
	if len(cell) > 0 && (cell[0] <= ' ' || cell[len(cell)-1] <= ' ') {
		cell = bytes.TrimSpace(cell)
	}
	if len(cell) > maxCell {
		return stat.BadFile(r.at(len(r.cells)), "a cell of more than %d bytes", maxCell)
	}
	if len(r.cells) == maxCells {
		return stat.BadFile(r.at(maxCells), "a record of more than %d cells", maxCells)
	}
	r.cells = append(r.cells, cell)
	return nil
}

// quoted splits a record with quotes; the text of quoted cells moves together
// within text.
func (r *records) quoted(text []byte) error {
	r.cells = r.cells[:0]
	for {
		if len(text) == 0 || text[0] != '"' {
			at := bytes.IndexByte(text, r.sep)
			cell := text
			if at >= 0 {
				cell = text[:at]
			}
			if bytes.IndexByte(cell, '"') >= 0 {
				return stat.BadFile(r.at(len(r.cells)), "there is a quote in a cell that does not begin with one; such a cell stands in quotes, with the quotes within doubled")
			}
			if err := r.add(cell); err != nil || at < 0 {
				return err
			}
			text = text[at+1:]
			continue
		}
		cell, size := unquote(text)
		if err := r.add(cell); err != nil {
			return err
		}
		text = text[size:]
		if len(text) == 0 {
			return nil
		}
		if text[0] != r.sep {
			return stat.BadFile(r.at(len(r.cells)-1), "%.20q stands after the closing quote of a cell; quotes within a cell are doubled", text)
		}
		text = text[1:]
	}
}

// unquote takes the cell at the start of text out of its quotes; size is what
// it takes with them.
func unquote(text []byte) (cell []byte, size int) {
	kept := 1
	for i := 1; i < len(text); i++ {
		if text[i] == '"' {
			if i+1 >= len(text) || text[i+1] != '"' {
				return text[1:kept], i + 1
			}
			i++
		}
		text[kept] = text[i]
		kept++
	}
	return text[1:kept], len(text)
}

// at is the place of a cell of the current record.
func (r *records) at(cell int) stat.Position { return stat.Position{Line: r.line, Column: cell + 1} }

// bad makes the error for a cell of the current record.
func (r *records) bad(cell int, text string, args ...any) error {
	return stat.BadFile(r.at(cell), text, args...)
}
