package chart_test

import (
	"fmt"
	"strings"
	"testing"
)

// An index of amounts in national currencies leaves out the countries whose prices rose a
// thousandfold, names them, and says in which currency the amounts are.
func TestFarIndices(t *testing.T) {
	var table strings.Builder
	table.WriteString("#almanac-tidy,1\n#source,imf,International Monetary Fund\n#dataset,t,GDP (national currency)\n#updated,2024-06-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n")
	for i, area := range strings.Fields("USA CHN IND DEU FRA BRA JPN ITA ESP POL BLR UKR") {
		for year := 1992; year < 2010; year++ {
			value := 1000 * (1 + float64(i+20)*.01*float64(year-1992))
			if (area == "BLR" || area == "UKR") && year > 1995 {
				value *= 5000
			}
			fmt.Fprintf(&table, "%s,%d,%g\n", area, year, value)
		}
	}
	text := table.String()
	for _, test := range []struct{ what, table, want string }{
		{"the title says the currency", text, "subtitle: 1992 = 100 · 1992–2009\n"},
		{"the unit says it", strings.Replace(strings.Replace(text, " (national currency)", "", 1), "#geography", "#unit,National currency\n#geography", 1), "subtitle: National currency · 1992 = 100 · 1992–2009\n"},
		{"far indices", text, "note: Too large for the scale: Ukraine (3.14 million in 2009), Belarus (3.05 million in 2009).\n"},
	} {
		if got := outcome(vintageOf(t, test.table), `{"chartType": "line"}`); !strings.Contains(got, test.want) || strings.Contains(got, "series Belarus") {
			t.Errorf("%s: %s; want %q", test.what, got, test.want)
		}
	}
}
