package chart_test

import (
	"strings"
	"testing"
)

// A dumbbell compares periods that are no forecasts, and says which values are missing.
func TestDumbbellPeriods(t *testing.T) {
	v := vintageOf(t, `#almanac-tidy,1
#source,oecd,OECD
#dataset,t,Table
#updated,2024-01-01
#dimension,m,Measure
#geography,geo,Area
m,geo,TIME_PERIOD,OBS_VALUE
A,DE,2000,5
A,DE,2020,6
A,DE,2050,7
A,FR,2000,4
A,FR,2020,3
A,FR,2050,2
A,IT,2000,4
A,ES,2020,4
A,ES,2050,5
A,PL,2010,5
B,DE,2000,1
B,FR,2000,2
B,DE,2020,3`)
	for _, test := range []struct {
		what, body string
		want       []string
	}{
		{"observed", `{"selectedDimensions": {"m": "A"}}`, []string{"period: 2000–2020\n", "categories: DE [oecd:DE], FR [oecd:FR]\n", "note: No values in 2000: ES, PL.\n", "note: No values in 2020: IT, PL.\n"}},
		{"last", `{"latest_mode": "last", "selectedDimensions": {"m": "A"}}`, []string{"period: 2000–2050\n", "categories: DE [oecd:DE], FR [oecd:FR]\n"}},
		{"the time is given", `{"selectedDimensions": {"m": "A", "period_from": "2020"}}`, []string{"period: 2020–2050\n"}},
		{"areas are given", `{"selectedDimensions": {"m": "A", "country": ["DE", "FR", "ES", "PL"]}}`, []string{"period: 2000–2020\n", "categories: DE [oecd:DE], FR [oecd:FR], ES [oecd:ES]\n", "note: No values in 2000: ES, PL.\n"}},
		{"no row has both", `{"selectedDimensions": {"m": "A", "country": ["IT", "ES"]}}`, []string{"error: a dumbbell compares two periods, but no series has values in both 2000 and 2020"}},
		{"values of a dimension", `{"selectedDimensions": {"m": ["A", "B"], "period": "2000"}}`, []string{"note: No values for “B”: IT.\n"}},
	} {
		got := outcome(v, `{"chartType": "dumbbell", `+strings.TrimPrefix(test.body, "{"))
		if strings.Contains(got, "notice: latest_mode") {
			t.Errorf("%s: %s; want no notice", test.what, got)
		}
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s; want %q", test.what, got, want)
			}
		}
	}
}
