package crosstab_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
)

// TestAreaNames checks that the texts tell what the name of areas in the first of several heading rows is of.
func TestAreaNames(t *testing.T) {
	const units = "Unit,EUR bn,EUR bn,%,%\n"
	const years = "2018,2019,2018,2019\n"
	for _, c := range []struct{ title, text, want string }{
		{"names of units and years below that of the areas", "Country,GDP,GDP,Unemployment,Unemployment\n" + units + "Year," + years + "Germany,1.5,2,3,4\nFrance,5,6,7,8\n",
			"other INDICATOR \"Indicator\": GDP[EUR bn] Unemployment[%]\ngeo Country \"Country\": Germany France\n"},
		{"years without a name", "Country,GDP,GDP,Unemployment,Unemployment\n" + units + "," + years + "Germany,1.5,2,3,4\nFrance,5,6,7,8\n",
			"other INDICATOR \"Indicator\": GDP[EUR bn] Unemployment[%]\ngeo Country \"Country\": Germany France\n"},
		{"the name of the headings", "Country,Germany,,France,\nYear," + years + "Men,1.5,2,3,4\nWomen,5,6,7,8\n",
			"other CATEGORY \"Category\": Men Women\ngeo Country \"Country\": Germany France\n"},
		{"the name of the headings above years without a name", "Country,Germany,,France,\n," + years + "Men,1.5,2,3,4\nWomen,5,6,7,8\n",
			"other CATEGORY \"Category\": Men Women\ngeo Country \"Country\": Germany France\n"},
		{"a name of both", "Country,Germany,,France,\nCountry," + years + "Germany,1.5,2,3,4\nFrance,5,6,7,8\n",
			"other INDICATOR \"Indicator\": Germany France\ngeo Country \"Country\": Germany France\n"},
		{"unknown areas on both sides", "Region,Low,,High,\nYear," + years + "Nord,1.5,2,3,4\nOst,5,6,7,8\n",
			`file:1: "Region" may be the name of the headings on its right or of the texts below it: write the name of the texts into the last of the heading rows`},
		{"unknown areas with the name of the texts", "Region,Nord,,Ost,\nSex," + years + "Men,1.5,2,3,4\nWomen,5,6,7,8\n",
			"other Sex \"Sex\": Men Women\ngeo Region \"Region\": Nord Ost\n"},
		{"one area above all columns", "Prices\n,France,France\n,Index,%\n2020,106.5,2.1\n2021,112.1,5.2\n2022,117.5,4.9\n",
			"unit UNIT \"Unit\": Index %\ngeo Geography \"Geography\": France\n"},
		{"one area above all columns, and areas in the rows", "Trade\n,France,France\n,2020,2021\nGermany,106.5,2.1\nAustria,112.1,5.2\n",
			"other CATEGORY \"Category\": Germany Austria\n"},
	} {
		in := format.Input{Areas: func(_, _ string, names []string) (n int) {
			for _, name := range names {
				if slices.Contains([]string{"Germany", "France"}, name) {
					n++
				}
			}
			return n
		}}
		tables, err := formattest.Read(t.Context(), text, formattest.Sample{Name: "file.csv", Data: []byte(c.text), In: in})
		got := formattest.Describe(tables)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: the meaning is\n%s\nwant\n%s", c.title, got, c.want)
		}
	}
}
