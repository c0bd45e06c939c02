package api_test

import (
	"net/url"
	"strings"
	"testing"

	"almanac/internal/api"
)

// TestPerCapitaOfSeveral checks that values of several datasets are each divided by a population of their own
// areas, and that charts and data name it.
func TestPerCapitaOfSeveral(t *testing.T) {
	s := newStore(t)
	for i, text := range perCapitaFiles {
		load(t, s, []string{"a.csv", "b.csv", "c.csv"}[i], strings.NewReader(strings.Replace(text, "FRA,2020,67000\n", "", 1)))
	}
	load(t, s, "d.csv", strings.NewReader(`#almanac-tidy,1
#source,oecd,OECD
#dataset,health,Health expenditure
#unit,Million euro
#geography,geo,Area
geo,TIME_PERIOD,OBS_VALUE
AUT,2020,89
DEU,2020,830
DEU,2021,830
DEU,2022,830
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for _, c := range []struct {
		name, path string
		others     []string
		want, not  []string
	}{
		{"a chart of two offices, one population each", "/api/datasets/1/chart.svg?chartType=line&dim1=MIO_EUR&country=FR&transform=per-capita", []string{"4:country=DE"},
			[]string{"Eurostat, accounts: Divided by the population in eurostat:demo_pjan 1.0.", "OECD, health: Divided by the population in worldbank:SP.POP.TOTL 1.0.", "without a population of their area and year: 1"}, nil},
		{"a chart of two offices with one population", "/api/datasets/1/chart.svg?chartType=line&dim1=MIO_EUR&country=DE&transform=per-capita:worldbank:SP.POP.TOTL", []string{"4:country=AT"},
			[]string{"Divided by the population in worldbank:SP.POP.TOTL 1.0."}, []string{"OECD, health: Divided"}},
		{"a chart that begins with the other office", "/api/datasets/4/chart.svg?chartType=line&country=DE&transform=per-capita", []string{"1:dim1=MIO_EUR&country=FR"},
			[]string{"OECD, health: Divided by the population in worldbank:SP.POP.TOTL 1.0."}, nil},
		{"data", "/api/data?", []string{"1:dim1=MIO_EUR&country=FR&transform=per-capita", "4:transform=per-capita"},
			[]string{"area and year in eurostat:demo_pjan, version 1.0", "area and year in worldbank:SP.POP.TOTL, version 1.0"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.path
			for _, other := range c.others {
				path += "&s=" + url.QueryEscape(other)
			}
			got := ask(t, "GET", base+strings.Replace(path, "?&", "?", 1))
			text := got.body
			if strings.Contains(path, ".svg") {
				text = textsOf(got.body)
			}
			if got.StatusCode != 200 {
				t.Fatalf("%d: %s", got.StatusCode, got.body)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("lacks %s: %s", want, text)
				}
			}
			for _, not := range c.not {
				if strings.Contains(text, not) {
					t.Errorf("has %s: %s", not, text)
				}
			}
		})
	}
}
