package exports

import (
	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isUIS recognises the bulk files of the UNESCO Institute for Statistics:
//
//	INDICATOR_ID,COUNTRY_ID,YEAR,VALUE,MAGNITUDE,QUALIFIER
//	CR.1,ABW,2010,95.5,,
//	CR.1,AFG,2011,,NIL,UIS_EST
//
// Regional files have REGION_ID in place of the country, and answers of the interface
// indicatorId and geoUnit. The magnitude says what a missing
// value means (NIL: nil or negligible, NA: not applicable), the qualifier that it is an
// estimate of the institute or of the country.
func isUIS(rows [][]string) bool {
	return uisHeading(rows, uisIndicators) != "" && uisHeading(rows, uisAreas) != "" && table.HasHeadings(rows, "YEAR", "VALUE", "MAGNITUDE", "QUALIFIER")
}

// The headings of indicators and of areas.
var (
	uisIndicators = []string{"INDICATOR_ID", "indicatorId"}
	uisAreas      = []string{"COUNTRY_ID", "REGION_ID", "geoUnit"}
)

// uisHeading returns the heading that a file has; empty if it has none.
func uisHeading(rows [][]string, names []string) string {
	for _, name := range names {
		if table.HasHeadings(rows, name) {
			return name
		}
	}
	return ""
}

func mapUIS(_ format.Input, rows [][]string) (table.Mapping, error) {
	return table.Mapping{
		Numbers: table.DecimalPoint,
		Axes: []table.Axis{
			{Codes: uisHeading(rows, uisIndicators), ID: "INDICATOR", Label: "Indicator", Role: stat.RoleOther},
			{Codes: uisHeading(rows, uisAreas), Role: stat.RoleGeo},
		},
		Period: table.Period{Columns: []string{"YEAR"}},
		Values: []table.Value{{Column: "VALUE"}},
		Flags:  []table.Flag{{Column: "MAGNITUDE", Means: flagUIS}, {Column: "QUALIFIER", Means: flagUIS}},
	}, nil
}

// flagUIS returns the meaning of a magnitude or a qualifier.
func flagUIS(code string) (stat.Flags, bool) {
	switch code {
	case "":
		return "", true
	case "UIS_EST", "NAT_EST":
		return stat.NewFlags("E", string(office.OwnFlag("unesco", code))), true
	case "NA":
		return "M", true
	case "NIL", "INCLUDED", "INCLUDES":
		return office.OwnFlag("unesco", code), true
	}
	return office.OwnFlag("unesco", code), false
}
