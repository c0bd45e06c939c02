// Package eurostatcsv reads the CSV files of Eurostat's Data Explorer, which
// people made by hand until 2023: one row for each cell, and labels where the
// other files have codes.
//
//	"TIME","GEO","UNIT","NA_ITEM","Value","Flag and Footnotes"
//	"2011","Belgium","Current prices, million euro","Gross domestic product at market prices","375 968.0",""
//	"2012","Belgium","Current prices, million euro","Gross domestic product at market prices","386 174.7","p"
//	"2012","Greece","Current prices, million euro","Gross domestic product at market prices",":",""
//
// The first column is the time and the last two are the value and what is said
// of it; the others are dimensions. A file that was made with codes and labels
// has two columns for each, GEO and GEO_LABEL; in one that was made with labels
// only, they are the codes. Thousands have spaces between, a colon is a missing
// value. The last column holds Eurostat's letters, or a footnote, which becomes
// the note.
//
// So that this and Eurostat's other files give one structure, the dimensions
// have their IDs in small letters, and a dimension freq comes first, by the
// shape of the period, as in the office's older tables. The others stand in the
// order that another file of the dataset taught, else in that of the columns.
//
// The dataset's code is that of the file's name, nama_10_gdp of
// nama_10_gdp_1_Data.csv.
package eurostatcsv

import (
	"cmp"
	"context"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The columns that every file has.
const (
	timeColumn  = "TIME"
	valueColumn = "Value"
	flagColumn  = "Flag and Footnotes"
)

// freq is the dimension that all of Eurostat's tables have.
const freq = "freq"

// Formats returns the one format of this package.
func Formats() []format.Format {
	return []format.Format{{Name: "eurostat-csv", Recognise: recognise, Read: read}}
}

func recognise(_ string, head []byte) bool {
	return table.HasHeadings(table.FirstRows(head, ',', 1), timeColumn, "GEO", valueColumn, flagColumn)
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	in.Name = export.ReplaceAllString(in.Name, "")
	return table.ReadBy(ctx, in, func(head []byte) (table.Mapping, error) {
		rows := table.FirstRows(head, ',', 1)
		if len(rows) == 0 {
			return table.Mapping{}, stat.BadFile(stat.Position{Line: 1}, "the file is empty")
		}
		m := mapping(rows[0])
		code := cmp.Or(in.Code, assemble.CodeFromName(in.Name, &stat.Report{}))
		m.Axes = ordered(m.Axes, in.Known("eurostat").Structure(code))
		return m, nil
	})
}

// ordered puts the dimensions into the order of a known structure, if it is
// one of the same dimensions.
func ordered(axes []table.Axis, known *stat.Structure) []table.Axis {
	if known == nil || len(known.Dimensions) != len(axes) {
		return axes
	}
	var sorted []table.Axis
	for _, c := range known.Dimensions {
		at := slices.IndexFunc(axes, func(a table.Axis) bool { return strings.EqualFold(a.ID, c.ID) })
		if at < 0 {
			return axes
		}
		sorted = append(sorted, axes[at])
	}
	return sorted
}

// export is what the Data Explorer puts behind the dataset's code.
var export = regexp.MustCompile(`(?i)(_[0-9]+)?_Data(\.csv)?$`)

// mapping makes dimensions of all columns between the time and the value.
func mapping(headings []string) table.Mapping {
	m := table.Mapping{
		Dataset:   stat.Dataset{Source: office.Find("eurostat")},
		Separator: ',',
		Period:    table.Period{Column: timeColumn},
		Values:    []table.Value{{Column: valueColumn}},
		Flags:     []table.Flag{{Column: flagColumn, Means: letters}},
		Ignore:    []string{timeColumn + labelEnding},
		Preamble:  unname,
		Observe:   observe,
	}
	for _, heading := range headings {
		switch upper := strings.ToUpper(heading); {
		case upper == timeColumn, strings.EqualFold(heading, valueColumn), strings.EqualFold(heading, flagColumn):
		case strings.HasSuffix(upper, labelEnding):
		default:
			m.Axes = append(m.Axes, table.Axis{Codes: heading, Labels: heading + labelEnding + "?", ID: strings.ToLower(heading)})
		}
	}
	if !slices.ContainsFunc(m.Axes, func(a table.Axis) bool { return a.ID == freq }) {
		m.Axes = slices.Insert(m.Axes, 0, table.Axis{ID: freq, Role: stat.RoleFrequency, OfPeriod: true})
	}
	return m
}

// unname takes the headings from the dimensions: they are codes and no names.
func unname(_ [][]string, t *stat.Table) error {
	for _, dim := range t.Dataset.Axes() {
		dim.Label = ""
	}
	return nil
}

// labelEnding is what the headings of labels end with.
const labelEnding = "_LABEL"

// letters reads Eurostat's letters; a footnote is none.
func letters(cell string) (stat.Flags, bool) {
	if isFootnote(cell) {
		return "", true
	}
	return office.Status("eurostat", "obs_flag", cell)
}

// isFootnote tells a text from a row of letters.
func isFootnote(cell string) bool {
	_, known := office.Status("eurostat", "obs_flag", cell)
	return !known && len(cell) > 3
}

// observe keeps footnotes, and marks what is missing because it is confidential.
func observe(r *table.Row, o *stat.Observation) error {
	if text := r.Cell(flagColumn); isFootnote(text) {
		o.Note = strings.Clone(text)
	}
	if math.IsNaN(o.Value) && o.Flags.Has(stat.ConfPrefix+"C") {
		o.Flags = stat.NewFlags(string(o.Flags), "Q")
	}
	return nil
}
