package search

import (
	"strings"
	"testing"

	"almanac/internal/search/terms"
	"almanac/internal/stat"
)

// TestCoverageOfStored says what a stored dataset has of a place.
func TestCoverageOfStored(t *testing.T) {
	for name, c := range map[string]struct {
		place, source, have string
		want                Coverage
	}{
		"the group":                        {"EU27_2020", "eurostat", "EU27_2020 DE FR", Known},
		"the group by another code":        {"EU27_2020", "worldbank", "EUU DEU", Known},
		"most members":                     {"un:202", "local", "NG KE GH ET TZ UG ZA AO MZ MG CM CI NE ML MW ZM SN TD SO ZW GN RW BI BJ TG SL CD CG GA GQ", Parts},
		"few members":                      {"un:202", "local", "NG KE DE", Lacking},
		"members of the G7":                {"G7", "oecd", "DE FR IT GB CA JP KR", Parts},
		"the country":                      {"DE", "eurostat", "DE FR", Known},
		"only regions of the country":      {"DE", "eurostat", "DE1 DE2 DE3", Parts},
		"the mainland":                     {"FR", "insee", "insee:FM", Known},
		"a region":                         {"DE-BY", "local", "DE-BW DE-BY", Known},
		"a region by its code of NUTS":     {"DE-BY", "eurostat", "DE1 DE2", Known},
		"a region of NUTS by another code": {"UKI", "ons", "E12000007 E12000008", Known},
		"only parts of the region":         {"DE-BY", "eurostat", "DE211 DE212", Parts},
		"only the country of the region":   {"DE-BY", "eurostat", "DE FR", Lacking},
		"regions of another country":       {"ES-CT", "eurostat", "DE1 DE2", Lacking},
		"no areas":                         {"DE", "eurostat", "", Lacking},
	} {
		p := newPlace(c.place, "")
		r := &record{source: c.source, id: 1, have: strings.Fields(c.have)}
		if got := p.coverage(r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestCoverageOfOffered says what is likely of a dataset that is only offered.
func TestCoverageOfOffered(t *testing.T) {
	for name, c := range map[string]struct {
		place, source, title string
		want                 Coverage
	}{
		"by region":                         {"ES-CT", "eurostat", "Unemployment rates by NUTS 2 region", Presumed},
		"a national table":                  {"ES-CT", "eurostat", "Unemployment rates", Unknown},
		"a city in a table of larger areas": {"DE212", "eurostat", "Population by NUTS 2 region", Unknown},
		"a city in a table of cities":       {"DE212", "eurostat", "Population - cities and greater cities", Presumed},
		"a city in a table of states":       {"DE212", "destatis", "Bevölkerung: Bundesländer, Stichtag", Unknown},
		"a state in a table of states":      {"DE-BY", "destatis", "Bevölkerung: Bundesländer, Stichtag", Presumed},
		"metropolitan regions":              {"DE-BY", "eurostat", "Unemployment by metropolitan regions", Unknown},
		"the region itself":                 {"CA-BC", "statcan", "Crime severity index, British Columbia", Presumed},
		"another region":                    {"CA-BC", "statcan", "Crime severity index, Quebec", Unlikely},
		"an office elsewhere":               {"CA-BC", "abs", "Crime by state", Unlikely},
		"a country, its region in title":    {"CA", "statcan", "Crime severity index, Quebec", Unknown},
		"a country of the office":           {"CA", "statcan", "Crime severity index", Presumed},
		"a group outside Europe":            {"un:202", "eurostat", "Unemployment", Unlikely},
		"outside Europe":                    {"CA-BC", "eurostat", "Crime by NUTS 2 region", Unlikely},
	} {
		s := New(Options{})
		r := &record{source: c.source, titles: []title{{"en", c.title}}}
		s.complete(r)
		p := newPlace(c.place, "")
		if got := p.coverage(r); got != c.want {
			t.Errorf("%s: %s, want %s; %+v", name, got, c.want, r.by)
		}
	}
	if b := terms.Load().Breakdown("Arbeitslose: Kreise und kreisfreie Städte"); !b.ByRegion || b.Level != 3 {
		t.Errorf("districts are %+v", b)
	}
}

// TestOwnPlaces says which coverage follows from labels: of areas with codes of the office, of cities, and of the
// values of other dimensions.
func TestOwnPlaces(t *testing.T) {
	d := &stat.Dataset{
		Geography: stat.Dimension{Codes: []stat.Code{
			{ID: "SSS", Area: "FI", Label: "WHOLE COUNTRY"}, {ID: "KU091", Area: "KU091", Label: "Helsinki"}, {ID: "KU049", Area: "KU049", Label: "Espoo [49]", SourceLabel: "Espoo"},
			{ID: "09162", Area: "09162", Label: "München, kreisfreie Stadt"},
		}},
		Dimensions: []stat.Dimension{
			{ID: "citizenship", Role: stat.RoleOther, Codes: []stat.Code{{Label: "Total"}, {Label: "Denmark"}, {Label: "Syrien"}, {Label: "Iraq"}, {Label: "Sweden"}}},
			{ID: "goods", Role: stat.RoleOther, Codes: []stat.Code{{Label: "Total"}, {Label: "Beef"}, {Label: "Turkey"}, {Label: "Milk"}, {Label: "Eggs"}}},
		},
	}
	r := &record{source: "statfin", id: 1, have: d.Areas(), own: newOwnPlaces(citiesOf(d), besideOf(d))}
	for _, c := range []struct {
		id, text string
		want     Coverage
	}{
		{"FI", "Finland", Known},
		{"FI-18", "Helsinki", Known},
		{"DE212", "Munich", Known},
		{"espoo", "Espoo", Known},
		{"FI-18", "Uusimaa", Lacking},
		{"SY", "Syria", InDimension},
		{"TR", "Turkey", Lacking},
		{"NO", "Norway", Lacking},
	} {
		p := newPlace(c.id, c.text)
		if got := p.coverage(r); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
