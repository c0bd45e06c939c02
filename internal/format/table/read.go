package table

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

type reader struct {
	*assemble.Table
	in      format.Input
	again   func() (Rows, error) // opens the rows again
	plan    *plan
	style   text.Style
	stated  stat.Period // of a table without periods
	isEarly bool        // the first rows alone decided the styles
	named   [2]string   // the dataset's code and name in the first row

	rows        Rows
	row         Row              // the current one
	observation stat.Observation // of the current cell
	axes        []*assemble.Axis

	// Each text that rows repeat is interpreted once. Memory grows with the
	// distinct texts of a file, not with its rows.
	periods     *Periods
	dates       text.PeriodStyle          // unless the mapping reads the periods
	ofSeries    map[uint64]stat.Frequency // what the dates of a series stand for; nil: the same in all
	frequencies map[int32]stat.Frequency  // of the codes of the frequency dimension
	markFlags   func(mark string) (stat.Flags, bool)
	units       text.Interner
	note        string // of the row before
	attributes  string // of the last row with a value
	span        string // the years of the row, if they are a note
	percentages percentages
}

func newReader(ctx context.Context, in format.Input) *reader {
	r := &reader{Table: assemble.New(ctx, in.Name), in: in, frequencies: map[int32]stat.Frequency{}, units: text.Interner{}}
	r.markFlags = remember(r.markFlag)
	return r
}

func (r *reader) close() {
	if r.rows != nil {
		_ = r.rows.Close() // it was read to its end, or the error is known
	}
}

func (r *reader) openText(mapping func(head []byte) (Mapping, error)) (*stat.Table, error) {
	file, err := text.Open(r.in.Again, r.in.Encoding, r.Report)
	if err != nil {
		return nil, err
	}
	start := bufio.NewReaderSize(file, maxHead)
	rows := newTextRows(start, file, ',', false)
	r.rows = rows
	head, err := start.Peek(maxHead)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if end := bytes.LastIndexByte(head, '\n'); len(head) == maxHead && end > 0 {
		head = head[:end+1]
	}
	m, err := mapping(head)
	if err != nil {
		return nil, err
	}
	set := func(rows *TextRows) {
		rows.csv.Comma, rows.csv.LazyQuotes = cmp.Or(m.Separator, ','), m.BareQuotes
	}
	set(rows)
	return r.open(m, func() (Rows, error) {
		rows, err := Open(r.in, ',', &stat.Report{}) // the encoding is noted already
		if err == nil {
			set(rows)
		}
		return rows, err
	})
}

// open finds the headings, plans the columns, settles what holds for the whole file,
// and reads the first row, which may name the dataset. again opens the rows again.
func (r *reader) open(m Mapping, again func() (Rows, error)) (_ *stat.Table, err error) {
	if r.in.Source != "" {
		m.Dataset.Source = office.Find(r.in.Source)
	}
	r.again = again
	*r.Dataset = m.Dataset
	if r.plan, err = findHeadings(r.rows, &m); err != nil {
		return nil, err
	}
	if err = r.settleHeadings(); err != nil {
		return nil, err
	}
	if err = r.plan.finish(r.periods, r.rows); err != nil {
		return nil, r.bad(0, err)
	}
	if err = r.settlePeriod(); err != nil {
		return nil, err
	}
	if err = r.settleStyles(); err != nil {
		return nil, err
	}
	if r.axes, err = r.SetDimensions(r.plan.dimensions, r.in.Geo); err != nil {
		return nil, err
	}
	for i := range r.plan.cells {
		c := &r.plan.cells[i]
		for n, code := range c.codes {
			c.positions = append(c.positions, r.axes[r.plan.columnsAt+n].Add(code))
		}
	}
	r.row = Row{Table: &r.Table.Table, headings: r.plan.headings, rows: r.rows}
	if r.plan.Preamble != nil {
		if err := r.plan.Preamble(r.plan.above, &r.Table.Table); err != nil {
			return nil, err
		}
	}
	if err := r.next(); err == io.EOF {
		return nil, stat.BadFile(r.plan.at, "the table has no rows below its headings")
	} else if err != nil {
		return nil, err
	}
	r.nameDataset()
	return r.Reading(r.readRows), nil
}

// StyleText describes a style of numbers for a note: "decimal comma, space between thousands".
func StyleText(s text.Style) string {
	text := "decimal point"
	if s.Decimal == ',' {
		text = "decimal comma"
	}
	switch s.Thousand {
	case 0:
		return text
	case ' ':
		return text + ", space between thousands"
	}
	return fmt.Sprintf("%s, %q between thousands", text, string(s.Thousand))
}

func (r *reader) nameDataset() {
	r.named = [2]string{strings.Clone(r.cell(r.plan.code)), strings.Clone(r.cell(r.plan.name))}
	if len(r.plan.measures) == 1 {
		r.Dataset.Unit = cmp.Or(r.plan.measures[0].Unit, r.Dataset.Unit)
	}
	r.Dataset.Name = cmp.Or(r.named[1], r.Dataset.Name)
	r.SetCode(r.in.Code, r.named[0], r.Dataset.Code)
}

// next reads the next row that is not blank, skipped or below a stop.
func (r *reader) next() error {
	for isStopped := false; ; {
		row, err := r.rows.Next()
		if err != nil {
			return err
		}
		if IsBlank(row) {
			continue
		}
		if r.plan.Clean != nil {
			row = r.plan.Clean(row)
		}
		r.row.Cells = row
		if !isStopped {
			action := Use
			if r.plan.Row != nil {
				action = r.plan.Row(&r.row)
			}
			if action == Use {
				if row = r.row.Cells; len(row) < len(r.plan.headings) && r.plan.isComplete(row) {
					r.row.Cells = slices.Concat(row, make([]string, len(r.plan.headings)-len(row)))
				}
				return r.checkWidth(r.row.Cells)
			}
			if isStopped = action == Stop; action == Kept {
				continue
			}
		}
		text := JoinCells(r.row.Cells)
		if runes := []rune(text); len(runes) > 80 {
			text = string(runes[:80]) + "…"
		}
		r.Report.Add(stat.NoteNotRead, 1, text)
	}
}

func (r *reader) checkWidth(row []string) error {
	width := len(r.plan.headings)
	isClosed := len(row) == width-1 && r.plan.headings[width-1] == "" && !r.plan.isUsed[width-1] // only the headings end with a separator
	if len(row) < width && !isClosed {
		return stat.BadFile(r.rows.At(0), "the row has %d cells, but the table has %d columns; the file may be cut off", len(row), width)
	}
	for i := width; i < len(row); i++ {
		if row[i] != "" {
			return stat.BadFile(r.rows.At(i), "the row has %d cells, but the table has %d columns; text that contains the separator must be in double quotes", len(row), width)
		}
	}
	for _, i := range r.plan.nameless {
		if i < len(row) && row[i] != "" {
			return stat.BadFile(r.rows.At(i), "column %d contains %q but has no heading that says what it is", i+1, row[i])
		}
	}
	return r.checkHeadings(row)
}

// bad returns an error with the position of a cell of the current row.
func (r *reader) bad(column int, err error) error {
	var at *stat.FileError
	if errors.As(err, &at) {
		return err
	}
	return stat.BadFile(r.rows.At(column), "%v", err)
}

// cell returns a cell of the current row; it is empty for column -1.
func (r *reader) cell(column int) string {
	if column < 0 || column >= len(r.row.Cells) {
		return ""
	}
	return r.row.Cells[column]
}
