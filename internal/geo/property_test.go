package geo

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var tablesTested = flag.Int("tables", 1500, "number of random tables that TestRandomTables resolves")

// danes are municipalities of Denmark: many of their numbers are those of countries in
// M49.
const danes = "101 København|147 Frederiksberg|151 Ballerup|153 Brøndby|155 Dragør|157 Gentofte|159 Gladsaxe|161 Glostrup|163 Herlev|165 Albertslund|" +
	"167 Hvidovre|169 Høje-Taastrup|173 Lyngby-Taarbæk|175 Rødovre|183 Ishøj|185 Tårnby|187 Vallensbæk|190 Furesø|201 Allerød|210 Fredensborg|217 Helsingør|" +
	"219 Hillerød|223 Hørsholm|230 Rudersdal|240 Egedal|250 Frederikssund|253 Greve|259 Køge|260 Halsnæs|265 Roskilde|269 Solrød|270 Gribskov|306 Odsherred|" +
	"316 Holbæk|320 Faxe|326 Kalundborg|329 Ringsted|330 Slagelse|336 Stevns|340 Sorø|350 Lejre|360 Lolland|370 Næstved|376 Guldborgsund|390 Vordingborg|" +
	"400 Bornholm|410 Middelfart|411 Christiansø|420 Assens|430 Faaborg-Midtfyn|440 Kerteminde|450 Nyborg|461 Odense|479 Svendborg|480 Nordfyns|482 Langeland|" +
	"492 Ærø|510 Haderslev|530 Billund|540 Sønderborg|550 Tønder|561 Esbjerg|563 Fanø|573 Varde|575 Vejen|580 Aabenraa|607 Fredericia|615 Horsens|621 Kolding|" +
	"630 Vejle|657 Herning|661 Holstebro|665 Lemvig|671 Struer|706 Syddjurs|707 Norddjurs|710 Favrskov|727 Odder|730 Randers|740 Silkeborg|741 Samsø|746 Skanderborg|" +
	"751 Aarhus|756 Ikast-Brande|760 Ringkøbing-Skjern|766 Hedensted|773 Morsø|779 Skive|787 Thisted|791 Viborg|810 Brønderslev|813 Frederikshavn|820 Vesthimmerlands|" +
	"825 Læsø|840 Rebild|846 Mariagerfjord|849 Jammerbugt|851 Aalborg|860 Hjørring"

// nuts are regions of NUTS 2021, with names that other areas do not have.
const nuts = "AT1 Ostösterreich|AT11 Burgenland|AT12 Niederösterreich|BE2 Vlaams Gewest|BE21 Prov. Antwerpen|BE33 Prov. Liège|BG3 Severna|BG31 Severozapaden|CZ01 Praha|" +
	"CZ02 Střední Čechy|DE1 Baden-Württemberg|DE11 Stuttgart|DE12 Karlsruhe|DE2 Bayern|DE21 Oberbayern|DEA Nordrhein-Westfalen|DEA1 Düsseldorf|DK01 Hovedstaden|" +
	"DK011 Byen København|EL3 Attiki|EL30 Attiki|EL41 Voreio Aigaio|ES1 Noroeste|ES11 Galicia|ES30 Comunidad de Madrid|FI19 Länsi-Suomi|FI1B Helsinki-Uusimaa|" +
	"FR1 Ile-de-France|FR10 Ile-de-France|FRB0 Centre|FRK2 Rhône-Alpes|FRL Provence|HR03 Jadranska Hrvatska|HU11 Budapest|IE04 Northern and Western|ITC1 Piemonte|ITC4 Lombardia|" +
	"LT01 Sostinės regionas|NL11 Groningen|NL32 Noord-Holland|PL21 Małopolskie|PL911 Warszawa|PT11 Norte|PT17 Lisboa|RO11 Nord-Vest|SE11 Stockholm|SE110 Stockholms län|" +
	"SI03 Vzhodna Slovenija|SK01 Bratislavský kraj|UKC1 Tees Valley|UKI3 Inner London"

// drawn is a code with its label as a table has it, and the area from which it was
// drawn: "" for one that no table of this package knows.
type drawn struct {
	Labelled
	truth string
}

// kindOf is a kind of areas with a way to write them.
type kindOf struct {
	name     string
	headings []string // that fit; others do not contradict
	least    int      // with any heading, fewer are too few to be sure
	isBare   bool     // short codes without labels
	isOwn    bool     // only the headings declare the codes
	all      []drawn
}

// kinds returns every kind of areas that the tables are drawn from.
func kinds(r *rand.Rand) []kindOf {
	var alpha2s, alpha2Named, alpha3s, alpha3Named, named, numbered, german, french []drawn
	languages := loadNames()
	german, french = namesIn(languages, "de"), namesIn(languages, "fr")
	for _, p := range loadTables().countries {
		a := p.area
		if a.Kind != Country || a.Alpha3 == "" || a.M49 == "" || a.Alpha3 == "ZZZ" {
			continue
		}
		alpha2s = append(alpha2s, drawn{Labelled{a.Alpha2, ""}, a.ID})
		alpha2Named = append(alpha2Named, drawn{Labelled{a.Alpha2, a.Name}, a.ID})
		alpha3s = append(alpha3s, drawn{Labelled{a.Alpha3, ""}, a.ID})
		alpha3Named = append(alpha3Named, drawn{Labelled{a.Alpha3, p.names[len(p.names)-1]}, a.ID})
		numbered = append(numbered, drawn{Labelled{strings.TrimLeft(a.M49, "0"), a.Name}, a.ID})
		named = append(named, drawn{Labelled{p.names[r.IntN(len(p.names))], ""}, a.ID})
	}
	var states, postal, postalNamed, fips []drawn
	for id, s := range loadSubdivisions().byID {
		if s.country == "US" {
			states = append(states, drawn{Labelled{s.area.Name, ""}, id})
			postal = append(postal, drawn{Labelled{id[3:], ""}, id})
			postalNamed = append(postalNamed, drawn{Labelled{id[3:], s.area.Name}, id})
			fips = append(fips, drawn{Labelled{s.number, s.area.Name}, id})
		}
	}
	for _, some := range [][]drawn{states, postal, postalNamed, fips} { // the order of a map is random
		slices.SortFunc(some, func(a, b drawn) int { return strings.Compare(a.truth, b.truth) })
	}
	regions, regionsNamed := listed(nuts, true)
	towns, townsNamed := listed(danes, false)
	country, state, any := []string{"Country", "country_code", "iso"}, []string{"State", "STATE_CODE"}, []string{"area", "code", "NAME", "geo"}
	return []kindOf{
		{"alpha-2", country, 10, true, false, alpha2s}, {"alpha-2 with names", any, 3, false, false, alpha2Named},
		{"alpha-3", country, 4, true, false, alpha3s}, {"alpha-3 with names", any, 3, false, false, alpha3Named},
		{"names of countries", any, 3, false, false, named}, {"M49 with names", any, 3, false, false, numbered},
		{"German names", any, 3, false, false, german}, {"French names", any, 3, false, false, french},
		{"states", any, 3, false, false, states}, {"postal codes of states", state, 20, true, false, postal},
		{"postal codes with names", any, 3, false, false, postalNamed}, {"FIPS with names", any, 3, false, false, fips},
		{"NUTS", any, 6, true, false, regions}, {"NUTS with names", any, 6, false, false, regionsNamed},
		{"Danish municipalities", any, 0, true, false, towns}, {"Danish municipalities with names", any, 0, false, false, townsNamed},
		{"Roman numerals", append(any, "Class", "Region"), 0, true, false, words("I II III IV V VI VII VIII IX X XI XII XIII XIV XV")},
		{"numbered names", append(any, "Class", "Region"), 0, false, false, words("Class_I Class_II Class_III Group_A Group_B Region_I Region_II Region_III Region_IV Region_V Type_1")},
		{"single letters", append(any, "Class", "Section"), 0, true, false, words("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z")},
		{"sections of NACE", append(any, "Section"), 0, true, false, words("A B C D E F G H J K L M N P Q R S T")},
		{"vague words", append(any, "Region"), 0, false, false, words("North South East West Centre Central Upper Lower Total Class Other All Rest Inner Urban Rural")},
		{"GSS codes", any, 2, false, false, gss(false)}, {"GSS codes with names", any, 2, false, false, gss(true)},
		{"GEO_ID", any, 2, false, false, counties(r, "0500000US")}, {"counties with FIPS", any, 2, false, false, counties(r, "")},
		{"departments of France", []string{"dep"}, 40, true, true, departments()},
		{"municipalities of Brazil", []string{"IBGE", "cod_ibge"}, 1, true, true, municipalities(r, "BR")},
		{"districts of Germany", []string{"AGS"}, 1, true, true, municipalities(r, "DE")},
		{"made-up codes", any, 0, true, false, madeUp(r)}, {"made-up names", any, 0, false, false, madeUpNames(r)},
	}
}

func namesIn(t *nameTable, language string) (all []drawn) {
	for name, p := range t.byLanguage[language] {
		if p.area.Kind == Country {
			all = append(all, drawn{Labelled{name, ""}, p.area.ID})
		}
	}
	slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(a.Code, b.Code) })
	return all
}

// listed returns the codes of a list with and without their names.
func listed(list string, isKnown bool) (bare, named []drawn) {
	for entry := range strings.SplitSeq(list, "|") {
		code, name, _ := strings.Cut(entry, " ")
		truth := ""
		if isKnown {
			truth = code
		}
		bare = append(bare, drawn{Labelled{code, ""}, truth})
		named = append(named, drawn{Labelled{code, name}, truth})
	}
	return bare, named
}

// gss returns codes of the United Kingdom's offices.
func gss(isNamed bool) (all []drawn) {
	for entry := range strings.SplitSeq("E92000001=England=GB-ENG|W92000004=Wales=GB-WLS|S92000003=Scotland=GB-SCT|N92000002=Northern Ireland=GB-NIR|K02000001=United Kingdom=GB|"+
		"E12000001=North East|E12000003=Yorkshire and The Humber|E12000007=London|E07000008=Cambridge|E07000178=Oxford|E07000240=St Albans|E07000041=Exeter|"+
		"E05000405=Knightsbridge and Belgravia|W05000982=Cathays|S14000022=Edinburgh East|E01000001=City of London 001A", "|") {
		f := append(strings.Split(entry, "="), "")
		d := drawn{Labelled{Code: f[0]}, cmp.Or(f[2], f[0])}
		if isNamed {
			d.Label = f[1]
		}
		all = append(all, d)
	}
	return all
}

// counties returns counties of the United States with their states, with the words that
// the Census Bureau writes before their numbers.
func counties(r *rand.Rand, before string) (all []drawn) {
	for id, s := range loadSubdivisions().byID {
		if s.country == "US" {
			number := fmt.Sprintf("%s%03d", s.number, 1+2*r.IntN(100))
			all = append(all, drawn{Labelled{before + number, "Lebanon County, " + s.area.Name}, "census:" + number}, drawn{Labelled{before + s.number, s.area.Name}, id})
		}
	}
	if before == "" { // numbers of states have five digits among those of counties
		for i := range all {
			all[i].Code = (all[i].Code + "000")[:5]
		}
	} else {
		for i := range all {
			if n := strings.TrimPrefix(all[i].Code, before); len(n) == 2 {
				all[i].Code = "0400000US" + n
			}
		}
	}
	slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(a.Code, b.Code) })
	return all
}

func departments() (all []drawn) {
	for id, s := range loadSubdivisions().byID {
		if local := id[3:]; s.country == "FR" && (len(local) == 2 || id == "FR-971") && s.area.ID != "FR-20R" {
			all = append(all, drawn{Labelled{local, ""}, id})
		}
	}
	slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(a.Code, b.Code) })
	return all
}

// municipalities returns numbers that begin with those of a country's subdivisions.
func municipalities(r *rand.Rand, country string) (all []drawn) {
	office, digits := "ibge", 7
	if country == "DE" {
		office, digits = "destatis", 5
	}
	var numbers []string
	for _, s := range loadSubdivisions().byID {
		if s.country == country {
			numbers = append(numbers, s.number)
		}
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		for range 20 {
			code := number
			for len(code) < digits {
				code += string(rune('1' + r.IntN(9)))
			}
			all = append(all, drawn{Labelled{code, ""}, office + ":" + code})
		}
	}
	return all
}

// words returns codes that are no areas, with a space for each underscore.
func words(list string) (all []drawn) {
	for _, word := range strings.Fields(list) {
		all = append(all, drawn{Labelled{strings.ReplaceAll(word, "_", " "), ""}, ""})
	}
	return all
}

// madeUp returns codes of two to five letters and digits, of which many are those of
// areas by chance.
func madeUp(r *rand.Rand) (all []drawn) {
	const letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	for range 3000 {
		b := []byte{}
		from := []string{letters, digits, letters + digits}[r.IntN(3)]
		for range 2 + r.IntN(4) {
			b = append(b, from[r.IntN(len(from))])
		}
		if loadNames().any[foldName(string(b))] == nil { // UK and USA are names
			all = append(all, drawn{Labelled{string(b), ""}, ""})
		}
	}
	return all
}

func madeUpNames(r *rand.Rand) (all []drawn) {
	syllables := strings.Fields("ba den kor lin mar nes oth per qua rul sten tor ull vic wes xan yor zed")
	for range 500 {
		name := ""
		for range 3 {
			name += syllables[r.IntN(len(syllables))]
		}
		all = append(all, drawn{Labelled{strings.ToUpper(name[:1]) + name[1:], ""}, ""})
	}
	return all
}

// draw returns up to n of the kind, each once.
func (k *kindOf) draw(r *rand.Rand, n int, taken map[string]bool) (some []drawn) {
	for range 3 * n {
		if d := k.all[r.IntN(len(k.all))]; !taken[d.Code] && len(some) < n {
			taken[d.Code] = true
			some = append(some, d)
		}
	}
	return some
}

// TestRandomTables draws tables of areas of one kind and mixtures of two. No area is
// ever served as another one, and of tables of one kind 98 % are resolved.
func TestRandomTables(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2026))
	all := kinds(r)
	drawnOf, foundOf := map[string]int{}, map[string]int{}
	for range *tablesTested {
		one := &all[r.IntN(len(all))]
		size := max(1, one.least) + r.IntN(50)
		heading := one.headings[r.IntN(len(one.headings))]
		if one.isBare && !one.isOwn && r.IntN(2) == 0 {
			heading = []string{"area", "code", "geo", "GROUP"}[r.IntN(4)]
		}
		taken := map[string]bool{}
		table := one.draw(r, size, taken)
		name, isMixed := one.name, r.IntN(3) == 0
		if other := &all[r.IntN(len(all))]; isMixed && mayMix(one, other) {
			table = append(table, other.draw(r, 1+r.IntN(size), taken)...)
			name += " and " + other.name
			heading = "area"
		} else {
			isMixed = false
		}
		r.Shuffle(len(table), func(i, j int) { table[i], table[j] = table[j], table[i] })
		found := check(t, name+" under "+heading, heading, table)
		if !isMixed && one.least > 0 {
			drawnOf[one.name] += len(table)
			foundOf[one.name] += found
		}
	}
	for name, n := range drawnOf {
		t.Logf("%s: %d of %d resolved", name, foundOf[name], n)
		if 100*foundOf[name] < 98*n {
			t.Errorf("%s: only %d of %d resolved", name, foundOf[name], n)
		}
	}
}

// mayMix reports whether a mixture of two kinds has one truth. Bare codes of two kinds
// do not: nobody can tell a made-up DEU among countries.
func mayMix(one, other *kindOf) bool {
	return one != other && !(one.isBare && other.isBare) && !other.isBare
}

// check resolves a table and returns the number of areas found.
func check(t *testing.T, name, heading string, table []drawn) (found int) {
	t.Helper()
	var codes []Labelled
	for _, d := range table {
		codes = append(codes, d.Labelled)
	}
	resolution := ResolveAll("local", heading, codes)
	for i, d := range table {
		switch a := resolution.Areas[i]; {
		case resolution.Known[i] && a.ID != d.truth:
			t.Errorf("%s: %q (%s) is %s, want %q or unknown; %s", name, d.Code, d.Label, a.ID, d.truth, resolution)
		case resolution.Known[i]:
			found++
		case loadTables().iso[alpha2][a.ID] != nil || loadSubdivisions().byID[a.ID] != nil:
			t.Errorf("%s: the unknown %q has the ID %s of another area", name, d.Code, a.ID)
		}
	}
	return found
}

// ExampleResolveAll resolves a table of US states: Georgia is the state.
func ExampleResolveAll() {
	r := ResolveAll("local", "State", []Labelled{{"United States", ""}, {"Georgia", ""}, {"Texas", ""}, {"Midwest", ""}})
	for _, a := range r.Areas {
		fmt.Println(a.ID)
	}
	fmt.Println(r)
	// Output:
	// US
	// US-GA
	// US-TX
	// Midwest
	// 2 of 4 are subdivisions of US (ISO 3166-2)
}
