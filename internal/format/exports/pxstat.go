package exports

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// classification matches the codes of the office's classifications.
var classification = regexp.MustCompile(`^C[0-9]{5}V[0-9]{5}$`)

// isPxStat recognises the CSV of PxStat, the software of the Central Statistics Office of
// Ireland:
//
//	"STATISTIC","Statistic Label","TLIST(M1)","Month","C02199V02655","Sex","UNIT","VALUE"
//	"MUM01C01","Seasonally Adjusted Monthly Unemployment","202311","2023 November","-","Both sexes","Thousand","92.9"
//
// Each column of codes stands before that of its labels. A code "-" is the total.
func isPxStat(rows [][]string) bool {
	return table.HasHeadings(rows, "STATISTIC", "UNIT", "VALUE") && timeAt(rows[0]) >= 0 && slices.ContainsFunc(rows[0], classification.MatchString)
}

// timeAt returns the column of the codes of periods, such as TLIST(M1).
func timeAt(headings []string) int {
	return slices.IndexFunc(headings, func(h string) bool { return strings.HasPrefix(h, "TLIST(") })
}

func mapPxStat(_ format.Input, rows [][]string) (table.Mapping, error) {
	headings := rows[0]
	m := table.Mapping{Numbers: table.DecimalPoint, Unit: "UNIT", Values: []table.Value{{Column: "VALUE"}}}
	at := timeAt(headings)
	if at < 0 {
		return m, stat.BadFile(stat.Position{Line: 1}, "no column holds the time, such as TLIST(A1)")
	}
	scale := assemble.TimeScale(strings.TrimSuffix(strings.TrimPrefix(headings[at], "TLIST("), ")"))
	m.Period = table.Period{Columns: []string{headings[at]}, Read: func(text string) (stat.Period, error) {
		line, err := assemble.ReadTimeline("", scale, []string{text})
		if err != nil {
			return stat.Period{}, err
		}
		return line.Periods[0], nil
	}}
	for i := 0; i+1 < len(headings); i += 2 {
		switch codes, labels := headings[i], headings[i+1]; {
		case codes == "UNIT":
		case i == at:
			m.Ignore = append(m.Ignore, labels)
		default:
			role := stat.RoleOther
			if assemble.IsAreaWord(labels) {
				role = stat.RoleGeo
			}
			m.Axes = append(m.Axes, table.Axis{Codes: codes, Labels: labels, Label: labels, Role: role})
		}
	}
	return m, nil
}
