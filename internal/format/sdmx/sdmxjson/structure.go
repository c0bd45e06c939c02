package sdmxjson

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// The levels of components, in their order in the names of groups.
const (
	onDataSet = iota
	onSeries
	onObservation
	levels
)

// levelNames are the names of the levels in messages.
var levelNames = [levels]string{"dataSet", "series", "observation"}

// maxComponents bounds the components on one level.
const maxComponents = 1000

// structure describes the components of a dataset.
type structure struct {
	id, name    string
	links       []*node // its own, then those of its data sets
	dimensions  [levels][]*component
	attributes  [levels][]*component
	grouped     []*component // attributes of groups of dimensions
	measures    []*component
	annotations [][]byte
	sets        []*dataSet // with observations
	at          stat.Position
}

// component is a dimension, an attribute or a measure.
type component struct {
	id, label string
	roles     []string
	position  int // among the dimensions; -1: not stated
	preset    string
	isListed  bool // there is a list of values, perhaps an empty one
	values    []value
	at        stat.Position

	dimension int             // in the table; -1: the time
	codes     []int32         // of the dimension, by value
	periods   []stat.Period   // of the time, by value
	attribute *sdmx.Attribute // nil: observations have no place for it
}

// value is one of the values of a component.
type value struct {
	id, label []byte
	order     int // -1: not stated
}

func (s *survey) newStructure(n *node) structure {
	result := structure{id: n.fieldText("id"), name: n.label(), links: s.objects(n, "links"), at: n.At}
	for _, a := range s.objects(n, "annotations") {
		text := cmp.Or(a.fieldText("texts"), a.fieldText("text"), a.fieldText("title"))
		result.annotations = append(result.annotations, []byte(text))
	}
	dimensions, attributes := s.object(n, "dimensions"), s.object(n, "attributes")
	for i, level := range levelNames {
		result.dimensions[i] = s.newComponents("dimensions", dimensions, level)
		result.attributes[i] = s.newComponents("attributes", attributes, level)
	}
	result.grouped = s.newComponents("attributes", attributes, "dimensionGroup")
	result.measures = s.newComponents("measures", s.object(n, "measures"), "observation")
	return result
}

func (s *survey) newComponents(what string, n *node, level string) (components []*component) {
	for _, n := range s.objects(n, level) {
		c := &component{
			id: n.fieldText("id"), label: n.label(), roles: append(n.field("role").texts(), n.field("roles").texts()...),
			position: s.number(n, "keyPosition"), preset: n.fieldText("default"), isListed: slices.Contains(n.names, "values"), at: n.At,
		}
		for _, n := range s.objects(n, "values") {
			id := cmp.Or(n.fieldText("id"), n.fieldText("value"))
			c.values = append(c.values, value{[]byte(id), []byte(n.label()), position(n.fieldText("order"))})
		}
		if c.id == "" {
			s.fail(n.At, "one of the %s has no id", what)
		}
		if len(components) == maxComponents {
			s.fail(n.At, "there are more than %d %s on one level", maxComponents, what)
			break
		}
		components = append(components, c)
	}
	return components
}

// isTime reports whether a dimension is the time by its ID or a role.
func (c *component) isTime() bool {
	return assemble.IsTime(c.id) || slices.ContainsFunc(c.roles, assemble.IsTime)
}

// role returns the role of a dimension that the source states; empty if it states
// none.
func (c *component) role() stat.Role {
	for _, name := range c.roles {
		if role := assemble.RoleOf(name); role != stat.RoleOther {
			return role
		}
	}
	return ""
}

func (c *component) labelOf(id string) []byte {
	for _, v := range c.values {
		if string(v.id) == id {
			return v.label
		}
	}
	return nil
}

// identity returns the agency and the code in the links of a kind: "ECB", "EXR".
func identity(links []*node, kind string) (agency, code string) {
	address := regexp.MustCompile(`(?i)/` + kind + `/+([^/?]+)/*([^/?]*)`)
	for _, l := range links {
		if !strings.EqualFold(l.fieldText("rel"), kind) {
			continue
		}
		if urn := l.fieldText("urn"); strings.Contains(urn, "=") {
			agency, code, _ = sdmx.ParseURN(urn)
			return agency, code
		}
		if parts := address.FindStringSubmatch(l.fieldText("href")); parts != nil {
			switch parts[2] {
			case "", "all", "latest": // OECD's former addresses had no agency
				return "", parts[1]
			}
			return parts[1], parts[2]
		}
	}
	return "", ""
}
