package tidy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// reader reads one file: its header into the dataset, then its rows.
type reader struct {
	*assemble.Table
	in     format.Input
	rows   *table.TextRows
	record []string // the current row; the next one overwrites it

	header  header
	axes    []axis // in the order of [stat.Dataset.Axes]
	columns columns
	stated  stat.Period // of a file without periods

	// Each text that rows repeat is interpreted once.
	periods *table.Periods
	status  map[[2]string]stat.Flags
	units   text.Interner
}

type axis struct {
	*assemble.Axis
	isClosed bool // has only the codes of its #code lines
	column   int
}

// columns are the positions of the columns; -1 if the table does not have one.
type columns struct {
	count, period, value, status, conf, note, unit int
}

func newReader(ctx context.Context, in format.Input) *reader {
	data := bufio.NewReader(text.LineErrors(in.Data))
	if head, err := data.Peek(len(text.ByteOrderMark)); err == nil && bytes.Equal(head, text.ByteOrderMark) {
		_, _ = data.Discard(len(head)) // cannot fail: the bytes were peeked
	}
	r := &reader{
		Table: assemble.New(ctx, in.Name), in: in, rows: table.NewTextRows(data, ','),
		header: header{lines: map[string]int{}, rows: -1},
		status: map[[2]string]stat.Flags{}, units: text.Interner{},
	}
	r.periods = table.NewPeriods(r.Table, func(text string) (stat.Period, error) {
		p, err := stat.ParsePeriod(text)
		if err != nil {
			err = fmt.Errorf("%w; a span of years must be like 1950-1955", err)
		}
		return p, err
	})
	return r
}

// next reads the next row that is not blank.
func (r *reader) next() (err error) {
	for {
		r.record, err = r.rows.Next()
		if last := r.rows.LastByte(); err == io.EOF && last != 0 && last != '\n' {
			return stat.BadFile(stat.Position{Line: r.rows.At(0).Line}, "the last line does not end with a line break, so the file may be cut off; "+
				"if it is complete, add a line break")
		}
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(r.record, func(cell string) bool { return !utf8.ValidString(cell) }); i >= 0 {
			return r.bad(i, "the text is not valid UTF-8; save the file in UTF-8")
		}
		if len(trimEnd(r.record)) > 1 || r.record[0] != "" {
			return nil
		}
	}
}

func (r *reader) bad(cell int, text string, args ...any) error {
	return stat.BadFile(r.rows.At(cell), text, args...)
}

// cell returns a cell of the current row; it is empty for column -1.
func (r *reader) cell(column int) string {
	if column < 0 {
		return ""
	}
	return r.record[column]
}

func (r *reader) readColumns() (err error) {
	names := trimEnd(r.record)
	for i, name := range names {
		if !slices.Contains(reserved, name) && !slices.ContainsFunc(r.axes, func(a axis) bool { return a.Dim.ID == name }) {
			return r.bad(i, "unknown column %q; the columns may be %s, %s", name, r.dimensionNames(), strings.Join(reserved, ", "))
		}
		if slices.Contains(names[:i], name) {
			return r.bad(i, "the column %q is repeated", name)
		}
	}
	find := func(name string) int { return slices.Index(names, name) }
	r.columns = columns{
		count: len(names), period: find(colPeriod), value: find(colValue),
		status: find(colStatus), conf: find(colConf), note: find(colNote), unit: find(colUnit),
	}
	for i := range r.axes {
		a := &r.axes[i]
		if a.column = find(a.Dim.ID); a.column < 0 {
			return r.bad(0, "the table has no column %q for the dimension that a line before it defines", a.Dim.ID)
		}
	}
	if r.columns.value < 0 {
		return r.bad(0, "the table has no column %s", colValue)
	}
	r.stated, err = r.FilePeriod(r.columns.period >= 0, r.in.Period, r.bad(0, "the table has no column %s, and no period is stated for the whole file", colPeriod))
	return err
}

func (r *reader) readTable() error {
	for {
		err := r.next()
		if err == io.EOF {
			return r.checkEnd()
		}
		if err != nil {
			return err
		}
		o, err := r.readRow()
		if err != nil {
			return err
		}
		if err := r.YieldCell(&o, ""); err != nil {
			return err
		}
	}
}

func (r *reader) checkEnd() error {
	switch read, stated := r.Report.Read, r.header.rows; {
	case read == 0:
		return stat.BadFile(stat.Position{Line: r.rows.At(0).Line}, "the table has no rows below the names of its columns")
	case stated >= 0 && stated != read:
		return stat.BadFile(stat.Position{Line: r.header.lines["#rows"]},
			"#rows says %d, but the table has %d; the file may be cut off", stated, read)
	}
	return nil
}

func (r *reader) readRow() (o stat.Observation, err error) {
	c := r.columns
	if got := len(trimEnd(r.record)); got > c.count || len(r.record) < c.count {
		return o, r.bad(c.count, "the row has %d cells, but the table has %d columns", max(got, len(r.record)), c.count)
	}
	for _, a := range r.axes {
		if r.Key[a.At], err = r.position(a); err != nil {
			return o, err
		}
	}
	o.Key, o.At = r.Key, r.rows.At(c.value)
	if o.Period, err = r.period(); err != nil {
		return o, err
	}
	if o.Flags, err = r.flags(); err != nil {
		return o, err
	}
	if o.Value, err = r.value(); err != nil {
		return o, err
	}
	if o.Flags.Missing() && !math.IsNaN(o.Value) {
		r.Report.Add(stat.NoteNumberUnderMissing, 1,
			fmt.Sprintf("line %d: %s with status %s", o.At.Line, r.record[c.value], o.Flags))
		o.Value = math.NaN()
	}
	o.Note = strings.Clone(r.cell(c.note)) // a cell would keep its whole line in memory
	o.Unit = r.units.Keep(r.cell(c.unit))
	return o, nil
}

func (r *reader) position(a axis) (int32, error) {
	id := r.record[a.column]
	at, known := a.Find(id)
	switch {
	case known:
		return at, nil
	case id == "":
		return 0, r.bad(a.column, "%q is empty; every row needs a code there", a.Dim.ID)
	case a.isClosed:
		return 0, r.bad(a.column, "%q has no code %q among its #code lines", a.Dim.ID, id)
	}
	return a.Add(stat.Code{ID: id}), nil
}

func (r *reader) period() (stat.Period, error) {
	column := r.columns.period
	if column < 0 {
		return r.stated, nil
	}
	p, err := r.periods.Read(r.record[column])
	if err != nil {
		return p, r.bad(column, "%v", err)
	}
	return p, nil
}

func (r *reader) flags() (stat.Flags, error) {
	status, conf := r.cell(r.columns.status), r.cell(r.columns.conf)
	if status == "" && conf == "" {
		return "", nil
	}
	if f, ok := r.status[[2]string{status, conf}]; ok {
		return f, nil
	}
	for code := range strings.FieldsSeq(status) {
		agency, mark, isOwn := strings.Cut(code, ":")
		switch {
		case strings.HasPrefix(code, stat.ConfPrefix):
			return "", r.bad(r.columns.status, "%q belongs in the column %s, without its prefix", code, colConf)
		case isOwn && (agency == "" || mark == ""), !isOwn && !slices.Contains(office.ObsStatus, code):
			return "", r.bad(r.columns.status, "%q is not a code of CL_OBS_STATUS (%s); an office's own mark must be like agency:mark", code, strings.Join(office.ObsStatus, " "))
		}
	}
	f := stat.JoinFlags(status, conf)
	r.status[[2]string{strings.Clone(status), strings.Clone(conf)}] = f
	return f, nil
}

// value returns the number of the row; NaN if it is missing.
func (r *reader) value() (float64, error) {
	text := r.record[r.columns.value]
	if text == "" {
		return math.NaN(), nil
	}
	v, exact, ok := table.DecimalPoint.Number([]byte(text))
	if !ok {
		return 0, r.bad(r.columns.value, "%q is not a number that can be stored (64-bit floating point); "+
			"it must have a decimal point and no thousands separators, or be empty if it is missing", text)
	}
	if v == 0 && !exact {
		return 0, r.bad(r.columns.value, "%q is too close to zero to be stored (64-bit floating point)", text)
	}
	return v, nil
}
