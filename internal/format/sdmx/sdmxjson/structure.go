package sdmxjson

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// The levels of components, in the order of the names of groups.
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
	names       stat.Texts          // by language, if there are several
	links       []map[string]string // its own, then those of its data sets
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
	labels    stat.Texts // by language, if there are several
	roles     []string
	position  int    // among the dimensions; -1: not stated
	preset    string // the value of an attribute that is not stated
	isListed  bool   // there is a list of values, perhaps an empty one
	values    []value
	at        stat.Position

	dimension int             // in the table; -1: the time
	attribute *sdmx.Attribute // nil: observations have no place for it
}

// value is one of the values of a component.
type value struct {
	id, label []byte
	labels    stat.Texts // by language, if there are several
	order     int        // -1: not stated
}

func (m *message) readOnlyStructure(first jsonscan.Token) error {
	isObject, err := begins(first, jsonscan.Object, "structure")
	if !isObject {
		return err
	}
	m.isSingle = true
	return m.readStructure(first)
}

func (m *message) readStructure(first jsonscan.Token) error {
	if len(m.structures) == maxStructures {
		return stat.BadFile(first.At, "the message has more than %d structures: split it by dataset", maxStructures)
	}
	s := structure{at: first.At}
	var name string
	var names []sdmx.Text
	dimensions, attributes := fields{}, fields{"dimensionGroup": m.components("attributes", "dimensionGroup", &s.grouped)}
	for i, level := range levelNames {
		dimensions[level] = m.components("dimensions", level, &s.dimensions[i])
		attributes[level] = m.components("attributes", level, &s.attributes[i])
	}
	err := m.Decode(first, fields{
		"id": &s.id, "name": m.text(&name), "names": m.texts(&names), "links": m.links(&s.links),
		"dimensions": m.object("dimensions", dimensions), "attributes": m.object("attributes", attributes),
		"measures": m.object("measures", fields{"observation": m.components("measures", "observation", &s.measures)}),
		"annotations": m.objects("annotations", func(first jsonscan.Token) error {
			var texts, text, title string
			err := m.Decode(first, fields{"texts": m.text(&texts), "text": m.text(&text), "title": m.text(&title)})
			s.annotations = append(s.annotations, []byte(cmp.Or(texts, text, title)))
			return err
		}),
	})
	s.name, s.names = cmp.Or(sdmx.Best(names, ""), name), sdmx.InAll(names)
	m.structures = append(m.structures, s)
	return err
}

// components returns a function that reads the components of a kind on a level.
func (m *message) components(kind, level string, to *[]*component) readFunc {
	return m.objects(level, func(first jsonscan.Token) error {
		if len(*to) == maxComponents {
			return stat.BadFile(first.At, "there are more than %d %s on one level", maxComponents, kind)
		}
		c := &component{position: -1, dimension: -1, at: first.At}
		*to = append(*to, c)
		var name, role, roles string
		var names []sdmx.Text
		err := m.Decode(first, fields{
			"id": &c.id, "name": m.text(&name), "names": m.texts(&names), "role": m.text(&role), "roles": m.text(&roles),
			"keyPosition": number("keyPosition", &c.position), "default": m.text(&c.preset), "values": m.values(c),
		})
		c.label, c.labels, c.roles = cmp.Or(sdmx.Best(names, ""), name), sdmx.InAll(names), strings.Split(role+separator+roles, separator)
		if err == nil && c.id == "" {
			err = stat.BadFile(first.At, "one of the %s has no id", kind)
		}
		return err
	})
}

func (m *message) values(of *component) readFunc {
	return func(first jsonscan.Token) error {
		of.isListed = true
		return m.objects("values", func(first jsonscan.Token) error {
			var id, content, name, order string
			var names []sdmx.Text
			err := m.Decode(first, fields{"id": &id, "value": m.text(&content), "name": m.text(&name), "names": m.texts(&names), "order": &order})
			of.values = append(of.values, value{[]byte(cmp.Or(id, content)), []byte(cmp.Or(sdmx.Best(names, ""), name)), sdmx.InAll(names), position([]byte(order))})
			return err
		})(first)
	}
}

// links returns a function that reads links to what a structure or a data set is about,
// by the names of their fields.
func (m *message) links(to *[]map[string]string) readFunc {
	return m.objects("links", func(first jsonscan.Token) error {
		l, err := m.Texts(first)
		*to = append(*to, l)
		return err
	})
}

// isTime reports whether a dimension is declared the time by its ID or a role.
func (c *component) isTime() bool {
	return assemble.IsTime(c.id) || slices.ContainsFunc(c.roles, assemble.IsTime)
}

// role returns the role that the source states for a dimension; empty if it states none.
func (c *component) role() stat.Role {
	for _, name := range c.roles {
		if role := assemble.RoleOf(name); role != stat.RoleOther {
			return role
		}
	}
	return ""
}

// isGeography reports whether a dimension may be the geography.
func (c *component) isGeography() bool {
	return c.role() == stat.RoleGeo || assemble.RoleOf(c.id) == stat.RoleGeo
}

// areaAttribute returns the attribute REF_AREA if every data set, or every series, states
// it: it is the geography of data whose keys have none. It returns nil if there is none.
func (s *structure) areaAttribute() *component {
	for level, components := range s.attributes[:onObservation] {
		at := slices.IndexFunc(components, func(c *component) bool { return strings.EqualFold(c.id, "REF_AREA") && len(c.values) > 0 })
		lacksIt := func(set *dataSet) bool {
			if level == onDataSet {
				return at >= len(set.attributes) || set.attributes[at].position < 0
			}
			return at >= maxPositions || set.stated[at] < set.series
		}
		if at >= 0 && !slices.ContainsFunc(s.sets, lacksIt) {
			return components[at]
		}
	}
	return nil
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
func identity(links []map[string]string, kind string) (agency, code string) {
	address := regexp.MustCompile(`(?i)/` + kind + `/+([^/?]+)/*([^/?]*)`)
	for _, l := range links {
		if !strings.EqualFold(l["rel"], kind) {
			continue
		}
		if strings.Contains(l["urn"], "=") {
			agency, code, _ = sdmx.ParseURN(l["urn"])
			return agency, code
		}
		if parts := address.FindStringSubmatch(l["href"]); parts != nil {
			switch parts[2] {
			case "", "all", "latest": // OECD's former addresses had no agency
				return "", parts[1]
			}
			return parts[1], parts[2]
		}
	}
	return "", ""
}
