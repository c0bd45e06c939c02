package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/csvlines"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Rows are the rows of a table, in order.
type Rows interface {
	// Next returns the next row, which is valid until the following call; [io.EOF]
	// after the last.
	Next() ([]string, error)
	// At returns where a cell of the last row begins. The column counts bytes of the
	// line in text, and cells in a workbook.
	At(cell int) stat.Position
	Close() error
}

// NoCell is what rows that are not of text have in place of a cell that a row does not have.
// It is not counted.
const NoCell = "\x00"

// All yields the rows up to the end, or up to an error.
func All(rows Rows) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for {
			row, err := rows.Next()
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Open opens the rows of a text file, including its headings, for readers without a
// [Mapping] and for mappings that depend on all rows. A double quote within a cell
// that does not begin with one is an error. Open notes the encoding in the report.
// The caller closes the rows.
func Open(in format.Input, separator rune, report *stat.Report) (*TextRows, error) {
	file, err := text.Open(in.Again, in.Encoding, report)
	if err != nil {
		return nil, err
	}
	return newTextRows(file, file, separator, false), nil
}

// FirstRows returns the rows in the first n lines of a file, up to the first that
// exceeds a limit. It accepts text that is not CSV, because the file may be of
// another format. Head is the undecoded beginning of the file; of UTF-16 only the
// lower bytes are read, which suffice to recognise headings.
func FirstRows(head []byte, separator rune, n int) [][]string {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if lines := bytes.SplitAfterN(head, []byte("\n"), n+1); len(lines) > n {
		head = head[:len(head)-len(lines[n])]
	}
	rows := newTextRows(bytes.NewReader(head), nil, separator, true)
	var first [][]string
	for row, err := range All(rows) {
		if err != nil || len(first) == n {
			break
		}
		first = append(first, slices.Clone(row))
	}
	return first
}

// TextRows are the rows of a text.
type TextRows struct {
	lines  *csvlines.Rows
	csv    *csv.Reader // reads the rows that lines leaves
	input  *boundedReader
	file   io.Closer // nil: nothing to close
	record []string

	isFromCSV bool // the record was read by csv
}

// NewTextRows returns the rows of a text in UTF-8.
func NewTextRows(r io.Reader, separator rune) *TextRows { return newTextRows(r, nil, separator, false) }

func newTextRows(r io.Reader, file io.Closer, separator rune, bareQuotes bool) *TextRows {
	t := &TextRows{lines: csvlines.New(r), file: file}
	t.input = &boundedReader{from: t.lines}
	t.csv = csv.NewReader(t.input)
	t.csv.Comma = separator
	t.csv.LazyQuotes = bareQuotes
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	return t
}

// Next reads a row within the limits of this package.
func (t *TextRows) Next() ([]string, error) {
	if len(t.record) == 0 {
		t.lines.Separator = byte(t.csv.Comma)
		if t.csv.Comma >= 0x80 || t.csv.Comma == '"' {
			t.lines.LeaveAll()
		}
	}
	record := t.lines.Next()
	if record == nil {
		var err error
		if record, err = t.readCSV(); err != nil {
			return nil, err
		}
	}
	t.record = record
	if len(record) > MaxColumns {
		return nil, stat.BadFile(t.At(0), "the row has %d cells, more than %d", len(record), MaxColumns)
	}
	return record, nil
}

// readCSV reads a row that lines leaves.
func (t *TextRows) readCSV() ([]string, error) {
	if err := t.lines.Err(); err != nil {
		return nil, err
	}
	record, err := t.csv.Read()
	t.isFromCSV = t.isFromCSV || record != nil
	t.input.start = t.csv.InputOffset()
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return nil, stat.BadFile(stat.Position{Line: t.lines.Lines() + syntax.Line, Column: syntax.Column},
			"invalid CSV: %v; a cell that contains a double quote must be in double quotes, with the inner one doubled", syntax.Err)
	}
	if err != nil {
		return nil, err
	}
	t.record = record
	for i, cell := range record {
		if len(cell) > MaxField {
			return nil, stat.BadFile(t.At(i), "the cell has %d bytes, more than %d", len(cell), MaxField)
		}
		if strings.IndexByte(cell, 0) >= 0 {
			return nil, stat.BadFile(t.At(i), "the cell contains a NUL byte; the file may be damaged, or in UTF-16 without a byte order mark")
		}
		record[i] = csvlines.Unwrapped(strings.TrimSpace(cell))
	}
	return record, nil
}

// At returns where a cell begins, the column counted in bytes of the line.
func (t *TextRows) At(cell int) stat.Position {
	if len(t.record) == 0 {
		return stat.Position{Line: 1}
	}
	cell = min(max(cell, 0), len(t.record)-1)
	if !t.isFromCSV {
		line, column := t.lines.At(cell)
		return stat.Position{Line: line, Column: column}
	}
	line, column := t.csv.FieldPos(cell)
	return stat.Position{Line: t.lines.Lines() + line, Column: column}
}

// Close closes the file.
func (t *TextRows) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// LastByte returns the last byte of the text that was read; 0 if there is none.
func (t *TextRows) LastByte() byte { return t.lines.LastByte() }

// NoteOpenEnd notes that the text of rows, read to their end, has no final line
// break: its last cell may have been cut off.
func NoteOpenEnd(rows Rows, report *stat.Report) {
	if t, ok := rows.(*TextRows); ok && !slices.Contains([]byte{0, '\n', '\r'}, t.LastByte()) {
		report.Add(stat.NoteOpenEnd, 1, fmt.Sprintf("line %d ends without a line break; the file may be cut off", rows.At(0).Line))
	}
}

// boundedReader limits the length of a row: a quote that is never closed would load
// the whole file into memory.
type boundedReader struct {
	from        io.Reader
	read, start int64 // bytes read; where the record begins
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.read-b.start > maxRecord {
		return 0, stat.BadFile(stat.Position{}, "a row has more than %d MiB; a double quote may not be closed", maxRecord>>20)
	}
	n, err := b.from.Read(p)
	b.read += int64(n)
	return n, err
}

// IsBlank reports whether all cells of a row are empty, or it is a rule of dashes.
func IsBlank(row []string) bool {
	rules := 0
	for i, cell := range row {
		if cell == "" {
			continue
		}
		if dashes := strings.Trim(cell, "-=_"); dashes != "" || len(cell) < 3 || i > 0 && rules == 0 && len(cell) < 4 {
			return false
		}
		rules++
	}
	return rules != 1
}
