// Package ilostat reads the CSV files of ILOSTAT, the statistics of the
// International Labour Organization: those of the bulk download, which have
// codes, and those of its portal, which have labels, or both.
//
//	ref_area,source,indicator,sex,classif1,time,obs_value,obs_status,note_indicator,note_source
//	AFG,BA:2368,UNE_DEAP_SEX_AGE_RT,SEX_T,AGE_YTHADULT_YGE15,2020,11.7,B,,R1:3903
//
//	ref_area.label,source.label,indicator.label,sex.label,classif1.label,time,obs_value,obs_status.label,note_source.label
//	Afghanistan,LFS - Labour Force Survey,Unemployment rate …,Total,Age: 15+,2020,11.7,Break in series,Repository: …
//
// The source is a dimension: several surveys tell of one country and year. Where
// there are labels only, they are the codes; package geo knows the ILO's names
// of countries, which stay the labels. Columns of a file that are not dimensions hold for the
// observation: its status by the ILO's own list (A is adjusted there, M
// model-based, L computed), and notes on classification, indicator and source.
//
// The indicator is the dataset: its code is the dataset's code, its label the
// name. Files with labels only have no code; theirs is the file's name, which
// for files of the portal is the code and the day of the download.
package ilostat

import (
	"context"
	"iter"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the format of ILOSTAT.
func Formats() []format.Format {
	return []format.Format{{Name: "ilostat", Recognise: recognise, Read: read}}
}

// recognise looks for the columns that each file has, as codes or as labels.
func recognise(_ string, head []byte) bool {
	rows := table.FirstRows(head, ',', 1)
	if !table.HasHeadings(rows, "time", "obs_value") {
		return false
	}
	for _, name := range []string{"ref_area", "source", "indicator"} {
		if !table.HasHeadings(rows, name) && !table.HasHeadings(rows, name+".label") {
			return false
		}
	}
	return true
}

// download is what the portal appends to the code of an indicator. A filtered
// file is a part of the dataset.
var download = regexp.MustCompile(`(-(full|filtered))?-\d{4}-\d\d-\d\d$`)

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	in.Name = strings.TrimSuffix(in.Name, ".csv")
	suffix := download.FindStringSubmatch(in.Name)
	if suffix != nil {
		in.Name = strings.TrimSuffix(in.Name, suffix[0])
	}
	return table.ReadBy(ctx, in, func(head []byte) (table.Mapping, error) {
		m := mapping(table.FirstRows(head, ',', 1))
		if suffix != nil && suffix[2] == "filtered" {
			m.Preamble = func(_ [][]string, t *stat.Table) error {
				t.Partial = "filtered, as its name says"
				return nil
			}
		}
		return m, nil
	})
}

func mapping(headings [][]string) table.Mapping {
	m := table.Mapping{
		Dataset:   stat.Dataset{Source: office.Find("ilo")},
		Separator: ',',
		Numbers:   text.Style{Decimal: '.'},
		Code:      "indicator?",
		Name:      "indicator.label?",
		Axes: []table.Axis{
			areas(headings), pair("source", "Source", stat.RoleOther), pair("sex", "Sex", stat.RoleOther),
			pair("classif1", "Classification 1", stat.RoleOther), pair("classif2", "Classification 2", stat.RoleOther),
			pair("classif3", "Classification 3", stat.RoleOther),
		},
		Period: table.Period{Column: "time"},
		Values: []table.Value{{Column: "obs_value"}},
	}
	// What a column says in codes and in labels is read from the labels.
	for _, note := range []string{"note_classif", "note_indicator", "note_source"} {
		if table.HasHeadings(headings, note+".label") {
			m.Ignore = append(m.Ignore, note)
			note += ".label"
		}
		m.Notes = append(m.Notes, note+"?")
	}
	if table.HasHeadings(headings, "obs_status") {
		m.Flags, m.Ignore = []table.Flag{{Column: "obs_status"}}, append(m.Ignore, "obs_status.label")
	} else {
		m.Flags = []table.Flag{{Column: "obs_status.label?", Means: status}}
	}
	return m
}

// pair is the dimension with a column of codes, of labels, or both.
func pair(name, label string, role stat.Role) table.Axis {
	return table.Axis{Codes: name + "?", Labels: name + ".label?", ID: name, Label: label, Role: role, Empty: notApplicable}
}

// areas is the dimension of the reference areas. Names that are codes are labels
// too, so that an area is called as the office calls it: "Viet Nam".
func areas(headings [][]string) table.Axis {
	a := pair("ref_area", "Reference area", stat.RoleGeo)
	if !table.HasHeadings(headings, "ref_area") {
		a.Split = func(name string) (code, label string) { return name, name }
	}
	return a
}

// notApplicable is the code of rows that have none in a dimension, as an
// indicator by area has that is not classified. SDMX calls it so.
const notApplicable = "_Z"

// statuses are the labels of the ILO's code list CL_OBS_STATUS.
var statuses = map[string]string{
	"adjusted": "A", "break in series": "B", "computed value": "L", "confidential": "C", "estimate": "E",
	"forecast": "F", "model-based extrapolation": "M", "not applicable": "X", "not available": "N",
	"provisional": "P", "not significant": "S", "unreliable": "U", "real value": "R",
	"non-official estimated value": "Z", "imputation": "I",
}

// status tells what the label of a status means.
func status(label string) (stat.Flags, bool) {
	if code, ok := statuses[strings.ToLower(label)]; ok {
		flags, _ := office.Status("ilo", "", code)
		return flags, true
	}
	return office.Status("ilo", "", label)
}
