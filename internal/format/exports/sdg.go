package exports

import (
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The database of the Sustainable Development Goals exports a series with its places in
// the list of goals, an area by its M49 number, and columns of breakdowns in brackets:
//
//	Goal,Target,Indicator,SeriesCode,SeriesDescription,GeoAreaCode,GeoAreaName,TimePeriod,Value,…,[Sex],[Units]
//	1,1.1,1.1.1,SI_POV_DAY1,"Proportion of …",8,Albania,2012,0.6,…,BOTHSEX,PERCENT
//
// The same observation stands under each of its goals; goals, targets and indicators are
// not kept. An empty breakdown is "not applicable". A value such as <2.5 is missing, with
// the text as its note. Sources and footnotes are notes.

func isGoals(rows [][]string) bool {
	return table.HasHeadings(rows, "SeriesCode", "GeoAreaCode", "TimePeriod", "Value")
}

func mapGoals(_ format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{
		Numbers: table.DecimalPoint,
		Axes: []table.Axis{
			{Codes: "SeriesCode", Labels: "SeriesDescription?", ID: "SERIES", Label: "Series", Role: stat.RoleOther},
			{Codes: "GeoAreaCode", Labels: "GeoAreaName?", Role: stat.RoleGeo},
		},
		Period: table.Period{Columns: []string{"TimePeriod"}, Read: readGoalPeriod},
		Values: []table.Value{{Column: "Value", Lower: "LowerBound?", Upper: "UpperBound?"}},
		Notes:  []string{"FootNote?", "Source?"},
		Ignore: []string{"Goal", "Target", "Indicator", "Time_Detail", "TimeCoverage", "BasePeriod", "GeoInfoUrl", "[Nature]"},
	}
	value, note := -1, -1
	for i, heading := range rows[0] {
		name := strings.ToUpper(strings.Trim(heading, "[]"))
		switch {
		case heading == "Value":
			value = i
		case heading == "FootNote":
			note = i
		case !strings.HasPrefix(heading, "[") || name == "NATURE":
		case name == "UNITS":
			m.Unit = heading
		case name == "OBSERVATION STATUS":
			m.Flags = []table.Flag{{Column: heading, Means: func(code string) (stat.Flags, bool) { return office.Status("", "", code) }}}
		default:
			id := strings.ReplaceAll(name, " ", "_")
			m.Axes = append(m.Axes, table.Axis{Codes: heading, ID: id, Label: strings.Trim(heading, "[]"), Role: stat.RoleOther, Split: orNone})
		}
	}
	m.Row = func(r *table.Row) table.Action {
		if value >= 0 && note >= 0 && max(value, note) < len(r.Cells) && strings.ContainsAny(r.Cells[value], "<>") {
			r.Cells[note] = strings.TrimSuffix(r.Cells[value]+"; "+r.Cells[note], "; ")
			r.Cells[value] = ""
		}
		return table.Use
	}
	return m, nil
}

// readGoalPeriod reads years, which spreadsheets write as 2012.0.
func readGoalPeriod(text string) (stat.Period, error) {
	if year, zeros, found := strings.Cut(text, "."); found && strings.Trim(zeros, "0") == "" {
		text = year // the interface writes 2010.00000
	}
	return table.ReadPeriod(text)
}
