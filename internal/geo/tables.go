package geo

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

//go:embed tables/*.tsv
var tableFiles embed.FS

// countriesFile has the areas with an alpha-2 code. The files of ownFiles and
// nationalFiles have the own codes of one office each.
const countriesFile = "countries"

var ownFiles = []string{
	"eurostat", "worldbank", "imf", "m49", "un", "fao", "who", "oecd", "ilo", "unicef", "ecb", "bis", "owid", "cepii", "trade",
}

// nationalFiles have the own codes of national offices. Their IDs begin with the source.
var nationalFiles = []string{"insee"}

type place struct {
	area  Area
	names []string // its names in the table, the Name of the area first
}

// from returns the area with the ID that it has in a source.
func (p *place) from(source string) Area {
	a := p.area
	a.ID = ownID(source, a.ID)
	return a
}

// tables has all areas by code and name. Codes are in upper case, names folded.
type tables struct {
	countries []*place
	names     map[string]*place    // of countries
	iso       [3]map[string]*place // by form
	former    [3]map[string]*place // by form in which they stand: codes that ISO 3166-1 and M49 have withdrawn and not used again
	own       map[string]table
	national  map[string]table
}

// table has the areas of one office by own code and name, including other codes and
// names of countries.
type table struct{ codes, names map[string]*place }

// loadTables reads the tables at the first call.
var loadTables = sync.OnceValue(readTables)

func readTables() *tables {
	t := &tables{names: make(map[string]*place, 512), own: map[string]table{}, national: map[string]table{}}
	for f := range t.iso {
		t.iso[f], t.former[f] = make(map[string]*place, 256), make(map[string]*place, 64)
	}
	for _, r := range rows(countriesFile) {
		t.addCountry(r)
	}
	for _, name := range ownFiles {
		t.own[name] = t.readOwn(name)
	}
	for _, name := range nationalFiles {
		t.national[name] = t.readOwn(name)
		for _, p := range t.national[name].codes {
			p.area.ID = name + ":" + p.area.ID
		}
	}
	t.readFormer()
	return t
}

// readFormer reads the former countries that are not in the file of countries. Codes of four letters
// stand beside those of two or three. Those of two letters are left out: most of
// them have another meaning.
func (t *tables) readFormer() {
	for code, p := range t.own["m49"].codes {
		if p.area.Kind == Former {
			t.former[m49][code] = &place{area: p.from("un"), names: p.names}
			addNames(t.names, p.names, t.former[m49][code])
		}
	}
	for _, r := range rows("formercodes") {
		number, _ := strings.CutPrefix(r.codes[0], "un:")
		p := cmp.Or(t.iso[alpha2][number], t.former[m49][number])
		if p == nil {
			p = &place{area: Area{ID: r.codes[0], Name: r.names[0], Kind: Former}, names: r.names}
			addNames(t.names, r.names, p)
		}
		for code := range strings.FieldsSeq(r.meaning) {
			switch {
			case len(code) == 4:
				t.former[alpha2][code], t.former[alpha3][code] = p, p
			case len(code) == 3 && !isDigits(code) && t.iso[alpha3][code] == nil:
				t.former[alpha3][code] = p
			}
		}
	}
}

// addCountry adds a row of the file of countries. Alpha-3 and M49 codes are those of
// x/text unless the row has its own.
func (t *tables) addCountry(r row) {
	a := Area{ID: r.codes[0], Alpha2: r.codes[0], Name: r.names[0], Kind: Kind(r.meaning)}
	if len(r.codes) == 3 {
		a.Alpha3, a.M49 = r.codes[1], r.codes[2]
	} else {
		region := language.MustParseRegion(a.Alpha2)
		a.Alpha3, a.M49 = region.ISO3(), fmt.Sprintf("%03d", region.M49())
	}
	p := &place{area: a, names: r.names}
	t.countries = append(t.countries, p)
	addNames(t.names, r.names, p)
	t.iso[alpha2][a.Alpha2], t.iso[alpha3][a.Alpha3], t.iso[m49][a.M49] = p, p, p
}

func (t *tables) readOwn(name string) table {
	own := table{map[string]*place{}, map[string]*place{}}
	for _, r := range rows(name) {
		var p *place
		if country, ok := strings.CutPrefix(r.meaning, "="); ok {
			p = t.iso[alpha2][country]
			if p == nil {
				panic("geo: table " + name + ": no country " + country)
			}
		} else {
			p = &place{area: Area{ID: r.codes[0], Name: r.names[0], Kind: Kind(r.meaning)}, names: r.names}
			if name == "m49" {
				p.area.M49 = r.codes[0]
			}
		}
		addNames(own.names, r.names, p)
		for _, code := range r.codes {
			own.codes[strings.ToUpper(code)] = p
		}
	}
	return own
}

// addNames adds the names of a place unless an earlier place of the table has the
// same name.
func addNames(to map[string]*place, names []string, p *place) {
	for _, name := range names {
		if key := foldName(name); to[key] == nil {
			to[key] = p
		}
	}
}

// row is a line of a table: codes separated by spaces, or a dash if the first name is
// the code; a kind, or "=" and the country of which the codes are another spelling, or
// for a subdivision the area of which it is a part; and names.
type row struct {
	codes   []string
	meaning string
	names   []string
}

func rows(name string) (rows []row) {
	for _, fields := range lines(name) {
		r := row{codes: strings.Fields(fields[0]), meaning: fields[1]}
		for _, f := range fields[2:] {
			r.names = append(r.names, strings.Split(f, " | ")...)
		}
		if r.codes[0] == "-" {
			r.codes = r.names[:1]
		}
		rows = append(rows, r)
	}
	return rows
}

// lines returns the fields of each line of a table, without comments.
func lines(name string) (lines [][]string) {
	text, err := tableFiles.ReadFile("tables/" + name + ".tsv")
	if err != nil {
		panic("geo: " + err.Error()) // embedded: the build would have failed
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line != "" && line[0] != '#' {
			lines = append(lines, strings.Split(line, "\t"))
		}
	}
	return lines
}

// abbreviations are words that some offices write short in names.
var abbreviations = map[string]string{"st": "saint", "rep": "republic", "dem": "democratic"}

func foldName(name string) string {
	words := strings.FieldsFunc(plainLetters(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for i, w := range words {
		if full, ok := abbreviations[w]; ok {
			words[i] = full
		}
		if w == "u" && i+1 < len(words) && (words[i+1] == "s" || words[i+1] == "k") { // U.S., U.K.
			words[i], words[i+1] = "", "u"+words[i+1]
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// plainLetters converts to lower case, removes accents and spells out "&".
func plainLetters(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent
		case r == '&':
			b.WriteString(" and ")
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return norm.NFC.String(b.String()) // Korean syllables are whole again
}
