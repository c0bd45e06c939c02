package geo_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/geo"
)

// TestResolve: codes and names of the offices mean what testdata/resolve.txt
// says, rule by rule.
func TestResolve(t *testing.T) {
	for _, c := range readList(t, "resolve.txt") {
		source, code, id, kind, name := c[0], c[1], c[2], c[3], c[4]
		area, ok := geo.Resolve(source, code)
		if known := kind != "-"; ok != known || area.ID != id || area.Name != name || known && string(area.Kind) != kind {
			t.Errorf("Resolve(%q, %q) = %+v, %t; want %s, %s, %s", source, code, area, ok, id, kind, name)
		}
	}
}

// TestMatch: the catalog's country accepts alpha-2, alpha-3, M49 numbers and
// the source's own code, in any case; the cases are in testdata/match.txt.
func TestMatch(t *testing.T) {
	for _, c := range readList(t, "match.txt") {
		text, want := c[0], strings.FieldsFunc(c[1], func(r rune) bool { return r == ',' || r == ' ' })
		if got := geo.Match(text); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("Match(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestFind: --country takes any code that the area table knows, also EA20.
func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"DE": "DE", "deu": "DE", "276": "DE", "4": "AF", "EL": "GR", "UK": "GB", "EA20": "EA20", "ea20": "EA20", "WLD": "WLD",
		"FRA": "FR", // a person means France; NUTS FRA needs eurostat:FRA
		"EA":  "EA", "EU27_2020": "EU27_2020", "DE21": "DE21", "imf:156": "CA", "eurostat:FRA": "FRA", "2": "un:002", "XKX": "XK",
	} {
		if area, ok := geo.Find(text); !ok || area.ID != want || area.Name == "" {
			t.Errorf("Find(%q) = %+v, %t; want %s", text, area, ok, want)
		}
	}
	for _, text := range []string{"", "Atlantis", "scb:01", "1054", "QQ"} {
		if area, ok := geo.Find(text); ok {
			t.Errorf("Find(%q) = %+v, want none", text, area)
		}
	}
}

// TestHomeOf: a file without geography is about the country of the source's
// table.
func TestHomeOf(t *testing.T) {
	for source, want := range map[string]string{
		"bls": "US", "SCB": "SE", "istat": "IT", "japan-esri": "JP", "ecb": "U2", "statgl": "GL",
	} {
		if area, ok := geo.HomeOf(source); !ok || area.ID != want {
			t.Errorf("HomeOf(%q) = %+v, %t; want %s", source, area, ok, want)
		}
	}
	for _, source := range []string{"eurostat", "imf", "somebody", ""} {
		if area, ok := geo.HomeOf(source); ok {
			t.Errorf("HomeOf(%q) = %+v, want none", source, area)
		}
	}
}

// TestResolveName: names are found in every spelling that the tables have, and
// a source's own names come first.
func TestResolveName(t *testing.T) {
	for _, c := range []struct{ source, name, id string }{
		{"ilo", "Côte d'Ivoire", "CI"},
		{"somebody", "COTE D’IVOIRE", "CI"},
		{"somebody", "St. Lucia", "LC"},
		{"somebody", "Antigua & Barbuda", "AG"},
		{"somebody", "The Gambia", "GM"},
		{"somebody", "Turkey", "TR"},
		{"somebody", "Georgia", "GE"},
		{"imf", "Korea", "KR"},
		{"un", "Micronesia", "un:057"},
		{"worldbank", "Micronesia", "FM"},
		{"fao", "China", "fao:159"},
		{"un", "China", "CN"},
		{"worldbank", "Euro area", "EMU"},
		{"eurostat", "Euro area", "EA"},
	} {
		if area, ok := geo.ResolveName(c.source, c.name); !ok || area.ID != c.id {
			t.Errorf("ResolveName(%q, %q) = %+v, %t; want %s", c.source, c.name, area, ok, c.id)
		}
	}
	for _, c := range []struct{ source, name string }{
		{"bls", "Georgia"}, {"somebody", "Euro area"}, {"somebody", "Korea"}, {"somebody", ""}, {"somebody", "DE"},
	} {
		if area, ok := geo.ResolveName(c.source, c.name); ok || area.ID != c.name {
			t.Errorf("ResolveName(%q, %q) = %+v, want none", c.source, c.name, area)
		}
	}
}

// TestSystemOf: a table leads from source to code system; nothing is assumed
// about others.
func TestSystemOf(t *testing.T) {
	for source, want := range map[string]geo.System{
		"eurostat": geo.Eurostat, "Eurostat": geo.Eurostat, "worldbank": geo.WorldBank, "imf-weo": geo.IMF, "un": geo.M49,
		"fao": geo.FAO, "bls": geo.National, "gapminder": geo.ISO, "somebody": geo.Own, "": geo.Own,
	} {
		if got := geo.SystemOf(source); got != want {
			t.Errorf("SystemOf(%q) = %q, want %q", source, got, want)
		}
	}
}
