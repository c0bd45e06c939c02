package api_test

import (
	"net/url"
	"strings"
	"testing"

	"almanac/internal/api"
)

// editionFile is a dataset that its office published on a day.
const editionFile = `#almanac-tidy,1
#source,eurostat,Eurostat
#dataset,jobs,Jobs
#updated,2026-05-01
#unit,persons
#geography,geo,Area
geo,TIME_PERIOD,OBS_VALUE
DE,2020,80
DE,2021,84
FR,2020,60
FR,2021,70
`

// docs/versions.md: a picture of a version that the caller chose says which one it is, in its source
// line, its description and its notes, whatever its type and language.
func TestChartNamesVersion(t *testing.T) {
	s := clockStore(t)
	load(t, s, "a.csv", strings.NewReader(editionFile))
	load(t, s, "a.csv", strings.NewReader(strings.NewReplacer("2026-05-01", "2026-06-01", "84", "85").Replace(editionFile)))
	load(t, s, "b.csv", strings.NewReader(strings.NewReplacer("jobs,Jobs", "seats,Seats", "#updated,2026-05-01\n", "").Replace(editionFile)))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/chart.svg?"
	for _, c := range []struct {
		name, query string
		want, not   []string
	}{
		{"no choice", "chartType=line", []string{"updated 2026-06-01"}, []string{"ersion"}},
		{"an earlier version", "chartType=line&version=1.0", []string{">Source: Eurostat, dataset jobs, as published on 2026-05-01 (version 1.0)<", "lowest France (70). Values as published on 2026-05-01 (version 1.0).<"}, []string{"updated"}},
		{"the current version by its number", "chartType=bar&version=1.1", []string{"as published on 2026-06-01 (version 1.1)<", "Values as published on 2026-06-01 (version 1.1).<"}, nil},
		{"a map of a time", "chartType=map&as_of=2100-01-01", []string{"as published on 2026-06-01 (version 1.1)<"}, nil},
		{"no source line", "chartType=line&version=1.0&includeSource=false", []string{">Values as published on 2026-05-01 (version 1.0).</text>"}, []string{"Source:"}},
		{"a sparkline", "chartType=spark&version=1.0", []string{" Values as published on 2026-05-01 (version 1.0).<"}, nil},
		{"German", "chartType=line&version=1.0&locale=de", []string{"veröffentlichter Stand vom 1. Mai 2026 (Version 1.0)<"}, nil},
		{"Japanese", "chartType=line&version=1.0&locale=ja", []string{"2026年5月1日公表時点（バージョン 1.0）<"}, nil},
		{"one of several datasets", "chartType=line&version=1.0&country=DE&s=" + url.QueryEscape("2:country=FR"), []string{"jobs, as published on 2026-05-01 (version 1.0). Source: Eurostat, dataset seats, imported", "Eurostat, jobs: Values as published on 2026-05-01 (version 1.0).<"}, []string{"seats: Values"}},
		{"several datasets at a time", "chartType=line&as_of=2100-01-01&country=DE&s=" + url.QueryEscape("2:country=FR"), []string{"dataset seats, as imported on"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, "GET", base+c.query)
			if got.StatusCode != 200 {
				t.Fatalf("%d: %s", got.StatusCode, got.body)
			}
			for _, want := range c.want {
				if !strings.Contains(got.body, want) {
					t.Errorf("%s lacks %s\n%.900s", c.query, want, got.body)
				}
			}
			for _, not := range c.not {
				if strings.Contains(got.body, not) {
					t.Errorf("%s has %s\n%.900s", c.query, not, got.body)
				}
			}
		})
	}
}
