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

// findGeography finds the codes of areas, their names, or both. "Code" alone counts
// only beside names. Of areas within others, the smallest are the geography.
func (g *guess) findGeography() {
	code := g.named(wordsGeoCode, isAny)
	name := g.named(wordsGeoName, func(c *column) bool { return c != code && isText(c) })
	if code == nil && name != nil {
		code = g.named([]string{name.words + " code", "code", name.words + " id", name.words + "code"}, func(c *column) bool {
			return c.words != "code" || c.agrees(name, func(id, _ int) bool { return id > 0 }) && name.determinesFilled(c)
		})
	}
	if code == nil && name != nil {
		code = g.partner(name)
	}
	if code == nil || code.isNumeric() && name != nil && !code.isCalled(wordsGeoCode) {
		if letters := g.countryLetters(name); letters != nil {
			code = letters
		} else if code == nil && name != nil {
			code = g.codedNeighbour(name)
		}
	}
	if name == nil && code != nil {
		name = g.nameOf(code)
	}
	area := name
	if area == nil {
		area = code
	}
	if area == nil {
		return
	}
	if finer := g.finerArea(area); finer != nil {
		area, name, code = finer, finer, nil
		for _, c := range g.free() {
			if c != finer && c.different > 1 && isText(c) && c.isOneToOne(finer) && (c.isCode() || !strings.Contains(c.cells[0], " ")) {
				code = c
				break
			}
		}
	}
	g.area = area
	switch {
	case code != nil && name != nil && (code.isOneToOne(name) || code.subject() == name.subject() || code.isLabelledBy(name)):
		g.take("geo", code, name)
		g.area = name
		if name.hasGaps() && !code.hasGaps() {
			g.area = code
		}
	case g.coarserArea(area) != nil:
		coarser := g.coarserArea(area)
		g.take("geo", area, coarser)
		g.items[len(g.items)-1].between = '+'
		g.dims = append(g.dims, coarser)
	default:
		if code != nil && area == name && !isText(name) {
			area = code
		}
		g.take("geo", area)
		g.area = area
	}
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
		if name != nil && c != name && c.different > 1 && !c.isCalled(wordsGeoName) && c.isOneToOne(name) && !slices.ContainsFunc(c.cells, func(s string) bool { return !twoOrThreeLetters.MatchString(s) }) {
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
