// Package faostat reads the CSV files of FAOSTAT, the statistics of the Food and
// Agriculture Organization: those that its portal makes, and those of the bulk
// download, with a row for each value ("Normalized") or a column for each year.
//
//	Domain Code,Domain,Area Code (M49),Area,Element Code,Element,Item Code (CPC),Item,Year Code,Year,Unit,Value,Flag,Flag Description,Note
//	QCL,Crops and livestock products,804,Ukraine,5510,Production,0111,Wheat,2014,2014,t,24113970,A,Official figure,
//
//	Area Code,Area Code (M49),Area,Item Code,Item Code (CPC),Item,Element Code,Element,Year Code,Year,Unit,Value,Flag,Note
//	230,'804,Ukraine,15,'0111,Wheat,5510,Production,2014,2014,t,24113970.00,A,
//
//	Area Code,Area Code (M49),Area,Item Code,Item Code (CPC),Item,Element Code,Element,Unit,Y2014,Y2014F,Y2014N
//	230,'804,Ukraine,15,'0111,Wheat,5510,Production,t,24113970.00,A,
//
// Which dimensions there are depends on the domain; each has a column of labels
// and one or several of codes (headings.go). An apostrophe before a code is
// there for spreadsheets and does not belong to it.
//
// Areas are M49 numbers or alpha-3 codes. The organization's own numbers ("Area
// Code") look like M49 numbers and are other countries', so that a file which
// has no other is read by the names of its areas.
//
// The unit stands with each value. Flags mean what they mean in the list that
// the file was made with (flags.go). Where a year has months, the periods are
// months; seasons and other parts of a year are no periods here.
package faostat

import (
	"context"
	"errors"
	"iter"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the format of FAOSTAT.
func Formats() []format.Format {
	return []format.Format{{Name: "faostat", Recognise: recognise, Read: read}}
}

// yearHeading is that of a column of values in a wide table, or of the flags or
// notes beside it.
var yearHeading = regexp.MustCompile(`^(Y[0-9]{4})([FN]?)$`)

// recognise looks for an element, codes and either years or columns of them.
func recognise(_ string, head []byte) bool {
	rows := table.FirstRows(head, ',', 1)
	if !table.HasHeadings(rows, "Element", "Element Code") {
		return false
	}
	h := newHeadings(rows[0])
	if h.geography() < 0 {
		return false
	}
	return h.wide || table.HasHeadings(rows, "Year Code", "Year", "Value")
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	in.Name = stem(in.Name)
	return table.ReadBy(ctx, in, func(head []byte) (table.Mapping, error) {
		rows := table.FirstRows(head, ',', 1)
		if len(rows) == 0 {
			return table.Mapping{}, stat.BadFile(stat.Position{Line: 1}, "the file is empty")
		}
		return mapping(newHeadings(rows[0]))
	})
}

// parts are what the names of bulk files of a whole domain have beside its
// name. Files of one region keep theirs, for they are another dataset.
var parts = regexp.MustCompile(`(?i)_(E_All_Data|All_Data|\(Normalized\)).*$`)

// stem is the part of a file's name that names the domain.
func stem(name string) string {
	return parts.ReplaceAllString(strings.TrimSuffix(name, ".csv"), "")
}

// marks are what the suite of food security indicators writes in place of small
// numbers; they say that there is a value, and not which.
var marks = map[string]table.Mark{"<0.1": {Flags: "FAO:<0.1"}, "<0.5": {Flags: "FAO:<0.5"}, "<1": {Flags: "FAO:<1"}, "<2.5": {Flags: "FAO:<2.5"}}

// mapping makes the mapping of a file with the headings.
func mapping(h headings) (table.Mapping, error) {
	axes, unused, err := h.axes()
	if err != nil {
		return table.Mapping{}, err
	}
	m := table.Mapping{
		Dataset:   stat.Dataset{Source: office.Find("fao")},
		Separator: ',',
		Numbers:   text.Style{Decimal: '.'},
		Header:    1,
		Code:      "Domain Code?",
		Name:      "Domain?",
		Axes:      axes,
		Unit:      "Unit?",
		Notes:     []string{"Note?"},
		Marks:     marks,
		Ignore:    append(unused, "Year Code", "Months Code"),
	}
	flags := h.flags()
	switch {
	case h.wide && h.has("Months"):
		return m, stat.BadFile(stat.Position{Line: 1}, "the table has years in its columns and months in its rows; use the file whose name says Normalized")
	case h.wide:
		m.Period = table.Period{Wide: true, Read: readYear, Beside: beside}
		m.Flags = []table.Flag{{Means: flags.means}}
		return m, nil
	}
	m.Values = []table.Value{{Column: "Value"}}
	m.Flags = []table.Flag{{Column: "Flag?", Means: flags.means}}
	m.Period = table.Period{Column: "Year"}
	if h.has("Months") {
		m.Period = table.Period{Parts: []string{"Year", "Months"}, Read: readMonth}
	}
	if h.has(headDescription) {
		m.Ignore = append(m.Ignore, headDescription)
		m.Observe = flags.describe
	}
	return m, nil
}

// readYear reads the heading Y1961.
func readYear(heading string) (stat.Period, error) {
	if of := yearHeading.FindStringSubmatch(heading); of != nil && of[2] == "" {
		return stat.ParsePeriod(of[1][1:])
	}
	return stat.Period{}, errors.New("the heading is no year")
}

// beside tells the columns of a year's flags and notes.
func beside(heading string) (year string, what table.Beside) {
	of := yearHeading.FindStringSubmatch(heading)
	switch {
	case of == nil || of[2] == "":
		return "", table.Nothing
	case of[2] == "F":
		return of[1], table.BesideFlag
	}
	return of[1], table.BesideNote
}

// readMonth reads a year and a month's name, or the year where the value is
// that of all of it.
func readMonth(text string) (stat.Period, error) {
	year, month, _ := strings.Cut(text, " ")
	if strings.EqualFold(month, "annual value") {
		return stat.ParsePeriod(year)
	}
	if f, n, ok := table.ReadPart(month); ok && f == stat.Month {
		if y, err := stat.ParsePeriod(year); err == nil && y.Frequency() == stat.Annual {
			return stat.NewPeriod(stat.Month, y.Year(), n), nil
		}
	}
	return stat.Period{}, table.ErrUndated
}
