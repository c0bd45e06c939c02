// Package faostat reads the CSV files of FAOSTAT, the statistics of the Food and
// Agriculture Organization: those of its portal, and those of the bulk download,
// with a row for each value ("Normalized") or a column for each year.
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
// The dimensions depend on the domain; each has a column of labels and one or several
// of codes (headings.go). The apostrophe before a code keeps spreadsheet programs from
// reading it as a number and is removed.
//
// Areas are M49 numbers or alpha-3 codes. The organization's own numbers ("Area
// Code") look like M49 numbers but mean other countries, so a file without other
// codes is read by the names of its areas.
//
// Each value has its unit. Flags mean what they mean in the list that the file
// uses (flags.go). If years have months, the periods are months. Seasons and other parts
// of a year are codes of a dimension (months.go), with the year as their period.
package faostat

import (
	"errors"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// Formats returns the format of FAOSTAT.
func Formats() []format.Format {
	return []format.Format{table.Reader{Name: "faostat", Source: "fao", Recognise: recognise, Mapping: mapping, Trim: suffix}.Format()}
}

// yearHeading matches the heading of a column of values in a wide table, or of the
// flags or notes beside it.
var yearHeading = regexp.MustCompile(`^Y[0-9]{4}[FN]?$`)

// recognise looks for an element, codes, and years in a column or in headings. Tables of
// a single element, such as consumer prices by month, may lack its columns; the others
// tell them.
func recognise(rows [][]string) bool {
	if !table.HasHeadings(rows, "Element", "Element Code") &&
		!table.HasHeadings(rows, "Area Code", "Area", "Item Code", "Item", "Year Code", "Year", "Unit", "Value", "Flag") {
		return false
	}
	h := newHeadings(rows[0])
	return h.geography() >= 0 && (h.isWide || table.HasHeadings(rows, "Year Code", "Year", "Value"))
}

// suffix matches what follows the name of the domain in the names of bulk files.
// Files of one region keep the region: they are another dataset.
var suffix = regexp.MustCompile(`(?i)_(?:E_All_Data|All_Data|\(Normalized\)).*$`)

// marks stand for small values in the suite of food security indicators, which the file
// does not state.
var marks = map[string]table.Mark{"<0.1": {Flags: "FAO:<0.1"}, "<0.5": {Flags: "FAO:<0.5"}, "<1": {Flags: "FAO:<1"}, "<2.5": {Flags: "FAO:<2.5"}}

func mapping(in format.Input, rows [][]string) (table.Mapping, error) {
	h := newHeadings(rows[0])
	axes, unused, err := h.axes()
	if err != nil {
		return table.Mapping{}, err
	}
	flags := h.flags()
	m := table.Mapping{
		Numbers: table.DecimalPoint,
		Code:    "Domain Code?",
		Name:    "Domain?",
		Axes:    axes,
		Period:  table.Period{Columns: []string{"Year"}, Read: table.ReadPeriod},
		Unit:    "Unit?",
		Flags:   []table.Flag{{Column: "Flag?", Means: flags.means}},
		Notes:   []string{"Note?"},
		Marks:   marks,
		Ignore:  append(unused, "Year Code", "Months Code", headDescription),
	}
	switch {
	case h.isWide && h.has("Months"):
		m.Other = valueOfYear
		return m, addMonths(&m, in, h)
	case h.isWide:
		m.Period = table.Period{Wide: true, Read: readYear, Beside: beside}
		return m, nil
	case h.has("Months"):
		if err := addMonths(&m, in, h); err != nil {
			return m, err
		}
	}
	m.Values = []table.Value{{Column: "Value"}}
	if flags.isDescribed {
		m.Observe = flags.describe
	}
	return m, nil
}

func readYear(heading string) (stat.Period, error) {
	if yearHeading.MatchString(heading) && len(heading) == len("Y1961") {
		return stat.ParsePeriod(heading[1:])
	}
	return stat.Period{}, errors.New("the heading is not a year")
}

// valueOfYear returns the column of values of a year, whose rows have the months.
func valueOfYear(heading string) (v table.Value, ok bool) {
	_, err := readYear(heading)
	return table.Value{Code: "Value", Part: heading, Flag: heading + "F?", Note: heading + "N?"}, err == nil
}

// beside returns the year whose flags (Y1961F) or notes (Y1961N) a column holds.
func beside(heading string) (flagsOf, notesOf string) {
	if year, ok := strings.CutSuffix(heading, "F"); ok {
		return year, ""
	}
	if year, ok := strings.CutSuffix(heading, "N"); ok {
		return "", year
	}
	return "", ""
}
