package geo_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format/office"
	"almanac/internal/geo"
)

// TestResolve checks the meaning of offices' codes and names against
// testdata/resolve.txt, rule by rule.
func TestResolve(t *testing.T) {
	for _, c := range readList(t, "resolve.txt") {
		source, code, id, kind, name := c[0], c[1], c[2], c[3], c[4]
		area, ok := geo.Resolve(source, code)
		if known := kind != "-"; ok != known || area.ID != id || area.Name != name || known && string(area.Kind) != kind {
			t.Errorf("Resolve(%q, %q) = %+v, %t; want %s, %s, %s", source, code, area, ok, id, kind, name)
		}
	}
}

// TestMatch checks that the country parameter of the catalogue accepts alpha-2,
// alpha-3, M49 numbers and the source's own code, in any case. The cases are in
// testdata/match.txt.
func TestMatch(t *testing.T) {
	for _, c := range readList(t, "match.txt") {
		text, want := c[0], strings.FieldsFunc(c[1], func(r rune) bool { return r == ',' || r == ' ' })
		if got := geo.Match(text); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("Match(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestFind checks that --country accepts any code in the tables, also EA20.
func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"DE": "DE", "deu": "DE", "276": "DE", "4": "AF", "EL": "GR", "UK": "GB", "EA20": "EA20", "ea20": "EA20", "WLD": "WLD",
		"FRA": "FR", // France; NUTS FRA needs eurostat:FRA
		"EA":  "EA", "EU27_2020": "EU27_2020", "DE21": "DE21", "imf:156": "CA", "eurostat:FRA": "FRA", "2": "un:002", "XKX": "XK",
	} {
		if area, ok := geo.Find(text); !ok || area.ID != want || area.Name == "" {
			t.Errorf("Find(%q) = %+v, %t; want %s", text, area, ok, want)
		}
	}
	for _, text := range []string{"", "Atlantis", "scb:01", "1999", "QQ"} {
		if area, ok := geo.Find(text); ok {
			t.Errorf("Find(%q) = %+v, want none", text, area)
		}
	}
}

// TestHomeOf checks the area of files without a geography.
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

// TestResolveName checks that names are found in every spelling in the tables, and
// that a source's own names take precedence.
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
		{"scb", "Sweden", "SE"},
		{"scb", "RIKET", "SE"},
		{"bls", "United States", "US"},
	} {
		if area, ok := geo.ResolveName(c.source, c.name); !ok || area.ID != c.id {
			t.Errorf("ResolveName(%q, %q) = %+v, %t; want %s", c.source, c.name, area, ok, c.id)
		}
	}
	for _, c := range []struct{ source, name string }{
		{"bls", "Georgia"}, {"scb", "Norway"}, {"scb", ""}, {"somebody", "Euro area"}, {"somebody", "Korea"}, {"somebody", ""}, {"somebody", "DE"},
	} {
		if area, ok := geo.ResolveName(c.source, c.name); ok || area.ID != c.name {
			t.Errorf("ResolveName(%q, %q) = %+v, want none", c.source, c.name, area)
		}
	}
}

// TestResolveLabelled checks that the code takes precedence. If the system does not
// have it, the label counts: for national offices only their own country, for
// unlisted offices never.
func TestResolveLabelled(t *testing.T) {
	for _, c := range []struct{ source, code, label, id string }{
		{"oecd", "AT", "Austria", "AT"},
		{"oecd", "UK", "United Kingdom", "GB"},
		{"oecd", "AUS", "Austria", "AU"}, // the code decides
		{"unsd", "124", "China", "CA"},
		{"nordic", "1", "Åland", "AX"},
		{"cepii", "1", "Euroland", "EUR"},
		{"scb", "00", "Sweden", "SE"},
		{"scb", "00", "00 Riket", "SE"},
		{"scb", "Hela riket", "", "SE"},
		{"statcan", "1", "Canada", "CA"},
		{"statfin", "SSS", "KOKO MAA", "FI"},
		{"statfin", "SSS", "WHOLE COUNTRY", "FI"},
		{"ine", "Total Nacional", "Total Nacional", "ES"},
		{"cso", "-", "State", "IE"},
		{"ssb", "0", "The whole country", "NO"},
		{"bfs", "8100", "Schweiz / Suisse / Svizzera / Switzerland", "CH"},
	} {
		if area, ok := geo.ResolveLabelled(c.source, c.code, c.label); !ok || area.ID != c.id {
			t.Errorf("ResolveLabelled(%q, %q, %q) = %+v, %t; want %s", c.source, c.code, c.label, area, ok, c.id)
		}
	}
	for _, c := range []struct{ source, code, label, id string }{
		{"scb", "01", "Stockholm county", "scb:01"},
		{"scb", "01", "", "scb:01"},
		{"scb", "S", "Sweden is large", "S"},
		{"bls", "13", "Georgia", "bls:13"},
		{"census", "35", "New Mexico", "census:35"},
		{"ine", "T", "total", "T"},
		{"oecd", "ATX", "", "ATX"},
		{"ilo", "X07", "Africa: Low income", "X07"},
		{"somebody", "15", "Mexico", "somebody:15"},
		{"somebody", "Mexico", "Mexico", "Mexico"},
		{"", "MEX", "Mexico", "MEX"},
	} {
		if area, ok := geo.ResolveLabelled(c.source, c.code, c.label); ok || area.ID != c.id {
			t.Errorf("ResolveLabelled(%q, %q, %q) = %+v, %t; want %s, not known", c.source, c.code, c.label, area, ok, c.id)
		}
	}
}

// officeInList is an office in the list of package office.
var officeInList = regexp.MustCompile(`stat\.Source\{ID: "([^"]+)"`)

// TestEveryOfficeHasASystem checks that every office with a reader has a code
// system, and every national office a country.
func TestEveryOfficeHasASystem(t *testing.T) {
	list, err := os.ReadFile("../format/office/office.go")
	if err != nil {
		t.Fatal(err)
	}
	offices := officeInList.FindAllStringSubmatch(string(list), -1)
	if len(offices) < 28 {
		t.Fatalf("%d offices found in the list", len(offices))
	}
	ids := []string{"local", "gapminder", office.Find("CEPII").ID} // plain tables, the samples, and an office whose data DBnomics republishes
	for _, o := range offices {
		ids = append(ids, o[1])
	}
	for _, id := range ids {
		if office.Find(id).ID != id {
			t.Errorf("office.Find(%q) = %+v", id, office.Find(id))
		}
		system := geo.SystemOf(id)
		if system == geo.Own {
			t.Errorf("no code system is listed for %s: add it to offices in internal/geo/system.go", id)
		}
		if _, ok := geo.HomeOf(id); system == geo.National && !ok {
			t.Errorf("no country is listed for %s: set its home in internal/geo/system.go", id)
		}
	}
}

// TestSystemOf checks the code systems of sources; unlisted sources have their own.
func TestSystemOf(t *testing.T) {
	for source, want := range map[string]*geo.System{
		"eurostat": geo.Eurostat, "Eurostat": geo.Eurostat, "worldbank": geo.WorldBank, "imf-weo": geo.IMF, "un": geo.M49,
		"fao": geo.FAO, "bls": geo.National, "gapminder": geo.ISO, "local": geo.Local, "unpd": geo.M49, "cepii": geo.CEPII, "nordic": geo.Eurostat, "somebody": geo.Own, "": geo.Own,
	} {
		if got := geo.SystemOf(source); got != want {
			t.Errorf("SystemOf(%q) = %+v, want %+v", source, got, want)
		}
	}
}
