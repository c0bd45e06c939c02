package exports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// isOGD recognises the open data of Statistics Austria: columns of codes (C) and of values
// (F), and codes that begin with the name of their list. Those of the time are years or
// months:
//
//	C-VPIZR-0;C-VPI5-0;F-VPIMZBM
//	VPIZR-202607;VPI-0;132,20000
func isOGD(rows [][]string) bool {
	isOther := func(heading string) bool { return !ogdHeading.MatchString(heading) }
	has := func(kind string) bool {
		return slices.ContainsFunc(rows[0], func(heading string) bool { return strings.HasPrefix(heading, kind) })
	}
	return len(rows[0]) > 1 && !slices.ContainsFunc(rows[0], isOther) && has("C-") && has("F-")
}

var (
	ogdHeading = regexp.MustCompile(`^[CF]-[A-Z0-9_]+(-[0-9]+)?$`)
	ogdTime    = regexp.MustCompile(`^[A-Z0-9_]+-((?:19|20)[0-9]{2})(0[1-9]|1[0-2])?$`)
	ogdArea    = regexp.MustCompile(`^C-(B00|.*(GEM|BEZ|NUTS|BUNDESL|LAND|REG|STAAT).*)-[0-9]+$`)
)

func mapOGD(_ format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{Numbers: text.Style{Decimal: ','}}
	for at, heading := range rows[0] {
		isOther := func(row []string) bool { return at >= len(row) || !ogdTime.MatchString(row[at]) }
		switch {
		case strings.HasPrefix(heading, "F-"):
			m.Values = append(m.Values, table.Value{Column: heading, Code: strings.TrimPrefix(heading, "F-")})
		case len(rows) > 1 && !slices.ContainsFunc(rows[1:], isOther):
			m.Period.Columns = append(m.Period.Columns, heading)
		case ogdArea.MatchString(heading) && !slices.ContainsFunc(m.Axes, func(a table.Axis) bool { return a.Role == stat.RoleGeo }):
			m.Axes = append(m.Axes, table.Axis{Codes: heading, Role: stat.RoleGeo})
		default:
			m.Axes = append(m.Axes, table.Axis{Codes: heading, Role: stat.RoleOther})
		}
	}
	if len(m.Period.Columns) != 1 {
		return m, stat.BadFile(stat.Position{Line: 1}, "the table has %d columns with codes that end in a year or a month, and needs one", len(m.Period.Columns))
	}
	m.Period.Read = readOGDPeriod
	return m, nil
}

func readOGDPeriod(cell string) (stat.Period, error) {
	m := ogdTime.FindStringSubmatch(cell)
	switch {
	case m == nil:
		return stat.Period{}, fmt.Errorf("%q does not end in a year or a month", cell)
	case m[2] != "":
		return stat.ParsePeriod(m[1] + "-" + m[2])
	}
	return stat.ParsePeriod(m[1])
}
