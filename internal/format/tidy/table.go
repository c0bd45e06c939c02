package tidy

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// reserved are the columns that are not axes.
var reserved = []string{colPeriod, colValue, colStatus, colConf, colNote, colUnit}

// places says in which cell of a row each thing stands; -1 where it has none.
type places struct {
	width                                   int
	axes                                    []int // one for each of reader.axes
	period, value, status, conf, note, unit int
}

// readColumns reads the names of the columns from the current record.
func (r *reader) readColumns() error {
	names := withoutEmptyEnd(r.record)
	at := make(map[string]int, len(names))
	for i, name := range names {
		known := slices.Contains(reserved, name) ||
			slices.ContainsFunc(r.axes, func(a *axis) bool { return a.dim.ID == name })
		if !known {
			return r.bad(i, "%q is no column of this file; its columns may be %s, %s", name, r.axisNames(), strings.Join(reserved, ", "))
		}
		if _, twice := at[name]; twice {
			return r.bad(i, "there are two columns %q", name)
		}
		at[name] = i
	}
	find := func(name string) int {
		if i, ok := at[name]; ok {
			return i
		}
		return -1
	}
	r.columns = places{
		width: len(names), period: find(colPeriod), value: find(colValue),
		status: find(colStatus), conf: find(colConf), note: find(colNote), unit: find(colUnit),
	}
	for _, a := range r.axes {
		i := find(a.dim.ID)
		if i < 0 {
			return r.bad(0, "there is no column %q, though a line before the table names it", a.dim.ID)
		}
		r.columns.axes = append(r.columns.axes, i)
	}
	if r.columns.value < 0 {
		return r.bad(0, "there is no column %s", colValue)
	}
	return r.settlePeriod()
}

// settlePeriod weighs the column of periods against the caller's period.
func (r *reader) settlePeriod() error {
	switch stated := r.in.Period; {
	case r.columns.period < 0 && stated == "":
		return r.bad(0, "there is no column %s, and no period was given for the whole file", colPeriod)
	case r.columns.period < 0:
		p, err := stat.ParsePeriod(stated)
		if err != nil {
			return stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
		}
		r.caches.stated = p
	case stated != "":
		r.report.Add(stat.NotePeriodNotUsed, 1, stated)
	}
	return nil
}

// checkEvery is the number of rows between looks at whether to stop.
const checkEvery = 4096

// observations yields the rows that hold a value, a flag or a note.
func (r *reader) observations(ctx context.Context) iter.Seq2[stat.Observation, error] {
	return func(yield func(stat.Observation, error) bool) {
		key := make([]int32, len(r.dataset.Dimensions)+1)
		for {
			if r.report.Read%checkEvery == 0 && ctx.Err() != nil {
				yield(stat.Observation{}, ctx.Err())
				return
			}
			err := r.next()
			if err == io.EOF {
				err = r.checkEnd()
				if err == nil {
					return
				}
			}
			var o stat.Observation
			if err == nil {
				o, err = r.row(key)
			}
			if err != nil {
				yield(stat.Observation{}, err)
				return
			}
			r.report.Read++
			if math.IsNaN(o.Value) {
				r.report.Missing++
				if o.Flags == "" && o.Note == "" {
					continue
				}
			}
			if !yield(o, nil) {
				return
			}
		}
	}
}

// checkEnd looks at the number of rows when all are read.
func (r *reader) checkEnd() error {
	switch read, stated := r.report.Read, r.header.rows; {
	case read == 0:
		return stat.BadFile(stat.Position{Line: r.line}, "the table has no rows below the names of its columns")
	case stated >= 0 && stated != read:
		return stat.BadFile(stat.Position{Line: r.header.seen["#rows"]},
			"#rows says %d and the table has %d; the file may be cut off", stated, read)
	}
	return nil
}

// row makes an observation of the current record; the key is filled in.
func (r *reader) row(key []int32) (o stat.Observation, err error) {
	c := r.columns
	if got := len(withoutEmptyEnd(r.record)); got > c.width || len(r.record) < c.width {
		return o, r.bad(c.width, "the row has %d cells, and there are %d columns", max(got, len(r.record)), c.width)
	}
	for i := range r.axes {
		if key[i], err = r.position(i); err != nil {
			return o, err
		}
	}
	o.Key, o.At = key, r.at(c.value)
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
		r.report.Add(stat.NoteNumberUnderMissing, 1,
			fmt.Sprintf("line %d: %s with status %s", o.At.Line, r.record[c.value], o.Flags))
		o.Value = math.NaN()
	}
	o.Note = strings.Clone(r.cell(c.note)) // a cell would keep its whole line in memory
	o.Unit = r.caches.texts.Keep(r.cell(c.unit))
	return o, nil
}

// cell is a cell of the current record, empty for a column that is not there.
func (r *reader) cell(column int) string {
	if column < 0 {
		return ""
	}
	return r.record[column]
}

// position is the code position of the row on an axis.
func (r *reader) position(i int) (int32, error) {
	a, id := r.axes[i], r.record[r.columns.axes[i]]
	if position, ok := a.index[id]; ok {
		return position, nil
	}
	if id == "" {
		return 0, r.bad(r.columns.axes[i], "%q is empty; every row needs a code there", a.dim.ID)
	}
	if a.closed {
		return 0, r.bad(r.columns.axes[i], "%q has no code %q; the lines of #code name its codes", a.dim.ID, id)
	}
	return a.add(stat.Code{ID: strings.Clone(id)}), nil
}

// value reads the row's number; NaN is a missing one.
func (r *reader) value() (float64, error) {
	text := r.record[r.columns.value]
	if text == "" {
		return math.NaN(), nil
	}
	if i := strings.IndexFunc(text, func(c rune) bool { return !strings.ContainsRune("+-.0123456789eE", c) }); i >= 0 {
		return 0, r.bad(r.columns.value, "%q is not a number; write it with a decimal point and nothing between thousands, and leave a missing value empty", text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, r.bad(r.columns.value, "%q is not a number that can be stored (64-bit floating point)", text)
	}
	if v == 0 {
		digits, _, _ := strings.Cut(strings.ToLower(text), "e")
		if strings.ContainsAny(digits, "123456789") {
			return 0, r.bad(r.columns.value, "%q is too near to zero to be stored (64-bit floating point)", text)
		}
		return 0, nil // also for -0, which no reader is to see
	}
	return v, nil
}
