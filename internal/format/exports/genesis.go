package exports

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// GENESIS, the database of the German federal and regional offices, exports flat files with
// four columns for each variable:
//
//	Statistik_Code;Statistik_Label;Zeit_Code;Zeit_Label;Zeit;1_Merkmal_Code;1_Merkmal_Label;1_Auspraegung_Code;1_Auspraegung_Label;…;BWS001__Bruttowertschoepfung__Mrd._EUR
//	81000;VGR;JAHR;Jahr;1991;DINSG;Deutschland insgesamt;DG;Deutschland;…;340,871
//
// Newer ones are called statistics_code, …, 1_variable_attribute_code, and have one column of
// values with the columns value_unit and value_variable_code. Quarters and months are a
// variable, with the codes QUART1 or MONAT01. Many offices use the database, so most files do
// not tell their publisher; isFederal knows those that do.
func isGENESIS(rows [][]string) bool {
	return table.HasHeadings(rows[:1], "Statistik_Code", "Zeit_Code", "Zeit") || table.HasHeadings(rows[:1], "statistics_code", "time_code", "time", "value")
}

var (
	genesisCode    = regexp.MustCompile(`(?i)^([0-9]+_)(auspraegung|variable_attribute)_code$`)
	genesisMeasure = regexp.MustCompile(`^([A-Z][A-Z0-9]*)__+(.+?)__(.+)$`)
	genesisIgnored = regexp.MustCompile(`(?i)^(statistik|statistics|zeit|time|[0-9]+_(merkmal|variable))_(code|label)$`)
	genesisPart    = regexp.MustCompile(`^(QUART|MONAT|HALBJ)[0-9]{1,2}$`)
)

// genesisAreas are the variables for Germany, its Länder and their parts.
var genesisAreas = []string{"DINSG", "DLAND", "REGBEZ", "KREISE", "GEMEIN", "DLANDU", "DLANDX"}

func mapGENESIS(in format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{Dataset: stat.Dataset{Source: office.Local}, Marks: map[string]table.Mark{}}
	if isFederal(rows) {
		m.Dataset.Source = office.Find("destatis")
	}
	if strings.EqualFold(rows[0][0], "Statistik_Code") {
		m.Numbers = text.Style{Decimal: ','} // of the German files
	}
	for _, mark := range []string{"-", "/", ".", "x", "..."} {
		m.Marks[mark] = table.Mark{Flags: office.OwnFlag(cmp.Or(in.Source, m.Dataset.Source.ID), mark)}
	}
	for at, heading := range rows[0] {
		found := genesisMeasure.FindStringSubmatch(heading)
		switch name := strings.ToLower(heading); {
		case found != nil:
			label := strings.Join(strings.FieldsFunc(found[2], func(r rune) bool { return r == '_' || r == ' ' }), " ")
			m.Values = append(m.Values, table.Value{Column: heading, Code: found[1], Label: label, Unit: strings.ReplaceAll(found[3], "_", " ")})
		case name == "zeit" || name == "time":
			m.Period.Columns = slices.Insert(m.Period.Columns, 0, heading)
		case genesisCode.MatchString(heading) && isGENESISPart(rows[1:], at):
			m.Period.Columns = append(m.Period.Columns, heading)
			m.Ignore = append(m.Ignore, genesisLabel(heading))
		case genesisCode.MatchString(heading):
			m.Axes = append(m.Axes, genesisAxis(rows, at, m.Axes))
		case name == "value":
			m.Values = append(m.Values, table.Value{Column: heading})
		case name == "value_unit":
			m.Axes = append(m.Axes, table.Axis{Codes: heading, Role: stat.RoleUnit})
		case name == "value_variable_code":
			m.Axes = append(m.Axes, table.Axis{Codes: heading, Labels: genesisLabel(heading), Role: stat.RoleOther})
		case name == "value_q":
			m.Flags = []table.Flag{{Column: heading}}
		case genesisIgnored.MatchString(heading):
			m.Ignore = append(m.Ignore, heading)
		}
	}
	if len(m.Values) == 1 {
		m.Dataset.Name = m.Values[0].Label
	}
	return m, nil
}

// isFederal reports whether a file is of the Federal Statistical Office: its first variable is Germany as a whole, and the statistic is
// one of the Federation, as the national accounts are, "Volkswirtschaftliche Gesamtrechnungen des Bundes".
func isFederal(rows [][]string) bool {
	label := slices.IndexFunc(rows[0], func(heading string) bool { return strings.EqualFold(heading, "Statistik_Label") })
	area := slices.IndexFunc(rows[0], func(heading string) bool { return strings.EqualFold(heading, "1_Merkmal_Code") })
	return label >= 0 && area > label && len(rows) > 1 && len(rows[1]) > area && rows[1][area] == "DINSG" && strings.HasSuffix(rows[1][label], " des Bundes")
}

// isGENESISPart reports whether all cells of a column are parts of a year.
func isGENESISPart(rows [][]string, at int) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(row []string) bool { return at >= len(row) || !genesisPart.MatchString(row[at]) })
}

// genesisLabel returns the heading of the labels of codes.
func genesisLabel(heading string) string { return heading[:len(heading)-len("code")] + "label" }

// genesisAxis returns the dimension of the codes in a column, with the name of its variable,
// which stands two columns on its left.
func genesisAxis(rows [][]string, at int, others []table.Axis) table.Axis {
	axis := table.Axis{Codes: rows[0][at], Labels: genesisLabel(rows[0][at]), Role: stat.RoleOther}
	if len(rows) > 1 && at > 1 && len(rows[1]) > at {
		axis.ID, axis.Label = rows[1][at-2], rows[1][at-1]
	}
	if slices.Contains(genesisAreas, axis.ID) {
		axis.Role = stat.RoleGeo
	}
	if slices.ContainsFunc(others, func(a table.Axis) bool { return a.ID == axis.ID }) {
		axis.ID += "_" + strconv.Itoa(len(others)+1)
	}
	return axis
}
