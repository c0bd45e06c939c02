package table

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

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

// source opens a table's rows from their beginning: head those in which the
// headings are sought, data all. Each is asked with the character between
// cells, of which it lists those that come into question.
type source struct {
	separators []rune
	head, data func(separator rune) (Rows, error)
	close      func() // what head opened and data did not take over
}

// textOf is the source of a text file. It is decoded once for the head and for
// the rows, and once more where the style of numbers must be settled first.
func textOf(in format.Input, report *stat.Report, mappings []Mapping) source {
	var separators []rune
	encoding := ""
	bare := slices.ContainsFunc(mappings, func(m Mapping) bool { return m.BareQuotes })
	for i := range mappings {
		if mappings[i].Separator != 0 {
			separators = append(separators, mappings[i].Separator)
		}
		if encoding == "" {
			encoding = mappings[i].Encoding
		}
	}
	if len(separators) < len(mappings) {
		separators = append(separators, ',', '\t', ';', '|')
	}
	var first *bufio.Reader // the text whose head was looked at
	var file io.Closer
	open := func() (*bufio.Reader, io.Closer, error) {
		text, err := text.Open(in.Again, cmp.Or(in.Encoding, encoding), report)
		if err != nil {
			return nil, nil, err
		}
		report = &stat.Report{} // the encoding is noted once
		return bufio.NewReaderSize(text, maxHead), text, nil
	}
	return source{
		separators: separators,
		close: func() {
			if first != nil {
				_ = file.Close() // only its beginning was looked at
			}
		},
		head: func(separator rune) (Rows, error) {
			if first == nil {
				var err error
				if first, file, err = open(); err != nil {
					return nil, err
				}
			}
			head, err := first.Peek(maxHead)
			if err != nil && err != io.EOF {
				return nil, err
			}
			return newText(bytes.NewReader(head), nil, separator, bare), nil
		},
		data: func(separator rune) (Rows, error) {
			from, closer := first, file
			first = nil
			if from == nil {
				var err error
				if from, closer, err = open(); err != nil {
					return nil, err
				}
			}
			return newText(from, closer, separator, bare), nil
		},
	}
}

// textRows is the rows of a text file.
type textRows struct {
	csv    *csv.Reader
	input  *bounded
	file   io.Closer // nil: nothing to close
	record []string
}

func newText(r io.Reader, file io.Closer, separator rune, bareQuotes bool) *textRows {
	t := &textRows{input: &bounded{from: r}, file: file}
	t.csv = csv.NewReader(t.input)
	t.csv.Comma = separator
	t.csv.LazyQuotes = bareQuotes
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	return t
}

// Next reads a row and bounds it.
func (t *textRows) Next() ([]string, error) {
	record, err := t.csv.Read()
	if err != nil {
		return nil, t.failure(err)
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

// failure says what an error of the CSV reader means for the file.
func (t *textRows) failure(err error) error {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return stat.BadFile(stat.Position{Line: syntax.Line, Column: syntax.Column},
			"this is not CSV: %v; a cell with a double quote in it stands in double quotes, with the inner one doubled", syntax.Err)
	}
	return err
}

// At is where a cell begins, the column counted in bytes of the line.
func (t *textRows) At(cell int) stat.Position {
	if len(t.record) == 0 {
		return stat.Position{Line: 1}
	}
	line, column := t.csv.FieldPos(min(max(cell, 0), len(t.record)-1))
	return stat.Position{Line: line, Column: column}
}

// Close closes the file.
func (t *textRows) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// openEnd reports whether the text, read to its end, ends within a line.
func (t *textRows) openEnd() bool {
	return t.input.last != 0 && t.input.last != '\n' && t.input.last != '\r'
}

// bounded passes text on, up to a record that is too long: a quote that is
// never closed would have the whole file kept in memory.
type bounded struct {
	from        io.Reader
	read, start int64 // bytes passed on; where the record begins
	last        byte
}

func (b *bounded) Read(p []byte) (int, error) {
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
	for _, cell := range row {
		if cell != "" {
			return false
		}
	}
	return true
}

// invalid is the first cell that is no valid UTF-8, -1 if there is none.
func invalid(row []string) int {
	for i, cell := range row {
		if !utf8.ValidString(cell) {
			return i
		}
	}
	return -1
}

// Head is the beginning of a text file, decoded: whole lines, of up to a
// quarter of a megabyte.
func Head(in format.Input) ([]byte, error) {
	file, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, maxHead))
	if err != nil {
		return nil, err
	}
	if end := bytes.LastIndexByte(head, '\n'); len(head) == maxHead && end > 0 {
		head = head[:end+1]
	}
	return head, nil
}

// HeadRows are the rows of a beginning, up to what is no CSV; the last may be
// cut off. A row is good until the next one.
func HeadRows(head []byte, separator rune) iter.Seq2[[]string, stat.Position] {
	return func(yield func([]string, stat.Position) bool) {
		t := newText(bytes.NewReader(head), nil, separator, false)
		for {
			row, err := t.Next()
			if err != nil || !yield(row, t.At(0)) {
				return
			}
		}
	}
}
