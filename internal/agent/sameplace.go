package agent

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/geo"
)

// selectSame selects the compared areas in a dataset. A code or name that is that of another place there, such as the state of Georgia, is not
// selected: the texts say so.
func (c *call) selectSame(s *Selection, areas []string, of *structure) (elsewhere []string, err error) {
	for _, area := range areas {
		at := slices.IndexFunc(of.Geography, func(v codeLabel) bool {
			return v.isCalled(area)
		})
		if at < 0 { // the interface reads the name, and says so
			s.Areas = append(s.Areas, groupName(area))
			continue
		}
		found, err := c.lookUp(area, "")
		if err != nil && !isNoArea(err) {
			return nil, err
		}
		v, meant := of.Geography[at], found.Area.Code
		if err != nil || !isElsewhere(v.id(), meant) {
			s.Areas = append(s.Areas, area)
			continue
		}
		isMeant := func(v codeLabel) bool { return slices.Contains(geo.SameAreas(meant), v.id()) }
		if at := slices.IndexFunc(of.Geography, isMeant); at >= 0 {
			s.Areas = append(s.Areas, of.Geography[at].Code)
			continue
		}
		other := withCode(v.Label, v.id())
		if e, ok := geo.FindEntry(v.id()); ok {
			other = withCode(e.FullName(), v.id())
		}
		elsewhere = append(elsewhere, fmt.Sprintf("the dataset does not have %s; its %s is another place: %s", withCode(found.Area.Name, meant), v.Label, other))
	}
	return elsewhere, nil
}

// groupName returns the name of a group of changing composition for its code, as that is read as the composition that a dataset has:
// European Union for EU. Other texts stay.
func groupName(code string) string {
	if a, ok := geo.Find(strings.ToUpper(code)); ok && a.Kind == geo.Group && geo.Editions(a.ID) != nil && !strings.ContainsAny(code, "0123456789") {
		return a.Name
	}
	return code
}

// isElsewhere reports whether two areas are in different countries. Guadeloupe is itself one and a region of France. Nothing is known
// of an office's own codes.
func isElsewhere(a, b string) bool {
	x, y := countryOf(a), countryOf(b)
	return x != "" && y != "" && x != y && !geo.IsTerritory(x, y) && !geo.IsTerritory(y, x)
}

// countryOf returns the country that an area is or that it is a part of, empty for groups and unknown areas.
func countryOf(id string) string {
	if e, ok := geo.FindEntry(id); ok {
		if country := e.Country(); country != nil {
			return country.ID
		}
	}
	return ""
}
