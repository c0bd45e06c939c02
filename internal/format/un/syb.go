package un

import (
	"context"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// A table of the Statistical Yearbook has its number and title in the first
// line, and headings in the second, of which the areas' names have none:
//
//	T12,Gross domestic product and gross domestic product per capita,,,,,
//	Region/Country/Area,,Year,Series,Value,Footnotes,Source
//	4,Afghanistan,1985,GDP in current prices (millions of US dollars),3509,,United Nations …
//
// Areas are M49 numbers without the zeros before them. Footnotes are notes, and
// so is the source, which is where the yearbook has the value from. Editions
// differ in whether there are commas between thousands. "~0.0" is not zero, but
// less than half of the last digit; it is kept as zero with the mark as flag.
const (
	headArea   = "Region/Country/Area"
	headSource = "Source"
)

// texts are columns that some tables have: they say something of the value
// and do not tell values apart.
var texts = []string{
	"Footnotes?", "Tourism arrivals series type?", "Tourism arrivals series type footnote?",
	"Capital City?", "Capital City footnote?", "Last Election Date?", "Last Election Date footnote?",
}

// marks are the cells that hold no number.
var marks = map[string]table.Mark{
	"~0": {Zero: true, Flags: "UNSD:~0"}, "~0.0": {Zero: true, Flags: "UNSD:~0.0"}, "-~0.0": {Zero: true, Flags: "UNSD:-~0.0"},
}

func recogniseYearbook(_ string, head []byte) bool {
	return table.HasHeadings(table.FirstRows(head, ',', 3), headArea, "Year", "Series", "Value", headSource)
}

func readYearbook(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	m := table.Mapping{
		Dataset:   stat.Dataset{Source: office.Find("unsd")},
		Separator: ',',
		Axes: []table.Axis{
			{Codes: headArea, Labels: "#2", Label: headArea, Role: stat.RoleGeo},
			{Labels: "Series"},
		},
		Period:   table.Period{Column: "Year"},
		Values:   []table.Value{{Column: "Value"}},
		Marks:    marks,
		Notes:    append(slices.Clone(texts), headSource),
		Preamble: nameYearbook,
	}
	return table.Read(ctx, in, m)
}

// nameYearbook takes the dataset's code and name from the line above the headings.
func nameYearbook(lines [][]string, t *stat.Table) error {
	if len(lines) == 0 || len(lines[0]) < 2 {
		return nil
	}
	t.Dataset.Code, t.Dataset.Name = strings.Clone(lines[0][0]), strings.Clone(lines[0][1])
	return nil
}
