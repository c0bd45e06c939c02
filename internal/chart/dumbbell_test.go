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

// Of years and months of the same series, a dumbbell compares months, also if the request gives the time.
func TestDumbbellOfOneFrequency(t *testing.T) {
	v := vintageOf(t, "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Prices\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"+
		"GB,2020,108\nGB,2021,111\nGB,2020-01,108\nGB,2020-12,109\nGB,2021-12,114\nGB,2022-01,115")
	got := outcome(v, `{"chartType": "dumbbell", "selectedDimensions": {"period_from": "2020-01", "period_to": "2022-01"}}`)
	for _, want := range []string{"period: Jan 2020–Jan 2022\n", "the dataset also has annual values of these series, which are not drawn;"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s; want %q", got, want)
		}
	}
}

// A dumbbell leaves out a value that is hardly true, with the note that lines have, and not as missing.
func TestDumbbellOfPlausibleValues(t *testing.T) {
	v := vintageOf(t, "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Exports\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"+
		"DE,2000,900\nDE,2001,910\nDE,2002,950\nDE,2003,940\nDE,2004,960\nFR,2000,700\nFR,2001,710\nFR,2002,750\nFR,2003,740\nFR,2004,760\nTZ,2000,90000\nTZ,2001,500\nTZ,2002,510\nTZ,2003,505\nTZ,2004,520\nIT,2001,3\nIT,2004,5")
	got := outcome(v, `{"chartType": "dumbbell"}`)
	for _, want := range []string{"categories: DE [x:DE], FR [x:FR]\n", "No values in 2000: IT.", "Not drawn, because over 100 times all other values"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s; want %q", got, want)
		}
	}
}
