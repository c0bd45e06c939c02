package exports

import (
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// A table of the Statistical Yearbook has its number and title in the first line
// and the headings in the second; the column of areas' names has no heading:
//
//	T12,Gross domestic product and gross domestic product per capita,,,,,
//	Region/Country/Area,,Year,Series,Value,Footnotes,Source
//	4,Afghanistan,1985,GDP in current prices (millions of US dollars),3509,,United Nations …
//
// Areas are M49 numbers without leading zeros. Footnotes and the source of the value
// are notes. Only some editions have commas between thousands. "~0.0" is less than
// half of the last digit; it becomes zero with the mark as a flag.
const (
	headArea   = "Region/Country/Area"
	headSource = "Source"
)

// texts are columns of some tables that describe a value and do not identify it.
var texts = []string{
	"Footnotes?", "Tourism arrivals series type?", "Tourism arrivals series type footnote?",
	"Capital City?", "Capital City footnote?", "Last Election Date?", "Last Election Date footnote?",
}

// marks are the cells without a number.
var marks = map[string]table.Mark{
	"~0": {Zero: true, Flags: "UNSD:~0"}, "~0.0": {Zero: true, Flags: "UNSD:~0.0"}, "-~0.0": {Zero: true, Flags: "UNSD:-~0.0"},
}

func mapYearbook(format.Input, [][]string) (table.Mapping, error) {
	return table.Mapping{
		Axes: []table.Axis{
			{Codes: headArea, Labels: "#2", Label: headArea, Role: stat.RoleGeo},
			{Labels: "Series"},
		},
		Period:   table.Period{Columns: []string{"Year"}, Read: table.ReadPeriod},
		Values:   []table.Value{{Column: "Value"}},
		Marks:    marks,
		Notes:    append(slices.Clone(texts), headSource),
		Preamble: nameYearbook,
	}, nil
}

// nameYearbook reads the dataset's code and name from the line above the headings.
func nameYearbook(lines [][]string, t *stat.Table) error {
	if len(lines) == 0 || len(lines[0]) < 2 {
		return nil
	}
	t.Dataset.Code, t.Dataset.Name = strings.Clone(lines[0][0]), strings.Clone(lines[0][1])
	return nil
}

func isYearbook(rows [][]string) bool {
	return table.HasHeadings(rows, headArea, "Year", "Series", "Value", headSource)
}
