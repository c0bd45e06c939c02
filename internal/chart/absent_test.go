package chart_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/request"
)

// A comparison of the countries of the world names the largest that have no value in it.
func TestLargestCountriesWithoutValue(t *testing.T) {
	const small = "AD AE AF AG AL AM AO AT AZ BA BB BE BF BG BH BI BJ BN BO BS BT BW BY BZ CF CG CH CI CL CM CO CR CU CV CY CZ DJ DK DM DO DZ EC EE ER FI FJ FM GA GD GE GH GM GN GQ GR GT GW GY HN HR HT HU IE IL IQ IS JM JO KE KG KH KI KM KN KW KZ LA LB LC"
	const large = " AR AU BR CA CN DE FR GB ID IN IT JP KR MX RU SA TR US ZA BD CD EG ET IR MM NG PH PK TH TZ VN "
	without := func(areas string) string {
		rest := large
		for area := range strings.FieldsSeq(areas) {
			rest = strings.Replace(rest, " "+area+" ", " ", 1)
		}
		return rest
	}
	for _, test := range []struct{ name, areas, address, note string }{
		{"bars of one period", small + without("US RU GB"), "type=bar", "No values in 2020: United States, Russia, United Kingdom."},
		{"economies first, five at most", small + without("NG PK AU JP ZA CA"), "type=bar", "No values in 2020: Japan, South Africa, Canada, Australia, Pakistan."},
		{"in another language", small + without("US"), "type=bar&locale=de", "Keine Werte (2020): Vereinigte Staaten."},
		{"none missing", small + large, "type=bar", ""},
		{"a map shows it", small + without("US"), "type=map", ""},
		{"few countries", "DE FR IT", "type=bar", ""},
		{"areas of the caller", small + without("US"), "type=bar&country=DE&country=FR", ""},
	} {
		s := specOf(t, "worldbank,World Bank", strings.Fields(test.areas), test.address)
		note := ""
		for _, n := range s.Notes {
			if strings.HasPrefix(n, "No values") || strings.HasPrefix(n, "Keine Werte") {
				note = n
			}
		}
		if note != test.note {
			t.Errorf("%s: note %q, want %q", test.name, note, test.note)
		}
	}
}

// specOf returns the Spec of a table of an office with a value for each area.
func specOf(t *testing.T, source string, areas []string, address string) *chart.Spec {
	table := "#almanac-tidy,1\n#source," + source + "\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
	for _, area := range areas {
		table += area + ",2020,1.5\n"
	}
	c, err := request.BindChart(address)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := request.Spec(context.Background(), vintageOf(t, table), c)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return s
}

// A map on which the European Union has a value says that its members have none, if none has.
func TestMembersWithoutValues(t *testing.T) {
	const note = "EU: the members have no values of their own."
	for areas, want := range map[string]bool{"EU27_2020 US JP": true, "EU27_2020 US DE": false, "US JP": false} {
		s := specOf(t, "eurostat,Eurostat", strings.Fields(areas), "type=map")
		if slices.Contains(s.Notes, note) != want {
			t.Errorf("%s: notes %q", areas, s.Notes)
		}
	}
}

// Regions of several countries are named with their country, regions of one are not.
func TestCountriesOfRegions(t *testing.T) {
	for areas, want := range map[string]string{
		"RO21 ITH3 EL30": "RO21, Romania",
		"RO21 RO22":      "RO21",
	} {
		s := specOf(t, "eurostat,Eurostat", strings.Fields(areas), "type=bar")
		var names []string
		for _, c := range s.Categories {
			names = append(names, c.Label)
		}
		if !slices.Contains(names, want) {
			t.Errorf("%s: names %q, want %q among them", areas, names, want)
		}
	}
}
