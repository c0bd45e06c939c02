// Package bis reads the tables of the Bank for International Settlements that
// have a row for each series and a column for each period. Those of before 2020
// (full_BIS_EER_csv.csv) begin with lines about the file, and have code and
// label in one cell:
//
//	Dataset,"BIS Effective Exchange Rates"
//	Retrieved on,Tue Nov 17 08:41:20 GMT 2015
//	Subject,"BIS effective exchange rates"
//	"Frequency","Monthly"
//	"Frequency","Type","Basket","Reference area","Time Period","1964-01","1964-02"
//	"M:Monthly","N:Nominal","N:Narrow (27 economies)","AT:Austria","M:N:N:AT","",95.62
//
// The column that is called Time Period holds the series' key. Later files
// (WS_EER_csv_col.csv) have columns of codes and of labels in turn, first those
// of the dimensions, then those of attributes, and the key under Series:
//
//	FREQ,Frequency,EER_TYPE,Type,EER_BASKET,Basket,REF_AREA,Reference area,UNIT_MULT,Unit Multiplier,Series,1964-01
//	M,Monthly,N,Nominal,N,Narrow,AT,Austria,0,Units,M:N:N:AT,95.62
//
// How many of the pairs are dimensions tells the key. An empty cell is missing.
package bis

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// The headings of the columns that hold the series' keys.
const (
	oldKey = "Time Period"
	newKey = "Series"
)

// maxAbove is how many lines are looked at for the headings.
const maxAbove = 10

// Formats returns the format of the bank's tables.
func Formats() []format.Format {
	return []format.Format{{Name: "bis-wide", Recognise: recognise, Read: read}}
}

func recognise(_ string, head []byte) bool {
	_, ok := find(table.FirstRows(head, ',', maxAbove))
	return ok
}

// layout is how the columns of a file stand.
type layout struct {
	headings []string
	width    int // columns of a dimension: 1 of code and label together, or 2
	key      int // column of the series' keys
	dims     int // number of dimensions
}

// find looks for the headings and for a row below them whose key fits them.
func find(rows [][]string) (layout, bool) {
	for i, h := range rows {
		for _, l := range []layout{{headings: h, width: 1, key: slices.Index(h, oldKey)}, {headings: h, width: 2, key: slices.Index(h, newKey)}} {
			if l.key < 1 || l.key+1 >= len(h) || i+1 >= len(rows) || len(rows[i+1]) <= l.key {
				continue
			}
			if _, err := table.ReadPeriod(h[l.key+1]); err != nil {
				continue
			}
			codes := strings.FieldsFunc(rows[i+1][l.key], func(r rune) bool { return r == ':' || r == '.' })
			l.dims = len(codes)
			if l.fits(rows[i+1], codes) {
				return l, true
			}
		}
	}
	return layout{}, false
}

// fits reports whether a row's first columns hold the codes of its key.
func (l layout) fits(row, codes []string) bool {
	if l.width == 1 && l.dims != l.key || l.width*l.dims > l.key || l.dims == 0 {
		return false
	}
	for i, code := range codes {
		if cell, _ := split(row[l.width*i]); cell != code {
			return false
		}
	}
	return true
}

// split takes code and label from a cell; no code has a colon in it.
func split(cell string) (code, label string) {
	code, label, _ = strings.Cut(cell, ":")
	return strings.TrimSpace(code), strings.TrimSpace(label)
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	in.Name = stem(in.Name)
	return table.ReadBy(ctx, in, func(head []byte) (table.Mapping, error) {
		l, ok := find(table.FirstRows(head, ',', maxAbove))
		if !ok {
			return table.Mapping{}, stat.BadFile(stat.Position{Line: 1},
				"no line has the headings of a table of the BIS: dimensions, the column %q or %q with each series' key, then periods", oldKey, newKey)
		}
		return l.mapping(), nil
	})
}

// stem is the file's name without what the bank's downloads put around it.
func stem(name string) string {
	name = strings.ToLower(strings.TrimSuffix(name, ".csv"))
	name = strings.TrimPrefix(name, "full_")
	return strings.TrimSuffix(strings.TrimSuffix(name, "_col"), "_csv")
}

func (l layout) mapping() table.Mapping {
	m := table.Mapping{
		Dataset:   stat.Dataset{Source: office.Find("bis")},
		Separator: ',',
		Numbers:   text.Style{Decimal: '.'},
		Period:    table.Period{Wide: true},
		Ignore:    []string{l.headings[l.key]},
	}
	for i := range l.dims {
		axis := table.Axis{Codes: l.headings[l.width*i], Split: split}
		if l.width == 2 {
			axis.Labels = l.headings[2*i+1]
		}
		m.Axes = append(m.Axes, axis)
	}
	if l.width == 1 {
		m.Preamble = describe
		return m
	}
	l.attributes(&m)
	return m
}

// attributes accounts for the columns between the dimensions and the key: of
// them only the unit has a place in an observation.
func (l layout) attributes(m *table.Mapping) {
	between := l.headings[2*l.dims : l.key]
	m.Ignore = append(m.Ignore, between...)
	var unit, multiplier, lost string
	for i := 0; i < len(between); i += 2 {
		switch assemble.AttributeOf(between[i]) {
		case assemble.AttributeUnit:
			unit = between[min(i+1, len(between)-1)]
		case assemble.AttributeMultiplier:
			multiplier = between[i]
		default:
			lost += ", " + between[i]
		}
	}
	m.Observe = func(r *table.Row, o *stat.Observation) error {
		o.Unit = assemble.UnitText(strings.Clone(r.Cell(unit)), r.Cell(multiplier))
		return nil
	}
	m.Preamble = func(_ [][]string, t *stat.Table) error {
		if lost != "" {
			t.Report.Add(assemble.NoteAttributeNotKept, 1, strings.TrimPrefix(lost, ", "))
		}
		return nil
	}
}

// describe takes the dataset's name and the time of the file from the lines
// above the headings.
func describe(lines [][]string, t *stat.Table) error {
	for _, line := range lines {
		if len(line) < 2 {
			continue
		}
		switch line[0] {
		case "Dataset":
			t.Dataset.Name = strings.Clone(line[1])
		case "Retrieved on":
			if made, err := time.Parse("Mon Jan 2 15:04:05 MST 2006", line[1]); err == nil {
				t.Prepared = made.UTC()
			}
		}
	}
	return nil
}
