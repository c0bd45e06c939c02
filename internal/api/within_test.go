package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// The metadata of a dataset of which a page is missing say so, next to the data too; those of others do not.
func TestPartial(t *testing.T) {
	s := newStore(t)
	load(t, s, "page.json", strings.NewReader(`[{"page":1,"pages":2,"per_page":1,"total":2},[`+
		`{"indicator":{"id":"SP.POP.TOTL","value":"Population, total"},"country":{"id":"AW","value":"Aruba"},"countryiso3code":"ABW","date":"1960","value":54211}]]`))
	load(t, s, "whole.csv", strings.NewReader("#almanac-tidy,1\n#source,local,Local\n#dataset,w,Whole\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nFR,2020,1\n"))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for path, want := range map[string]bool{"1/meta": true, "1": true, "1/data": true, "2/meta": false, "2": false} {
		got := ask(t, "GET", base+"/api/datasets/"+path)
		if has := strings.Contains(got.body, `"partial":"page 1 of 2"`); has != want || !want && strings.Contains(got.body, "partial") {
			t.Errorf("%s: %s", path, got.body)
		}
	}
}

// TestWithin selects areas with their parts: within=US finds the states, country=US only
// the country, and country=GE nothing.
func TestWithin(t *testing.T) {
	s := newStore(t)
	load(t, s, "states.csv", strings.NewReader(`#almanac-tidy,1
#source,local,Local
#dataset,states,States
#dimension,ind,Indicator
#geography,state,State
ind,state,TIME_PERIOD,OBS_VALUE
a,United States,2020,1
a,Georgia,2020,2
a,Texas,2020,3
a,Ohio,2020,4
a,Elsewhere,2020,5
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for query, want := range map[string]string{
		"within=US":            `["United States","Georgia","Texas","Ohio"]`,
		"within=usa":           `["United States","Georgia","Texas","Ohio"]`,
		"within=United+States": `["United States","Georgia","Texas","Ohio"]`,
		"country=US":           `["United States"]`,
		"country=US-GA":        `["Georgia"]`,
		"within=US-GA":         `["Georgia"]`,
		"within=US&country=US-TX&country=Elsewhere": `["Texas"]`,
		"country=GE":     `"parameter":"country","value":"GE"`,
		"within=GE":      `"parameter":"within","value":"GE"`,
		"within=nowhere": `"parameter":"within","value":"nowhere"`,
	} {
		if got := ask(t, "GET", base+"/api/datasets/1/data?"+query); !strings.Contains(got.body, want) {
			t.Errorf("%s: %s, want %s", query, got.body, want)
		}
	}
	for query, total := range map[string]string{"within=US": "1", "country=US-GA": "1", "country=GE": "0", "within=GE": "0", "within=nowhere": "0", "within=US&country=US-OH": "1"} {
		if got := ask(t, "GET", base+"/api/datasets?"+query); !strings.Contains(got.body, `"total":`+total) {
			t.Errorf("catalogue, %s: %s, want %s", query, got.body, total)
		}
	}
}

// TestNamesOfAreas selects by names that are not those of the dataset: the catalogue and the data read
// them alike.
func TestNamesOfAreas(t *testing.T) {
	s := newStore(t)
	load(t, s, "un.csv", strings.NewReader(`#almanac-tidy,1
#source,unsd,United Nations Statistics Division
#dataset,w,World
#geography,area,Area
area,TIME_PERIOD,OBS_VALUE
001,2020,1
150,2020,2
410,2020,3
704,2020,4
`))
	load(t, s, "codes.csv", strings.NewReader(`#almanac-tidy,1
#source,ine,Instituto Nacional de Estadística
#dataset,p,Provinces
#geography,area,Area
area,TIME_PERIOD,OBS_VALUE
15,2020,1
T,2020,2
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for _, name := range []string{"un:150", "unsd:150", "150", "Europe", "Europa", "Republic of Korea", "Corée du Sud", "Viet+Nam", "Monde", "un:001"} {
		name = strings.ReplaceAll(name, " ", "+")
		if got := ask(t, "GET", base+"/api/datasets/1/data?country="+name); !strings.Contains(got.body, `"values":{`) || strings.Contains(got.body, `"notices"`) {
			t.Errorf("country=%s: %s", name, got.body)
		}
		for _, parameter := range []string{"country", "within"} {
			if got := ask(t, "GET", base+"/api/datasets?"+parameter+"="+name); !strings.Contains(got.body, `"data":[{"id":1,`) {
				t.Errorf("%s=%s: %s", parameter, name, got.body)
			}
		}
	}
	doc := readReference(t, base)
	for code, want := range map[string]string{"ine:15": "ine:15 region", "T": "T ", "unsd:150": "un:150 group", "Korea": "KR country"} {
		r := askArea(t, doc, base, "/api/areas/"+code)
		if got := r.Area.Code + " " + r.Area.Kind; !strings.HasPrefix(got, want) {
			t.Errorf("%s is %s, want %s", code, got, want)
		}
		if code == "T" && (len(r.Other) == 0 || r.Other[0].Code != "TH") || code == "Korea" && (len(r.Other) == 0 || r.Other[0].Code != "KP") {
			t.Errorf("%s: other meanings %v", code, r.Other)
		}
	}
	if got := ask(t, "GET", base+"/api/areas/FR-75"); got.StatusCode != 404 || !strings.Contains(got.body, "FR-75C") {
		t.Errorf("FR-75: %d %s", got.StatusCode, got.body)
	}
}
