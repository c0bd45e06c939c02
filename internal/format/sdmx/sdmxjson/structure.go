package sdmxjson

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// The levels on which components may stand, in the order in which the names
// of groups count them.
const (
	onDataSet = iota
	onSeries
	onObservation
	levels
)

// levelNames are what messages call the levels.
var levelNames = [levels]string{"dataSet", "series", "observation"}

// maxComponents is how many components may stand on one level.
const maxComponents = 1000

// structure is what a message says of a dataset's components.
type structure struct {
	id, name    string
	links       []link
	dimensions  [levels][]component
	attributes  [levels][]component
	grouped     []component // attributes of groups of dimensions
	measures    []component
	annotations [][]byte
	at          stat.Position
}

type link struct{ rel, href, urn string }

// component is a dimension, an attribute or a measure.
type component struct {
	id, label string
	roles     []string
	position  int // among the dimensions; -1: not said
	preset    string
	listed    bool // there is a list of values, perhaps an empty one
	values    []value
	at        stat.Position

	attribute *sdmx.Attribute // nil: an observation has no place for it
}

// value is one that a component may have.
type value struct {
	id, label []byte
	order     int // -1: not said
}

// newStructure takes a structure out of its node.
func newStructure(n *node) (s structure, err error) {
	if err := n.checkObject("structure"); n == nil || err != nil {
		return s, err
	}
	s = structure{id: n.field("id").String(), name: n.label(), at: n.at}
	if s.links, err = newLinks(n.field("links")); err != nil {
		return s, err
	}
	annotations, err := n.field("annotations").objects("annotations")
	for _, a := range annotations {
		s.annotations = append(s.annotations, []byte(cmp.Or(a.field("texts").String(), a.field("text").String(), a.field("title").String())))
	}
	take := func(what, level string, to *[]component) {
		whole := n.field(what)
		if err == nil {
			err = whole.checkObject(what)
		}
		if err == nil {
			*to, err = newComponents(what, whole.field(level))
		}
	}
	for i, level := range levelNames {
		take("dimensions", level, &s.dimensions[i])
		take("attributes", level, &s.attributes[i])
	}
	take("attributes", "dimensionGroup", &s.grouped)
	take("measures", "observation", &s.measures)
	return s, err
}

func newLinks(n *node) (links []link, err error) {
	all, err := n.objects("links")
	for _, l := range all {
		links = append(links, link{l.field("rel").String(), l.field("href").String(), l.field("urn").String()})
	}
	return links, err
}

func newComponents(what string, n *node) (components []component, err error) {
	all, err := n.objects(what)
	for _, n := range all {
		c := component{
			id: n.field("id").String(), label: n.label(), roles: append(n.field("role").texts(), n.field("roles").texts()...),
			position: -1, preset: n.field("default").String(), listed: slices.Contains(n.names, "values"), at: n.at,
		}
		if at := n.field("keyPosition"); at != nil {
			var ok bool
			if c.position, ok = position(at.text); !ok || at.kind != jsonscan.Number {
				return nil, stat.BadFile(at.at, "keyPosition is to be a whole number from 0")
			}
		}
		values, err := n.field("values").objects("values")
		if err != nil {
			return nil, err
		}
		for _, n := range values {
			v := value{id: []byte(cmp.Or(n.field("id").String(), n.field("value").String())), label: []byte(n.label()), order: -1}
			if order, ok := position(n.field("order").String()); ok {
				v.order = order
			}
			c.values = append(c.values, v)
		}
		if c.id == "" {
			return nil, stat.BadFile(n.at, "one of the %s has no id", what)
		}
		if len(components) == maxComponents {
			return nil, stat.BadFile(n.at, "there are more than %d %s on one level", maxComponents, what)
		}
		components = append(components, c)
	}
	return components, err
}

// hasRole reports whether the source gives a component one of some roles.
func (c *component) hasRole(roles ...string) bool {
	return slices.ContainsFunc(c.roles, func(role string) bool {
		return slices.ContainsFunc(roles, func(r string) bool { return strings.EqualFold(r, role) })
	})
}

// isTime reports whether a dimension says that it is the time.
func (c *component) isTime() bool {
	return c.hasRole("TIME_PERIOD", "TIME") || assemble.IsTime(c.id)
}

// role is what the source says that a dimension stands for; empty where it says
// nothing.
func (c *component) role() stat.Role {
	switch {
	case c.hasRole("REF_AREA", "GEO", "GEOGRAPHY"):
		return stat.RoleGeo
	case c.hasRole("FREQ", "FREQUENCY"):
		return stat.RoleFrequency
	case c.hasRole("UNIT_MEASURE", "UNIT"):
		return stat.RoleUnit
	}
	return ""
}

// identity is what a dataset's links say of it: "ECB", "EXR".
func identity(links []link, rel string) (agency, code string) {
	for _, l := range links {
		if !strings.EqualFold(l.rel, rel) {
			continue
		}
		if strings.Contains(l.urn, "=") {
			agency, code, _ = sdmx.ParseURN(l.urn)
			return agency, code
		}
		at := strings.Index(strings.ToLower(l.href), "/"+rel+"/")
		if at < 0 {
			continue
		}
		address, _, _ := strings.Cut(l.href[at+len(rel)+2:], "?")
		parts := strings.Split(strings.Trim(address, "/"), "/")
		if len(parts) == 1 || len(parts) == 2 && (parts[1] == "all" || parts[1] == "latest") {
			return "", parts[0] // OECD's former addresses had no agency
		}
		return parts[0], parts[1]
	}
	return "", ""
}
