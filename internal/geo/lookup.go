package geo

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxLookup is the length in bytes of the longest text that may be a code or a name.
const maxLookup = 300

// Lookup returns what a text may mean, in any case: a code of an area in any list, a name in
// any language, or source:code. The likeliest meaning is first: codes of ISO 3166-1 and M49,
// then those of the offices, NUTS and ISO 3166-2, then names of countries, groups and regions,
// then codes of lists that are not those of statistical offices. It is empty if the text is
// unknown.
func Lookup(text string) []Reading {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxLookup {
		return nil
	}
	d := loadDirectory()
	var found readings
	code, named := padNumber(upperCode(text)), d.byName[nameKey(text)]
	for _, c := range d.byCode[code] {
		if !slices.Contains(named, c.entry) {
			found.add(c.entry, c.list)
		}
	}
	for _, e := range named { // WORLD is a name above all
		for _, c := range d.byCode[code] {
			if slices.Contains(named, c.entry) {
				found.add(e, NameList)
				break
			}
		}
	}
	for _, c := range d.byCode[code] {
		found.add(c.entry, c.list)
	}
	if e := d.prefixed(text); e != nil {
		list, _, _ := strings.Cut(strings.ToLower(text), ":")
		found.add(e, list)
	}
	if d.byKey[code] == nil && isEurostatRegion(code) {
		found.add(&Entry{Area: Area{ID: code, Name: code, Kind: Region}, Key: code, Above: countryOfRegion(code), Codes: []Code{{"eurostat", code}}}, "eurostat")
	}
	for _, e := range named {
		found.add(e, NameList)
	}
	for _, e := range d.byHead[nameKey(text)] {
		found.add(e, NameList)
	}
	for _, c := range d.byOther[upperCode(text)] {
		found.add(c.entry, c.list)
	}
	if found == nil {
		for _, s := range namedSubdivisions(text) { // with a word for its kind: Canton of Zurich
			found.add(d.byKey[strings.ToUpper(s.area.ID)], NameList)
		}
	}
	if found == nil {
		for _, e := range d.spelled(text) {
			found.add(e, NameList)
		}
	}
	return found
}

// readings are what a text may mean, the likeliest first.
type readings []Reading

// add adds an area by a list that has it.
func (r *readings) add(e *Entry, list string) {
	at := slices.IndexFunc(*r, func(known Reading) bool { return known.Entry == e })
	if at < 0 {
		at, *r = len(*r), append(*r, Reading{Entry: e})
	}
	if lists := &(*r)[at].Lists; !slices.Contains(*lists, list) {
		*lists = append(*lists, list)
	}
}

// spelled returns the areas of which a text is a name without blanks, or with other letters for
// those of one language: "Cote divoire".
func (d *directory) spelled(text string) []*Entry {
	key := letters(nameKey(text))
	if key == "" {
		return nil
	}
	var found []*Entry
	for _, name := range d.byLetters()[key] {
		found = append(found, d.byName[name]...)
	}
	return found
}

// namesByLetters returns the keys of byName by their letters, sorted.
func (d *directory) namesByLetters() map[string][]string {
	names := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(d.byName)) {
		if key := letters(name); key != "" {
			names[key] = append(names[key], name)
		}
	}
	return names
}

// prefixed returns the entry that source:code means, or nil.
func (d *directory) prefixed(text string) *Entry {
	if e := d.byKey[strings.ToUpper(text)]; e != nil && strings.Contains(text, ":") {
		return e
	}
	source, code, ok := strings.Cut(text, ":")
	if !ok {
		return nil
	}
	a, ok := resolvePrefixed(source, strings.TrimSpace(code))
	if !ok || a.Kind == "" {
		return nil
	}
	return d.entryOf(a.ID)
}

// articles match what stands before or after a name in some languages: "la République
// d'Albanie", "Albanie (l')".
var articles = regexp.MustCompile(`(?i)^(la |le |les |l['’]|el |los |las |the )| \((la|le|les|l['’]|el|los|las|the)\)$`)

// nameKey returns the form in which names are compared: without case, accents, articles and
// marks.
func nameKey(name string) string {
	return foldName(articles.ReplaceAllString(strings.TrimSpace(name), ""))
}

// addNames adds the names of all entries. Of several areas with one name, those are meant first
// that come first here: countries and the regions of M49 by their own names, all by those of
// CLDR, groups by the names of offices, countries by other names, and regions.
func (d *directory) addNames() {
	add := func(e *Entry, names []string) {
		for _, name := range names {
			if key := nameKey(name); key != "" && !slices.Contains(d.byName[key], e) {
				d.byName[key] = append(d.byName[key], e)
			}
			d.addHead(e, name)
		}
	}
	addLanguages := func(e *Entry, languages map[string][][]string) {
		for _, list := range languages[e.ID] {
			add(e, list[1:])
		}
	}
	own := func(kinds ...Kind) {
		for _, e := range d.entries {
			if isFirst := e.M49 != "" && e.Kind != Region; isFirst == (kinds == nil) && (isFirst || slices.Contains(kinds, e.Kind)) {
				add(e, e.names)
				addLanguages(e, loadOfficial())
			}
		}
	}
	translated := func(tables ...map[string][][]string) {
		for _, languages := range tables {
			for _, e := range d.entries {
				addLanguages(e, languages)
			}
		}
	}
	own()
	translated(loadCLDR())
	own(Country, Former, Group, Other)
	translated(loadSpellings(), loadOtherNames())
	translated(readLanguages(regionNamesFile), loadRegionNames()) // by the ID in the table first
	own(Region)
}

// addHead adds what stands before a comma or bracket in a name of a country: "Korea, Rep.", "Congo
// (Kinshasa)". A person may write this part only.
func (d *directory) addHead(e *Entry, name string) {
	at := strings.IndexAny(name, ",(")
	if at < 0 || e.Kind != Country {
		return
	}
	if key := nameKey(name[:at]); key != "" && !slices.Contains(d.byHead[key], e) {
		d.byHead[key] = append(d.byHead[key], e)
	}
}

// SearchNames returns the areas with a name of which a word begins with a text, in any
// language: first those that the text means, then the others in the order of [Entries].
func SearchNames(text string) []*Entry {
	var found []*Entry
	isFound := map[*Entry]bool{}
	for _, r := range Lookup(text) {
		found, isFound[r.Entry] = append(found, r.Entry), true
	}
	key := nameKey(text)
	if key == "" || len(text) > maxLookup {
		return found
	}
	d := loadDirectory()
	matches := map[*Entry]bool{}
	for name, entries := range d.byName {
		if strings.HasPrefix(name, key) || strings.Contains(name, " "+key) {
			for _, e := range entries {
				matches[e] = true
			}
		}
	}
	for _, e := range d.entries {
		if matches[e] && !isFound[e] {
			found = append(found, e)
		}
	}
	return found
}
