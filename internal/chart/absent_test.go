package chart_test

import (
	"context"
	"strings"
	"testing"

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
		table := "#almanac-tidy,1\n#source,worldbank,World Bank\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
		for area := range strings.FieldsSeq(test.areas) {
			table += area + ",2020,1.5\n"
		}
		c, err := request.BindChart(test.address)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, table), c)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
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
