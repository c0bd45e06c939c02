package geo_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/geo"
)

func TestLookup(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"EL", "GR:eurostat+nuts"},
		{"grc", "GR:iso3+worldbank+itu"},
		{"300", "GR:m49"},
		{"la République hellénique", "GR:name"},
		{"ギリシャ", "GR:name"},
		{"EUU", "EUU:worldbank"},
		{"1a", "ARB:worldbank AI:edgar"},
		{"W00", "W00:imf"},
		{"B8", "CEB:worldbank AQ:edgar"},
		{"FRA", "FR:iso3+worldbank+fifa+ioc FRA:nuts"},
		{"AFR", "AFR:eurostat+worldbank who:AFR:who cepii:AFR:cepii"},
		{"who:AFR", "who:AFR:who"},
		{"imf:156", "CA:imf"},
		{"156", "CN:m49+fao CA:imf MT:gaul"},
		{"World", "un:001:name WORLD:name+eurostat+unicef WLD:name imf:001:name un:900:name GLOBAL:name W:name X01:name W0:name OWID_WRL:name"},
		{"Bayern", "DE-BY:name DE2:name"},
		{"us-ga", "US-GA:iso3166_2"},
		{"DEA2X", "DEA2X:eurostat"},
		{"GER", "DE:fifa+ioc"},
		{"Q41", "GR:wikidata"},
		{"nowhere", ""},
		{"European Union", "EU:name EUU:name imf:998:name UE:name"},
		{"Česko", "CZ:name CZ0:name"},
		{"CSHH", "un:200:iso3166_3"},
		{"csk", "un:200:iso3166_3 CSK:cepii"},
		{"CS", "un:200:iso3166_3 un:891:iso3166_3 CR:fips+wmo"},
		{"SCG", "un:891:iso3166_3"},
		{"YUG", "YU:iso3+iso3166_3"},
		{"BUR", "BUMM:iso3166_3 BF:ioc MM:ds"},
		{"ZAR", "ZRCD:iso3166_3 CD:worldbank"},
		{"TMP", "TPTL:iso3166_3 TL:worldbank"},
		{"GE", "GE:iso2+eurostat+ds GEHH:iso3166_3"},
		{"Cote divoire", "CI:name"},
		{"Kanton Zürich", "CH-ZH:name"},
		{"XM", "LIC:worldbank XM:bis gisco:XM:gisco VC:marc"},
		{"", ""},
		{strings.Repeat("a", 10_000), ""},
	} {
		var got []string
		for _, r := range geo.Lookup(c.text) {
			got = append(got, r.Key+":"+strings.Join(r.Lists, "+"))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%.40q means\n%s, want\n%s", c.text, text, c.want)
		}
	}
}

// TestLookupEntries finds each entry of the directory by its key, each of its codes that
// stands alone, and its name.
func TestLookupEntries(t *testing.T) {
	keys := map[string]bool{}
	for _, e := range geo.Entries() {
		if keys[e.Key] || e.Key == "" || e.Name == "" || e.Kind == "" {
			t.Errorf("entry %+v", e)
		}
		keys[e.Key] = true
		texts := []string{e.Key, e.Name}
		for _, c := range e.Codes {
			if c.List != "national" {
				texts = append(texts, c.Code)
			}
		}
		for _, text := range texts {
			if !slices.ContainsFunc(geo.Lookup(text), func(r geo.Reading) bool { return r.Entry == e || geo.IsSameRegion(r.ID, e.ID) }) {
				t.Errorf("%q is not %s", text, e.Key)
			}
		}
		if e.Above != "" && !keys[e.Above] {
			if _, ok := geo.FindEntry(e.Above); !ok {
				t.Errorf("%s is in %s, which is no entry", e.Key, e.Above)
			}
		}
	}
}

// TestNamesInLanguages finds each country by its name in each language.
func TestNamesInLanguages(t *testing.T) {
	if n := len(geo.Languages()); n < 100 {
		t.Errorf("%d languages", n)
	}
	for _, e := range geo.Entries() {
		for _, language := range geo.Languages() {
			if name, ok := geo.NameIn(e.ID, language); ok && !means(name, e.ID) {
				t.Errorf("%s: %q is not %s", language, name, e.ID)
			}
		}
	}
}

func TestCompositions(t *testing.T) {
	members := func(id string) int {
		c, ok := geo.CompositionOf(id)
		if !ok {
			t.Fatalf("no members of %s", id)
		}
		return len(c.Current())
	}
	for id, want := range map[string]int{
		"EU": 27, "EU6": 6, "EU9": 9, "EU10": 10, "EU12": 12, "EU15": 15, "EU25": 25, "EU27_2007": 27, "EU28": 28, "EU27_2020": 27, "EUU": 27,
		"EA": 21, "EA11": 11, "EA12": 12, "EA13": 13, "EA15": 15, "EA16": 16, "EA17": 17, "EA18": 18, "EA19": 19, "EA20": 20, "EA21": 21, "I8": 19,
		"EFTA": 4, "EEA": 30, "EEA18": 18, "EEA28": 28, "EEA30_2007": 30, "EEA31": 31, "EEA30_2020": 30,
		"OECD": 38, "OECD34": 34, "G7": 7, "G20": 19, "ASEAN": 11, "BRICS": 10, "un:1560": 55, "un:001": 249, "un:941": 43,
		"HIC": 87, "LIC": 25,
	} {
		if got := members(id); got != want {
			t.Errorf("%s has %d members, want %d", id, got, want)
		}
	}
	if _, ok := geo.CompositionOf("gisco:XM"); ok {
		t.Error("a reef has members")
	}
	for _, e := range geo.Entries() {
		for _, g := range geo.GroupsOf(e.Alpha2) {
			if _, ok := geo.FindEntry(g.Group); !ok {
				t.Errorf("%s is in %s, which is no entry", e.Key, g.Group)
			}
		}
	}
}

func FuzzLookup(f *testing.F) {
	for _, text := range []string{"EL", "un:001", "imf:", ":", "Côte d’Ivoire", "DE_", "\x00", "0000001", "who:\xff", "ǅ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[*geo.Entry]bool{}
		for _, r := range geo.Lookup(text) {
			if seen[r.Entry] || len(r.Lists) == 0 || r.ID == "" || utf8.ValidString(text) && !utf8.ValidString(r.Key) {
				t.Errorf("%q: %+v", text, r)
			}
			seen[r.Entry] = true
		}
	})
}

func TestIsAggregate(t *testing.T) {
	for _, c := range []struct {
		source, code, id, label string
		want                    bool
	}{
		{"worldbank", "WLD", "WLD", "World", true},
		{"worldbank", "DEA", "DEA", "East Asia (IDA)", true},
		{"eurostat", "DEA", "DEA", "Nordrhein-Westfalen", false},
		{"eurostat", "EL", "GR", "Greece", false},
		{"worldbank", "CHI", "CHI", "Channel Islands", false},
		{"eurostat", "NSP", "NSP", "Not specified", true},
		{"local", "x", "x", "Euro area", true},
		{"local", "x", "x", "Elsewhere", false},
		{"statcan", "Prairie provinces", "Prairie provinces", "Prairie provinces", true},
		{"statcan", "35", "CA-ON", "Ontario", false},
		{"un", "159", "un:159", "China and others", false},
	} {
		if got := geo.IsAggregate(c.source, c.code, c.id, c.label); got != c.want {
			t.Errorf("%s %s is an aggregate: %v", c.source, c.code, got)
		}
	}
}
