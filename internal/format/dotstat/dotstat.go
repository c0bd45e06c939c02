// Package dotstat reads the CSV of .Stat, the software of OECD.Stat, I.Stat and other
// databases before SDMX-CSV: a column of codes and one of labels for each dimension, then
// the unit, its power of ten, the value and its flags.
//
//	"LOCATION","Country","SUBJECT","Subject","TIME","Time","Unit Code","Unit","PowerCode Code","PowerCode",…,"Value","Flag Codes","Flags"
//	"AUS","Australia","B1_GE","Gross domestic product","2019","2019","AUD","Australian Dollar","6","Millions",…,1994951,,
//
// The OECD's data pages export the codes alone:
//
//	"LOCATION","INDICATOR","SUBJECT","MEASURE","FREQUENCY","TIME","Value","Flag Codes"
//
// The power is part of the unit's text, and so is the period to which an index refers:
// "Australian Dollar (millions)", "Index, 2015=100". The office follows from the dimension
// of areas, where only one office has it.
package dotstat

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// offices are the offices by a heading that only their files have; any other file is of
// an unknown one.
var offices = []struct {
	source  string
	heading *regexp.Regexp
}{
	{"istat", regexp.MustCompile(`^ITTER107$`)},
	{"abs", regexp.MustCompile(`^ASGS_?[0-9]*$`)},
	{"oecd", regexp.MustCompile(`^(LOCATION|COU)$`)},
	{"local", regexp.MustCompile(``)},
}

// Formats returns a format for each office.
func Formats() []format.Format {
	var all []format.Format
	for i, o := range offices {
		all = append(all, table.Reader{
			Name: "dotstat", Source: o.source, Trim: download, Mapping: mapping(o.source),
			Recognise: func(rows [][]string) bool { return isDotStat(rows[0]) && officeOf(rows[0]) == i },
		}.Format())
	}
	return all
}

// download matches the time that exports have in their name.
var download = regexp.MustCompile(`_\d{14,17}(?:\.csv)?$`)

func isDotStat(headings []string) bool {
	at := slices.Index(headings, "Value")
	return at > 0 && slices.ContainsFunc(headings[:at], isTime) && slices.Contains(headings[at:], "Flag Codes")
}

// isTime reports whether a heading is that of the time; some of the OECD's have YEA.
func isTime(heading string) bool { return heading == "TIME" || heading == "YEA" }

// officeOf returns the position of the first office with a heading of the file.
func officeOf(headings []string) int {
	for i, o := range offices {
		if slices.ContainsFunc(headings, o.heading.MatchString) {
			return i
		}
	}
	return len(offices) - 1
}

// areas are the dimensions of areas, in the order of preference.
var areas = []string{"LOCATION", "COU", "COUNTRY", "REF_AREA", "ITTER107", "ASGS_2021", "ASGS_2016", "ASGS_2011", "REG_ID", "REGION"}

// own are the headings that are no dimensions.
var own = []string{"Unit Code", "Unit", "PowerCode Code", "PowerCode", "Reference Period Code", "Reference Period", "Value", "Flag Codes", "Flags"}

// mapping names columns by their positions, because a code and its label may have the
// same heading in other letters.
func mapping(source string) func(format.Input, [][]string) (table.Mapping, error) {
	return func(_ format.Input, rows [][]string) (table.Mapping, error) {
		headings := rows[0]
		m := table.Mapping{
			Numbers: table.DecimalPoint,
			Values:  []table.Value{{Column: "Value"}},
			Flags:   []table.Flag{{Column: "Flag Codes", Means: func(cell string) (stat.Flags, bool) { return flags(source, cell) }}},
			Ignore:  []string{"Unit Code", "PowerCode Code", "PowerCode", "Reference Period Code", "Reference Period", "Flags"},
		}
		if slices.Contains(headings, "Unit") {
			m.Unit = "Unit"
		}
		geography := slices.IndexFunc(areas, func(id string) bool { return slices.Contains(headings, id) })
		isPaired := slices.Contains(headings, "Flags")
		for i := 0; i < len(headings); i++ {
			id := strings.TrimSpace(headings[i])
			if slices.Contains(own, id) {
				continue
			}
			axis := table.Axis{Codes: position(i), ID: id, Label: id}
			if isPaired && i+1 < len(headings) && !slices.Contains(own, headings[i+1]) {
				i++
				axis.Labels, axis.Label = position(i), strings.TrimSpace(headings[i])
			}
			switch {
			case isTime(id):
				m.Period.Columns = []string{axis.Codes}
				m.Ignore = append(m.Ignore, axis.Labels)
				continue
			case geography >= 0 && id == areas[geography]:
				axis.Role = stat.RoleGeo
			}
			m.Axes = append(m.Axes, axis)
		}
		m.Row, m.Observe = multiply(headings), explain
		return m, nil
	}
}

func position(column int) string { return fmt.Sprintf("#%d", column+1) }

// multiply adds the base of an index and the power of ten to the unit of each row.
func multiply(headings []string) func(r *table.Row) table.Action {
	unit, power := slices.Index(headings, "Unit"), slices.Index(headings, "PowerCode Code")
	base := slices.Index(headings, "Reference Period")
	return func(r *table.Row) table.Action {
		if unit >= 0 && base >= 0 && max(unit, base) < len(r.Cells) && r.Cells[base] != "" {
			r.Cells[unit] += ", " + r.Cells[base]
		}
		if unit >= 0 && power >= 0 && max(unit, power) < len(r.Cells) {
			r.Cells[unit] = stat.UnitText(r.Cells[unit], r.Cells[power])
		}
		return table.Use
	}
}

// explain keeps the label of a flag that is the office's own.
func explain(r *table.Row, o *stat.Observation) error {
	if strings.Contains(string(o.Flags), ":") {
		o.Note = strings.Clone(r.Cell("Flags"))
	}
	return nil
}

// flags returns the meaning of several codes.
func flags(source, cell string) (stat.Flags, bool) {
	var all []string
	isKnown := true
	for _, code := range strings.FieldsFunc(cell, func(c rune) bool { return strings.ContainsRune("|;, ", c) }) {
		flag, known := office.Status(source, "", code)
		all, isKnown = append(all, string(flag)), isKnown && known
	}
	return stat.NewFlags(all...), isKnown
}
