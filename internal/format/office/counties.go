package office

import (
	"slices"
	"strings"
)

// Counties joins the numbers of counties in a table of the United States (FIPS) with those
// of their states, which stand in a column of their own: 13 and 121 are 13121, Fulton
// County, and 13 and 000 are 13000, Georgia. Only the column of counties changes.
type Counties struct {
	state, county int  // columns
	isSure        bool // the headings say FIPS, so zeros may be missing before the numbers
}

var (
	headingsOfStates   = strings.Fields("state statefp statefips statefipscode stfips fipsstate stcode statecode fipstate cveentidad cveent")
	headingsOfCounties = strings.Fields("county countyfp countyfips countyfipscode cntyfips ctyfips fipscounty cntycode countycode fipscty cvemunicipio cvemun")
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
		}
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
	isFull := len(state) == 2 && len(county) == 3
	isShort := c.isSure && len(state) > 0 && len(state) <= 2 && len(county) > 0 && len(county) <= 3
	if isDigits(state) && isDigits(county) && (isFull || isShort) {
		row[c.county] = "00"[len(state):] + state + "000"[len(county):] + county
	}
}

// IsCountyHeading reports whether a heading is that of the numbers of counties.
func IsCountyHeading(heading string) bool {
	return slices.Contains(headingsOfCounties, strings.Map(letters, heading))
}

// AreCounties reports whether the cells below a heading are numbers of counties, with those
// of their states.
func AreCounties(heading string, cells []string) bool {
	isOther := func(cell string) bool { return len(cell) != 5 || !isDigits(cell) }
	return len(cells) > 0 && IsCountyHeading(heading) && !slices.ContainsFunc(cells, isOther)
}

func isDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}
