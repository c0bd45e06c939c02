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

// TestOneCode resolves codes that are the only ones of their table, by their labels if
// the office's system does not have them.
func TestOneCode(t *testing.T) {
	for _, fields := range readList(t, "labels.txt") {
		source, code, label, want, known := fields[0], fields[1], fields[2], fields[3], fields[4] == "known"
		if area, ok := resolveOne(source, code, label); ok != known || area.ID != want {
			t.Errorf("%s: %q (%s) is %+v, known: %t; want %s, known: %t", source, code, label, area, ok, want, known)
		}
	}
}

func resolveOne(source, code, label string) (geo.Area, bool) {
	r := geo.ResolveAll(source, "", []geo.Labelled{{Code: code, Label: label}})
	return r.Areas[0], r.Known[0]
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
			t.Errorf("no code system is listed for %s: add it to internal/geo/tables/offices.tsv", id)
		}
		if _, ok := geo.HomeOf(id); system == geo.National && !ok {
			t.Errorf("no country is listed for %s: name it in internal/geo/tables/offices.tsv", id)
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

// TestHeadingRank checks which headings are likely those of the geography.
func TestHeadingRank(t *testing.T) {
	for rank, headings := range map[int]string{
		3:  "Country|country_code|Important country",
		1:  "Region|Subnational region|Sub-national region|Original state|State",
		0:  "Subject|Original|Important facts",
		-1: "Partner country|partnerISO|Country of origin|Originating country|origin_code|OriginCountry|Country of birth|Nationality|Nationalité|Importer|importing_country|Import country|Counterpart area|CITIZEN|Citizenship|Destination|Currency|Languages",
	} {
		for heading := range strings.SplitSeq(headings, "|") {
			if got := geo.HeadingRank(heading); got != rank {
				t.Errorf("HeadingRank(%q) = %d, want %d", heading, got, rank)
			}
		}
	}
}
