package exports

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isOWID recognises the CSV files of Our World in Data: a row for each entity
// and year, and a column for each indicator.
//
//	Entity,Code,Year,Annual CO₂ emissions (per capita)
//	United Kingdom,GBR,1750,1.0019121
//	Africa,,1850,0.000027
//	World,OWID_WRL,1750,0.012
//
// Charts downloaded with short names have lower-case headings (entity, code,
// year). The entity may also be called country, and years may be days (Day,
// 2020-03-01). Years before 1000, which some indicators have, cannot be stored
// and are counted as undated.
//
// An area is identified by its code, which is ISO 3166-1 alpha-3 or begins with OWID_;
// continents and groups without a code by their name. A file of one indicator is a
// dataset with its name; several indicators form the dimension INDICATOR.
//
// It requires entity, code and time as the first headings, another column,
// and a code of Our World in Data in the first row: tables of other offices also
// have a country, a code and a year.
func isOWID(rows [][]string) bool {
	if len(rows) < 2 || len(rows[0]) < 4 || len(rows[1]) != len(rows[0]) {
		return false
	}
	h := rows[0]
	return slices.Contains([]string{"entity", "country"}, strings.ToLower(h[0])) && strings.EqualFold(h[1], "code") &&
		slices.Contains([]string{"year", "day", "date"}, strings.ToLower(h[2])) && code.MatchString(rows[1][1])
}

// code matches the codes of areas; that of a group is empty.
var code = regexp.MustCompile(`^(OWID_.*|[A-Z]{3})?$`)

// regions are the headings of a column that charts add to colour entities by their
// continent.
var regions = []string{"World regions according to OWID", "World region according to OWID", "Continent", "owid_region"}

func mapOWID(format.Input, [][]string) (table.Mapping, error) {
	var indicators []string
	return table.Mapping{
		Numbers: table.DecimalPoint,
		Axes:    []table.Axis{{Codes: "#2", Labels: "#1", ID: "entity", Label: "Entity", Role: stat.RoleGeo}},
		Period:  table.Period{Columns: []string{"#3"}, Read: readOWIDTime},
		Ignore:  regions,
		Other: func(heading string) (table.Value, bool) {
			indicators = append(indicators, heading)
			return table.Value{}, true
		},
		Row: func(r *table.Row) table.Action {
			if len(indicators) == 1 {
				r.Table.Dataset.Name = indicators[0]
			}
			for _, heading := range regions {
				if region := r.Cell(heading); region != "" {
					r.Note(stat.NoteNotRead, strings.Clone(region))
				}
			}
			return table.Use
		},
	}, nil
}

func readOWIDTime(text string) (stat.Period, error) {
	if year, err := strconv.Atoi(text); err == nil && year < 1000 {
		return stat.Period{}, table.ErrUndated
	}
	return table.ReadPeriod(text)
}
