package api_test

import (
	"net/url"
	"testing"

	"almanac/internal/stattest"
)

// TestYearsOfValues checks that a value of several years is none of a single one, and one of a single year none of several.
func TestYearsOfValues(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "un/WPP2019_Period_Indicators_Medium.csv", "eurostat/tsv-old/une_rt_a.tsv.gz")
	const wpp, une = "wpp_period_indicators_medium", "une_rt_a"
	for _, c := range []struct{ question, code, want string }{
		{"number of births Nigeria 2020", wpp, "the one of 2020 is of 2015-2020; ask for these years"},
		{"births China 2020", wpp, "the one of 2020 is of 2015-2020; ask for these years"},
		{"births China", wpp, "China 2020: 84889.903 … the value is of the years 2015-2020"},
		{"births China 2015-2020", wpp, "China 2020: 84889.903"},
		{"births China from 2010 to 2020", wpp, "China 2020: 84889.903 … the question is for 2010 and 2020, and the value is of 2015-2020 alone"},
		{"fertility rate Nigeria 2020", wpp, "Nigeria 2020: 5.417 … the value is of the years 2015-2020"},
		{"unemployment rate Germany 2010-2019", une, "2019: 3.1 … the question is for 2010 and 2019, and the value is of 2019 alone"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}
