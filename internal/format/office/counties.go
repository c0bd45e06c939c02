package office

import (
	"slices"
	"strings"
)

// Counties joins the numbers of counties in a table of the United States (FIPS) with those
// of their states, which stand in a column of their own: 13 and 121 are 13121, Fulton
// County, and 13 and 000 are 13000, Georgia. Only the column of counties changes.
//
// The numbers of municipalities in provinces of Spain (INE), and of places in states, become
// part of the same code: 13, 000 and 03236 are 1303236, the city of Auburn in Georgia. Codes
// of INSEE follow the level that they belong to: DEP-11 is a department, REG-11 a region.
type Counties struct {
	state, county int   // columns
	smaller       []int // columns of places and the like, with zeros in rows of counties
	isSure        bool  // the headings say FIPS, so zeros may be missing before the numbers
	isLevel       bool  // the column of states is that of the levels of INSEE
}

var (
	headingsOfStates   = strings.Fields("state statefp statefips statefipscode stfips fipsstate stcode statecode fipstate cveentidad cveent cpro")
	headingsOfCounties = strings.Fields("county countyfp countyfips countyfipscode cntyfips ctyfips fipscounty cntycode countycode fipscty cvemunicipio cvemun cmun")
	headingsOfPlaces   = strings.Fields("place cousub")
)

// FindCounties returns the columns of states and counties below headings; nil if there are none.
func FindCounties(headings []string) *Counties {
	c := Counties{state: -1, county: -1}
	for i, cell := range headings {
		heading := strings.Map(letters, cell)
		switch {
		case slices.Contains(headingsOfStates, heading):
			c.state = i
		case IsCountyHeading(heading):
			c.county = i
		case slices.Contains(headingsOfPlaces, heading):
			c.smaller = append(c.smaller, i)
		}
	}
	if level, code := slices.Index(headings, "GEO_OBJECT"), slices.Index(headings, "GEO"); level >= 0 && code >= 0 {
		return &Counties{state: level, county: code, isLevel: true}
	}
	if c.state < 0 || c.county < 0 {
		return nil
	}
	c.isSure = len(headings[c.state]) > len("state") && len(headings[c.county]) > len("county") ||
		slices.ContainsFunc(headings, func(h string) bool { return strings.EqualFold(h, "SUMLEV") }) // of the Census Bureau
	return &c
}

// letters returns a letter in lower case, and drops all else.
func letters(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'a'
	}
	return -1
}

// Join changes the number of the county in a row below the headings.
func (c *Counties) Join(row []string) {
	if c == nil || c.state >= len(row) || c.county >= len(row) {
		return
	}
	state, county := row[c.state], row[c.county]
	if c.isLevel {
		if state != "" && county != "" && isDigits(county[:1]) { // F is France
			row[c.county] = state + "-" + county
		}
		return
	}
	isFull := len(state) == 2 && len(county) == 3
	isShort := c.isSure && len(state) > 0 && len(state) <= 2 && len(county) > 0 && len(county) <= 3
	if !isDigits(state) || !isDigits(county) || !isFull && !isShort {
		return
	}
	state, county = "00"[len(state):]+state, "000"[len(county):]+county
	place := c.place(row)
	if place != "" && county == "000" {
		county = ""
	}
	row[c.county] = state + county + place
}

// place returns the codes of the smaller areas in a row; "" if there are none.
func (c *Counties) place(row []string) (code string) {
	for _, at := range c.smaller {
		if at < len(row) && len(row[at]) == 5 && isDigits(row[at]) && row[at] != "00000" {
			code += row[at]
		}
	}
	return code
}

// IsCountyHeading reports whether a heading is that of the numbers of counties.
func IsCountyHeading(heading string) bool {
	return slices.Contains(headingsOfCounties, strings.Map(letters, heading))
}

// AreCounties reports whether the cells below a heading are numbers of counties, with those
// of their states.
func AreCounties(heading string, cells []string) bool {
	isOther := func(cell string) bool { return len(cell) < 5 || !isDigits(cell) }
	isAny := IsCountyHeading(heading) || strings.Map(letters, heading) == "fips" && slices.ContainsFunc(cells, isCounty)
	return len(cells) > 0 && isAny && !slices.ContainsFunc(cells, isOther)
}

// isCounty reports whether a number is not that of a whole state: 13000.
func isCounty(cell string) bool { return len(cell) == 5 && !strings.HasSuffix(cell, "000") }

func isDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}
