package chart_test

import (
	"strings"
	"testing"
)

// A picture of amounts in several currencies does not say that the file states none.
func TestSeveralCurrencies(t *testing.T) {
	table := "#almanac-tidy,1\n#source,imf,International Monetary Fund\n#dataset,t,GDP\n#updated,2024-06-01\n#geography,geo,Area\n#code,FRA,France\n#code,JPN,Japan\n" +
		"geo,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE\nFRA,2020,100,Euro\nJPN,2020,900,Yen\n"
	for _, test := range []struct{ table, want string }{
		{table, "subtitle: 2020\n"},
		{strings.NewReplacer("Euro", "", "Yen", "").Replace(table), "subtitle: Currency not stated in the file · 2020\n"},
	} {
		if got := outcome(vintageOf(t, test.table), `{"chartType": "bar"}`); !strings.Contains(got, test.want) {
			t.Errorf("%s; want %q", got, test.want)
		}
	}
}
