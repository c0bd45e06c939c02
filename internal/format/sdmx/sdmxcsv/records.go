package sdmxcsv

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/csvlines"
	"almanac/internal/stat"
)

// Bounds of a record, against hostile files.
const (
	maxRecord = 4 << 20 // bytes
	maxCell   = 64 << 10
	maxCells  = 4096
)

// records splits text into records of cells, as RFC 4180 defines them. Below the headings
// package csvlines reads those that it can.
type records struct {
	lines  *csvlines.Rows // nil for the headings
	before int            // lines of the headings
	text   *bufio.Reader  // what lines leaves
	sep    byte
	width  int      // cells of every record; 0: any number
	record []byte   // the current one that lines leaves; the next one overwrites it
	cells  []string // of the current record
	line   int      // where the record begins
	next   int      // where the next one that lines leaves begins
	quotes int      // in the record

	isEdited   bool // columns were removed, so that the line break at the end may be too
	hasOpenEnd bool // it is missing
}

// newRecords returns the records of a text in UTF-8.
func newRecords(text io.Reader) *records {
	return &records{text: bufio.NewReaderSize(text, 256<<10), next: 1}
}

// beginLines begins the records below the headings.
func (r *records) beginLines() {
	r.lines, r.before = csvlines.New(r.text), r.next-1
	r.lines.Separator = r.sep
	r.text = bufio.NewReader(r.lines)
}

// readText reads the text of the next record; [io.EOF] after the last one. A record ends
// with the line up to which it has an even number of quotes.
func (r *records) readText() error {
	r.line, r.record, r.quotes = r.next, r.record[:0], 0
	at := stat.Position{Line: r.line}
	for isWhole := false; !isWhole; {
		part, err := r.text.ReadSlice('\n')
		r.record = append(r.record, part...)
		r.quotes += bytes.Count(part, []byte{'"'})
		switch {
		case len(r.record) > maxRecord:
			return stat.BadFile(at, "the record that begins here is longer than %d bytes: a quote may not be closed", maxRecord)
		case err == nil:
			r.next++
			isWhole = r.quotes%2 == 0
		case err == bufio.ErrBufferFull:
		case err != io.EOF || len(bytes.TrimSpace(r.record)) == 0:
			return err
		case r.quotes%2 != 0:
			return stat.BadFile(at, "a cell that begins with a quote in this record has no closing quote: the file may be cut off")
		case r.isEdited:
			r.hasOpenEnd, isWhole = true, true
		default:
			return stat.BadFile(at, "the last line does not end with a line break, so the file may be cut off; if it is complete, add a line break")
		}
	}
	if bytes.IndexByte(r.record, 0) >= 0 {
		return stat.BadFile(at, "the record contains a zero byte: the file is damaged, or not text")
	}
	r.record = bytes.TrimSuffix(bytes.TrimSuffix(r.record, []byte{'\n'}), []byte{'\r'})
	return nil
}

// read reads the next record that is not blank; [io.EOF] after the last one.
func (r *records) read() error {
	for {
		if err := r.readCells(); err != nil {
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

func (r *records) readCells() error {
	if r.cells = r.lines.Next(); r.cells != nil {
		line, _ := r.lines.At(0)
		r.line = r.before + line
		return nil
	}
	if err := r.lines.Err(); err != nil {
		return err
	}
	r.next = max(r.next, r.before+r.lines.Lines()+1)
	if err := r.readText(); err != nil {
		return err
	}
	return r.split()
}

// trimEmpty drops empty cells after the first n, up to the end. Spreadsheet programs add them.
func trimEmpty(cells []string, n int) []string {
	for len(cells) > n && len(cells[len(cells)-1]) == 0 {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// split splits the record into cells without the white space around them.
func (r *records) split() error {
	r.cells = make([]string, 0, r.width)
	for text := string(r.record); ; {
		n, end := len(r.cells), strings.IndexByte(text, r.sep)
		if end < 0 {
			end = len(text)
		}
		cell := text[:end]
		switch {
		case r.quotes == 0:
		case text != "" && text[0] == '"':
			if cell, end = unquote(text); end < len(text) && text[end] != r.sep {
				return r.bad(n, "%.20q follows the closing quote of a cell; quotes within a cell must be doubled", text[end:])
			}
		case strings.IndexByte(cell, '"') >= 0:
			return r.bad(n, "a cell that does not begin with a quote contains one; put the cell in quotes and double the quotes within")
		}
		if len(cell) > 0 && (cell[0] <= ' ' || cell[len(cell)-1] <= ' ') {
			cell = strings.TrimSpace(cell)
		}
		switch {
		case len(cell) > maxCell:
			return r.bad(n, "the cell has more than %d bytes", maxCell)
		case n == maxCells:
			return r.bad(n, "the record has more than %d cells", maxCells)
		}
		r.cells = append(r.cells, cell)
		if end == len(text) {
			return nil
		}
		text = text[end+1:]
	}
}

// unquote returns the content of the quoted cell at the start of a text, and its
// end. Doubled quotes become single ones.
func unquote(text string) (cell string, end int) {
	for end = 1; end < len(text); end++ {
		if text[end] != '"' {
			continue
		}
		if end++; end == len(text) || text[end] != '"' {
			return strings.ReplaceAll(text[1:end-1], `""`, `"`), end
		}
	}
	return strings.ReplaceAll(text[1:], `""`, `"`), len(text)
}

// cell returns a cell of the current record; empty for a missing column.
func (r *records) cell(at int) string {
	if at < 0 {
		return ""
	}
	return r.cells[at]
}

func (r *records) at(cell int) stat.Position { return stat.Position{Line: r.line, Column: cell + 1} }

func (r *records) bad(cell int, text string, args ...any) error {
	return stat.BadFile(r.at(cell), text, args...)
}
