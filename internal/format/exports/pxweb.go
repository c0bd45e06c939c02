package exports

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// pxWeb reads what PxWeb, the software of Nordic and other offices, calls json: the columns
// with their types (d: a dimension, t: the time, c: the values), then the rows.
//
//	{"columns":[{"code":"Kon","text":"sex","type":"d"},{"code":"Tid","text":"year","type":"t"},{"code":"AV","text":"Votes","type":"c"}],
//	 "data":[{"key":["1","2002"],"values":["133222"]}, …],
//	 "metadata":[{"updated":"2023-02-27T07:00:00Z","label":"Votes by sex and year","source":"SCB"}]}
//
// As in PX files, a hyphen is zero.
var pxWeb = format.Format{
	Name: "pxweb-json",
	Recognise: func(_ string, head []byte) bool {
		return jsonscan.HasPath(head, func(path []string, _ []byte) bool { return slices.Equal(path, []string{"columns", "", "type"}) })
	},
	Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		a := &pxWebAnswer{in: in, Mapping: table.Mapping{Numbers: table.DecimalPoint}}
		if err := a.readColumns(); err != nil {
			return func(yield func(*stat.Table, error) bool) { yield(nil, err) }
		}
		return table.ReadRows(ctx, in, a.open, a.Mapping)
	},
}

type pxWebAnswer struct {
	table.Mapping
	in       format.Input
	headings []string
	keys     int // columns of dimensions and the time
}

// readColumns makes the mapping of the columns.
func (a *pxWebAnswer) readColumns() error {
	var label, source, updated string
	err := jsonscan.Read(a.in.Again, a.in.Encoding, &stat.Report{}, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		return j.Decode(first, map[string]any{
			"columns": jsonscan.Items(func(item jsonscan.Token) error {
				var code, label, kind string
				if err := j.Decode(item, map[string]any{"code": &code, "text": &label, "type": &kind}); err != nil {
					return err
				}
				return a.addColumn(item.At, code, label, kind)
			}),
			"metadata": jsonscan.Items(func(item jsonscan.Token) error {
				return j.Decode(item, map[string]any{"label": &label, "source": &source, "updated": &updated})
			}),
		})
	})
	d := &a.Dataset
	d.Name, d.Source, d.Updated = label, office.Find(source), text.Time(updated, office.Zone(d.Source.ID))
	if s, _ := office.FindFirst(source); office.IsListed(s) {
		d.Source = s
	}
	a.Marks = map[string]table.Mark{"-": {Zero: true, Flags: office.OwnFlag(d.Source.ID, "-")}}
	return err
}

func (a *pxWebAnswer) addColumn(at stat.Position, code, label, kind string) error {
	heading := "column " + strconv.Itoa(len(a.headings))
	a.headings = append(a.headings, heading)
	switch {
	case len(a.headings) > table.MaxColumns:
		return stat.BadFile(at, "there are more than %d columns", table.MaxColumns)
	case kind == "c":
		a.Values = append(a.Values, table.Value{Column: heading, Code: code, Label: label})
		return nil
	case len(a.Values) > 0:
		return stat.BadFile(at, "the column %q follows those of values", text.Clip(code))
	case kind == "t":
		a.Period.Columns = append(a.Period.Columns, heading)
	default:
		a.Axes = append(a.Axes, table.Axis{Codes: heading, ID: code, Label: label, Role: assemble.RoleOf(code)})
	}
	a.keys++
	return nil
}

// open opens the rows of the answer.
func (a *pxWebAnswer) open() (table.Rows, error) {
	r := &pxWebRows{answer: a}
	r.next, r.stop = iter.Pull2(r.all)
	return r, nil
}

// pxWebRows are the headings and the rows of an answer.
type pxWebRows struct {
	pulledRows
	answer *pxWebAnswer
}

// pulledRows are rows that a function yields, which sets the positions of their cells.
type pulledRows struct {
	next func() ([]string, error, bool)
	stop func()
	at   []stat.Position // of the cells of the last row
}

var errStopped = errors.New("no more rows are read")

func (r *pxWebRows) all(yield func([]string, error) bool) {
	in := r.answer.in
	r.at = []stat.Position{{Line: 1}}
	if !yield(r.answer.headings, nil) {
		return
	}
	err := jsonscan.Read(in.Again, in.Encoding, &stat.Report{}, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		return j.Decode(first, map[string]any{"data": jsonscan.Items(func(item jsonscan.Token) error {
			row, err := r.read(j, item)
			if err == nil && !yield(row, nil) {
				err = errStopped
			}
			return err
		})})
	})
	if err != nil && err != errStopped {
		yield(nil, err)
	}
}

func (r *pxWebRows) read(j *jsonscan.Scanner, item jsonscan.Token) (row []string, err error) {
	r.at = r.at[:0]
	var keys, values []string
	add := func(to *[]string) jsonscan.Items {
		return func(value jsonscan.Token) error {
			r.at = append(r.at, value.At)
			cell, err := j.TextOf(value)
			*to = append(*to, cell)
			return err
		}
	}
	err = j.Decode(item, map[string]any{"key": add(&keys), "values": add(&values)})
	if err == nil && (len(keys) != r.answer.keys || len(keys)+len(values) != len(r.answer.headings)) {
		err = stat.BadFile(item.At, "the row has %d keys and %d values, but there are %d and %d columns for them", len(keys), len(values), r.answer.keys, len(r.answer.headings)-r.answer.keys)
	}
	return append(keys, values...), err
}

// Next implements [table.Rows].
func (r *pulledRows) Next() ([]string, error) {
	row, err, ok := r.next()
	if !ok {
		return nil, io.EOF
	}
	return row, err
}

// At implements [table.Rows].
func (r *pulledRows) At(cell int) stat.Position {
	if len(r.at) == 0 {
		return stat.Position{Line: 1}
	}
	return r.at[min(max(cell, 0), len(r.at)-1)]
}

// Close implements [table.Rows].
func (r *pulledRows) Close() error {
	r.stop()
	return nil
}
