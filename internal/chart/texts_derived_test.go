package chart_test

import (
	"strings"
	"testing"
)

// A chart without derived values says why there are none: all reasons, and no other.
func TestNoDerivedValues(t *testing.T) {
	v := vintageOf(t, `#almanac-tidy,1
#source,x,Office
#dataset,t,Balances
#updated,2024-01-01
#geography,geo,Area
geo,TIME_PERIOD,OBS_VALUE
DE,2020,5
DE,2021,-6
FR,2020,-4
FR,2021,7
FR,2022,8
IT,2021,7
ES,2019,3
ES,2021,7
PL,2019,3`)
	for body, want := range map[string]string{
		`"chartType": "bar", "transform": "index:2020", "selectedDimensions": {"country": ["DE", "FR"], "period": "2021"}`:       "transform=index:2020 has no values: 2 selected values, or those that they are compared with, are zero or negative",
		`"chartType": "bar", "transform": "index:2020", "selectedDimensions": {"country": ["FR", "IT", "ES"], "period": "2021"}`: "transform=index:2020 has no values: 1 selected value, or the one that it is compared with, is zero or negative; 2 selected series do not have values for all of 2020",
		`"chartType": "bar", "transform": "index:2020", "selectedDimensions": {"country": "IT", "period": "2021"}`:               "transform=index:2020 has no values: 1 selected series does not have a value for all of 2020; give another base period",
		`"chartType": "bar", "transform": "percent", "selectedDimensions": {"country": "ES", "period": "2021"}`:                  "transform=percent has no values: the value that 1 selected value would be compared with is missing (2021 would be compared with 2020)",
		`"chartType": "line", "transform": "percent", "selectedDimensions": {"country": "PL"}`:                                   "transform=percent has no values: no selected value has an earlier value to be compared with",
	} {
		if got := strings.TrimSpace(outcome(v, "{"+body+"}")); got != "error: "+want {
			t.Errorf("%s: %s; want %q", body, got, want)
		}
	}
}
