package sdmxjson

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
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
	annotations []string
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
}

// value is one that a component may have.
type value struct {
	id, label string
	order     int // -1: not said
}

// readStructure reads the fields of a structure into s.
func (r *reader) structureFields(s *structure) map[string]func() error {
	var names string
	components := func(what string, to *[]component) func() error {
		return func() error { return r.components(what, to) }
	}
	return map[string]func() error{
		"id":          r.text(&s.id),
		"name":        r.either(&s.name, &names),
		"names":       r.prefer(&s.name, &names),
		"links":       func() error { return r.links(&s.links) },
		"annotations": func() error { return r.annotations(&s.annotations) },
		"dimensions": func() error {
			return r.fields("dimensions", map[string]func() error{
				"dataSet": components("dimensions", &s.dimensions[onDataSet]), "series": components("dimensions", &s.dimensions[onSeries]),
				"observation": components("dimensions", &s.dimensions[onObservation]),
			})
		},
		"attributes": func() error {
			return r.fields("attributes", map[string]func() error{
				"dataSet": components("attributes", &s.attributes[onDataSet]), "series": components("attributes", &s.attributes[onSeries]),
				"observation": components("attributes", &s.attributes[onObservation]), "dimensionGroup": components("attributes", &s.grouped),
			})
		},
		"measures": func() error {
			return r.fields("measures", map[string]func() error{"observation": components("measures", &s.measures)})
		},
	}
}

// either reads "name" where there may be "names" too, whose English text goes
// before; prefer reads "names".
func (r *reader) either(to, names *string) func() error {
	return func() error {
		var name string
		err := r.text(&name)()
		if *names == "" {
			*to = name
		}
		return err
	}
}

func (r *reader) prefer(to, names *string) func() error {
	return func() error {
		err := r.text(names)()
		*to = cmp.Or(*names, *to)
		return err
	}
}

func (r *reader) links(to *[]link) error {
	return r.objects("links", func() (map[string]func() error, func() error) {
		var l link
		return map[string]func() error{"rel": r.text(&l.rel), "href": r.text(&l.href), "urn": r.text(&l.urn)},
			func() error { *to = append(*to, l); return nil }
	})
}

// annotations reads texts, each the annotation's own or its title.
func (r *reader) annotations(to *[]string) error {
	return r.objects("annotations", func() (map[string]func() error, func() error) {
		var title, text, texts string
		return map[string]func() error{"title": r.text(&title), "text": r.either(&text, &texts), "texts": r.prefer(&text, &texts)},
			func() error { *to = append(*to, cmp.Or(text, title)); return nil }
	})
}

func (r *reader) components(what string, to *[]component) error {
	return r.objects(what, func() (map[string]func() error, func() error) {
		c := component{position: -1, at: r.at}
		var names string
		return map[string]func() error{
				"id": r.text(&c.id), "name": r.either(&c.label, &names), "names": r.prefer(&c.label, &names),
				"role": r.texts(&c.roles), "roles": r.texts(&c.roles), "default": r.text(&c.preset),
				"keyPosition": r.number("keyPosition", &c.position),
				"values":      func() error { c.listed = true; return r.values(&c.values) },
			}, func() error {
				if c.id == "" {
					return r.bad("one of the %s has no id", what)
				}
				if len(*to) == maxComponents {
					return r.bad("there are more than %d %s on one level", maxComponents, what)
				}
				*to = append(*to, c)
				return nil
			}
	})
}

// values reads a list of values; null stands for one that is not there.
func (r *reader) values(to *[]value) error {
	return r.objects("values", func() (map[string]func() error, func() error) {
		v := value{order: -1}
		var names, plain string
		return map[string]func() error{
				"id": r.text(&v.id), "name": r.either(&v.label, &names), "names": r.prefer(&v.label, &names),
				"value": r.text(&plain), "order": r.order(&v.order),
			}, func() error {
				v.id = cmp.Or(v.id, plain)
				*to = append(*to, v)
				return nil
			}
	})
}

// order reads a place in a list of codes, where it is one.
func (r *reader) order(to *int) func() error {
	return func() error {
		token, err := r.next()
		if err != nil {
			return err
		}
		if n, ok := position(token.Text); ok {
			*to = n
		}
		return r.SkipRest(token)
	}
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

// role is what a dimension stands for; the geography only where the source
// itself says so.
func (c *component) role() stat.Role {
	switch {
	case c.hasRole("REF_AREA", "GEO", "GEOGRAPHY"):
		return stat.RoleGeo
	case c.hasRole("FREQ", "FREQUENCY"):
		return stat.RoleFrequency
	case c.hasRole("UNIT_MEASURE", "UNIT"):
		return stat.RoleUnit
	}
	if role := assemble.RoleOf(c.id); role != stat.RoleGeo {
		return role
	}
	return stat.RoleOther
}

// identity is what a dataset's links say of it: "ECB", "EXR".
func identity(links []link, rel string) (agency, code string) {
	for _, l := range links {
		if !strings.EqualFold(l.rel, rel) {
			continue
		}
		if _, name, found := strings.Cut(l.urn, "="); found {
			agency, code, _ = strings.Cut(name, ":")
			code, _, _ = strings.Cut(code, "(")
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
