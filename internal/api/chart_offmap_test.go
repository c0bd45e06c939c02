package api_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/api"
)

// docs/api.md: the description and the notes of a map name the areas and groups that have a value and no
// place on it, with their values, and areas without a value.
func TestMapNamesWhatItDoesNotShow(t *testing.T) {
	s := newStore(t)
	load(t, s, "a.csv", strings.NewReader(`#almanac-tidy,1
#source,worldbank,World Bank
#dataset,SP.POP.TOTL,Population
#unit,persons
#geography,geo,Area
geo,TIME_PERIOD,OBS_VALUE
DEU,2020,83000000
FRA,2020,67000000
GIB,2020,34408
USA,2020,331000000
WLD,2020,7800000000
ERI,2019,3000000
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for _, c := range []struct {
		name, members string
		alt           string
		notes         []string
	}{
		{"an area without an outline and a group", `"selectedDimensions": {"country": ["DEU", "FRA", "GIB", "WLD", "ERI"], "period": "2020"}`,
			"Not on the map: Gibraltar 34,408, World 7.8 billion.", []string{"Not on the map: Gibraltar 34,408, World 7.8 billion.", "No values in 2020: Eritrea."}},
		{"a country outside the chosen region", `"mapLocation": "europe", "selectedDimensions": {"country": ["DEU", "FRA", "USA"]}`, "Not on the map: United States 331 million.", []string{"Not on the map: United States 331 million."}},
		{"in French", `"locale": "fr", "mapLocation": "europe", "selectedDimensions": {"country": ["DEU", "FRA", "USA"]}`, "États-Unis 331\u00a0M.", nil},
	} {
		body := `{"datasetId": 1, "chartType": "map", ` + c.members + `}`
		got := chartIn(t, send(t, "POST", base+"/api/charts/generate-png?notes=true", body, "Content-Type: application/json"))
		if alt := got.Alt; !strings.HasSuffix(alt, " "+c.alt) {
			t.Errorf("%s: alt is %s", c.name, alt)
		}
		for _, note := range c.notes {
			if !slices.Contains(got.Notes, note) {
				t.Errorf("%s: notes are %q, want also %q", c.name, got.Notes, note)
			}
		}
	}
}
