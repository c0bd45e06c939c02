// Package bis reads the tables of the Bank for International Settlements with a
// row for each series and a column for each period. Files from before 2020
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
// The column Time Period holds the key of the series. Later files
// (WS_EER_csv_col.csv) have pairs of columns, one of codes and one of labels,
// first of the dimensions, then of attributes, and the key under Series:
//
//	FREQ,Frequency,EER_TYPE,Type,EER_BASKET,Basket,REF_AREA,Reference area,UNIT_MULT,Unit Multiplier,Series,1964-01
//	M,Monthly,N,Nominal,N,Narrow,AT,Austria,0,Units,M:N:N:AT,95.62
//
// The key shows how many of the pairs are dimensions. An empty cell is missing.
package bis

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The headings of the columns with the keys of the series.
const (
	oldKey = "Time Period"
	newKey = "Series"
)

// Formats returns the format of the bank's tables.
func Formats() []format.Format {
	return []format.Format{table.Reader{
		Name: "bis-wide", Source: "bis", HeadLines: 10, Trim: affixes, Mapping: mapping,
		Recognise: func(rows [][]string) bool {
			_, ok := findLayout(rows)
			return ok
		},
	}.Format()}
}

// layout is the order of the columns of a file.
type layout struct {
	headings []string
	width    int // columns of a dimension: 1 of code and label together, or 2
	key      int // column of the keys of the series
	dims     int // number of dimensions
}

// findLayout returns the first headings with a row below whose key fits them.
func findLayout(rows [][]string) (layout, bool) {
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

// fits reports whether the first columns of a row hold the codes of its key.
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

// split returns the code and label of a cell; no code contains a colon.
func split(cell string) (code, label string) {
	code, label, _ = strings.Cut(cell, ":")
	return strings.TrimSpace(code), strings.TrimSpace(label)
}

// affixes matches what the bank adds to the name of the dataset.
var affixes = regexp.MustCompile(`(?i)^full_|(?:_csv)?(?:_col)?(?:\.csv)?$`)

func mapping(_ format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{
		Numbers: table.DecimalPoint,
		Period:  table.Period{Wide: true},
	}
	l, ok := findLayout(rows)
	if !ok {
		return m, stat.BadFile(stat.Position{Line: 1},
			"no line has the headings of a BIS table: dimensions, the column %q or %q with the key of each series, then periods", oldKey, newKey)
	}
	m.Ignore = []string{l.headings[l.key]}
	for i := range l.dims {
		axis := table.Axis{Codes: l.headings[l.width*i], Split: split}
		if l.width == 2 {
			axis.Labels = l.headings[2*i+1]
		}
		m.Axes = append(m.Axes, axis)
	}
	if l.width == 1 {
		m.Preamble = describe
	} else {
		l.addAttributes(&m)
	}
	return m, nil
}

// addAttributes accounts for the columns between the dimensions and the key. An
// observation can hold only the unit.
func (l layout) addAttributes(m *table.Mapping) {
	between := l.headings[2*l.dims : l.key]
	m.Ignore = append(m.Ignore, between...)
	var unit, multiplier string
	var lost []string
	for i := 0; i < len(between); i += 2 {
		switch assemble.AttributeOf(between[i]) {
		case assemble.AttributeUnit:
			unit = between[min(i+1, len(between)-1)]
		case assemble.AttributeMultiplier:
			multiplier = between[i]
		default:
			lost = append(lost, between[i])
		}
	}
	m.Observe = func(r *table.Row, o *stat.Observation) error {
		o.Unit = stat.UnitText(strings.Clone(r.Cell(unit)), r.Cell(multiplier))
		return nil
	}
	m.Preamble = func(_ [][]string, t *stat.Table) error {
		if len(lost) > 0 {
			t.Report.Add(assemble.NoteAttributeNotKept, 1, strings.Join(lost, ", "))
		}
		return nil
	}
}

// describe reads the dataset's name and the time of the file from the lines above the
// headings.
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
