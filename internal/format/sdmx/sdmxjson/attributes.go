package sdmxjson

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// said is what an attribute says of an observation.
type said struct {
	id         string // of the attribute
	kind       assemble.Attribute
	code, text string // the code of its value, and the value's label
}

// texts is what the attributes of an observation mean together.
type texts struct {
	flags   stat.Flags
	unit    string
	note    string
	unknown string // a status that the office's list does not have
}

// groups are the attributes of the groups that give certain dimensions.
type groups struct {
	gives      []bool                 // by dimension of all levels
	count      int                    // how many it gives
	attributes map[string][]attribute // by the positions of these
}

// maxMasks is how many sets of dimensions the groups of a data set may give.
const maxMasks = 64

// placeAttributes finds a place for the attributes of every level. One that
// stands on several levels has one place; the finest level counts.
func (t *table) placeAttributes() {
	place := func(c component) int {
		kind := assemble.AttributeOf(c.id)
		if kind == assemble.AttributeOther {
			return -1
		}
		at := slices.IndexFunc(t.said, func(s said) bool { return s.id == c.id })
		if at < 0 {
			at = len(t.said)
			t.said = append(t.said, said{id: c.id, kind: kind})
		}
		if c.preset != "" {
			t.said[at].code, t.said[at].text = c.preset, ""
			for _, v := range c.values {
				if v.id == c.preset {
					t.said[at].text = v.label
				}
			}
		}
		return at
	}
	t.dropUnlisted()
	for level, attributes := range t.structure.attributes {
		for _, c := range attributes {
			t.places[level] = append(t.places[level], place(c))
		}
	}
	for _, c := range t.structure.grouped {
		t.grouped = append(t.grouped, place(c))
	}
	t.presets = slices.Clone(t.said)
}

// dropUnlisted leaves out the attributes of observations that have a list of
// values with nothing in it, if a position stands where they are to stand:
// OECD's messages list such attributes, and have no place for them in the
// arrays.
func (t *table) dropUnlisted() {
	attributes := t.structure.attributes[onObservation]
	isEmpty := func(c component) bool { return c.listed && len(c.values) == 0 }
	for i, c := range attributes {
		if !isEmpty(c) {
			continue
		}
		for _, s := range t.message.sets {
			if at := t.measures + i; s.structure == t.index && at < len(s.positions) && s.positions[at] {
				t.structure.attributes[onObservation] = slices.DeleteFunc(slices.Clone(attributes), isEmpty)
				return
			}
		}
	}
}

// say takes in the value of an attribute, number at of the components.
func (t *table) say(components []component, places []int, at int, a attribute) error {
	if a.text == "" && a.position < 0 {
		return nil // the value of the level above, or none
	}
	if at >= len(components) {
		return t.badAttribute("there are more values than the structure has attributes (%d)", len(components))
	}
	c := &components[at]
	v := value{id: a.text}
	if c.listed && a.position >= 0 {
		if a.position >= len(c.values) {
			return t.badAttribute("attribute %s has %d values, and this is position %d (counted from 0)", c.id, len(c.values), a.position)
		}
		v = c.values[a.position]
	} else if known := slices.IndexFunc(c.values, func(known value) bool { return known.id == v.id }); known >= 0 {
		v = c.values[known]
	}
	place := places[at]
	switch {
	case v.id == "" && v.label == "":
	case place < 0:
		t.lose(c.id)
	default:
		t.said[place].code, t.said[place].text = v.id, v.label
	}
	return nil
}

func (t *table) badAttribute(text string, args ...any) error {
	return stat.BadFile(t.obs.At, text, args...)
}

// lose remembers an attribute that has no place.
func (t *table) lose(id string) {
	if !slices.Contains(t.lost, id) {
		t.lost = append(t.lost, id)
	}
}

// newGroups arranges the attributes of a data set's groups; those that give
// fewer dimensions come first.
func (t *table) newGroups(list []group) ([]groups, error) {
	width := len(t.dimensions())
	var found []groups
	for _, g := range list {
		if len(g.key) != width {
			return nil, stat.BadFile(g.at, "the name of the group has %d parts, and there are %d dimensions (%s)", len(g.key), width, strings.Join(t.ids(), ", "))
		}
		gives, count, key := make([]bool, width), 0, []byte(nil)
		for i, at := range g.key {
			if at >= 0 {
				gives[i] = true
				count++
				key = appendPosition(key, at)
			}
		}
		at := slices.IndexFunc(found, func(f groups) bool { return slices.Equal(f.gives, gives) })
		if at < 0 {
			if at = len(found); at == maxMasks {
				return nil, stat.BadFile(g.at, "the groups give more than %d different sets of dimensions", maxMasks)
			}
			found = append(found, groups{gives, count, map[string][]attribute{}})
		}
		if _, twice := found[at].attributes[string(key)]; twice {
			return nil, stat.BadFile(g.at, "the attributes of this group stand twice")
		}
		found[at].attributes[string(key)] = g.attributes
	}
	slices.SortStableFunc(found, func(a, b groups) int { return cmp.Compare(a.count, b.count) })
	return found, nil
}

func appendPosition(b []byte, at int32) []byte {
	return append(b, byte(at), byte(at>>8), byte(at>>16), byte(at>>24))
}

// sayGroups takes in the attributes of the groups that the current observation
// belongs to.
func (t *table) sayGroups() error {
	for _, g := range t.groups {
		key, i := t.room[:0], 0
		for _, level := range t.at {
			for _, at := range level {
				if g.gives[i] {
					key = appendPosition(key, at)
				}
				i++
			}
		}
		t.room = key
		for n, a := range g.attributes[string(key)] {
			if err := t.say(t.structure.grouped, t.grouped, n, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// meaning is what the attributes of the current observation mean, and the
// texts of its annotations.
func (t *table) meaning(annotations []string) texts {
	key := t.texts.Begin()
	for _, s := range t.said {
		key = append(append(append(append(key, s.code...), 0), s.text...), 0)
	}
	for _, a := range annotations {
		key = append(append(key, a...), 0)
	}
	unit := ""
	if t.unitAxis != nil {
		code := t.unitAxis.Dim.Codes[t.obs.Key[t.unitAxis.At]]
		unit = cmp.Or(code.Label, code.ID)
		key = append(key, unit...)
	}
	found, _ := t.texts.Find(key, func() (texts, error) { return t.interpret(unit, annotations), nil })
	t.texts.Keep(key)
	return found
}

// interpret reads the attributes; dimension is the unit that a dimension says.
func (t *table) interpret(dimension string, annotations []string) (m texts) {
	var flags, notes []string
	var unit, multiplier string
	for _, s := range t.said {
		label := s.text
		if label == "" {
			label = s.code
		}
		switch {
		case label == "":
		case s.kind == assemble.AttributeStatus:
			status, known := office.Status(t.dataset.Source.ID, "", s.code)
			flags = append(flags, string(status))
			if !known {
				m.unknown = s.code
				notes = append(notes, s.text) // the only place that says what it means
			}
		case s.kind == assemble.AttributeConfidentiality:
			flags = append(flags, string(office.Confidentiality(s.code)))
		case s.kind == assemble.AttributeNote:
			notes = append(notes, label)
		case s.kind == assemble.AttributePreBreak:
			notes = append(notes, "pre-break value: "+label)
		case s.kind == assemble.AttributeUnit:
			unit = label
		case s.kind == assemble.AttributeMultiplier:
			multiplier = s.code
		}
	}
	m.flags = stat.NewFlags(flags...)
	if m.unit = assemble.UnitText(cmp.Or(unit, dimension), multiplier); m.unit == dimension {
		m.unit = "" // the dimension says it
	}
	notes = slices.DeleteFunc(append(notes, annotations...), func(n string) bool { return n == "" })
	m.note = strings.Join(notes, "; ")
	return m
}
