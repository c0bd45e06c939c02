package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// reader reads one table.
type reader struct {
	in      format.Input
	mapping *Mapping
	found   found
	plan    plan
	caches  caches
	style   text.Style
	report  *stat.Report
	dataset *stat.Dataset
	stated  stat.Period // of a table without periods
	named   [2]string   // what the columns of the dataset's code and name hold

	rows  Rows
	row   Row
	ahead []string // the first row, which is read before the table is yielded
	axes  []*assemble.Axis
	freq  map[int32]stat.Frequency
	// noFrequency says that the frequency of the row being read is none that
	// can be stored.
	noFrequency error
	key         []int32
	note        string // the last note, which the next rows may repeat
}

// ReadRows is as [Read], for rows that come from no text: open opens them from
// the beginning and is called up to three times.
func ReadRows(ctx context.Context, in format.Input, open func() (Rows, error), mappings ...Mapping) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := &reader{in: in, report: &stat.Report{}, caches: newCaches()}
		opened := func(rune) (Rows, error) { return open() }
		src := source{separators: []rune{0}, head: opened, data: opened, close: func() {}}
		defer src.close()
		table, err := r.open(ctx, src, mappings)
		defer r.close()
		if err != nil {
			yield(nil, err)
			return
		}
		yield(table, nil)
	}
}

func (r *reader) close() {
	if r.rows != nil {
		_ = r.rows.Close() // it was read to its end, or the error is known
	}
}

// open reads up to the first row and makes the table.
func (r *reader) open(ctx context.Context, src source, mappings []Mapping) (*stat.Table, error) {
	var err error
	if r.found, err = findHeadings(src, mappings); err != nil {
		return nil, err
	}
	r.mapping = r.found.mapping
	m := *r.mapping
	if r.in.Source != "" {
		m.Dataset.Source = office.Find(r.in.Source)
	}
	r.mapping, r.found.mapping = &m, &m
	if r.plan, err = newPlan(r.found, &r.caches); err != nil {
		return nil, err
	}
	if err = r.settlePeriod(); err != nil {
		return nil, err
	}
	if r.rows, err = src.data(r.found.separator); err != nil {
		return nil, err
	}
	if err = r.skipHead(r.rows); err != nil {
		return nil, err
	}
	if err = r.settleStyle(ctx, src); err != nil {
		return nil, err
	}
	return r.table(ctx)
}

// table makes the dataset and its axes, and reads the first row, which may
// name the dataset.
func (r *reader) table(ctx context.Context) (*stat.Table, error) {
	d := r.mapping.Dataset
	r.dataset = &d
	geo, err := assemble.Geography(r.plan.dimensions, r.in.Geo)
	if err != nil {
		return nil, err
	}
	r.axes = assemble.Arrange(r.dataset, r.plan.dimensions, geo)
	r.key = assemble.Key(r.dataset)
	r.freq = map[int32]stat.Frequency{}
	if len(r.caches.labels) > 0 {
		r.dataset.PeriodLabels = r.caches.labels
	}
	r.row = Row{headings: r.found.headings, rows: r.rows, report: r.report, Dataset: r.dataset}
	table := &stat.Table{Dataset: r.dataset, Report: r.report, Observations: r.observations(ctx)}
	if r.mapping.Preamble != nil {
		if err := r.mapping.Preamble(r.found.above, table); err != nil {
			return nil, err
		}
	}
	switch r.ahead, err = r.next(); err {
	case nil:
		r.named = [2]string{r.cell(r.plan.code), r.cell(r.plan.name)}
	case io.EOF:
		return nil, stat.BadFile(r.found.at, "the table has no rows below its headings")
	default:
		return nil, err
	}
	r.named[0], r.named[1] = strings.Clone(r.named[0]), strings.Clone(r.named[1])
	r.dataset.Unit = cmp.Or(r.plan.dataUnit, r.dataset.Unit)
	r.dataset.Code = cmp.Or(r.in.Code, r.named[0], r.dataset.Code)
	r.dataset.Name = cmp.Or(r.named[1], r.dataset.Name)
	if r.dataset.Code == "" {
		r.dataset.Code = assemble.CodeFromName(r.in.Name, r.report)
	}
	return table, nil
}

// skipHead passes over the headings and what stands above them.
func (r *reader) skipHead(rows Rows) error {
	for range r.found.row + 1 {
		if _, err := rows.Next(); err != nil {
			return err
		}
	}
	return nil
}

// settlePeriod weighs the periods of the file against what the caller states.
func (r *reader) settlePeriod() error {
	has := r.plan.period >= 0 || len(r.plan.parts) > 0 || r.mapping.Period.Wide
	switch stated := r.in.Period; {
	case !has && stated == "":
		return stat.BadFile(r.found.at, "the table has no column of periods, and none was given for the whole file: state it with --period; the headings are %s", quoted(r.found.headings))
	case !has:
		p, err := stat.ParsePeriod(stated)
		if err != nil {
			return stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
		}
		r.stated = p
	case stated != "":
		r.report.Add(stat.NotePeriodNotUsed, 1, stated)
	}
	return nil
}

// settleStyle finds how the file writes numbers, which takes a pass of its own
// unless the mapping knows it.
func (r *reader) settleStyle(ctx context.Context, src source) error {
	if r.mapping.Numbers != (text.Style{}) && r.in.Decimal == "" {
		r.style = r.mapping.Numbers
		return nil
	}
	rows, err := src.data(r.found.separator)
	if err != nil {
		return err
	}
	defer rows.Close()
	if err := r.skipHead(rows); err != nil {
		return err
	}
	finder := text.StyleFinder{}
	for n := 0; ; n++ {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, c := range r.plan.cells {
			if c.column < len(row) {
				finder.At = rows.At(c.column)
				finder.See([]byte(row[c.column]))
			}
		}
	}
	r.style, err = finder.Style(r.in.Decimal)
	if err == nil && r.style != (text.Style{Decimal: '.'}) {
		r.report.Add(stat.NoteNumberStyle, 1, styleText(r.style))
	}
	return err
}

// styleText says in words how numbers are written.
func styleText(s text.Style) string {
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

// next reads the next row that is not blank and is to be used.
func (r *reader) next() ([]string, error) {
	for {
		row, err := r.rows.Next()
		if err != nil {
			return nil, err
		}
		if isBlank(row) {
			continue
		}
		if bad := invalid(row); bad >= 0 {
			return nil, stat.BadFile(r.rows.At(bad), "the text is not valid UTF-8")
		}
		r.row.Cells = row
		if r.mapping.Row == nil {
			return row, r.checkWidth(row)
		}
		switch r.mapping.Row(&r.row) {
		case Use:
			return row, r.checkWidth(row)
		case Stop:
			return nil, r.passRest()
		}
		r.report.Add(stat.NoteNotRead, 1, r.example())
	}
}

// passRest counts what stands below the table.
func (r *reader) passRest() error {
	for {
		if !isBlank(r.row.Cells) {
			r.report.Add(stat.NoteNotRead, 1, r.example())
		}
		var err error
		if r.row.Cells, err = r.rows.Next(); err != nil {
			return err
		}
	}
}

func (r *reader) example() string {
	text := strings.Join(slices.DeleteFunc(slices.Clone(r.row.Cells), func(s string) bool { return s == "" }), " ")
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:80]) + "…"
	}
	return text
}

// checkWidth compares a row with the headings.
func (r *reader) checkWidth(row []string) error {
	width := len(r.found.headings)
	if len(row) < width {
		return stat.BadFile(r.rows.At(0), "the row has %d cells and there are %d columns; the file may be cut off", len(row), width)
	}
	for i := width; i < len(row); i++ {
		if row[i] != "" {
			return stat.BadFile(r.rows.At(i), "the row has %d cells and there are %d columns; text that holds the character between cells stands in double quotes", len(row), width)
		}
	}
	for _, i := range r.plan.nameless {
		if row[i] != "" {
			return stat.BadFile(r.rows.At(i), "column %d has no heading and holds %q here; nothing says what it is", i+1, row[i])
		}
	}
	return nil
}

// bad makes the error for a cell of the row being read.
func (r *reader) bad(cell int, err error) error {
	var at *stat.FileError
	if errors.As(err, &at) {
		return err
	}
	return stat.BadFile(r.rows.At(cell), "%v", err)
}

// cell is a cell of the row being read, empty for a column that is not there.
func (r *reader) cell(column int) string {
	if column < 0 || column >= len(r.row.Cells) {
		return ""
	}
	return r.row.Cells[column]
}
