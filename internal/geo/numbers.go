package geo

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// numberingsFile has the numbers that the offices of countries give to areas.
const numberingsFile = "national"

// numbering is a row of that file: a system of numbers of one country.
type numbering struct {
	country, office string
	isMain          bool            // the table of subdivisions has its numbers
	division        int             // digits of a subdivision's number, with which the others begin
	lengths         []int           // digits of any number
	pattern, others *regexp.Regexp  // of codes that need no heading, and of numbers of other things; nil if there are none
	words, weak     []string        // of headings that declare the numbers
	areas           map[string]Area // subdivisions, and what the row lists
}

// loadNumberings reads the file at the first call.
var loadNumberings = sync.OnceValue(func() (all []*numbering) {
	for _, f := range lines(numberingsFile) {
		n := &numbering{country: f[0], office: f[1], words: entries(f[5]), weak: entries(f[6]), areas: map[string]Area{}}
		for _, digits := range entries(f[3]) {
			n.lengths = append(n.lengths, int(digits[0]-'0'))
		}
		if len(n.lengths) > 0 {
			n.division = n.lengths[0]
		}
		for i, to := range map[int]**regexp.Regexp{4: &n.pattern, 8: &n.others} {
			if i < len(f) && f[i] != "-" {
				*to = regexp.MustCompile("^(?:" + f[i] + ")$")
			}
		}
		n.addAreas(f[2] == "1", entries(f[7]))
		all = append(all, n)
	}
	return all
})

// entries returns the entries of a field, of which a dash has none.
func entries(field string) []string { return strings.Fields(strings.TrimPrefix(field, "-")) }

// addAreas adds what the row lists, and the subdivisions of a level with the numbers in
// their table, else in their codes, unless the row lists all of them.
func (n *numbering) addAreas(isFirst bool, listed []string) {
	for _, s := range loadSubdivisions().byLocal[n.country] {
		n.isMain = n.isMain || s.number != ""
	}
	hasDivisions := false
	for _, entry := range listed {
		number, code, _ := strings.Cut(entry, "=")
		switch local := loadSubdivisions().byLocal[n.country]; code[0] {
		case '/':
			n.areas[number] = loadTables().iso[alpha2][code[1:]].area
		case '+':
			n.areas[number] = local[code[1:]].area
		default:
			n.areas[number], hasDivisions = local[code].area, true
		}
	}
	if hasDivisions {
		return
	}
	for local, s := range loadSubdivisions().byLocal[n.country] {
		if s.isFirstLevel() != isFirst {
			continue
		}
		n.areas[cmp.Or(s.number, local)] = s.area
	}
}

// find returns the area of a code. The number of an area that is no subdivision has the
// office before it.
func (n *numbering) find(code string) (a Area, ok bool) {
	number := strings.ToUpper(code)
	if found := n.fullCode(number); found != nil {
		number = found[len(found)-1]
	} else if len(n.lengths) == 0 {
		return Area{}, false
	}
	if a, ok := n.areas[number]; ok {
		return a, true
	}
	if strings.Trim(number, "0") == "" && len(number) != 1 {
		return loadTables().iso[alpha2][n.country].area, true
	}
	for _, length := range n.lengths {
		padded := number
		if len(number) == length-1 {
			padded = "0" + number
		}
		if a, ok := n.areas[padded]; ok {
			return a, true
		}
		above, known := n.areas[padded[:min(n.division, len(padded))]]
		switch {
		case len(padded) != length, !known && n.division > 0, length > n.division && !isDigits(padded[n.division:]):
		case n.division > 0 && strings.Trim(padded[n.division:], "0") == "": // FIPS 13000, JIS 13000
			return above, true
		case length > n.division && (n.others == nil || !n.others.MatchString(padded)):
			return Area{ID: n.office + ":" + padded, Name: code, Kind: Region}, true
		}
	}
	if isDigits(number) || n.fullCode(number) == nil {
		return Area{}, false
	}
	return areaOfID(number), true
}

// fullCode returns the parts of a code that tells by itself that it is one of the office,
// the number last, else nil.
func (n *numbering) fullCode(code string) []string {
	if n.pattern == nil {
		return nil
	}
	return n.pattern.FindStringSubmatch(strings.ToUpper(code))
}

// areaOfID returns the subdivision with an ID, else a region that is only its code.
func areaOfID(id string) Area {
	if a, ok := FindSubdivision(id); ok {
		return a
	}
	return Area{ID: id, Name: id, Kind: Region}
}

// declares reports whether the heading of a column says that it has the numbers.
func (n *numbering) declares(c *column) bool {
	words := strings.Fields(strings.ReplaceAll(plainLetters(c.words), "_", ""))
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(n.words, w) }) {
		return true
	}
	isOther := func(w string) bool { return !slices.Contains(n.weak, w) }
	isWhole := func(it item) bool { return n.areas[strings.ToUpper(it.code)].ID != "" }
	hasZero := func(it item) bool { return strings.HasPrefix(it.code, "0") }
	return !slices.ContainsFunc(words, isOther) && len(c.items) >= 5 && slices.ContainsFunc(c.items, hasZero) &&
		!slices.ContainsFunc(c.items, func(it item) bool { return !isWhole(it) })
}

// useNumbers resolves the numbers of a country's office if nearly all codes are such
// numbers, and the heading declares them, or two codes prove them by their form or by the
// names beside them. If the numbers of several offices fit alike, they are not resolved. It
// reports whether there are such numbers.
func (c *column) useNumbers() bool {
	var best *numbering
	var of meaning
	most := -1
	for _, n := range loadNumberings() {
		isOwn := n.office == c.source
		if c.office.System == National && (n.country != c.office.home || isOwn && !n.isMain) {
			continue
		}
		meant, proofs := c.numbersOf(n)
		switch {
		case proofs > most:
			best, of, most = n, meant, proofs
		case proofs == most:
			best = nil
		}
	}
	if best == nil || most < 0 {
		return false
	}
	c.use("subdivisions of "+best.country+" (numbers of its office)", of)
	c.useHome(best.country)
	return true
}

// numbersOf returns which areas the codes mean as numbers of an office, and how many codes
// prove it, -1 if they are not its numbers. A national office's numbers are only those of
// subdivisions in a table without names: what else it lists has its own codes.
func (c *column) numbersOf(n *numbering) (of meaning, proofs int) {
	isOwn := n.office == c.source
	isDeclared := !isOwn && n.declares(c)
	isWeak := !isDeclared && c.office.System == National // its regions may have numbers too
	isDeclared = isDeclared || isWeak && c.isOfParts() && c.labels() == 0
	of = func(it *item) (Area, bool) {
		a, ok := n.find(it.code)
		isFiner, isFull := strings.HasPrefix(a.ID, n.office+":"), n.fullCode(it.code) != nil
		above := ""
		if isFiner && it.isNamed() {
			if above = n.namedAbove(it); above == "" && c.isNamed(it, Area{ID: n.above(it.code)}) {
				above = n.above(it.code) // 53061 beside Washington
			}
		}
		isNamed := ok && !isOwn && it.isNamed() && (c.isNamed(it, a) || above != "" && above == n.above(it.code))
		if isNamed || isFull {
			proofs++
		}
		switch {
		case !ok, isOwn && !isFull && isFiner, isWeak && !isFull && len(it.code) < n.division, above != "" && !isNamed:
			return Area{}, false
		case isFiner && (isDeclared || it.isNamed()), isFull, isNamed:
			return a, true
		}
		// Numbers of counties within a state are not those of states.
		isOfCounties := c.isOfTowns() || n.country == "US" && c.heading == divisionHeading
		isUnknownName := it.isNamed() && len(it.code) > n.division && loadNames().any[it.key] == nil // 13000, Georgia -- Statewide
		return a, isDeclared && (!isOfCounties || len(it.code) > n.division) && (!it.isNamed() || isUnknownName)
	}
	hits, all := c.count(of)
	isProved := isDeclared || proofs >= 2 || proofs == 1 && c.isKind // 01000 is Alabama, in a column of counties
	if hits == 0 || !isProved || 10*hits < 9*all && 2*proofs <= all {
		return nil, -1
	}
	return of, proofs
}

// isNamed reports whether the name of an item is that of an area.
func (c *column) isNamed(it *item, a Area) bool {
	if p := loadNames().any[it.key]; p != nil && p.area.ID == a.ID {
		return true
	}
	return slices.ContainsFunc(namedSubdivisions(it.name), func(s *subdivision) bool { return s.area.ID == a.ID })
}

// namedAbove returns the ID of the subdivision of which an item is called a part: US-AL for
// "Autauga County, AL". It is empty if there is none.
func (n *numbering) namedAbove(it *item) string {
	comma := strings.LastIndex(it.name, ", ")
	if comma < 0 {
		return ""
	}
	above := strings.TrimSpace(strings.SplitN(it.name[comma+2:], "(", 2)[0])
	if s := loadSubdivisions().byLocal[n.country][above]; s != nil {
		return s.area.ID
	}
	for _, s := range in(n.country, namedSubdivisions(above)) {
		return s.area.ID
	}
	return ""
}

// above returns the ID of the subdivision that the number in a code is or begins with, else of
// the country; empty for other codes.
func (n *numbering) above(code string) string {
	a, ok := n.find(code)
	_, number, isFiner := strings.Cut(a.ID, ":")
	switch above := n.areas[number[:min(n.division, len(number))]]; {
	case !ok:
		return ""
	case isFiner && above.ID != "":
		return above.ID
	case !isFiner && loadSubdivisions().byID[a.ID] != nil:
		return a.ID
	}
	if above, ok := n.areas[a.ID[:min(n.division, len(a.ID))]]; ok { // E06000001
		return above.ID
	}
	return n.country
}

// isNumberWithin reports whether a code is the number of an area within a subdivision: 53061
// beside Washington is that of a county.
func isNumberWithin(code string, s *subdivision) bool {
	return isDigits(code) && slices.ContainsFunc(loadNumberings(), func(n *numbering) bool {
		a, ok := n.find(code)
		return ok && n.country == s.country && strings.HasPrefix(a.ID, n.office+":") && n.above(code) == s.area.ID
	})
}

// areaAbove returns the ID of the subdivision or country that the area of a number of an
// office is or is in: US-AL for census:01001, SE-AB for scb:01, GB-ENG for E06000001. It is
// the country if two of the office's numberings have the number, and empty for other areas.
func areaAbove(id string) (above string) {
	if m := dataLab.FindStringSubmatch(id); m != nil && isoCode(m[1], alpha3) != nil {
		return isoCode(m[1], alpha3).area.ID
	}
	office, number, isNumber := strings.Cut(id, ":")
	for _, n := range loadNumberings() {
		if (!isNumber || !strings.EqualFold(n.office, office) || !slices.Contains(n.lengths, len(number))) && n.fullCode(id) == nil {
			continue
		}
		if found := n.above(cmp.Or(number, id)); above != "" && above != found {
			return n.country
		} else {
			above = found
		}
	}
	return above
}
