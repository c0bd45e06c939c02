package geo

import (
	"slices"
	"strings"
	"sync"
)

// Entry is an area of the directory, with its codes in all lists.
type Entry struct {
	Area
	// Key addresses the entry: it is the ID, or source:ID if another area has the same ID
	// in the list of another office.
	Key   string
	Codes []Code // the main code of each list first
	Above string // of a region: the key of the area of which it is a part
	names []string
}

// Code is the code of an area in a list: iso2, iso3, m49, nuts, iso3166_2, iso3166_3, national (the
// country's own office), the source ID of an office, or one of othercodes.tsv.
type Code struct{ List, Code string }

// Reading is a meaning of a text.
type Reading struct {
	*Entry
	Lists []string // the lists of which the text is a code; "name" if it is a name of the area
}

// IsSecondary reports whether the text means the area only by lists that are not those of
// statistical offices: T is Thailand on number plates.
func (r *Reading) IsSecondary() bool {
	return !slices.ContainsFunc(r.Lists, func(list string) bool { return !loadDirectory().isOther[list] })
}

// NameList is the list of a reading by name.
const NameList = "name"

// directoryFiles are the tables of offices in the order in which the directory reads them:
// where several have an area of one name, that of M49 is meant first.
var directoryFiles = append([]string{"m49"}, slices.DeleteFunc(slices.Clone(ownFiles), func(f string) bool { return f == "m49" })...)

// codedEntry is an entry and the list in which a code means it.
type codedEntry struct {
	list  string
	entry *Entry
}

type directory struct {
	entries []*Entry
	byKey   map[string]*Entry       // in upper case
	byCode  map[string][]codedEntry // in upper case, in the order in which the meanings are given
	byOther map[string][]codedEntry // the same for othercodes.tsv
	byName  map[string][]*Entry     // by nameKey
	byHead  map[string][]*Entry     // countries by the nameKey of what stands before a comma or bracket: Korea, Rep.
	byID    map[string]int          // how many entries have an ID, without those of the map of GISCO
	isOther map[string]bool         // the lists of othercodes.tsv
	// byLetters has the keys of byName by their letters, sorted; made when it is first needed.
	byLetters func() map[string][]string
}

// loadDirectory reads the directory at the first call.
var loadDirectory = sync.OnceValue(func() *directory {
	d := &directory{
		byKey: make(map[string]*Entry, 12_000), byCode: make(map[string][]codedEntry, 16_000),
		byOther: make(map[string][]codedEntry, 3000), byName: make(map[string][]*Entry, 48_000),
		byHead: make(map[string][]*Entry, 500), byID: make(map[string]int, 12_000), isOther: map[string]bool{},
	}
	d.byLetters = sync.OnceValue(d.namesByLetters)
	d.addCountries()
	d.addOffice(directoryFiles[0])
	numbered := d.addFormer()
	for _, file := range directoryFiles[1:] {
		d.addOffice(file)
	}
	for _, former := range numbered { // many of these numbers have another meaning by now
		d.addCode(former.entry, formerList, former.code)
	}
	for _, file := range nationalFiles {
		d.addNational(file)
	}
	d.addRegions()
	d.addSubdivisions()
	for _, r := range rows("gisco") {
		e := &Entry{Area: Area{ID: r.codes[0], Name: r.names[0], Kind: Kind(r.meaning)}, Key: "gisco:" + r.codes[0], names: r.names}
		d.add(e)
		for _, code := range r.codes {
			d.addCode(e, "gisco", code)
		}
	}
	d.addSameRegions()
	for _, f := range lines("othercodes") {
		e := d.byKey[f[0]]
		for _, field := range f[1:] {
			list, code, _ := strings.Cut(field, "=")
			e.Codes, d.isOther[list] = append(e.Codes, Code{list, code}), true
			d.byOther[strings.ToUpper(code)] = append(d.byOther[strings.ToUpper(code)], codedEntry{list, e})
		}
	}
	d.addNames()
	return d
})

// add adds an entry with a new key.
func (d *directory) add(e *Entry) {
	d.entries = append(d.entries, e)
	d.byKey[strings.ToUpper(e.Key)] = e
	if !strings.HasPrefix(e.Key, "gisco:") { // no code of datasets
		d.byID[e.ID]++
	}
}

// addCode adds a code to an entry unless the list has it already.
func (d *directory) addCode(e *Entry, list, code string) {
	if c := (Code{list, code}); code != "" && !slices.Contains(e.Codes, c) {
		e.Codes = append(e.Codes, c)
		key := strings.ToUpper(code)
		d.byCode[key] = append(d.byCode[key], codedEntry{list, e})
	}
}

// addCountries adds the countries and former countries of ISO 3166-1 with the codes that
// Eurostat and the World Bank have for them.
func (d *directory) addCountries() {
	countries := loadTables().countries
	for _, p := range countries {
		d.add(&Entry{Area: p.area, Key: p.area.ID, names: p.names})
	}
	for _, list := range []string{"iso2", "iso3", "m49"} { // the codes of one list before those of the next
		for _, p := range countries {
			code := map[string]string{"iso2": p.area.Alpha2, "iso3": p.area.Alpha3, "m49": p.area.M49}[list]
			d.addCode(d.byKey[p.area.ID], list, code)
		}
	}
	economies, _ := CompositionOf("WLD")
	for _, p := range countries {
		e := d.byKey[p.area.ID]
		if p.area.Kind != Country {
			continue
		}
		spelling := eurostatCountry(p.area.Alpha2)
		d.addCode(e, "eurostat", spelling)
		if slices.Contains(strings.Fields(withExtraRegio), spelling) && e.ID == p.area.Alpha2 {
			d.addCode(e, "nuts", spelling)
		}
		if slices.ContainsFunc(economies.Members, func(m Member) bool { return m.Area == p.area.ID }) {
			d.addCode(e, "worldbank", p.area.Alpha3)
		}
	}
}

// formerList is the list of codes that ISO 3166-1 has withdrawn: ISO 3166-3.
const formerList = "iso3166_3"

// numberedEntry is an entry and a number that it had.
type numberedEntry struct {
	code  string
	entry *Entry
}

// addFormer adds the areas of ISO 3166-3 with their codes of letters, and returns their numbers.
func (d *directory) addFormer() (numbered []numberedEntry) {
	for _, r := range rows("formercodes") {
		key, codes := r.codes[0], strings.Fields(r.meaning)
		e := d.byKey[strings.ToUpper(key)]
		if e == nil {
			e = &Entry{Area: Area{ID: key, Name: r.names[0], Kind: Former}, Key: key, names: r.names}
			d.add(e)
		}
		for _, code := range codes {
			if isDigits(code) {
				numbered = append(numbered, numberedEntry{code, e})
			} else {
				d.addCode(e, formerList, code)
			}
		}
	}
	return numbered
}

// addOffice adds the areas of an office's table, and its codes for countries.
func (d *directory) addOffice(file string) {
	source := file
	if file == "m49" {
		source = "un"
	}
	for _, r := range rows(file) {
		if country, ok := strings.CutPrefix(r.meaning, "="); ok {
			e := d.byKey[country]
			e.names = append(e.names, r.names...)
			for _, code := range r.codes {
				if code != e.Alpha2 || file != "eurostat" {
					d.addCode(e, file, code)
				}
			}
			continue
		}
		p := &place{area: Area{ID: r.codes[0], Name: r.names[0], Kind: Kind(r.meaning)}}
		e := &Entry{Area: p.from(source), names: r.names}
		if file == "m49" {
			e.M49 = r.codes[0]
		}
		e = d.addOwn(e, source)
		for _, code := range r.codes {
			if code != r.names[0] { // not a name in place of a code
				d.addCode(e, file, code)
			}
		}
	}
}

// addOwn adds an area of an office and returns its entry. If the list of another office has
// an area with this ID, they are one if they have the same name; else the key begins with the
// source.
func (d *directory) addOwn(e *Entry, source string) *Entry {
	e.Key = e.ID
	other := d.byKey[strings.ToUpper(e.ID)]
	if other != nil && foldName(other.Name) == foldName(e.Name) {
		other.names = append(other.names, e.names...)
		return other
	}
	if other != nil {
		e.Key = source + ":" + e.ID
	}
	d.add(e)
	return e
}

// addNational adds the own codes of a national office.
func (d *directory) addNational(file string) {
	home := officeOf(file).home
	for _, r := range rows(file) {
		e := &Entry{Area: Area{ID: file + ":" + r.codes[0], Name: r.names[0], Kind: Kind(r.meaning)}, Above: home, names: r.names}
		e.Key = e.ID
		d.add(e)
		for _, code := range r.codes {
			d.addCode(e, file, code)
		}
	}
}

// addRegions adds the regions of Eurostat that have a name.
func (d *directory) addRegions() {
	for _, f := range lines("nuts") {
		code, names := f[0], strings.Split(f[1], " | ")
		e := &Entry{Area: Area{ID: code, Name: names[0], Kind: Region}, Key: code, names: names}
		if other := d.byKey[code]; other != nil {
			e.Key = "eurostat:" + code
		}
		for above := code[:len(code)-1]; e.Above == ""; above = above[:len(above)-1] {
			if a := d.byKey[above]; len(above) > 2 && a != nil && a.Kind == Region {
				e.Above = a.Key
			} else if len(above) == 2 {
				e.Above = countryOfRegion(code)
			}
		}
		d.add(e)
		d.addCode(e, "nuts", code)
	}
}

// countryOfRegion returns the alpha-2 code of the country with whose code, in Eurostat's
// spelling, that of a region begins.
func countryOfRegion(code string) string {
	switch code[:2] {
	case "EL":
		return "GR"
	case "UK":
		return "GB"
	}
	return code[:2]
}

func (d *directory) addSubdivisions() {
	for _, r := range rows(subdivisionsFile) {
		id := r.codes[0]
		e := &Entry{Area: Area{ID: id, Name: r.names[0], Kind: Region}, Key: id, Above: r.meaning, names: r.names}
		d.add(e)
		list := "national"
		if strings.Contains(id, "-") {
			list = "iso3166_2"
		}
		d.addCode(e, list, id)
		if len(r.codes) > 1 {
			e.Codes = append(e.Codes, Code{"national", r.codes[1]}) // it says nothing without its country
		}
	}
}

// addSameRegions adds the codes of a region in one list to its entries of the others.
func (d *directory) addSameRegions() {
	for _, fields := range lines("sameregions") {
		var entries []*Entry
		for _, id := range append(strings.Fields(fields[0]), strings.Fields(fields[1])...) {
			if e := d.byKey["EUROSTAT:"+id]; e != nil {
				entries = append(entries, e)
			} else {
				entries = append(entries, d.byKey[id])
			}
		}
		all := []Code{}
		for _, e := range entries {
			all = append(all, e.Codes...)
		}
		for _, e := range entries {
			for _, c := range all {
				if !slices.Contains(e.Codes, c) {
					e.Codes = append(e.Codes, c)
				}
			}
		}
	}
}

// Entries returns all areas of the directory: countries, then the groups and other areas of
// M49 and the offices, then regions of NUTS and subdivisions of ISO 3166-2. The caller must
// not change them.
func Entries() []*Entry { return loadDirectory().entries }

// FindEntry returns the entry with a key, in any case, or with the ID that another source with
// numbers of M49 has for it.
func FindEntry(key string) (e *Entry, ok bool) {
	e = loadDirectory().entryOf(strings.TrimSpace(key))
	return e, e != nil
}

// IsWithin reports whether the area is a whole or a part of it.
func (e *Entry) IsWithin(w Whole) bool {
	source := ""
	if slices.ContainsFunc(e.Codes, func(c Code) bool { return c.List == "nuts" || c.List == "eurostat" }) {
		source = "eurostat"
	}
	return w.Has(source, e.ID)
}

// Names returns the names of the area, the one in English first. The caller must not
// change them.
func (e *Entry) Names() []string { return e.names }
