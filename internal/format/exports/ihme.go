package exports

import (
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isIHME recognises the results of the Global Burden of Disease study, as the Institute
// for Health Metrics and Evaluation exports them: names, or a number and a name of each
// dimension, and an estimate with the bounds of its uncertainty.
//
//	measure_id,measure_name,location_id,location_name,sex_id,sex_name,…,metric_id,metric_name,year,val,upper,lower
//	1,Deaths,6,China,3,Both,…,3,Rate,2021,7.1,8.0,6.2
//
//	measure,location,sex,age,cause,rei,metric,year,val,upper,lower
//	Deaths,French Republic,Both,All ages,All causes,Alcohol use,Percent,2021,0.03,0.05,0.01
//
// The names are the codes, because the numbers are the institute's own: its 6 is China,
// not a number of the United Nations. One of them is needed: the country and the state of
// the US that are called Georgia differ in it only. The metric is the unit.
func isIHME(rows [][]string) bool {
	return table.HasHeadings(rows, "year", "val", "upper", "lower") &&
		(table.HasHeadings(rows, "measure_name", "location_name", "metric_name") || table.HasHeadings(rows, "measure", "location", "metric"))
}

func mapIHME(_ format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{
		Numbers: table.DecimalPoint,
		Period:  table.Period{Columns: []string{"year"}},
		Values:  []table.Value{{Column: "val", Lower: "lower", Upper: "upper"}},
		Row:     nameGeorgia(rows[0]),
	}
	for _, heading := range rows[0] {
		name := strings.ToLower(strings.TrimSpace(heading))
		if name == "year" || name == "val" || name == "upper" || name == "lower" {
			continue
		}
		if strings.HasSuffix(name, "_id") {
			m.Ignore = append(m.Ignore, heading)
			continue
		}
		axis := table.Axis{Labels: heading, ID: strings.TrimSuffix(name, "_name"), Role: stat.RoleOther, Split: orNotApplicable}
		axis.Label = axis.ID
		switch axis.ID {
		case "location":
			axis.Role = stat.RoleGeo
		case "metric":
			axis.Role = stat.RoleUnit
		}
		m.Axes = append(m.Axes, axis)
	}
	return m, nil
}

// nameGeorgia tells the state of the US from the country.
func nameGeorgia(headings []string) func(r *table.Row) table.Action {
	name := slices.Index(headings, "location_name")
	return func(r *table.Row) table.Action {
		if name >= 0 && name < len(r.Cells) && r.Cell("location_id") == "533" && r.Cells[name] == "Georgia" {
			r.Cells[name] = "Georgia (US state)"
		}
		return table.Use
	}
}
