package geo

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestNameInUse(t *testing.T) {
	for _, c := range []struct{ id, label, want string }{
		{"DE", "Germany (until 1990 former territory of the FRG)", "Germany"},
		{"GB", "United Kingdom of Great Britain and Northern Ireland", "United Kingdom"},
		{"TR", "Turkey", "Türkiye"},
		{"BO", "Bolivia (Plurinational State of)", "Bolivia"},
		{"IR", "Iran, Islamic Rep.", "Iran"},
		{"KR", "Korea, Republic of", "South Korea"},
		{"CZ", "Czech Republic", "Czechia"},
		{"CD", "Congo, Dem. Rep. of the", "DR Congo"},
		{"CD", "D.R. of the Congo", "DR Congo"},
		{"GB", "United Kingdom excl. Channel Islands and Isle of Man", "United Kingdom"}, // neither is part of it
		{"US", "United States of America excluding Puerto Rico and United States Virgin Islands", "United States"},
		{"unpd:917", "European Union (EU: 28)", "EU-28"},
		{"BS", "Bahamas, The", "Bahamas"},
		{"HK", "Hong Kong, China (SAR)", "Hong Kong"},
		{"MF", "Saint Martin (French part)", "Saint Martin"},
		{"MK", "The former Yugoslav Republic of Macedonia", "North Macedonia"},
		{"EU27_2020", "European Union - 27 countries (from 2020)", "EU"},
		{"EU28", "European Union - 28 countries (2013-2020)", "EU-28"},
		{"EA20", "Euro area – 20 countries (from 2023)", "Euro area"},
		{"U2", "Euro area (members of each time)", "Euro area"},
		{"fao:5707", "European Union", "EU"},
		{"unsd:001", "Total, all countries or areas", "World"},
		// Other territories than that of the country
		{"FR", "Metropolitan France", "Metropolitan France"},
		{"FR", "France excluding Mayotte", "France excluding Mayotte"},
		{"CN", "China, mainland", "China, mainland"},
		{"SD", "Sudan (Former)", "Sudan (Former)"},
		{"EU15", "Euro area (15 countries)", "Euro area (15 countries)"}, // an office's mistake is not ours
		// Other languages, groups and regions
		{"DE", "Deutschland", "Deutschland"},
		{"ES", "Total Nacional", "Total Nacional"},
		{"EU27_2020", "Union européenne - 27 pays (à partir de 2020)", "Union européenne - 27 pays (à partir de 2020)"},
		{"ARB", "Arab World", "Arab World"},
		{"DE1", "Baden-Württemberg", "Baden-Württemberg"},
		{"US-GA", "Georgia", "Georgia"},
	} {
		if got := NameInUse(c.id, c.label); got != c.want {
			t.Errorf("NameInUse(%q, %q) = %q, want %q", c.id, c.label, got, c.want)
		}
	}
}

// Groups beside the same one with other members are called by their members or year.
func TestNamesBeside(t *testing.T) {
	for _, c := range []struct{ ids, want string }{
		{"EU27_2020 DE FR", "map[]"},
		{"EU27_2020 EA20 DE", "map[]"},
		{"EU27_2020 EU28 DE", "map[EU27_2020:EU-27 (2020) EU28:EU-28]"},
		{"EU27_2020 EU27_2007", "map[EU27_2007:EU-27 (2007) EU27_2020:EU-27 (2020)]"},
		{"EA20 EA19 EA", "map[EA19:Euro area (19) EA20:Euro area (20)]"}, // the members of EA change
		{"EU27_2020 EU27_2020", "map[]"},
	} {
		if got := fmt.Sprint(NamesBeside(slices.Values(strings.Fields(c.ids)))); got != c.want {
			t.Errorf("%s: %s, want %s", c.ids, got, c.want)
		}
	}
}

// A name in use is the name in use of itself, and no two countries share one.
func TestShortNamesAreDistinct(t *testing.T) {
	seen := map[string]string{}
	for id, s := range loadShortNames() {
		if got := NameInUse(id, s.name); got != s.name {
			t.Errorf("NameInUse(%q, %q) = %q", id, s.name, got)
		}
		if other := seen[s.name]; other != "" && s.beginnings == nil {
			t.Errorf("%s and %s are both called %q", id, other, s.name)
		}
		seen[s.name] = id
		if s.beginnings == nil && strings.ContainsAny(s.name, "(,") {
			t.Errorf("%s: %q is no short name", id, s.name)
		}
	}
}
