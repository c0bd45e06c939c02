package chart_test

import (
	"fmt"
	"strings"
	"testing"
)

// leftOut is a table of amounts with a total, a group of countries, and projections. Areas that are
// given are left out.
func leftOut(without ...string) string {
	var table strings.Builder
	table.WriteString("#almanac-tidy,1\n#source,worldbank,World Bank\n#dataset,t,Population\n#updated,2024-06-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n")
	for i, area := range strings.Fields("TCD WLD EUU CHN IND USA BRA DEU FRA ITA") {
		for _, year := range []int{2000, 2010, 2020, 2023, 2024, 2050} {
			value := 1000 * (20 - i)
			if area == "WLD" {
				value = 1000000 + year
			}
			if !strings.Contains(strings.Join(without, " "), area) {
				fmt.Fprintf(&table, "%s,%d,%d\n", area, year, value)
			}
		}
	}
	return table.String()
}

// A sparkline shows the world, else the office's country, else the largest one, and the first area
// that the caller selected.
func TestMostImportantLine(t *testing.T) {
	ofGermany := strings.ReplaceAll(leftOut("WLD", "EUU"), "worldbank,World Bank", "destatis,Statistisches Bundesamt")
	for _, test := range []struct{ what, table, body, want string }{
		{"the world", leftOut(), `{"chartType": "spark"}`, "World"},
		{"a group", leftOut("WLD"), `{"chartType": "spark"}`, "EU"},
		{"the largest country", leftOut("WLD", "EUU"), `{"chartType": "spark"}`, "China"},
		{"the office's country", ofGermany, `{"chartType": "spark"}`, "Germany"},
		{"the caller's", leftOut(), `{"chartType": "spark", "selectedDimensions": {"country": "FRA"}}`, "France"},
	} {
		got := outcome(vintageOf(t, test.table), test.body)
		if !strings.Contains(got, "("+test.want+" · ") {
			t.Errorf("%s: %s; want %q", test.what, got, test.want)
		}
	}
}

// Notes on totals that are left out state values of the time that the picture shows, and none on a
// scale of shares.
func TestTotalsLeftOut(t *testing.T) {
	v := vintageOf(t, leftOut())
	for _, test := range []struct{ body, want string }{
		{`{"chartType": "dumbbell"}`, "note: Too large for the scale: World (1.00 million in 2023).\n"},
		{`{"chartType": "area"}`, "note: Too large for the scale: World (1.00 million in 2050).\n"},
		{`{"chartType": "area", "stack": "percent"}`, "note: Not shown: World.\n"},
	} {
		if got := outcome(v, test.body); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s; want %q", test.body, got, test.want)
		}
	}
}

// An area chart draws the largest parts of areas that the caller did not name one by one, and small multiples the main ones.
func TestLargestOfUnnamedAreas(t *testing.T) {
	countries := strings.Fields("AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN IRL ITA LVA LTU LUX MLT NLD POL PRT ROU SVK SVN ESP SWE")
	var table strings.Builder
	table.WriteString("#almanac-tidy,1\n#source,worldbank,World Bank\n#dataset,t,Population\n#updated,2024-06-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n")
	for i, area := range countries {
		fmt.Fprintf(&table, "%s,2020,%d\n%s,2021,%d\n", area, 100+i, area, 101+i)
	}
	v := vintageOf(t, table.String())
	for _, selection := range []string{"within=EU27_2020", "aggregates=false", "country=EU27_2020.members"} {
		if got := outcome(v, `{"chartType": "area", "dimensions_query": "`+selection+`"}`); !strings.Contains(got, "note: Not drawn: 19 others.") || !strings.Contains(got, "series Sweden") {
			t.Errorf("%s: %s; want the largest areas", selection, got)
		}
		if got := outcome(v, `{"chartType": "small-multiples", "dimensions_query": "`+selection+`"}`); !strings.Contains(got, "note: Not drawn: 19 others.") {
			t.Errorf("%s: %s; want eight panels", selection, got)
		}
	}
	named := `"` + strings.Join(countries, `", "`) + `"`
	if got := outcome(v, `{"chartType": "area", "selectedDimensions": {"country": [`+named+`]}}`); !strings.Contains(got, "the selection has 27 series, but an area chart shows at most 8") {
		t.Errorf("%s; want an error, as the caller named the areas", got)
	}
}

// An area whose value is hardly true is none of the areas on one another.
func TestImplausibleArea(t *testing.T) {
	table := strings.ReplaceAll(leftOut(), "TCD,2010,20000\n", "TCD,2010,5000000\n")
	got := outcome(vintageOf(t, table), `{"chartType": "area"}`)
	if strings.Contains(got, "Chad") || !strings.Contains(got, "series China") {
		t.Errorf("%s; want areas without Chad, and no note on it", got)
	}
}

// The year of an update is no observed one if there are later ones, in all types.
func TestLastObserved(t *testing.T) {
	v := vintageOf(t, leftOut())
	for _, test := range []struct{ body, want string }{
		{`{"chartType": "line"}`, "note: Dashed: projections, 2024–2050.\n"},
		{`{"chartType": "dumbbell"}`, "period: 2000–2023\n"},
		{`{"chartType": "bar", "period": "2024"}`, "note: Forecast: all values.\n"},
	} {
		if got := outcome(v, test.body); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s; want %q", test.body, got, test.want)
		}
	}
}
