package geo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Labelled is a code of an area with the label that its table has for it, if any.
type Labelled struct{ Code, Label string }

// Resolution says which areas the codes of one table mean.
type Resolution struct {
	Areas    []Area // one for each code
	Known    []bool // whether the area of a code is known; if not, the code stands for itself
	System   string // the code system in words if it was found by the codes and labels; else empty
	InSystem []bool // whether System has the code

	column *column
}

// First returns the resolution of the first n codes.
func (r Resolution) First(n int) Resolution {
	return Resolution{Areas: r.Areas[:n], Known: r.Known[:n], System: r.System, InSystem: r.InSystem[:n], column: r.column}
}

// Unknown returns the number of codes without a known area.
func (r Resolution) Unknown() int { return len(r.Known) - countTrue(r.Known) }

func countTrue(values []bool) int {
	n := 0
	for _, v := range values {
		if v {
			n++
		}
	}
	return n
}

// IsGeography reports whether the codes as a whole are those of a table's geography. For
// a national office they are parts of its country, other countries are not.
func (r Resolution) IsGeography() bool {
	c, known := r.column, countTrue(r.Known)
	codes := len(c.items)
	for i := range r.Known {
		if it := &c.items[i]; !r.Known[i] && (it.isAside() || known >= 3 && len(it.code) > 3 && isVague(it.name)) {
			codes--
		}
	}
	hasHeading := c.heading != anyHeading && c.heading != otherHeading
	isDeclared := c.isExact || c.heading == countryHeading || c.heading == numberHeading
	if c.office.System != National {
		return known > 0 && (codes > 1 || isDeclared) && (10*known >= 9*codes || (hasHeading || known >= 10) && 2*known > codes)
	}
	whole, parts, homes := WholeOf(c.office.home), 0, 0
	for i, a := range r.Areas {
		switch {
		case a.ID == c.office.home:
			homes++
		case r.Known[i] && (whole.Has(c.source, a.ID) || IsTerritory(a.ID, c.office.home)), IsNUTS(a.ID) && a.ID[:2] == eurostatCountry(c.office.home):
			parts++
		}
	}
	switch {
	case parts > 0 && 2*(parts+homes) > codes:
		return true
	case parts+homes < known || codes == homes || slices.ContainsFunc(c.items, func(it item) bool { return isSettlementType(it.key) }):
		return false
	case codes == 1: // a region, unless it is the total
		return c.isExact && !c.items[0].isTotal()
	}
	return hasHeading && parts+homes > 0 || c.isExact
}

// isSettlementType reports whether a name is a kind of place, which is no area.
func isSettlementType(key string) bool {
	return slices.Contains(strings.Fields("urban rural urbano urbana urbain cabecera"), key)
}

// String tells the system and how many codes it has: "51 of 53 are subdivisions of US
// (ISO 3166-2)". It is empty if no system was found.
func (r Resolution) String() string {
	n := countTrue(r.InSystem)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d are %s", n, len(r.Areas), r.System)
}

// ResolveAll returns the areas that the codes of one table mean. heading is the name of
// their column or dimension, with its label.
//
// The system of an international office is declared: each code means what [Resolve] says,
// and where it has none, its label, unless most of the names are subdivisions of one country. Otherwise
// the codes are resolved as a whole, because a code or name alone may be that of several
// areas: GA is Gabon and the US state of Georgia, 084 is Belize and a Danish region. In
// this order:
//
//  1. the office's own list, and its country's codes and names
//  2. codes of ISO 3166-2 (US-GA) and of European regions (NUTS)
//  3. names, if most are those of subdivisions of one country (ISO 3166-2), with that
//     country above them, or most are names of countries in one language
//  4. codes, if nearly all are of one system and no other one has them all as well.
//     Without a heading that declares countries, short codes must be many, and labels
//     must agree.
//
// What remains stands for itself: its ID is the code, or source:code if the code
// consists of digits or could be taken for that of another area.
func ResolveAll(source, heading string, codes []Labelled) Resolution {
	if r, ok := resolveUpper(source, heading, codes); ok {
		return r
	}
	c := newColumn(source, heading, codes)
	switch isFAOs := c.useFAONumbers(); {
	case isFAOs:
	case slices.Contains([]*System{Own, Local, National}, c.office.System):
		c.useOfficeList()
		switch {
		case c.useNumbers(), !c.isOpen(), c.useDataLab(), c.useFullCodes(), c.useRegions(), c.useNames():
		default:
			c.useCodes()
		}
	default:
		if c.hasOfficeCodes() || !c.isOfDivisions() {
			c.useDeclared()
		}
	}
	c.separate()
	r := Resolution{Areas: make([]Area, len(codes)), Known: make([]bool, len(codes)), System: c.system, InSystem: make([]bool, len(codes)), column: c}
	for i := range c.items {
		it := &c.items[i]
		r.Known[i], r.InSystem[i] = it.area.ID != "", it.isOfSystem
		if r.Known[i] {
			r.Areas[i] = it.area
		} else {
			r.Areas[i] = Area{ID: c.unknownID(it.code), Name: it.code}
		}
	}
	return r
}

// hasWords reports whether a folded name has all words of another one.
func hasWords(name, other string) bool {
	words := strings.Fields(name)
	return !slices.ContainsFunc(strings.Fields(other), func(w string) bool { return !slices.Contains(words, w) })
}

// without returns a folded name without some words.
func without(name string, some []string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(name), func(w string) bool { return slices.Contains(some, w) }), " ")
}

// closeness tells how surely an item means its area.
func (c *column) closeness(it *item) int {
	switch p := isoCode(it.code, alpha2, alpha3, m49); {
	case c.office.System == Numbers && p != nil && p.area.ID == it.area.ID && !strings.Contains(it.key, "metropolitan"): // 756 is Switzerland, and 757 with Liechtenstein
		return 4
	case c.office.System == Numbers && loadTables().own["trade"].codes[padNumber(it.code)] != nil: // 251 is France, and 250 without its territories
		return 3
	case p != nil && p.area.ID == it.area.ID, c.office.lookup(it.code) != nil, c.office.System == National:
		return 2
	case it.key == foldName(it.area.Name):
		return 1
	}
	return 0
}

// column is the codes of one table while they are resolved.
type column struct {
	source  string
	office  office
	words   string // of the heading
	heading int
	within  []string // the countries whose subdivisions are of the kind that the heading names
	isKind  bool     // the heading names such a kind, and no other one
	items   []item
	system  string

	isExact bool // all words of the heading mean areas within a country

	agreements [3]*agreement // by form; nil until counted
}

// item is a code with its label.
type item struct {
	code, label string
	name        string // the label without the code before it, else the code
	key         string // of name, folded
	area        Area   // empty while unknown
	isOfSystem  bool   // the area was found in the column's system
	isGroup     bool   // the code is that of a group of countries
}

func newColumn(source, heading string, codes []Labelled) *column {
	c := &column{source: canonicalSource(source), words: heading, heading: headingKind(heading), items: make([]item, len(codes))}
	c.office = officeOf(c.source)
	c.isExact = areOnlyAreas(heading)
	c.within, c.isKind = kindOfHeading(heading)
	for i, l := range codes {
		it := item{code: strings.TrimSpace(l.Code), label: strings.TrimSpace(l.Label)}
		it.setName()
		it.isGroup = len(it.code) > 2 && isGroupCode(it.code)
		c.items[i] = it
	}
	return c
}

// setName sets the name of an item: its label without the code before it, else the code.
// A mark of a footnote and the order of words around a comma do not matter, if the name
// is known without them.
func (it *item) setName() {
	it.name = it.label
	if rest, ok := strings.CutPrefix(it.label, it.code+" "); ok {
		it.name = strings.TrimLeft(rest, " -–:.")
	}
	if it.name == "" {
		it.name = nameWithoutNumber(it.code)
	}
	name := it.name
	for _, name := range []string{name, inverted(name), withoutMark(name), inverted(withoutMark(name))} {
		if it.key = foldName(name); loadNames().any[it.key] != nil || isGroupName(it.key) || namedSubdivisions(name) != nil {
			it.name = name
			return
		}
	}
	it.key = foldName(name)
	if bare := without(it.key, []string{"republic", "of", "the"}); loadNames().any[bare] != nil { // Gambia (Republic of The)
		it.key = bare
	}
}

// inverted returns "Bahamas, The" as "The Bahamas".
func inverted(name string) string {
	if before, after, ok := strings.Cut(name, ", "); ok && !strings.Contains(after, ",") {
		return after + " " + before
	}
	return name
}

// footnote matches marks of footnotes after a name: Chile*, Israel², Germany (1).
var footnote = regexp.MustCompile(`(\pL\.?)(?:\s*[\[(][0-9a-z][\])]|\s+[0-9][)/]|[0-9]{1,2}|\s*[¹²³⁴-⁹*†‡]+)$`)

func withoutMark(name string) string {
	if bare := footnote.ReplaceAllString(name, "$1"); len(bare) > 3 { // US13 is a code
		return bare
	}
	return name
}

// nameWithoutNumber removes the code that some offices write before a name: "01
// Andalucía" of INE.
func nameWithoutNumber(text string) string {
	number, name, ok := strings.Cut(text, " ")
	if ok && isDigits(number) && len(number) < 6 && name != "" {
		return strings.TrimLeft(name, " -–:.")
	}
	return text
}

// isNamed reports whether the item has a label beside its code.
func (it *item) isNamed() bool { return it.label != "" && !strings.EqualFold(it.label, it.code) }

// isOpen reports whether an item is still unresolved.
func (c *column) isOpen() bool {
	return slices.ContainsFunc(c.items, func(it item) bool { return it.area.ID == "" })
}

func (c *column) set(i int, a Area) {
	c.items[i].area, c.items[i].isOfSystem = a, true
}

// unknownID returns the ID of a code that stands for itself. A code that could be taken
// for another area's gets the source before it, like one of digits: that of a country or of its
// subdivision, and unless a national or international office declares it, the form of a region
// in Europe.
func (c *column) unknownID(code string) string {
	upper, t := upperCode(code), loadTables()
	isRegion := c.office.home == "" && (c.office.System == Own || c.office.System == Local) && isEurostatRegion(upper) && t.iso[alpha3][upper] == nil
	if c.source != "" && (isRegion || t.iso[alpha2][upper] != nil || loadSubdivisions().byID[upper] != nil) {
		return c.source + ":" + code
	}
	return ownID(c.source, code)
}

// eurostatCountry returns Eurostat's spelling of an alpha-2 code.
func eurostatCountry(id string) string {
	switch id {
	case "GR":
		return "EL"
	case "GB":
		return "UK"
	}
	return id
}

// hasOfficeCodes reports whether half of the codes, not names, are in the office's system.
func (c *column) hasOfficeCodes() bool {
	n := 0
	for i := range c.items {
		code := c.items[i].code
		if c.office.lookup(code) != nil || c.office.regions && isEurostatRegion(upperCode(code)) {
			n++
		}
	}
	return 2*n >= len(c.items)
}

// useDeclared resolves each code in the office's system. If the system does not have it,
// the label counts: the OECD's system is alpha-3, but its "AT" with the label "Austria" is
// Austria.
func (c *column) useDeclared() {
	for i := range c.items {
		it := &c.items[i]
		if a, ok := Resolve(c.source, it.code); ok {
			p := loadNames().any[it.key]
			isPart := c.isOfParts() && it.isNamed() && (p == nil || p.area.ID != a.ID) && namedSubdivisions(it.name) != nil
			if !isPart { // AL beside Alabama
				it.area = a
			}
		} else if p := c.office.lookupName(it.key); p != nil {
			it.area = p.from(c.source)
		} else if p := loadNames().any[it.key]; p != nil && len(it.key) > 3 { // in German or French
			it.area = p.area
		}
	}
}

// useOfficeList resolves what the office's own list has, its country, and the subdivisions
// of which the table of subdivisions has both the office's code and the name.
func (c *column) useOfficeList() {
	if c.office.System == Local {
		return
	}
	for i := range c.items {
		it := &c.items[i]
		if s := c.namedDivision(it); s != nil {
			c.set(i, s.area)
			c.system = "subdivisions of " + s.country + " (ISO 3166-2)"
			continue
		}
		// Mexico may be the country or a state of it, unless it is the only area.
		isHome := c.office.home != "" && c.isWhole(i, c.office.home) && (len(c.items) == 1 || len(in(c.office.home, namedSubdivisions(it.name))) == 0)
		if p := c.office.lookup(it.code); p != nil {
			it.area = p.from(c.source)
		} else if isHome {
			it.area = loadTables().iso[alpha2][c.office.home].area
		}
	}
}

// namedDivision returns the subdivision of the office's country with the code and the name
// of an item, nil if there is none.
func (c *column) namedDivision(it *item) *subdivision {
	if !it.isNamed() || c.office.home == "" {
		return nil
	}
	for _, s := range in(c.office.home, namedSubdivisions(it.name)) {
		if s.hasCode(it.code) {
			return s
		}
	}
	return nil
}
