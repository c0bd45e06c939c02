package chart_test

import (
	"strings"
	"testing"
)

// Bars and areas are put on one another only if their values have a sum.
func TestStackNeedsSums(t *testing.T) {
	v := vintageOf(t, `#almanac-tidy,1
#source,oecd,OECD
#dataset,t,Table
#updated,2024-01-01
#dimension,m,Measure
#dimension,unit,Unit,unit
#code,EUR,"Current prices, million euro"
#code,PC,"Percentage of active population"
#code,I15,"Index, 2015=100"
#code,WORLD,"% of world total"
#geography,geo,Area
m,unit,geo,TIME_PERIOD,OBS_VALUE
A,EUR,DE,2019,5
A,EUR,DE,2020,6
A,EUR,DE,2021,7
A,EUR,FR,2019,3
A,EUR,FR,2020,4
A,EUR,FR,2021,5
B,EUR,DE,2019,1
B,EUR,DE,2020,2
A,PC,DE,2019,5
A,PC,DE,2020,6
A,PC,FR,2019,3
A,PC,FR,2020,4
B,PC,DE,2019,7
B,PC,DE,2020,8
A,I15,DE,2019,105
A,I15,DE,2020,106
B,I15,DE,2019,103
B,I15,DE,2020,104
A,WORLD,DE,2019,5
A,WORLD,DE,2020,6
A,WORLD,FR,2019,3
A,WORLD,FR,2020,4`)
	const countries, measures = `"selectedDimensions": {"period_from": "2019", "m": "A", "country": ["DE", "FR"], "unit": `, `"selectedDimensions": {"m": ["A", "B"], "country": "DE", "unit": `
	for _, test := range []struct{ body, want string }{
		{`{"chartType": "area", ` + countries + `"EUR"}}`, ""},
		{`{"chartType": "bar", "stack": "percent", ` + countries + `"EUR"}}`, ""},
		{`{"chartType": "bar", "stack": "normal", "transform": "change", ` + countries + `"EUR"}}`, ""},
		{`{"chartType": "bar", "stack": "percent", "transform": "index:2019", ` + countries + `"EUR"}}`, "stack=percent needs values that add up, but those of transform=index:2019 do not"},
		{`{"chartType": "bar", "stack": "normal", "transform": "percent", ` + countries + `"EUR"}}`, "transform=percent"},
		{`{"chartType": "area", "transform": "index:2019", ` + countries + `"EUR"}}`, "chartType=area needs values that add up"},
		{`{"chartType": "area", ` + countries + `"PC"}}`, `"Percentage of active population"`},
		{`{"chartType": "bar", "stack": "normal", ` + countries + `"PC"}}`, "stack=normal needs values that add up"},
		{`{"chartType": "area", ` + countries + `"WORLD"}}`, ""},
		{`{"chartType": "area", ` + measures + `"PC"}}`, ""}, // parts of one area may be shares of a whole
		{`{"chartType": "area", ` + measures + `"I15"}}`, `"Index, 2015=100"`},
		{`{"chartType": "area", "selectedDimensions": {"m": "A", "country": "DE", "unit": "PC"}}`, ""}, // nothing is stacked
	} {
		switch got := outcome(v, test.body); {
		case test.want == "" && strings.HasPrefix(got, "error"):
			t.Errorf("%s: %s", test.body, got)
		case test.want != "" && !(strings.HasPrefix(got, "error") && strings.Contains(got, test.want)):
			t.Errorf("%s: %s; want an error with %q", test.body, got, test.want)
		}
	}
}

// The words of a picture say too that values have no sum over areas.
func TestStackOfRatios(t *testing.T) {
	for title, want := range map[string]string{
		"Life expectancy at birth": "Life expectancy at birth", "Monthly minimum wages": "Monthly minimum wages", "Real GDP per capita": "Real GDP per capita",
		"Median household income (US$)": "Median household income", "人均地区生产总值(元)": "人均地区生产总值", "Mean rent": "Mean rent", "Mean age of the population": "Mean age",
		"Yield (kg/ha)": "Yield (kg/ha)", "Average population density": "Average population density", "Temperature anomaly (°C)": "Temperature anomaly",
		"Mean population": "", "Average annual employment": "", "Exports of goods": "", "GDP at current prices": "",
	} {
		v := vintageOf(t, "#almanac-tidy,1\n#source,x,Office\n#dataset,t,\""+title+"\"\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nDE,2019,80\nDE,2020,81\nDE,2021,81\nFR,2019,82\nFR,2020,83\nFR,2021,83")
		got := outcome(v, `{"chartType": "area", "selectedDimensions": {"country": ["DE", "FR"]}}`)
		if isRefused := strings.HasPrefix(got, "error") && strings.Contains(got, want); isRefused != (want != "") {
			t.Errorf("%s: %s", title, got)
		}
	}
}

// An area needs two periods: one is drawn as bars, as a line of one is.
func TestAreaOfOnePeriod(t *testing.T) {
	const head = "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Exports\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
	one := vintageOf(t, head+"DE,2020,81\nFR,2020,83\nIT,2020,85")
	got := outcome(one, `{"chartType": "area"}`)
	for _, want := range []string{"categories: DE [x:DE], FR [x:FR], IT [x:IT]\n", `notice: chartType "area": the selection has one period, so it is drawn as bars`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s; want %q", got, want)
		}
	}
	common := vintageOf(t, head+"DE,2019,81\nDE,2020,81\nFR,2020,83\nFR,2021,85")
	if got := outcome(common, `{"chartType": "area", "selectedDimensions": {"country": ["DE", "FR"]}}`); !strings.Contains(got, "have only 2020 in common") {
		t.Errorf("%s; want an error", got)
	}
}

// Where all values are zero there are no shares, and a note says why.
func TestSharesOfZero(t *testing.T) {
	const head = "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Goals\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
	const body = `{"chartType": "area", "stack": "percent", "selectedDimensions": {"country": ["DE", "FR"]}}`
	some := vintageOf(t, head+"DE,2019,1\nDE,2020,0\nDE,2021,2\nFR,2019,3\nFR,2020,0\nFR,2021,4")
	if got := outcome(some, body); !strings.Contains(got, "note: No shares, because all values are zero: 2020.\n") {
		t.Errorf("%s; want a note", got)
	}
	none := vintageOf(t, head+"DE,2019,0\nDE,2020,0\nFR,2019,0\nFR,2020,0")
	if got := outcome(none, body); !strings.Contains(got, "all values are zero; give stack=normal") {
		t.Errorf("%s; want an error", got)
	}
}
