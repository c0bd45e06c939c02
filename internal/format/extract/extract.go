// Package extract says what the columns of the files mean that Almanac itself hands out:
// data.csv, data.ndjson, data.xlsx and data.parquet, and the tables with a column for each area
// or each period.
//
//	dataset,sex,sex_label,geo,geo_label,geo_iso3,geo_iso,period,period_start,period_end,value,unit,status,note,version,source,licence
//	eurostat:une_rt_a,F,Females,DE,Germany,DEU,DE,2023,2023-01-01,2023-12-31,2.8,Percentage,P,,1.0,Eurostat,…
//
// The names and the order of the columns are those of package encode/tidy, which tell the
// geography from the other dimensions. What is derived from the rest is not read: other codes of
// the area, the days of the period, the version and the licence.
package extract

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The columns, as package encode/tidy names them.
const (
	colDataset     = "dataset"
	colISO3        = "geo_iso3"
	colISO         = "geo_iso"
	colPeriod      = "period"
	colPeriodStart = "period_start"
	colPeriodEnd   = "period_end"
	colPeriodLabel = "period_label"
	colPeriodISO   = "period_iso"
	colValue       = "value"
	colUnit        = "unit"
	colStatus      = "status"
	colNote        = "note"
	colTransform   = "transform"
)

// last are the columns at the end of each file.
var last = []string{"version", "source", "licence"}

// ignored are the columns of which nothing else is read.
var ignored = append([]string{colDataset, colISO3, colISO, colPeriodStart, colPeriodEnd, colPeriodISO, colPeriodLabel}, last...)

// taken are the names that no dimension has.
var taken = append([]string{colPeriod, colValue, colUnit, colStatus, colNote, colTransform}, ignored...)

// Recognise reports whether a row has the headings of such a file.
func Recognise(row []string) bool {
	row = trimEnd(row)
	n := len(row) - len(last)
	return n > 0 && row[0] == colDataset && slices.Equal(row[n:], last) && slices.Contains(row, colUnit) &&
		(slices.Contains(row, colISO3) || slices.Contains(row, colPeriodStart))
}

// trimEnd removes the empty cells with which spreadsheet programs pad rows.
func trimEnd(row []string) []string {
	for len(row) > 0 && row[len(row)-1] == "" {
		row = row[:len(row)-1]
	}
	return row
}

// Mapping returns what the columns of a table mean whose headings and first row are given. The
// separator is that between the cells of a text; 0 in other files.
func Mapping(headings, first []string, separator rune) (table.Mapping, error) {
	f := &file{headings: trimEnd(headings), first: first, unitAt: -1}
	m := table.Mapping{
		Numbers: table.DecimalPoint, Unit: colUnit, Ignore: ignored, Observe: f.observe,
		Flags: []table.Flag{{Column: colStatus + "?", Means: flagsOf}}, Notes: []string{colNote + "?"},
	}
	if how := f.cell(colTransform); how != "" {
		return m, stat.BadFile(stat.Position{Line: 1, Column: f.at(colTransform) + 1},
			"the values are derived from those of the office (%s); download them without transform", how)
	}
	source, code, ok := strings.Cut(f.cell(colDataset), ":")
	if !ok {
		return m, stat.BadFile(stat.Position{Line: 1, Column: 1}, "the column %s has %q in the first row; it must have the source and the code, such as eurostat:une_rt_a", colDataset, f.cell(colDataset))
	}
	m.Dataset.Code = code
	if m.Dataset.Source = office.Find(source); m.Dataset.Source.ID != source || !office.IsListed(m.Dataset.Source) {
		m.Dataset.Source = stat.Source{ID: source, Name: f.cell("source")}
	}
	f.addColumns(&m)
	if separator != 0 {
		m.Clean = f.clean(separator)
	}
	return m, nil
}

// file is what the headings and the first row of a file tell.
type file struct {
	headings, first []string
	values          []int // the columns of values
	unitAt          int   // the column of the labels of the unit dimension; -1 if there is none
}

func (f *file) at(heading string) int { return slices.Index(f.headings, heading) }

func (f *file) cell(heading string) string {
	if at := f.at(heading); at >= 0 && at < len(f.first) {
		return f.first[at]
	}
	return ""
}

// flagsOf reads flags as a file has them: codes of SDMX and the offices' own, separated by spaces.
func flagsOf(cell string) (stat.Flags, bool) { return stat.NewFlags(cell), true }

// observe checks the dataset of a row, and completes an observation with what the columns say
// beside one another.
func (f *file) observe(r *table.Row, o *stat.Observation) error {
	if r.Cells[0] != f.first[0] {
		return stat.BadFile(r.At(), "the dataset is %q here and %q in the first row; a file must have one dataset", r.Cells[0], f.first[0])
	}
	if f.unitAt >= 0 && o.Unit == r.Cells[f.unitAt] {
		o.Unit = "" // the code of the dimension says it
	}
	label := ""
	if at := f.at(colPeriodLabel); at >= 0 {
		label = r.Cells[at]
	} else if at := f.at(colISO3); at >= 0 && f.at(colPeriod) < 0 {
		_, label, _ = strings.Cut(r.Heading, ": ")
	}
	if d := r.Table.Dataset; label != "" && d.PeriodLabels[o.Period] == "" {
		if d.PeriodLabels == nil {
			d.PeriodLabels = map[stat.Period]string{}
		}
		d.PeriodLabels[o.Period] = strings.Clone(label)
	}
	return nil
}

// clean returns a function that makes the cells of a text what they were: without the
// apostrophe that keeps spreadsheet programs from taking a text for a formula, and with a decimal
// point. There are no signs between thousands.
func (f *file) clean(separator rune) func([]string) []string {
	return func(cells []string) []string {
		for i, cell := range cells {
			if text, ok := strings.CutPrefix(cell, "'"); ok && isFormula(text) {
				cells[i] = text
			}
		}
		for _, at := range f.values {
			if separator != ',' && at < len(cells) {
				cells[at] = strings.Replace(cells[at], ",", ".", 1)
			}
		}
		return cells
	}
}

// isFormula reports whether the form gives a text an apostrophe: package encode/csv says why.
func isFormula(text string) bool {
	text = strings.TrimLeft(text, "'")
	return text != "" && strings.ContainsAny(text[:1], "=+-@\t\r\n") || strings.HasPrefix(text, "＝") ||
		strings.HasPrefix(text, "＋") || strings.HasPrefix(text, "－") || strings.HasPrefix(text, "＠")
}

// beside matches the names of the columns of flags and notes of an area or a period.
var beside = regexp.MustCompile(`^(.+)_(` + colStatus + `|` + colNote + `)$`)
