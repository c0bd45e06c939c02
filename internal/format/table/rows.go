package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Rows are the rows of a table, in order.
type Rows interface {
	// Next returns the next row, which the one after may overwrite; [io.EOF]
	// after the last.
	Next() ([]string, error)
	// At is where a cell of the row that was read last begins.
	At(cell int) stat.Position
	Close() error
}

// source opens the rows of a table from their beginning: those among which the
// headings are, or all.
type source struct{ head, rows func() (Rows, error) }

// textFile is the text of a table. It is decoded once for its head and its
// rows, and once more where the style of numbers must be settled first.
type textFile struct {
	in         format.Input
	separator  rune
	bareQuotes bool
	report     *stat.Report
	begun      *decodedText // opened to look at its head; nil: its rows are being read
}

type decodedText struct {
	*bufio.Reader
	io.Closer
}

func (f *textFile) open() (*decodedText, error) {
	if begun := f.begun; begun != nil {
		f.begun = nil
		return begun, nil
	}
	file, err := text.Open(f.in.Again, f.in.Encoding, f.report)
	if err != nil {
		return nil, err
	}
	f.report = &stat.Report{} // the encoding is noted once
	return &decodedText{bufio.NewReaderSize(file, maxHead), file}, nil
}

func (f *textFile) close() {
	if f.begun != nil {
		_ = f.begun.Close() // only its beginning was looked at
	}
}

// readHead reads the beginning of the text, in whole lines.
func (f *textFile) readHead() (head []byte, err error) {
	if f.begun, err = f.open(); err != nil {
		return nil, err
	}
	head, err = f.begun.Peek(maxHead)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if end := bytes.LastIndexByte(head, '\n'); len(head) == maxHead && end > 0 {
		head = head[:end+1]
	}
	return head, nil
}

// head opens the rows of the beginning.
func (f *textFile) head() (Rows, error) {
	head, err := f.readHead()
	return newTextRows(bytes.NewReader(head), nil, f.separator, f.bareQuotes), err
}

// rows opens all rows.
func (f *textFile) rows() (Rows, error) {
	text, err := f.open()
	if err != nil {
		return nil, err
	}
	return newTextRows(text, text, f.separator, f.bareQuotes), nil
}

// Open opens the rows of a text file, its headings among them, within the
// bounds of this package: for tables that no mapping describes, and for
// formats whose mapping depends on what the rows hold. The report is told of
// the encoding; the caller closes the rows.
func Open(in format.Input, separator rune, report *stat.Report) (Rows, error) {
	file := textFile{in: in, separator: separator, report: report}
	return file.rows()
}

// FirstRows are the first n rows of a table, or what there is of them up to one
// that is out of bounds: for recognisers, and for mappings that
// depend on the headings. It is lenient about what is no CSV, because the file
// may be another format's. Head is the beginning of the file as it stands; of
// UTF-16 the lower halves are read, which are enough to know headings by.
func FirstRows(head []byte, separator rune, n int) [][]string {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	rows := newTextRows(bytes.NewReader(firstLines(head, n)), nil, separator, true)
	var first [][]string
	for len(first) < n {
		row, err := rows.Next()
		if err != nil {
			break
		}
		first = append(first, slices.Clone(row))
	}
	return first
}

// firstLines are the first n lines: cells that hold line breaks are rare, and
// make rows fewer.
func firstLines(text []byte, n int) []byte {
	size := 0
	for range n {
		at := bytes.IndexByte(text[size:], '\n')
		if at < 0 {
			return text
		}
		size += at + 1
	}
	return text[:size]
}

// TextRows are the rows of a text.
type TextRows struct {
	csv    *csv.Reader
	input  *boundedReader
	file   io.Closer // nil: nothing to close
	record []string
}

// NewTextRows returns the rows of a text in UTF-8.
func NewTextRows(r io.Reader, separator rune) *TextRows { return newTextRows(r, nil, separator, false) }

func newTextRows(r io.Reader, file io.Closer, separator rune, bareQuotes bool) *TextRows {
	t := &TextRows{input: &boundedReader{from: r}, file: file}
	t.csv = csv.NewReader(t.input)
	t.csv.Comma = separator
	t.csv.LazyQuotes = bareQuotes
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	return t
}

// Next reads a row and bounds it.
func (t *TextRows) Next() ([]string, error) {
	record, err := t.csv.Read()
	if err != nil {
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			err = stat.BadFile(stat.Position{Line: syntax.Line, Column: syntax.Column},
				"this is not CSV: %v; a cell with a double quote in it stands in double quotes, with the inner one doubled", syntax.Err)
		}
		return nil, err
	}
	t.record = record
	t.input.start = t.csv.InputOffset()
	if len(record) > MaxColumns {
		return nil, stat.BadFile(t.At(0), "the row has %d cells; a table may have %d columns", len(record), MaxColumns)
	}
	for i, cell := range record {
		if len(cell) > MaxField {
			return nil, stat.BadFile(t.At(i), "the cell has %d bytes; at most %d can be read", len(cell), MaxField)
		}
		if strings.IndexByte(cell, 0) >= 0 {
			return nil, stat.BadFile(t.At(i), "the cell holds a NUL, which no text has; the file may be damaged or in UTF-16 without a mark")
		}
		record[i] = strings.TrimSpace(cell)
	}
	return record, nil
}

// At is where a cell begins, the column counted in bytes of the line.
func (t *TextRows) At(cell int) stat.Position {
	if len(t.record) == 0 {
		return stat.Position{Line: 1}
	}
	line, column := t.csv.FieldPos(min(max(cell, 0), len(t.record)-1))
	return stat.Position{Line: line, Column: column}
}

// Close closes the file.
func (t *TextRows) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// LastByte is the last byte of the text that was read; 0 where there is none.
func (t *TextRows) LastByte() byte { return t.input.last }

// NoteOpenEnd notes that rows that were read to their end are those of a text
// without a line break at its end: it may have been cut off within its last
// cell.
func NoteOpenEnd(rows Rows, report *stat.Report) {
	if t, ok := rows.(*TextRows); ok && !slices.Contains([]byte{0, '\n', '\r'}, t.LastByte()) {
		report.Add(stat.NoteOpenEnd, 1, fmt.Sprintf("line %d ends without a line break; the file may be cut off", rows.At(0).Line))
	}
}

// boundedReader passes text on, up to a record that is too long: a quote that
// is never closed would have the whole file kept in memory.
type boundedReader struct {
	from        io.Reader
	read, start int64 // bytes passed on; where the record begins
	last        byte
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.read-b.start > maxRecord {
		return 0, stat.BadFile(stat.Position{}, "a row has more than %d MiB; a double quote that is not closed may be the reason", maxRecord>>20)
	}
	n, err := b.from.Read(p)
	b.read += int64(n)
	if n > 0 {
		b.last = p[n-1]
	}
	return n, err
}

// isBlank reports whether a row holds nothing.
func isBlank(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return cell != "" })
}
