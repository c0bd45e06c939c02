package exports

import (
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isILOSTAT recognises the CSV files of ILOSTAT, the statistics of the
// International Labour Organization: those of the bulk download, which have
// codes, and those of its portal, which have labels, or both.
//
//	ref_area,source,indicator,sex,classif1,time,obs_value,obs_status,note_indicator,note_source
//	AFG,BA:2368,UNE_DEAP_SEX_AGE_RT,SEX_T,AGE_YTHADULT_YGE15,2020,11.7,B,,R1:3903
//
//	ref_area.label,source.label,indicator.label,sex.label,classif1.label,time,obs_value,obs_status.label,note_source.label
//	Afghanistan,LFS - Labour Force Survey,Unemployment rate …,Total,Age: 15+,2020,11.7,Break in series,Repository: …
//
// The source is a dimension: several surveys cover the same country and year. Labels
// without codes serve as codes. Package geo knows the ILO's names of countries, which
// remain as labels. The other columns describe the observation: its status by the
// ILO's own list (A is adjusted there, M model-based, L computed), and notes on
// classification, indicator and source.
//
// The indicator is the dataset, with its code and label as code and name. Without
// codes, the dataset's code is the file's name, which for files of the portal is the
// code and the day of the download.
//
// It looks for the columns that each file has, as codes or as labels.
func isILOSTAT(rows [][]string) bool {
	for _, name := range []string{"ref_area", "source", "indicator"} {
		if !table.HasHeadings(rows, name) && !table.HasHeadings(rows, name+".label") {
			return false
		}
	}
	return table.HasHeadings(rows, "time", "obs_value")
}

// downloadILOSTAT matches what the portal appends to the code of an indicator. A filtered
// file is a part of the dataset.
var downloadILOSTAT = regexp.MustCompile(`(?:-(?:full|filtered))?-\d{4}-\d\d-\d\d(?:\.csv)?$`)

func mapILOSTAT(in format.Input, headings [][]string) (table.Mapping, error) {
	m := table.Mapping{
		Numbers: table.DecimalPoint,
		Code:    "indicator?",
		Name:    "indicator.label?",
		Axes: []table.Axis{
			dimensionILO("ref_area", "Reference area"), dimensionILO("source", "Source"), dimensionILO("sex", "Sex"),
			dimensionILO("classif1", "Classification 1"), dimensionILO("classif2", "Classification 2"), dimensionILO("classif3", "Classification 3"),
		},
		Period: table.Period{Columns: []string{"time"}, Read: table.ReadPeriod},
		Values: []table.Value{{Column: "obs_value"}},
	}
	areas := &m.Axes[0]
	areas.Role = stat.RoleGeo
	if !table.HasHeadings(headings, "ref_area") { // the ILO's name is the label too, for example "Viet Nam"
		areas.Split = func(name string) (code, label string) { code, _ = orNone(name); return code, code }
	}
	// Of a column of codes and one of labels, the labels are read.
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
		m.Flags = []table.Flag{{Column: "obs_status.label?", Means: statusILO}}
	}
	if strings.HasPrefix(downloadILOSTAT.FindString(in.Name), "-filtered-") {
		m.Preamble = func(_ [][]string, t *stat.Table) error {
			t.Partial = "filtered, as its name says"
			return nil
		}
	}
	return m, nil
}

func dimensionILO(name, label string) table.Axis {
	return table.Axis{
		Codes: name + "?", Labels: name + ".label?", ID: name, Label: label, Role: stat.RoleOther,
		Split: orNone,
	}
}

// statusesILO are the labels of the ILO's code list CL_OBS_STATUS.
var statusesILO = map[string]string{
	"adjusted": "A", "break in series": "B", "computed value": "L", "confidential": "C", "estimate": "E",
	"forecast": "F", "model-based extrapolation": "M", "not applicable": "X", "not available": "N",
	"provisional": "P", "not significant": "S", "unreliable": "U", "real value": "R",
	"non-official estimated value": "Z", "imputation": "I",
}

func statusILO(label string) (stat.Flags, bool) {
	if code, ok := statusesILO[strings.ToLower(label)]; ok {
		flags, _ := office.Status("ilo", "", code)
		return flags, true
	}
	return office.Status("ilo", "", label)
}
