package plain

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
)

// isGeoWord reports whether a heading is one of areas, and not of their partners. That of
// numbers is not if it only contains such a word, as "Country risk rating" does.
func isGeoWord(c *column) bool {
	hasWord := (isText(c) || c.isCode()) && c.hasWord("country", "countries", "territory", "economy", "municipality", "province")
	return (hasWord || c.isCalled("area name", "area code")) && !c.hasWord(assemble.Words("partner")...)
}

// isAreaCode reports whether any words of a heading say that short codes are those of areas:
// GEO_CODE_M49.
func (c *column) isAreaCode() bool {
	has := func(words ...string) bool {
		return slices.ContainsFunc(strings.Fields(c.words), func(w string) bool { return slices.Contains(words, w) })
	}
	isShort := c.isNumeric() && c.isCodeText() || c.isAll(twoOrThreeLetters)
	isOfAreas := has("m49") || has("code", "id", "iso") && has("geo", "area", "country", "region", "location")
	return isShort && isOfAreas && !c.hasWord(assemble.Words("partner")...)
}

// findGeography finds the codes of areas, their names, or both. Of areas within others,
// the smallest are the geography.
func (g *guess) findGeography() {
	code, name := g.counties()
	if code == nil {
		code = g.named("area code", func(c *column) bool { return !c.isSettlementTypes() })
		isName := func(c *column) bool { return c != code && isText(c) && !c.isSettlementTypes() }
		name = cmp.Or(g.named("area name", isName), g.first(func(c *column) bool {
			return isName(c) && c.kind() == 2 && assemble.Means("area name", c.subject()) && c.mayMean("area name")
		}))
	}
	if code != nil && isText(code) {
		if finest := g.finestArea(code); finest.isCalled("area code") {
			code = finest // nuts3 beside nuts2
		}
	}
	if code == nil && name == nil {
		hasKinds := g.named("area name", (*column).isSettlementTypes) != nil
		code = g.first(func(c *column) bool {
			return (c.isAreaCode() || hasKinds && c.looksCoded() && g.areasIn(c) > 0) && g.nameOf(c) != nil
		})
	}
	switch within := g.placeIn(code); {
	case code != nil && name != nil && office.AreCounties(code.name, code.cells):
	case within != nil:
		code, name = g.partner(within), within
	case code != nil && name != nil && !code.hasGaps() && code.different > name.different && code.determines(name):
		isName := func(c *column) bool { return c != name && isText(c) && c.isOneToOne(code) }
		name = cmp.Or(g.named("area name", isName), g.nameOf(code)) // municipalities in provinces
	case name == nil && code == nil && !slices.ContainsFunc(g.free(), isText):
		code = g.named("area name", func(c *column) bool { return c.coded != "" && c.isCodeText() })
	case name == nil && code != nil:
		name = g.nameOf(code)
	case name != nil:
		if code, name = g.codedParts(name); code == nil {
			name = g.finestArea(name)
			code = g.codesOf(name)
			if code != nil && name.isAll(twoOrThreeLetters) && !code.isAll(twoOrThreeLetters) && isText(code) && !code.isCode() {
				code, name = name, code // State beside State Name
			}
		}
	}
	code, name = g.labelled(g.resolved(code, name))
	if code != nil && name != nil && code.kind() > name.kind() {
		code, name = name, code
	}
	switch {
	case name == nil && code == nil:
	case name == nil:
		g.takeArea(code)
	case code == nil:
		g.takeArea(name)
	default:
		g.take("geo", code, name)
		g.area = name
		if name.hasGaps() && !code.hasGaps() || !name.determinesFilled(code) {
			g.area = code
		}
	}
}

// labelled returns the codes and names of areas with the best names: of several columns that name
// the same areas, one that has no abbreviations.
func (g *guess) labelled(code, name *column) (*column, *column) {
	found := cmp.Or(name, code)
	if found == nil || !found.looksCoded() && name != nil {
		return code, name
	}
	for _, c := range g.free() {
		isName := c != code && isText(c) && !c.hasGaps() && c.kind() == 2 && c.isAboutAreas() && c.isOneToOne(found) && !c.looksCoded()
		isSame := found.different > 1 || name == nil && strings.Fields(c.words)[0] == strings.Fields(found.words)[0] // GeoFips and GeoName
		if isName && isSame && (code == nil || c.isOneToOne(code)) {
			return cmp.Or(code, found), c
		}
	}
	return code, name
}

// placeIn returns the column of the parts of the only country in a table that all rows are
// about; nil if there is none.
func (g *guess) placeIn(country *column) *column {
	if country == nil || !country.isConstant() || !country.isCalled("area code") {
		return nil
	}
	for _, words := range [][]string{{"county", "municipality", "district"}, {"state", "province"}} {
		isPart := func(c *column) bool {
			return c != country && isText(c) && !c.hasGaps() && c.hasWord(words...) && (c.isCalled("place", "area name"))
		}
		if c := g.first(isPart); c != nil && !country.hasWord(words...) {
			return c
		}
	}
	return nil
}

// counties returns the column with the numbers of counties in the United States, and that
// of their names, which are shorter than those of other columns that they determine.
func (g *guess) counties() (code, name *column) {
	code = g.first(func(c *column) bool { return office.AreCounties(c.name, c.cells) })
	if code == nil {
		return nil, nil
	}
	for _, c := range g.free() {
		if c != code && isText(c) && !c.isCode() && code.determinesFilled(c) && (name == nil || c.different > name.different || c.different == name.different && c.hasWord(assemble.Words("place")...)) {
			name = c
		}
	}
	return code, name
}

// takeArea takes the only column of areas, with that of the areas around them where it
// is empty.
func (g *guess) takeArea(area *column) {
	g.area = area
	coarser := g.coarserArea(area)
	if coarser == nil {
		g.take("geo", area)
		return
	}
	g.take("geo", area, coarser)
	g.items[len(g.items)-1].between = '+'
	g.dims = append(g.dims, coarser)
}

// codesOf returns the column of the codes of areas that were found by their names; nil if
// there is none. Of several, it is that with the heading of codes of areas or of the names,
// then letters, then others.
func (g *guess) codesOf(name *column) *column {
	isOfSame := func(c *column) bool { return c.isLabelledBy(name) || c.subject() == name.subject() }
	if c := g.named("area code", isOfSame); c != nil {
		return c
	}
	words := []string{name.words + " code", "code", name.words + " id", name.words + "code"}
	if c := g.headed(words, func(c *column) bool { return isText(c) && c.isLabelledBy(name) && name.determinesFilled(c) }); c != nil {
		return c
	}
	isCodes := func(c *column) bool {
		return c != name && c.different > 1 && c.different <= name.different && c.isOneToOne(name) && !(isText(c) && isGeoWord(c)) && !c.isCurrency()
	}
	if c := g.first(func(c *column) bool {
		return isCodes(c) && (c.isAll(twoOrThreeLetters) || c.isCode() && g.areasIn(c) > 0)
	}); c != nil {
		return c
	}
	if c := g.partner(name); c != nil {
		return c
	}
	return g.first(func(c *column) bool {
		isBeside := c.at == name.at+1 || c.at == name.at-1
		hasZeros := c.coded != "" && c.isCodeText()
		return isCodes(c) && (isText(c) && c.isCode() || c.isAreaCode() || !isText(c) && isGeoWord(c) && c.isCodeText() ||
			(hasZeros || isBeside && isText(c) && c.looksCoded()) && !name.looksCoded())
	})
}

// setArea makes a dimension the geography, because codes of areas belong to it.
func (g *guess) setArea(dim *column) {
	for i, it := range g.items {
		if it.key == "dim" && slices.Contains(it.columns, dim.name) {
			g.items[i].key, g.area = "geo", dim
			g.dims = slices.DeleteFunc(g.dims, func(c *column) bool { return c == dim })
		}
	}
}

// checkAreaGaps states what the empty cells of the areas are: the total in rows that are
// totals, else not clear.
func (g *guess) checkAreaGaps() {
	isNamed := func(it item) bool {
		return it.key == "geo" && len(it.columns) == 2 && (it.between == '+' || !g.column(it.columns[1]).hasGaps())
	}
	if g.area == nil || !g.area.hasGaps() || slices.ContainsFunc(g.items, isNamed) {
		return
	}
	for i, row := range g.body {
		if g.area.ids[i] == 0 && !g.layout.isTotal(row) {
			if g.isVain = !g.mayBeTotals(); g.isVain {
				g.doubt("the column %q has empty cells, but every row needs an area; fill them in the file", g.area.name)
				return
			}
			g.doubt("the column %q is empty in one row of each period, which may be the total of all areas: state empty=_T for that, or fill them in the file", g.area.name)
			break
		}
	}
	g.items = append(g.items, item{key: "empty", columns: []string{"_T"}})
}

// mayBeTotals reports whether one row of each period has no area, and the largest number in a
// column.
func (g *guess) mayBeTotals() bool {
	if len(g.times) == 0 || g.area.different < 2 {
		return false
	}
	totals, periods := map[int]int{}, g.key(g.known()...)
	for row, period := range periods.ids {
		if g.area.ids[row] == 0 {
			if _, isSecond := totals[period]; isSecond {
				return false
			}
			totals[period] = row
		}
	}
	isLargest := func(c *column) bool {
		for row, period := range periods.ids {
			if c.amount(row) > c.amount(totals[period]) {
				return false
			}
		}
		return c.isNumeric() && c.different > 1
	}
	return len(totals) == periods.n && g.first(isLargest) != nil
}

// amount returns the number in a row, as a program writes it; 0 for other cells.
func (c *column) amount(row int) float64 {
	if c.ids[row] == 0 {
		return 0
	}
	n, _ := strconv.ParseFloat(c.cells[c.ids[row]-1], 64) // other cells are 0
	return n
}

// nameOf returns the column of names beside one of codes.
func (g *guess) nameOf(code *column) *column {
	for _, c := range g.free() {
		isBeside := (c.at == code.at+1 || c.at == code.at-1) && (c.different >= minGroups || c.hasWord("country")) || c.at == code.at+1 && g.labelsFollow()
		isName := isBeside || slices.ContainsFunc(strings.Fields(c.words), func(w string) bool { return assemble.Means("name ending", w) })
		if c != code && isName && isText(c) && c.different > 1 && !c.isCode() && !c.isCalled("area name") && code.isOneToOne(c) {
			return c
		}
	}
	return nil
}

var twoOrThreeLetters = regexp.MustCompile(`^[A-Z]{2,3}$`)

// columnsOfTotals are the headings of INE above the country in rows without a part of it.
var columnsOfTotals = []string{"totales territoriales", "total nacional"}

// coarserArea returns the column of areas that is filled where the area is empty.
func (g *guess) coarserArea(area *column) *column {
	if !area.hasGaps() {
		return nil
	}
	hasOther := slices.ContainsFunc(g.free(), func(c *column) bool { return c != area && isText(c) && c.hasGaps() }) // a level between
	for _, c := range g.free() {
		isAbove := isGeoWord(c) || c.isConstant() && slices.Contains(columnsOfTotals, c.words) && !hasOther
		if c != area && isText(c) && isAbove && !c.hasGaps() && area.determinesFilled(c) {
			return c
		}
	}
	return nil
}

// finestArea returns the column of the smallest areas of which each lies in one of the
// area's cells. Counties and the like of several areas are a dimension beside these,
// because they share their names.
func (g *guess) finestArea(area *column) *column {
	for _, c := range g.free() {
		isPlace := c.isCalled("place") && area.different > 1
		if c != area && isText(c) && isGeoWord(c) && !isPlace && !c.hasGaps() && c.different > area.different && c.determines(area) && !area.isOneToOne(c) {
			return c
		}
	}
	return area
}

// codedParts returns the codes and names of the parts of areas, if the names alone do not
// tell the areas apart: "Total" in each country. Without such parts it returns the area.
func (g *guess) codedParts(area *column) (code, name *column) {
	isPart := func(c *column) bool {
		return c != area && isText(c) && isGeoWord(c) && !c.isCalled("place") && !c.hasGaps() && !c.determines(area) && !area.determines(c)
	}
	name = g.first(isPart)
	if name == nil {
		return nil, area
	}
	parts := newGroups(len(g.body)).with(area).with(name)
	code = g.first(func(c *column) bool {
		return isText(c) && (c.isCode() || c.looksCoded()) && c.different == parts.n && parts.with(c).n == parts.n
	})
	if code == nil {
		return nil, area
	}
	return code, name
}
