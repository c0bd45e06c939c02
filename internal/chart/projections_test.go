package chart_test

import (
	"strings"
	"testing"
)

// Every type of chart says which values are projections although no flag does.
func TestProjectionNotes(t *testing.T) {
	v := vintageOf(t, `#almanac-tidy,1
#source,worldbank,World Bank
#dataset,t,Table
#updated,2024-01-01
#dimension,m,Measure
#geography,geo,Area
m,geo,TIME_PERIOD,OBS_VALUE
A,DE,2022,5
A,DE,2023,6
A,DE,2024,6
A,DE,2050,7
A,FR,2022,4
A,FR,2023,3
A,FR,2024,3
A,FR,2050,2`)
	for _, test := range []struct{ body, want string }{
		{`{"chartType": "line"}`, "note: Dashed: projections, 2024–2050.\n"},
		{`{"chartType": "small-multiples"}`, "note: Dashed: projections, 2024–2050.\n"},
		{`{"chartType": "area"}`, "note: Hatched: projections, 2024–2050.\n"},
		{`{"chartType": "bar", "period": "2050"}`, "note: Forecast: all values.\n"},
		{`{"chartType": "bar", "latest_mode": "last"}`, "note: Forecast: all values.\n"},
		{`{"chartType": "map", "period": "2050"}`, "note: Forecast: all values.\n"},
		{`{"chartType": "dumbbell", "latest_mode": "last"}`, "note: Forecast: 2050.\n"},
		{`{"chartType": "bar"}`, ""},
		{`{"chartType": "bar", "period": "2023"}`, ""},
		{`{"chartType": "dumbbell"}`, ""},
	} {
		got := outcome(v, test.body)
		if test.want == "" && (strings.Contains(got, "Forecast") || strings.Contains(got, "projections")) || !strings.Contains(got, test.want) || strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s; want %q", test.body, got, test.want)
		}
	}
}

// Of a file without a date, the note says that earlier values may be projections too.
func TestUndatedProjections(t *testing.T) {
	v := vintageOf(t, `#almanac-tidy,1
#source,stat,Statistics
#dataset,t,Table
#dimension,m,Measure
#geography,geo,Area
m,geo,TIME_PERIOD,OBS_VALUE
A,DE,2015,5
A,DE,2016,6
A,DE,2017,6
A,DE,2098,7
A,DE,2099,7`)
	for kind, want := range map[string]string{"line": "Dashed", "area": "Hatched"} {
		want += ": projections, 2098–2099. Earlier values may be projections too: the file does not say.\n"
		if got := outcome(v, `{"chartType": "`+kind+`"}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %q", kind, got, want)
		}
	}
}

// Charts along time and "observed" have one rule: values of the year of the update and of later
// ones are projections, if there are later ones. An earlier value that is marked as estimated is none.
func TestEstimatesAhead(t *testing.T) {
	v := vintageOf(t, `#almanac-tidy,1
#source,oecd,OECD
#dataset,t,Table
#updated,2012-11-27
#dimension,m,Measure
#geography,geo,Area
m,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
A,DE,2010,5,
A,DE,2011,6,E
A,DE,2012,6,
A,DE,2013,7,E
A,DE,2014,7,E
A,FR,2010,4,
A,FR,2011,3,
A,FR,2012,3,
A,FR,2013,2,E
A,FR,2014,2,E`)
	got := outcome(v, `{"chartType": "line"}`)
	for _, want := range []string{"note: Dashed: projections, 2012–2014.\n", "note: Estimated: DE 2011.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s; want %q", got, want)
		}
	}
	if got := outcome(v, `{"chartType": "dumbbell"}`); !strings.Contains(got, "subtitle: 2010–2011\n") {
		t.Errorf("%s; want a dumbbell that ends in 2011", got)
	}
	if got := outcome(v, `{"chartType": "bar"}`); !strings.Contains(got, "period: 2011\n") {
		t.Errorf("%s; want bars of 2011", got)
	}
}
