package chart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/request"
)

// A map of totals says that it shows totals, one of ratios does not.
func TestTotalsNote(t *testing.T) {
	tests := []struct {
		measure, unit string
		values        string // of countries in the order of their populations, then of the world
		want          bool
	}{
		{"Employment by sex", "Thousand persons", "5 1 2", true},
		{"Gross domestic product", "Current prices, million euro", "5 1 2", true},
		{"Gross domestic product and gross domestic product per capita", "Million euro", "5 1 2", true},
		{"Gross domestic product", "Current US$", "5 1 2", true},
		{"Population, total", "", "5 1 2", true},
		{"Deaths by month", "Number", "5 1 2", true},
		{"Gross domestic product", "Euro per inhabitant", "5 1 2", false},
		{"Gross domestic product", "Index, 2015=100", "5 1 2", false},
		{"Population density", "", "5 1 2", false},
		{"Ludność na 1 km2", "", "5 1 2", false},
		{"Ludność, stan na 1 stycznia", "", "5 1 2", true},
		{"Bevölkerung je km²", "", "5 1 2", false},
		{"Población por hectárea", "", "5 1 2", false},
		{"Population density", "Persons/km2", "5 1 2", false},
		{"Population aged 65 and over", "% of total", "5 1 2", false},
		{"Live births per woman", "Number", "5 1 2", false},
		{"Average household size", "Persons", "5 1 2", false},
		{"Monthly minimum wages", "EUR", "5 1 2", false},
		{"Life expectancy", "Years", "5 1 2", false},
		{"Cattle", "Units", "9 8 7 6 5 4 3 2 1 2 1 46", true},                                                 // the world has more than any country
		{"Cattle", "Units", "9 8 7 6 5 4 3 2 1 2 1 8", false},                                                 // less
		{"Cattle", "Units", "90 80 81 70 69 60 61 62 54 55 50 45 47 40 35 36 30 31 25 20 15 17 10 5 3", true}, // as populations
		{"Cattle", "Units", "3 5 1 2 69 60 61 62 54 55 50 45 47 40 35 36 30 31 25 20 15 17 10 5 90", false},   // otherwise
		{"Foreign aid", "US$", "5 1 2", true},
		{"Holdings", "US$", "90000 800 700 600 500 400 300 200 100 50 40", true}, // a factor of thousands
		{"Wages", "US$", "9000 800 700 600 500 400 300 200 100 50 40", false},
		{"Net flows", "US$", "-90 80 70 60 50 40 30 20 10 5 4", true},
		{"Visits", "Count", "90000 800 700 600 500 400 300 200 100 50 40", true},
		{"Visits", "Cases", "90000 800 700 600 500 400 300 200 100 50 40.5", false}, // no whole numbers
		{"人口数", "", "5 1 2", true},
		{"人口密度", "", "5 1 2", false},
		{"Unemployment rate", "Units", "90 80 81 70 69 60 61 62 54 55 50 45 47 40 35 36 30 31 25 20 15 17 10 5 3", false}, // words first
	}
	countries := strings.Fields("CN IN US ID PK NG BR BD RU MX JP ET PH EG VN CD TR IR DE TH GB FR IT ZA TZ")
	var codes, rows strings.Builder
	for i, test := range tests {
		fmt.Fprintf(&codes, "#code,M%d,\"%s\"\n", i, test.measure)
		values := strings.Fields(test.values)
		for n, value := range values {
			area := countries[n]
			if len(values) == 12 && n == 11 {
				area = "WLD"
			}
			fmt.Fprintf(&rows, "M%d,U%d,%s,2020,%s\n", i, i, area, value)
		}
	}
	table := "#almanac-tidy,1\n#source,worldbank,World Bank\n#dataset,t,Table\n#updated,2024-01-01\n#dimension,m,Measure\n" + codes.String() + "#dimension,unit,Unit,unit\n"
	for i, test := range tests {
		table += fmt.Sprintf("#code,U%d,\"%s\"\n", i, test.unit)
	}
	v := vintageOf(t, table+"#geography,geo,Area\nm,unit,geo,TIME_PERIOD,OBS_VALUE\n"+strings.TrimSpace(rows.String()))
	for i, test := range tests {
		c, err := request.BindChart(fmt.Sprintf("type=map&dim1=M%d&dim2=U%d", i, i))
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatalf("%s, %s: %v", test.measure, test.unit, err)
		}
		if got := slices.Contains(s.Notes, "Totals, not adjusted for population or area."); got != test.want {
			t.Errorf("%s, %s, %s: says that it shows totals: %v, want %v", test.measure, test.unit, test.values, got, test.want)
		}
	}
}
