package exports

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isQuickView recognises what the ECB's Statistical Data Warehouse called quick view, until
// 2023: series with their keys, of one area.
//
//	Data Source in SDW: null
//	,EXR.D.USD.EUR.SP00.A
//	,"ECB reference exchange rate, US dollar/Euro, 2:15 pm (C.E.T.)"
//	Collection:,Average of observations through period (A)
//	Period\Unit:,[US dollar ]
//	2017-11-17,1.1795
func isQuickView(rows [][]string) bool {
	keys := quickViewKeys(rows)
	if len(keys) == 0 {
		return false
	}
	area := office.ReferenceArea(keys[0])
	return area != "" && !slices.ContainsFunc(keys, func(key string) bool { return office.ReferenceArea(key) != area })
}

// quickViewKeys returns the keys of the series; nil for another table. The rows are the
// lines above the values.
func quickViewKeys(rows [][]string) []string {
	if len(rows) < 5 || !strings.HasPrefix(rows[0][0], "Data Source in SDW:") || rows[4][0] != `Period\Unit:` {
		return nil
	}
	for _, row := range rows[2:5] {
		if len(row) != len(rows[1]) {
			return nil
		}
	}
	return rows[1][1:]
}

func mapQuickView(_ format.Input, rows [][]string) (table.Mapping, error) {
	keys := quickViewKeys(rows)
	if len(keys) == 0 {
		return table.Mapping{}, stat.BadFile(stat.Position{Line: 1}, "the first lines must be the source, the keys, the titles, the collection and the units of series")
	}
	m := table.Mapping{
		Numbers:  table.DecimalPoint,
		Period:   table.Period{Columns: []string{rows[4][0]}},
		Measures: stat.Dimension{ID: "SERIES", Label: "Series"},
	}
	m.Dataset.Geography = stat.Dimension{ID: "REF_AREA", Label: "Reference area", Role: stat.RoleGeo, Codes: []stat.Code{{ID: office.ReferenceArea(keys[0])}}}
	for i, key := range keys {
		m.Values = append(m.Values, table.Value{Column: "#" + strconv.Itoa(i+2), Code: key, Label: rows[2][i+1], Unit: strings.Trim(rows[4][i+1], "[] ")})
	}
	if len(keys) == 1 {
		m.Dataset.Code, m.Dataset.Name, m.Dataset.Description = keys[0], rows[2][1], rows[3][1]
	}
	return m, nil
}
