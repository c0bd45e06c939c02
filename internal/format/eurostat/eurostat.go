// Package eurostat reads the bulk files of Eurostat: tables as tab-separated text,
// in the old style and in the new.
//
// The first line of a table names the parts of the row keys, and then the columns;
// every other line is a row key and one cell for each column:
//
//	freq,unit,geo\TIME_PERIOD ⇥ 2023 ⇥ 2024      new style, since 2023
//	A,PC,AT ⇥ 15.4 u ⇥ :
//
//	unit,geo\time ⇥ 2024 ⇥ 2023                  old style: newest first, and
//	PC,AT ⇥ : ⇥ 15.4 u                           the frequency is in the period
//
//	unit,time\geo ⇥ AT ⇥ BE                      periods in rows
//	PC,2023 ⇥ 15.4 u ⇥ : c
//
// A cell is a number with a decimal point, or a colon for none, then a space, then
// letters that are flags. All styles give the same dataset: freq is a dimension in
// each.
//
// Tables have codes only. The package also reads the files with their labels:
// dictionaries and tables of contents.
package eurostat

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

var eurostatOffice = office.Find("eurostat")

// Formats returns Eurostat's own formats: tables, dictionaries, and tables of
// contents.
func Formats() []format.Format {
	return []format.Format{
		{Name: "eurostat-tsv", Recognise: recognise, Read: read},
		{Name: "eurostat-dictionary", Recognise: recogniseDictionary, Holds: "a dictionary of codes", Learn: learnDictionary},
		{Name: "eurostat-contents", Recognise: recogniseContents, Holds: "a table of contents", Learn: learnContents},
		{Name: "eurostat-joined", Recognise: recogniseJoined, Read: readJoined},
	}
}

func recognise(_ string, head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	end := bytes.IndexAny(head, "\t\r\n")
	return end > 0 && keyCell.Match(bytes.TrimSpace(head[:end]))
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) { yield(open(ctx, in)) }
}

func open(ctx context.Context, in format.Input) (*stat.Table, error) {
	r := &reader{Table: assemble.New(ctx, in.Name), lines: newLines(text.LineErrors(in.Data), maxLine), times: map[string]meaning{}, seen: map[uint64]rowSeen{}}
	if !r.lines.Scan() {
		return nil, cmp.Or(r.lines.Err(), stat.BadFile(stat.Position{Line: 1}, "the file is empty"))
	}
	var err error
	if r.header, err = parseHeader(r.lines.Bytes()); err != nil {
		return nil, err
	}
	r.Dataset.Source = eurostatOffice
	if r.SetCode(in.Code); r.Dataset.Code == "" {
		return nil, stat.BadFile(stat.Position{}, "the file name %q does not contain the code of the dataset; state the code", in.Name)
	}
	r.Dataset.Name = r.Dataset.Code
	r.IgnorePeriod(in.Period)
	if err := r.setDimensions(in.Geo); err != nil {
		return nil, err
	}
	if err := r.setColumns(); err != nil {
		return nil, err
	}
	return r.Reading(r.read), nil
}

// Limits of lines, so that a file without line ends does not fill the memory.
const (
	maxLine  = 64 << 20 // of a table; real ones reach 20 kB (1114 weeks)
	maxEntry = 1 << 20  // of a dictionary or of a table of contents
)

// lines is a scanner of lines, which end with LF or CRLF.
type lines struct {
	*bufio.Scanner
	limit    int
	number   int  // of the current line, from 1
	lacksEnd bool // the current line has no line end
}

func newLines(in io.Reader, limit int) *lines {
	l := &lines{Scanner: bufio.NewScanner(in), limit: limit}
	l.Buffer(make([]byte, 0, 256<<10), limit)
	l.Split(func(data []byte, atEOF bool) (advance int, token []byte, err error) {
		advance, token, err = bufio.ScanLines(data, atEOF)
		l.lacksEnd = advance > 0 && data[advance-1] != '\n'
		return advance, token, err
	})
	return l
}

func (l *lines) Scan() bool {
	l.number++
	return l.Scanner.Scan()
}

func (l *lines) Err() error {
	err := l.Scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return stat.BadFile(stat.Position{Line: l.number}, "the line is longer than %d MiB; this is not a file of Eurostat", l.limit>>20)
	}
	return err
}
