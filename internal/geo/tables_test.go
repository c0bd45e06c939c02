package geo

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

// everyArea returns all areas of the tables, as each source has them.
func everyArea() []Area {
	var all []Area
	for _, p := range loadTables().countries {
		all = append(all, p.area)
	}
	for source := range loadOffices() {
		for _, file := range officeOf(source).own {
			for _, p := range loadTables().own[file].codes {
				all = append(all, p.from(source))
			}
		}
	}
	return all
}

// TestTablesAreValid checks that kinds are those of the package, that no code is
// in a table twice, that a name means one area of a table, and that no area lacks a
// required field.
func TestTablesAreValid(t *testing.T) {
	kinds := []Kind{Country, Former, Group, Region, Other}
	for _, file := range append([]string{countriesFile}, ownFiles...) {
		codes, names := map[string]bool{}, map[string]string{}
		for _, r := range rows(file) {
			spelling := strings.HasPrefix(r.meaning, "=")
			if !spelling && (!slices.Contains(kinds, Kind(r.meaning)) || len(r.names) == 0 || r.names[0] == "") {
				t.Errorf("%s: %v has kind %q and names %q", file, r.codes, r.meaning, r.names)
			}
			for _, code := range r.codes {
				upper := strings.ToUpper(code)
				if codes[upper] && !spelling {
					t.Errorf("%s: code %s is in the table twice", file, code)
				}
				codes[upper] = true
			}
			for _, name := range r.names {
				key := foldName(name)
				if other := names[key]; file == "un" && other != "" {
					continue // several of its regions have one name; it means the first
				} else if other != "" && other != r.codes[0] && other != strings.TrimPrefix(r.meaning, "=") {
					t.Errorf("%s: %q is the name of %s and of %s", file, name, other, r.codes[0])
				}
				names[key] = r.codes[0]
				if !utf8.ValidString(name) || name != strings.TrimSpace(name) {
					t.Errorf("%s: name %q", file, name)
				}
			}
		}
	}
}

// TestOwnCodesAreNotAlpha2 checks that an own code that is the alpha-2 code of a
// country means that country; otherwise available_geo would be ambiguous.
func TestOwnCodesAreNotAlpha2(t *testing.T) {
	tables := loadTables()
	for file, own := range tables.own {
		for code, p := range own.codes {
			if country := tables.iso[alpha2][code]; country != nil && country != p {
				t.Errorf("%s: %s is %s, and the alpha-2 code of %s", file, code, p.area.Name, country.area.Name)
			}
		}
	}
}

// TestCountriesMatchISO checks that the table has exactly the countries that x/text
// has from ISO 3166-1 and CLDR, Kosovo, and former countries.
func TestCountriesMatchISO(t *testing.T) {
	former := []string{"AN", "BU", "CS", "CT", "DD", "DY", "FQ", "FX", "HV", "JT", "MI", "NH", "NQ", "NT", "PC", "PU", "PZ", "RH", "SU", "TP", "UK", "VD", "WK", "YD", "YU", "ZR"}
	reserved := []string{"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "TA", "UN", "QO", "QU"} // by the IANA registry and CLDR
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			r, err := language.ParseRegion(code)
			known := err == nil && !r.IsPrivateUse() && !slices.Contains(former, code) && !slices.Contains(reserved, code)
			if code == "XK" {
				known = true
			}
			p := loadTables().iso[alpha2][code]
			if listed := p != nil && p.area.Kind == Country; listed != known && code != "AA" && code != "ZZ" {
				t.Errorf("%s: country in the table %t, in ISO %t", code, listed, known)
			}
		}
	}
}

// TestNamesMatchCLDR checks that names are those of x/text, except the ones listed
// here, of which x/text has an old or unusual form.
func TestNamesMatchCLDR(t *testing.T) {
	others := map[string]string{
		"BQ": "Caribbean Netherlands", "CD": "Congo - Kinshasa", "CG": "Congo - Brazzaville", "CV": "Cape Verde",
		"FM": "Micronesia", "GS": "South Georgia & South Sandwich Islands", "HK": "Hong Kong SAR China",
		"HM": "Heard & McDonald Islands", "MK": "Macedonia", "MM": "Myanmar (Burma)", "MO": "Macau SAR China",
		"PS": "Palestinian Territories", "SH": "St. Helena", "SZ": "Swaziland", "TR": "Turkey",
		"UM": "U.S. Outlying Islands", "VC": "St. Vincent & Grenadines", "VI": "U.S. Virgin Islands",
	}
	english := display.English.Regions()
	for _, p := range loadTables().countries {
		if p.area.Kind != Country {
			continue
		}
		cldr := english.Name(language.MustParseRegion(p.area.Alpha2))
		same := foldName(strings.ReplaceAll(cldr, "’", "'")) == foldName(p.area.Name)
		if other, listed := others[p.area.Alpha2]; same == listed || listed && other != cldr {
			t.Errorf("%s is %q here and %q in CLDR", p.area.Alpha2, p.area.Name, cldr)
		}
	}
}

// TestMatchFindsEveryArea checks that the ID of every known area, in any case,
// matches that area.
func TestMatchFindsEveryArea(t *testing.T) {
	for _, a := range everyArea() {
		for _, text := range []string{a.ID, strings.ToLower(a.ID), strings.ToUpper(a.ID), " " + a.ID + "\t"} {
			if !slices.Contains(Match(text), a.ID) {
				t.Errorf("Match(%q) = %q, want %q in it", text, Match(text), a.ID)
			}
		}
		if isoCode(a.ID, alpha3) != nil {
			continue // Eurostat's Andean Community is CAN; without a source, CAN is Canada, and CSK is Czechoslovakia without its successors
		}
		if found, ok := Find(a.ID); !ok || found.ID != a.ID {
			t.Errorf("Find(%q) = %+v, %t", a.ID, found, ok)
		}
	}
}

// TestEveryNameFindsItsArea checks that the English name of an area means it in
// its own source.
func TestEveryNameFindsItsArea(t *testing.T) {
	for source, s := range loadOffices() {
		if s.System == National {
			continue
		}
		for _, file := range officeOf(source).own {
			for _, p := range loadTables().own[file].codes {
				if found := officeOf(source).lookupName(foldName(p.area.Name)); p.area.Alpha2 == "" && (found == nil || found.area.Name != p.area.Name) {
					t.Errorf("%s: the name %q means %+v", source, p.area.Name, found)
				}
			}
		}
	}
}

// checkAnswers checks what is true for every text.
func checkAnswers(t interface{ Fatalf(string, ...any) }, source, text string) {
	a, ok := Resolve(source, text)
	trimmed := strings.TrimSpace(text)
	if (a.ID == "" || a.Name == "") && trimmed != "" {
		t.Fatalf("Resolve(%q, %q) = %+v without ID or name", source, text, a)
	}
	if ok != (a.Kind != "") {
		t.Fatalf("Resolve(%q, %q) = %+v, %t: known areas have a kind, others none", source, text, a, ok)
	}
	if ok && !slices.Contains(Match(a.ID), a.ID) {
		t.Fatalf("Resolve(%q, %q) = %+v, but Match(%q) = %q", source, text, a, a.ID, Match(a.ID))
	}
	if again, _ := Resolve(source, text); again != a {
		t.Fatalf("Resolve(%q, %q) = %+v, then %+v", source, text, a, again)
	}
	for _, id := range Match(text) {
		if _, ok := Find(text); !ok && strings.Contains(text, ":") {
			continue // one office's unlisted code may be a listed one of another: scb:A9 and the World Bank's A9
		}
		same := func(other string) bool { return strings.EqualFold(other, id) }
		if id == "" || !slices.ContainsFunc(Match(id), same) {
			t.Fatalf("Match(%q) has %q, but Match(%q) = %q", text, id, id, Match(id))
		}
	}
	if isDigits(trimmed) {
		for _, id := range Match(text) {
			if found, ok := Find(id); !ok || found.M49 == "" && !strings.Contains(id, ":") {
				t.Fatalf("Match(%q) has %q, which is not an M49 number", text, id)
			}
		}
	}
	Find(text)
	HomeOf(source)
}

// TestAnyText checks that every text can be looked up, and that results can be
// looked up too.
func TestAnyText(t *testing.T) {
	var known []string
	for source := range loadOffices() {
		known = append(known, source)
	}
	slices.Sort(known)
	source := rapid.OneOf(rapid.SampledFrom(known), rapid.String())
	text := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[A-Za-z]{2}[0-9A-Z_XZ]{0,4}`),
		rapid.StringMatching(`'?[0-9]{1,5}`),
		rapid.StringMatching(`[a-z]{2,9}:[0-9A-Z]{1,4}`),
	)
	property.Check(t, func(t *rapid.T) {
		checkAnswers(t, source.Draw(t, "source"), text.Draw(t, "text"))
	})
}

func FuzzAnyText(f *testing.F) {
	for _, seed := range []string{"", "DE", "EL", "276", "'004", "FRA", "EU27_2020", "scb:01", "UKD3-D5", "Côte d'Ivoire", "\xff", "a:b", ":1", "eurostat:"} {
		f.Add("eurostat", seed)
		f.Add("un", seed)
		f.Add("scb", "scb:0A:"+seed)
		f.Add("scb", "scb:A9")
		f.Add("somebody", seed)
	}
	f.Fuzz(func(t *testing.T, source, text string) { checkAnswers(t, source, text) })
}
