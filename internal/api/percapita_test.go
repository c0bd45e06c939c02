package api_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/store"
)

// perCapitaFiles are a dataset of amounts and rates, and two of population, of which one is
// in thousands.
var perCapitaFiles = []string{`#almanac-tidy,1
#source,eurostat,Eurostat
#dataset,accounts,Accounts
#dimension,unit,Unit,unit
#code,MIO_EUR,Million euro
#code,PC_GDP,Percentage of gross domestic product (GDP)
#geography,geo,Area
unit,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
MIO_EUR,DE,2020,166,P
MIO_EUR,FR,2020,134,
MIO_EUR,AT,2020,5,
MIO_EUR,PL,2020,76,
MIO_EUR,DE,2021,83,
PC_GDP,DE,2020,50,
`, `#almanac-tidy,1
#source,eurostat,Eurostat
#dataset,demo_pjan,Population on 1 January
#dimension,age,Age
#code,TOTAL,Total
#code,Y1,1 year
#geography,geo,Area
age,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
TOTAL,DE,2020,83000000,E
TOTAL,FR,2020,67000000,
TOTAL,PL,2020,38000000,
Y1,FR,2020,700000,
`, `#almanac-tidy,1
#source,worldbank,World Bank
#dataset,SP.POP.TOTL,Population
#unit,thousands
#geography,geo,Area
geo,TIME_PERIOD,OBS_VALUE
DEU,2020,83000
DEU,2021,83000
AUT,2020,8900
FRA,2020,67000
`}

// TestPerCapita checks which population values are divided by, that answers name it, and that
// rates are refused.
func TestPerCapita(t *testing.T) {
	s := newStore(t)
	for i, text := range perCapitaFiles {
		load(t, s, []string{"a.csv", "b.csv", "c.csv"}[i], strings.NewReader(text))
	}
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/"
	for _, c := range []struct {
		name, query string
		status      int
		want        []string
	}{
		{"the one with the most areas and years of the dataset", "data?dim1=MIO_EUR&transform=per-capita", 200, []string{
			`{"period":"2021","values":{"Germany":0.000001}`, `"Austria":`, "worldbank:SP.POP.TOTL, version 1.0", "no population of its area and year: Poland 2020; per-capita:eurostat:demo_pjan has it",
		}},
		{"the same one for one year", "data?dim1=MIO_EUR&period=2020&country=DE&country=FR&transform=per-capita", 200, []string{"worldbank:SP.POP.TOTL, version 1.0"}},
		{"the next one, if that has nothing selected", "data?dim1=MIO_EUR&country=PL&transform=per-capita", 200, []string{`"Poland":0.000002`, "eurostat:demo_pjan, version 1.0"}},
		{"with the flags of both values", "data?dim1=MIO_EUR&period=2020&country=DE&country=FR&flags=true&transform=per-capita:eurostat:demo_pjan", 200, []string{
			`"transform":"per-capita:eurostat:demo_pjan"`, `{"period":"2020","values":{"Germany":0.000002,"France":0.000002},"unit":"Million euro per inhabitant","flags":{"Germany":["E","P"]}}`,
		}},
		{"the one with the latest value", "data?dim1=MIO_EUR&country=DE&latest=true&transform=per-capita", 200, []string{`{"Germany":0.000001}`}},
		{"a named dataset with fewer values", "data?dim1=MIO_EUR&transform=per-capita:eurostat:demo_pjan", 200, []string{"eurostat:demo_pjan, version 1.0", "2 values are left out because that dataset has no population of their areas and years: Austria 2020, Germany 2021"}},
		{"the latest value that has a population", "data?dim1=MIO_EUR&country=DE&latest=true&transform=per-capita:eurostat:demo_pjan", 200, []string{`"rows":[{"period":"2020","values":{"Germany":0.000002}`, "the latest values are of 2020 or before, because eurostat:demo_pjan has no later population"}},
		{"the latest value in a file", "data.csv?dim1=MIO_EUR&country=DE&latest=true&transform=per-capita:eurostat:demo_pjan", 200, []string{",2020,2020-01-01,2020-12-31,0.000002,"}},
		{"the latest value of each area", "data?dim1=MIO_EUR&country=DE&country=AT&latest_mode=area&transform=per-capita:eurostat:demo_pjan", 200, []string{`"values":{"Germany":0.000002}`, "no population of its area and year: Austria 2020"}},
		{"bars of the latest period with a population", "chart.svg?chartType=bar&dim1=MIO_EUR&country=DE&country=FR&latest_mode=last&transform=per-capita:eurostat:demo_pjan", 200, []string{"(Euro per inhabitant · 2020)"}},
		{"a chart of more years", "chart.svg?chartType=line&dim1=MIO_EUR&country=DE&transform=per-capita", 200, []string{"worldbank:SP.POP.TOTL 1.0"}},
		{"a named dataset, in thousands", "data?dim1=MIO_EUR&country=DE&transform=per-capita:worldbank:SP.POP.TOTL", 200, []string{`"values":{"Germany":0.000002}`, `"values":{"Germany":0.000001}`, "worldbank:SP.POP.TOTL, version 1.0"}},
		{"a file", "data.csv?dim1=MIO_EUR&country=FR&transform=per-capita", 200, []string{"0.000002,Million euro per inhabitant,,,per-capita:worldbank:SP.POP.TOTL 1.0,1.0,"}},
		{"the last value of each series that can be divided", "data?dim1=MIO_EUR&last_n=1&transform=per-capita:eurostat:demo_pjan", 200, []string{`"rows":[{"period":"2020","values":{"Germany":0.000002,"France":0.000002,"Poland":0.000002}`}},
		{"the latest period", "data?dim1=MIO_EUR&country=DE&latest=true&transform=per-capita:worldbank:SP.POP.TOTL", 200, []string{`"values":{"Germany":0.000001}`}},
		{"the last value, of the population that has it", "data?dim1=MIO_EUR&country=DE&last_n=1&transform=per-capita", 200, []string{`"rows":[{"period":"2021","values":{"Germany":0.000001}`, "worldbank:SP.POP.TOTL"}},
		{"the last value that has a population", "data?dim1=MIO_EUR&country=DE&last_n=1&transform=per-capita:eurostat:demo_pjan", 200, []string{`"rows":[{"period":"2020","values":{"Germany":0.000002}`}},
		{"the last value in a file", "data.csv?dim1=MIO_EUR&country=DE&last_n=1&transform=per-capita:eurostat:demo_pjan", 200, []string{",2020,2020-01-01,2020-12-31,0.000002,"}},
		{"amounts and rates", "data?country=DE&transform=per-capita", 200, []string{"1 series is left out because its unit"}},
		{"rates", "data?dim1=PC_GDP&transform=per-capita", 400, []string{"needs amounts", "Percentage of gross domestic product"}},
		{"an unknown dataset", "data?transform=per-capita:eurostat:x", 400, []string{`no dataset \"eurostat:x\"`}},
		{"a chart", "chart.svg?chartType=bar&dim1=MIO_EUR&period=2020&not.country=AT&transform=per-capita", 200, []string{"(Euro per inhabitant · 2020)", "worldbank:SP.POP.TOTL 1.0"}},
		{"a chart in another language", "chart.svg?chartType=bar&dim1=MIO_EUR&transform=per-capita&lang=de", 200, []string{"(Euro je Einwohner · 2020)"}},
		{"a chart of rates", "chart.svg?chartType=bar&dim1=PC_GDP&transform=per-capita", 400, []string{"do not show an amount or a count"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, "GET", base+c.query)
			if strings.Contains(got.body, "per inhabitant per") || strings.Contains(got.body, "je Einwohner je") {
				t.Errorf("the unit says twice that it is per inhabitant: %s", got.body)
			}
			if got.StatusCode != c.status {
				t.Fatalf("%d: %s", got.StatusCode, got.body)
			}
			for _, want := range c.want {
				if !strings.Contains(got.body, want) {
					t.Errorf("%s\nlacks %s", got.body, want)
				}
			}
		})
	}
}

// TestPerCapitaOfSource checks that of two populations with the same areas and years, that of the source of
// the values is taken, and that a notice names one that reaches further.
func TestPerCapitaOfSource(t *testing.T) {
	s := newStore(t)
	load(t, s, "c.csv", strings.NewReader(strings.Replace(perCapitaFiles[2], "AUT,2020,8900\n", "", 1)))
	load(t, s, "a.csv", strings.NewReader(perCapitaFiles[0]))
	load(t, s, "b.csv", strings.NewReader(perCapitaFiles[1]))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/2/data?dim1=MIO_EUR&country=DE&transform=per-capita"
	if got := ask(t, "GET", base); !strings.Contains(got.body, "eurostat:demo_pjan, version 1.0") {
		t.Error(got.body)
	}
	if got := ask(t, "GET", base+"&latest=true"); !strings.Contains(got.body, "are of 2020 or before, because eurostat:demo_pjan has no later population of enough of the selected areas; per-capita:worldbank:SP.POP.TOTL reaches 2021") {
		t.Error(got.body)
	}
}

// TestPerCapitaOfVersion checks that a later version of the population changes nothing of a chosen
// version.
func TestPerCapitaOfVersion(t *testing.T) {
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()}) // imports have times of their own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for i, text := range perCapitaFiles[:2] {
		load(t, s, []string{"a.csv", "b.csv"}[i], strings.NewReader(text))
	}
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/data.csv?dim1=MIO_EUR&country=FR&transform=per-capita"
	first := ask(t, "GET", base+"&version=1.0").body
	load(t, s, "b2.csv", strings.NewReader(strings.Replace(perCapitaFiles[1], "67000000", "33500000", 1)))
	if again := ask(t, "GET", base+"&version=1.0"); again.StatusCode != 200 || again.body != first || !strings.Contains(first, "demo_pjan 1.0") {
		t.Errorf("%d: %s\nbefore: %s", again.StatusCode, again.body, first)
	}
	if now := ask(t, "GET", base); !strings.Contains(now.body, "0.000004,") || !strings.Contains(now.body, "demo_pjan 1.1") {
		t.Errorf("without a version: %s", now.body)
	}
}

// TestPerCapitaChartOfVersion checks that a picture of a version or a time has the population of that time,
// and that of the oldest version that is kept if there was none.
func TestPerCapitaChartOfVersion(t *testing.T) {
	s := clockStore(t)
	load(t, s, "a.csv", strings.NewReader(perCapitaFiles[0]))
	load(t, s, "a.csv", strings.NewReader(strings.Replace(perCapitaFiles[0], "134", "135", 1)))
	load(t, s, "b.csv", strings.NewReader(perCapitaFiles[1]))
	now := time.Now().UTC().Format(time.RFC3339Nano)
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/"
	const picture = "chart.svg?chartType=bar&dim1=MIO_EUR&country=FR&country=DE&transform=per-capita"
	first := map[string]string{}
	for _, edition := range []string{"&version=1.0", "&version=1.1", "&as_of=" + now} {
		got := ask(t, "GET", base+picture+edition)
		if first[edition] = got.body; got.StatusCode != 200 || !strings.Contains(got.body, "eurostat:demo_pjan 1.0") {
			t.Errorf("%s: %d %s", edition, got.StatusCode, got.body)
		}
	}
	load(t, s, "a.csv", strings.NewReader(strings.Replace(perCapitaFiles[0], "134", "200", 1)))
	load(t, s, "b.csv", strings.NewReader(strings.Replace(perCapitaFiles[1], "67000000", "33500000", 1)))
	for edition, want := range first {
		if got := ask(t, "GET", base+picture+edition); got.body != want {
			t.Errorf("%s: %d %s\nbefore: %s", edition, got.StatusCode, got.body, want)
		}
	}
	if got := ask(t, "GET", base+picture); !strings.Contains(got.body, "eurostat:demo_pjan 1.1") {
		t.Errorf("without a version: %s", got.body)
	}
	for edition, isLater := range map[string]bool{"&version=1.0": true, "&version=1.2": false, "&as_of=" + now: false} {
		got := ask(t, "GET", base+"data?dim1=MIO_EUR&country=FR&transform=per-capita"+edition)
		if strings.Contains(got.body, "no population was here when the chosen version was current") != isLater {
			t.Errorf("%s: %s", edition, got.body)
		}
	}
}

// A dataset that is itself the population is not said to lack an amount.
func TestPerCapitaOfPopulation(t *testing.T) {
	s := newStore(t)
	load(t, s, "population.csv", strings.NewReader(strings.Replace(perCapitaFiles[2], "#unit,thousands\n", "", 1)))
	got := ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s}))+"/api/datasets/1/data?country=DE&transform=per-capita")
	if want := "dataset 1 is itself the population by which values are divided"; got.StatusCode != 400 || !strings.Contains(got.body, want) {
		t.Errorf("%d %s, want %s", got.StatusCode, got.body, want)
	}
}

// TestPerCapitaOfPopulationMeasure: a measure that is the population is not divided by that of another dataset, and beside
// others it is left out.
func TestPerCapitaOfPopulationMeasure(t *testing.T) {
	s := newStore(t)
	load(t, s, "a.csv", strings.NewReader("#almanac-tidy,1\n#source,eurostat,Eurostat\n#dataset,trends,Population trends\n#dimension,measure,Measure\n#code,pop,Population: Total,Persons (millions)\n#code,deaths,Deaths,Persons\n#geography,geo,Area\n"+
		"measure,geo,TIME_PERIOD,OBS_VALUE\npop,DE,2020,83.2\ndeaths,DE,2020,985572\n"))
	load(t, s, "b.csv", strings.NewReader(perCapitaFiles[1]))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/data?transform=per-capita"
	if got := ask(t, "GET", base+"&dim1=pop"); got.StatusCode != 400 || !strings.Contains(got.body, "the selected values are themselves the population by which values are divided") {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	got := ask(t, "GET", base+"&dim1=pop&dim1=deaths")
	if got.StatusCode != 200 || !strings.Contains(got.body, "1 series is left out because it is the population itself") {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}
