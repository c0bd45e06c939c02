package sdmxml

import (
	"slices"
	"strings"

	"almanac/internal/format/sdmx"
)

// use is what becomes of a field.
type use uint8

const (
	useNothing use = iota // it says nothing of the data
	useNoPlace            // an attribute that observations have no place for
	useDimension
	useTime
	useValue
	useAttribute
)

// component is what a name stands for.
type component struct {
	name      string
	use       use
	dimension int
	attribute *sdmx.Attribute
}

// What generic data call the time and the value has no name.
var timeComponent, valueComponent = &component{use: useTime}, &component{use: useValue}

// component finds what a field stands for.
func (r *reader) component(f field) *component {
	if isOfXML(f.prefix) {
		return &component{}
	}
	known := r.components
	if f.part == partAttribute {
		known = r.attributed
	}
	if c := known[string(f.name)]; c != nil {
		return c
	}
	c := r.newComponent(f)
	if len(known) < maxNames {
		known[c.name] = c
	}
	return c
}

func (r *reader) newComponent(f field) *component {
	c := &component{name: string(f.name)}
	structure, isAttribute := r.set.structure, f.part == partAttribute
	if !isAttribute || r.set.byArea && strings.EqualFold(c.name, area) {
		c.dimension = slices.IndexFunc(r.dimensions, func(id string) bool { return strings.EqualFold(id, c.name) })
		if c.dimension >= 0 {
			c.use = useDimension
			return c
		}
	}
	switch {
	case isTechnical(f), strings.EqualFold(c.name, string(lastUpdate)):
	case !isAttribute && r.set.isTime(c.name):
		c.use = useTime
	case structure != nil && strings.EqualFold(c.name, structure.Measure), c.name == "OBS_VALUE",
		c.name == "VALUE" && (structure == nil || structure.Measure == ""):
		c.use = useValue
	case !sdmx.HasPlace(c.name):
		c.use = useNoPlace
	default:
		c.use, c.attribute = useAttribute, r.SharedAttribute(c.name)
		c.attribute.List, c.attribute.Separators = c.name, " ,;"
		if structure != nil {
			for _, s := range structure.Attributes {
				if strings.EqualFold(s.ID, c.name) && s.List != "" {
					c.attribute.List = s.List
				}
			}
		}
	}
	return c
}

// componentOf finds what the i-th field of a series (level 0) or an observation
// (level 1) stands for: most have the same fields in the same order.
func (r *reader) componentOf(level, i int, f *field) *component {
	expected := r.expected[level]
	isPlain := f.part == partAny && len(f.prefix) == 0
	if i < len(expected) && expected[i].name == string(f.name) && isPlain {
		return expected[i]
	}
	c := r.component(*f)
	if isPlain {
		if i < len(expected) {
			expected[i] = c
		} else if i == len(expected) {
			r.expected[level] = append(expected, c)
		}
	}
	return c
}
