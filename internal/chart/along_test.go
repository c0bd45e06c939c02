package chart_test

import (
	"context"
	"math"
	"testing"

	"almanac/internal/request"
	"almanac/internal/stat"
)

// TestAlong gives a chart a longer time axis: the values and their flags keep their periods, and the words do not change.
func TestAlong(t *testing.T) {
	c, err := request.BindChart("type=line")
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := request.Spec(context.Background(), vintageOf(t, `#almanac-tidy,1
#source,worldbank,World Bank
#dataset,t,Table
#updated,2024-01-01
#dimension,m,Measure
#geography,geo,Area
m,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
A,DE,2021,4,
A,DE,2022,5,B
A,DE,2024,6,
A,DE,2050,7,`), c)
	if err != nil {
		t.Fatal(err)
	}
	year := func(year int) stat.Period { return stat.NewPeriod(stat.Annual, year, 1) }
	for _, test := range []struct{ first, last, periods int }{{2021, 2050, 4}, {2000, 2050, 5}, {2021, 2060, 5}, {2000, 2060, 6}} {
		long := s.Along(year(test.first), year(test.last))
		if n := len(long.Periods); n != test.periods || long.Periods[0] != year(test.first) || long.Periods[n-1] != year(test.last) {
			t.Errorf("from %d to %d the periods are %v", test.first, test.last, long.Periods)
		}
		n := 0
		for at, v := range long.Series[0].Values {
			if math.IsNaN(v) {
				continue
			}
			if own := &s.Series[0]; long.Periods[at] != s.Periods[n] || v != own.Values[n] || long.Series[0].Flag(at) != own.Flag(n) || long.IsForecast(&long.Series[0], at) != s.IsForecast(own, n) {
				t.Errorf("from %d to %d, %s is %v", test.first, test.last, long.Periods[at], v)
			}
			n++
		}
		if n != 4 || long.Alt() != s.Alt() {
			t.Errorf("from %d to %d there are %d values: %s, want %s", test.first, test.last, n, long.Alt(), s.Alt())
		}
	}
}
