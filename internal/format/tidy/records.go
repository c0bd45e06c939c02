package tidy

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// reader reads one file: its header into dataset, then its rows.
type reader struct {
	in      format.Input
	csv     *csv.Reader
	tail    *tail
	record  []string // the record being read; the next one overwrites it
	line    int      // where it begins
	dataset *stat.Dataset
	report  *stat.Report

	header  header
	columns places
	axes    []*axis // in the order of [stat.Dataset.Axes]
	caches  caches
}

func newReader(in format.Input) *reader {
	end := &tail{data: text.LineErrors(in.Data)}
	r := &reader{
		in:      in,
		csv:     csv.NewReader(skipMark(bufio.NewReader(end))),
		tail:    end,
		dataset: &stat.Dataset{},
		report:  &stat.Report{},
		header:  header{seen: map[string]int{}, rows: -1},
		caches:  newCaches(),
	}
	r.csv.FieldsPerRecord = -1 // lines before the table are of any length
	r.csv.ReuseRecord = true
	return r
}

// next reads the next record that is not blank into r.record, its cells
// trimmed. It is [io.EOF] after the last one.
func (r *reader) next() error {
	for {
		record, err := r.csv.Read()
		if err != nil {
			return r.readError(err)
		}
		blank := true
		r.record = record
		r.line, _ = r.csv.FieldPos(0)
		for i, cell := range record {
			if !utf8.ValidString(cell) {
				return r.bad(i, "the text is not valid UTF-8; save the file with the encoding UTF-8")
			}
			record[i] = strings.TrimSpace(cell)
			blank = blank && record[i] == ""
		}
		if !blank {
			return nil
		}
	}
}

// readError says what err of the CSV reader means for the reader of the report.
func (r *reader) readError(err error) error {
	var syntax *csv.ParseError
	switch {
	case err == io.EOF && r.tail.cut():
		return stat.BadFile(stat.Position{Line: r.line}, "the last line does not end with a line break, so the file may be cut off; "+
			"if it is whole, end its last line with one")
	case err == io.EOF:
		return err
	case errors.As(err, &syntax):
		return stat.BadFile(stat.Position{Line: syntax.Line, Column: syntax.Column},
			"this is not CSV: %v; a cell with a double quote in it stands in double quotes, with the inner one doubled", syntax.Err)
	}
	return err
}

// bad makes the error for a cell of the record being read.
func (r *reader) bad(cell int, text string, args ...any) error {
	return stat.BadFile(r.at(cell), text, args...)
}

// at is where a cell of the record being read begins.
func (r *reader) at(cell int) stat.Position {
	line, column := r.csv.FieldPos(min(cell, len(r.record)-1))
	return stat.Position{Line: line, Column: column}
}

// tail passes data on and remembers its last byte.
type tail struct {
	data io.Reader
	last byte
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.data.Read(p)
	if n > 0 {
		t.last = p[n-1]
	}
	return n, err
}

// cut reports whether what was read ends within a line.
func (t *tail) cut() bool { return t.last != 0 && t.last != '\n' }
