package chart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/atlas/borders"
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

// A comparison of members of the European Union names the large ones that lack a value and have others.
func TestLargestMembersWithoutValue(t *testing.T) {
	table := "#almanac-tidy,1\n#source,eurostat,Eurostat\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
	for area := range strings.FieldsSeq("AT BE BG CZ DE DK EE ES FI FR HR HU LT LV PL PT SE SI SK") {
		table += area + ",2020,1.5\n"
	}
	c, err := request.BindChart("type=bar")
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := request.Spec(context.Background(), vintageOf(t, table+"IT,2019,1.5\nMT,2019,1.5\n"), c)
	if want := "No values in 2020: Italy."; err != nil || !slices.Contains(s.Notes, want) {
		t.Errorf("notes %q, %v; want %q", s.Notes, err, want)
	}
}

// specOf returns the Spec of a table of an office with a value for each area.
func specOf(t *testing.T, source string, areas []string, address string) *chart.Spec {
	return specWith(t, nil, source, areas, address)
}

// specWith returns the Spec of a table, with outlines that the host gives.
func specWith(t *testing.T, outlines *atlas.Atlas, source string, areas []string, address string) *chart.Spec {
	t.Helper()
	table := "#almanac-tidy,1\n#source," + source + "\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
	for _, area := range areas {
		table += area + ",2020,1.5\n"
	}
	c, err := request.BindChart(address)
	if err != nil {
		t.Fatal(err)
	}
	c.Options.Atlas = outlines
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

// A map fills the members of the European Union with its tariff, which is that of each of them.
func TestMembersShareTariff(t *testing.T) {
	const table = "#almanac-tidy,1\n#source,wto,World Trade Organization\n#dataset,t,%s\n#geography,geo,Area\n#code,918,European Union\n#code,840,United States\n#code,392,Japan\n#code,036,Australia\n" +
		"geo,TIME_PERIOD,OBS_VALUE\n918,2018,3.8\n840,2018,1.5\n392,2018,2\n036,2018,1\n"
	for name, want := range map[string]int{"Average tariff": 28, "Unemployment rate": 0} {
		c, err := request.BindChart("type=map")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, fmt.Sprintf(table, name)), c)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(s.Categories, func(c chart.Category) bool { return c.Group })
		if i < 0 || len(s.Categories[i].Members) != want {
			t.Errorf("%s: categories %v, want a group whose value %d members have", name, s.Categories, want)
		}
		if note := "EU: one value for all members."; slices.Contains(s.Notes, note) != (want > 0) {
			t.Errorf("%s: notes %q", name, s.Notes)
		}
	}
}

// A map of regions does not say that the members of the European Union have no values: it shows
// their regions.
func TestUnionBesideRegions(t *testing.T) {
	const regions = `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {"NUTS_ID": "DE1"}, "geometry": {"type": "Polygon", "coordinates": [[[9, 50], [10, 50], [10, 51], [9, 50]]]}},
		{"type": "Feature", "properties": {"NUTS_ID": "DE2"}, "geometry": {"type": "Polygon", "coordinates": [[[10, 50], [11, 50], [10, 51], [10, 50]]]}}]}`
	sets, _, err := borders.Read(fstest.MapFS{"nuts.geojson": {Data: []byte(regions)}})
	if err != nil {
		t.Fatal(err)
	}
	s := specWith(t, atlas.New(sets...), "eurostat,Eurostat", []string{"EU27_2020", "DE1", "DE2"}, "type=map")
	if s.Outlines == "" || len(s.Categories) != 3 {
		t.Fatalf("outlines %q, areas %v; want a map of two regions and the Union", s.Outlines, s.Categories)
	}
	if s.Notes != nil {
		t.Errorf("notes %q, want none", s.Notes)
	}
}

// A map of countries says that most areas of the data have no outlines. A few regions beside
// the countries are left out because countries are compared.
func TestRegionsWithoutOutlines(t *testing.T) {
	for _, test := range []struct{ request, areas, note string }{
		{"type=map", "DE FR DE1 DE2 DE3", "No outlines for 3 regions within countries."},
		{"type=map", "DE FR IT DE1 DE2", "Not shown: 2 regions within countries."},
		{"type=bar", "DE FR DE1 DE2 DE3", "Not shown: 3 regions within countries."},
	} {
		s := specOf(t, "eurostat,Eurostat", strings.Fields(test.areas), test.request)
		if !slices.Contains(s.Notes, test.note) {
			t.Errorf("%s of %s: notes %q, want %q among them", test.request, test.areas, s.Notes, test.note)
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
