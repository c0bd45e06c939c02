package portal

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// findArea finds the area that the reader named, in any language and case. If there is none, the page asks again.
func (p *page) findArea(c *comparePage) error {
	var found struct{ Area area }
	err := p.read("/api/areas/"+url.PathEscape(c.Area), url.Values{"lang": {p.lang.Code}}, &found)
	if err == nil {
		c.AreaName = found.Area.Name
		if c.IsGroupName = found.Area.isGroupNamed(c.Area); c.IsGroupName {
			c.InField = c.Area
		} else {
			c.Area, c.InField = found.Area.Code, p.inField(&found.Area)
		}
	}
	if r, ok := errors.AsType[*refusal](err); ok && unknownArea.MatchString(r.Message) {
		p.status = r.Status
		c.Unknown, c.Nearest = p.nearestAreas(r.Message)
		return nil
	}
	return err
}

// isGroupNamed reports whether a text by which the area was found is the name of a group, and no code of it.
func (a *area) isGroupNamed(text string) bool {
	isText := func(code string) bool { return strings.EqualFold(code, text) }
	return a.Kind == "group" && !isText(a.Code) && !slices.ContainsFunc(slices.Collect(maps.Values(a.Codes)), isText)
}

// nameComposition names the area of the page if the reader named a group: by the composition of all series, else as the reader did. The names of
// series then say which one each has.
func (p *page) nameComposition(c *comparePage) {
	if !c.IsGroupName || c.withValues() == 0 {
		return
	}
	for _, one := range c.Columns {
		one.Composition = p.areaName(areaName{one.Series.AreaCode, one.Series.Area}).Name
	}
	if first := c.Columns[0].Composition; slices.ContainsFunc(c.Columns, func(o *compared) bool { return o.Composition != first }) {
		c.AreaName = upperFirst(c.Area)
	} else {
		c.AreaName = first
	}
}

// otherCode returns the code by which the datasets have the area of the page if they have it only under the code of another list: U2 and EA are the
// same composition of the euro area. It is empty if a series has values, or if no dataset has the area.
func (p *page) otherCode(c *comparePage) string {
	if c.withValues() > 0 || c.IsGroupName {
		return ""
	}
	for _, one := range c.Columns {
		for _, code := range one.Meta.Areas {
			if code != c.Area && p.areaName(areaName{Code: code}).Name == c.AreaName {
				return code
			}
		}
	}
	return ""
}
