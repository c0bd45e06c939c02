package geo_test

import (
	"testing"

	"almanac/internal/geo"
)

// Groups have names in the languages of the pages, also if they are put together.
func TestNamesOfGroups(t *testing.T) {
	for _, c := range []struct{ key, language, want string }{
		{"AFE", "fr", "Afrique de l’Est et australe"},
		{"EAP", "de", "Ostasien und Pazifik (ohne hohes Einkommen)"},
		{"TLA", "es", "América Latina y el Caribe (AIF y BIRF)"},
		{"WPR", "fr", "Région du Pacifique occidental (OMS)"},
		{"WLD", "fr", "Monde"},
		{"WLD", "ru", "Весь мир"},
		{"WLD", "en", ""},
		{"EA18", "fr", "Zone euro (18 pays)"},
		{"HIC", "fr", "Pays à revenu élevé"},
		{"DEA", "fr", "Asie de l’Est et Pacifique (IDA)"}, // a code of the World Bank; NUTS has DEA as Nordrhein-Westfalen
		{"EU27_2020", "de", "Europäische Union (27 Länder, ab 2020)"},
	} {
		e, ok := geo.FindEntry(c.key)
		if !ok {
			t.Fatalf("there is no entry %s", c.key)
		}
		if got, _ := e.NameIn(c.language); got != c.want {
			t.Errorf("%s in %s is %q, want %q", c.key, c.language, got, c.want)
		}
	}
	if got, _ := geo.NameOf("worldbank", "DEA", "DEA", "fr"); got != "Asie de l’Est et Pacifique (IDA)" {
		t.Errorf("DEA of the World Bank is %q", got)
	}
	if got, _ := geo.NameOf("eurostat", "DEA", "DEA", "fr"); got != "Rhénanie-du-Nord-Westphalie" {
		t.Errorf("DEA of Eurostat is %q", got)
	}
}

// The groups that the offices have most often in tables for readers all have names.
func TestGroupsHaveNames(t *testing.T) {
	for _, source := range []string{"worldbank", "who", "ilo", "owid", "m49"} {
		for _, e := range geo.Entries() {
			if len(e.Codes) == 0 || e.Codes[0].List != source || e.Kind != geo.Group {
				continue
			}
			for _, language := range []string{"de", "fr", "es"} {
				if _, ok := e.NameIn(language); !ok {
					t.Errorf("%s: %s (%s) has no name in %s", source, e.Name, e.Key, language)
				}
			}
		}
	}
}
