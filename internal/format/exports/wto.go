package exports

import (
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isWTO recognises the CSV of the World Trade Organization's data portal.
//
//	"Indicator Code","Indicator","Reporting Economy Code","Reporting Economy ISO3A Code","Reporting Economy",…,"Period Code","Period","Frequency Code","Frequency","Unit Code","Unit","Year","Value Flag Code","Value Flag","Text Value","Value"
//	"HS_A_0010","HS MFN - Simple average","012","DZA","Algeria",…,"A","Annual","A","Annual","PCT","Percent","2017","","","","23.17"
//
// The reporting economy is the geography, by its code of ISO 3166 where it has one; the
// European Union's code is the organization's own. The period is the year, or the part of
// it that the period's code names (M01, Q1). A text in place of a value is a note, and so
// is the meaning of a flag of the organization.
func isWTO(rows [][]string) bool {
	return table.HasHeadings(rows, "Indicator Code", "Reporting Economy Code", "Reporting Economy ISO3A Code", "Period Code", "Year", "Value")
}

func mapWTO(format.Input, [][]string) (table.Mapping, error) {
	return table.Mapping{
		Numbers: table.DecimalPoint,
		Axes: []table.Axis{
			{Codes: "Indicator Code", Labels: "Indicator", ID: "INDICATOR", Label: "Indicator", Role: stat.RoleOther},
			{Codes: "Reporting Economy ISO3A Code", Labels: "Reporting Economy", ID: "REPORTER", Label: "Reporting economy", Role: stat.RoleGeo},
			{Codes: "Partner Economy Code?", Labels: "Partner Economy?", ID: "PARTNER", Label: "Partner economy", Role: stat.RoleOther, Split: orNone},
			{Codes: "Product/Sector Classification Code?", Labels: "Product/Sector Classification?", ID: "CLASSIFICATION", Label: "Classification", Role: stat.RoleOther, Split: orNone},
			{Codes: "Product/Sector Code?", Labels: "Product/Sector?", ID: "PRODUCT", Label: "Product or sector", Role: stat.RoleOther, Split: orNone},
			{Codes: "Frequency Code", Labels: "Frequency", ID: "FREQ", Label: "Frequency", Role: stat.RoleFrequency},
		},
		Period: table.Period{Columns: []string{"Year", "Period Code"}, Read: readWTOPeriod},
		Values: []table.Value{{Column: "Value"}},
		Flags:  []table.Flag{{Column: "Value Flag Code?", Means: flagWTO}},
		Notes:  []string{"Value Flag?", "Text Value?"},
		Unit:   "Unit",
		Ignore: []string{"Indicator Category", "Reporting Economy Code", "Partner Economy ISO3A Code", "Period", "Unit Code"},
	}, nil
}

// readWTOPeriod reads a year and the code of its part, which is A for the whole.
func readWTOPeriod(text string) (stat.Period, error) {
	if year, ok := strings.CutSuffix(text, " A"); ok {
		return table.ReadPeriod(year)
	}
	return table.ReadPeriod(text)
}

// flagWTO keeps the organization's flags as its own. E is an estimate, B a break and P
// provisional there too.
func flagWTO(code string) (stat.Flags, bool) {
	switch code {
	case "E", "B", "P":
		return stat.NewFlags(code), true
	}
	return office.OwnFlag("wto", code), false
}
