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
// The dataset's code is that of the file's name, nama_10_gdp of
// nama_10_gdp_1_Data.csv.
package eurostatcsv

import (
	"context"
	"iter"
	"math"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/columns"
	"almanac/internal/stat"
)

// The columns that every file has.
const (
	timeColumn  = "TIME"
	valueColumn = "Value"
	flagColumn  = "Flag and Footnotes"
)

// Formats returns the one format of this package.
func Formats() []format.Format {
	return []format.Format{{Name: "eurostat-csv", Recognise: recognise, Read: read}}
}

func recognise(_ string, head []byte) bool {
	return columns.HasHeadings(columns.FirstRows(head, ',', 1), timeColumn, "GEO", valueColumn, flagColumn)
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		rows, err := columns.FirstRowsOf(in, ',', 1)
		if err != nil {
			yield(nil, err)
			return
		}
		if len(rows) == 0 {
			yield(nil, stat.BadFile(stat.Position{Line: 1}, "the file is empty"))
			return
		}
		in.Name = export.ReplaceAllString(in.Name, "")
		columns.Read(ctx, in, mapping(rows[0]))(yield)
	}
}

// export is what the Data Explorer puts behind the dataset's code.
var export = regexp.MustCompile(`(?i)(_[0-9]+)?_Data(\.csv)?$`)

// mapping makes dimensions of all columns between the time and the value.
func mapping(headings []string) columns.Mapping {
	m := columns.Mapping{
		Dataset:   stat.Dataset{Source: format.Office("eurostat")},
		Separator: ',',
		Period:    columns.Period{Column: timeColumn},
		Values:    []columns.Value{{Column: valueColumn}},
		Flags:     []columns.Flag{{Column: flagColumn, Means: letters}},
		Ignore:    []string{timeColumn + labelEnding},
		Observe:   observe,
	}
	for _, heading := range headings {
		switch upper := strings.ToUpper(heading); {
		case upper == timeColumn, strings.EqualFold(heading, valueColumn), strings.EqualFold(heading, flagColumn):
		case strings.HasSuffix(upper, labelEnding):
		default:
			m.Axes = append(m.Axes, columns.Axis{Codes: heading, Labels: heading + labelEnding + "?", Label: heading})
		}
	}
	return m
}

// labelEnding is what the headings of labels end with.
const labelEnding = "_LABEL"

// letters reads Eurostat's letters; a footnote is none.
func letters(cell string) (stat.Flags, bool) {
	if isFootnote(cell) {
		return "", true
	}
	return format.Status("eurostat", "obs_flag", cell)
}

// isFootnote tells a text from a row of letters.
func isFootnote(cell string) bool {
	_, known := format.Status("eurostat", "obs_flag", cell)
	return !known && len(cell) > 3
}

// observe keeps footnotes, and marks what is missing because it is confidential.
func observe(r *columns.Row, o *stat.Observation) error {
	if text := r.Cell(flagColumn); isFootnote(text) {
		o.Note = strings.Clone(text)
	}
	if math.IsNaN(o.Value) && o.Flags.Has(stat.ConfPrefix+"C") {
		o.Flags = stat.NewFlags(string(o.Flags), "Q")
	}
	return nil
}
