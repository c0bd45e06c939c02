package plain

import (
	"regexp"
	"slices"
	"strings"
)

// isGeoWord reports whether a heading is one of areas, and not of their partners.
func isGeoWord(c *column) bool {
	isCalled := c.isCalled(wordsGeoName) || c.isCalled(wordsGeoCode) || hasWord(c.words, "country", "countries", "territory", "economy", "municipality", "province")
	return isCalled && !hasWord(c.words, wordsPartner...)
}

// findGeography finds the codes of areas, their names, or both. Of areas within others,
// the smallest are the geography.
func (g *guess) findGeography() {
	code, name := g.findAreas()
	area := name
	if area == nil {
		area = code
	}
	if area == nil {
		return
	}
	if finer := g.finerArea(area); finer != nil {
		area, name, code = finer, finer, g.codeOf(finer)
	}
	coarser := g.coarserArea(area)
	g.area = area
	switch {
	case code != nil && name != nil && (code.isOneToOne(name) || code.subject() == name.subject() || code.isLabelledBy(name)):
		g.take("geo", code, name)
		if name.hasGaps() && !code.hasGaps() {
			g.area = code
		}
	case coarser != nil:
		g.take("geo", area, coarser)
		g.items[len(g.items)-1].between = '+'
		g.dims = append(g.dims, coarser)
	default:
		g.take("geo", area)
	}
}

// findAreas returns the columns of codes and of names of areas; nil for those that the
// table lacks. "Code" alone counts only beside names.
func (g *guess) findAreas() (code, name *column) {
	code = g.named(wordsGeoCode, isAny)
	name = g.named(wordsGeoName, func(c *column) bool { return c != code && isText(c) })
	switch {
	case name == nil && code == nil:
		if !slices.ContainsFunc(g.free(), isText) {
			code = g.named(wordsGeoName, func(c *column) bool { return c.coded != "" && c.isCodeText() })
		}
		return code, nil
	case name == nil:
		return code, g.nameOf(code)
	}
	if code == nil {
		code = g.named([]string{name.words + " code", "code", name.words + " id", name.words + "code"}, func(c *column) bool {
			return c.words != "code" || c.agrees(name, func(id, _ int) bool { return id > 0 }) && name.determinesFilled(c)
		})
	}
	if code == nil {
		code = g.partner(name)
	}
	if code == nil || code.isNumeric() && !code.isCalled(wordsGeoCode) {
		if letters := g.countryLetters(name); letters != nil {
			return letters, name
		}
	}
	if code == nil {
		code = g.codedNeighbour(name)
	}
	return code, name
}

// codeOf returns the column of the codes of areas that were found by their names.
func (g *guess) codeOf(name *column) *column {
	for _, c := range g.free() {
		if c != name && c.different > 1 && isText(c) && c.isOneToOne(name) && (c.isCode() || !strings.Contains(c.cells[0], " ")) {
			return c
		}
	}
	return nil
}

// checkAreaGaps states what the empty cells of the areas are: the total in rows that are
// totals, else not clear.
func (g *guess) checkAreaGaps() {
	if g.area == nil || !g.area.hasGaps() || slices.ContainsFunc(g.items, func(it item) bool { return it.key == "geo" && it.between == '+' }) {
		return
	}
	for i, row := range g.body {
		if g.area.ids[i] == 0 && !isTotal(row) {
			g.doubt("the column %q has empty cells, but every row needs an area", g.area.name)
			g.items = append(g.items, item{key: "empty", columns: []string{"_Z"}})
			return
		}
	}
	g.items = append(g.items, item{key: "empty", columns: []string{"_T"}})
}

// nameOf returns the column of names beside one of codes.
func (g *guess) nameOf(code *column) *column {
	for _, c := range g.free() {
		isBeside := (c.at == code.at+1 || c.at == code.at-1) && c.different >= minGroups
		isName := isBeside || c.isCalled(wordsNameEnding)
		if c != code && isName && isText(c) && c.different > 1 && !c.isCode() && !c.isCalled(wordsGeoName) && code.isOneToOne(c) {
			return c
		}
	}
	return nil
}

// countryLetters returns the column of codes of two or three capital letters beside the
// names of areas.
func (g *guess) countryLetters(name *column) *column {
	for _, c := range g.free() {
		if c != name && c.different > 1 && !c.isCalled(wordsGeoName) && c.isOneToOne(name) && !slices.ContainsFunc(c.cells, func(s string) bool { return !twoOrThreeLetters.MatchString(s) }) {
			return c
		}
	}
	return nil
}

// codedNeighbour returns the column of codes right beside one of names.
func (g *guess) codedNeighbour(name *column) *column {
	for _, c := range g.free() {
		isBeside := c.at == name.at+1 || c.at == name.at-1
		if isBeside && c.different > 1 && isText(c) && c.looksCoded() && !name.looksCoded() && c.isOneToOne(name) && !isGeoWord(c) {
			return c
		}
	}
	return nil
}

var twoOrThreeLetters = regexp.MustCompile(`^[A-Z]{2,3}$`)

// finerArea returns a column of areas of which each lies in one of the area's cells.
func (g *guess) finerArea(area *column) *column {
	for _, c := range g.free() {
		if c != area && isText(c) && isGeoWord(c) && !c.hasGaps() && c.different > area.different && c.determines(area) && !area.isOneToOne(c) {
			return c
		}
	}
	return nil
}

// coarserArea returns the column of areas that is filled where the area is empty.
func (g *guess) coarserArea(area *column) *column {
	if !area.hasGaps() {
		return nil
	}
	for _, c := range g.free() {
		if c != area && isText(c) && isGeoWord(c) && !c.hasGaps() && area.determinesFilled(c) {
			return c
		}
	}
	return nil
}
