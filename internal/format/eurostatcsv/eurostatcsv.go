// Package eurostatcsv reads the CSV files that people made with Eurostat's Data
// Explorer until 2023: a row for each cell, with labels where other files have
// codes.
//
//	"TIME","GEO","UNIT","NA_ITEM","Value","Flag and Footnotes"
//	"2011","Belgium","Current prices, million euro","Gross domestic product at market prices","375 968.0",""
//	"2012","Belgium","Current prices, million euro","Gross domestic product at market prices","386 174.7","p"
//	"2012","Greece","Current prices, million euro","Gross domestic product at market prices",":",""
//
// The first column is the time, the last two are the value and its flags; the
// others are dimensions. A file with codes and labels has two columns for each,
// GEO and GEO_LABEL; in a file with labels only, they serve as codes. Spaces
// separate thousands, and a colon is a missing value. The last column holds
// Eurostat's letters, or a footnote, which becomes the note.
//
// To match the structure of Eurostat's other files, dimensions have lower-case
// IDs, and a dimension freq comes first, by the frequency of the period. The
// others have the order of the known structure of the dataset, or else of the
// columns.
//
// The dataset's code is that of the file's name: nama_10_gdp for
// nama_10_gdp_1_Data.csv.
package eurostatcsv

import (
	"cmp"
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

const labelEnding = "_LABEL" // of the headings of labels

// Formats returns the format of the Data Explorer.
func Formats() []format.Format {
	return []format.Format{table.Reader{
		Name: "eurostat-csv", Source: "eurostat", Trim: export, Mapping: mapping,
		Recognise: func(rows [][]string) bool {
			return table.HasHeadings(rows, timeColumn, "GEO", valueColumn, flagColumn)
		},
	}.Format()}
}

// export matches what the Data Explorer appends to the dataset's code.
var export = regexp.MustCompile(`(?i)(?:_[0-9]+)?_Data(?:\.csv)?$`)

// mapping makes dimensions of all columns between the time and the value.
func mapping(in format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{
		Period:   table.Period{Columns: []string{timeColumn}, Read: table.ReadPeriod},
		Values:   []table.Value{{Column: valueColumn}},
		Flags:    []table.Flag{{Column: flagColumn, Means: letters}},
		Ignore:   []string{timeColumn + labelEnding},
		Preamble: removeLabels,
		Observe:  observe,
	}
	for _, heading := range rows[0] {
		isOther := slices.ContainsFunc([]string{timeColumn, valueColumn, flagColumn}, func(h string) bool { return strings.EqualFold(h, heading) })
		if !isOther && !strings.HasSuffix(strings.ToUpper(heading), labelEnding) {
			m.Axes = append(m.Axes, table.Axis{Codes: heading, Labels: heading + labelEnding + "?", ID: strings.ToLower(heading)})
		}
	}
	if !slices.ContainsFunc(m.Axes, func(a table.Axis) bool { return a.ID == "freq" }) {
		m.Axes = slices.Insert(m.Axes, 0, table.Axis{ID: "freq", Role: stat.RoleFrequency, OfPeriod: true})
	}
	code := cmp.Or(in.Code, assemble.CodeFromName(export.ReplaceAllString(in.Name, ""), &stat.Report{}))
	m.Axes = ordered(m.Axes, in.Known("eurostat").Structure(code))
	return m, nil
}

// ordered returns the dimensions in the order of a known structure, if it has the same.
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

// removeLabels removes the labels of dimensions, which are headings and not names.
func removeLabels(_ [][]string, t *stat.Table) error {
	for _, dim := range t.Dataset.Axes() {
		dim.Label = ""
	}
	return nil
}

// letters returns the flags of Eurostat's letters. A footnote has none.
func letters(cell string) (stat.Flags, bool) {
	if isFootnote(cell) {
		return "", true
	}
	return office.Status("eurostat", "obs_flag", cell)
}

// isFootnote reports whether a cell holds a text rather than letters.
func isFootnote(cell string) bool {
	_, known := office.Status("eurostat", "obs_flag", cell)
	return !known && len(cell) > 3
}

// observe keeps footnotes, and flags values that are missing as confidential.
func observe(r *table.Row, o *stat.Observation) error {
	if text := r.Cell(flagColumn); isFootnote(text) {
		o.Note = strings.Clone(text)
	}
	if math.IsNaN(o.Value) {
		o.Flags = office.WithoutNumber(o.Flags)
	}
	return nil
}
