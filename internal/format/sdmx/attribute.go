package sdmx

import (
	"bytes"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
)

// Attribute is an attribute that observations have a place for.
type Attribute struct {
	ID   string
	Kind assemble.Attribute
	// List is the name of its code list, unless that is the ID.
	List string
	// Separators are the characters between several codes of status in one value.
	Separators string

	place int
}

// Attribute returns a new attribute with an ID, nil if observations have no place for
// it. Its value adds to those of other attributes of its kind.
func (t *Table) Attribute(id string) *Attribute {
	if !HasPlace(id) {
		return nil
	}
	t.places++
	return &Attribute{ID: id, Kind: assemble.AttributeOf(id), place: t.places - 1}
}

// SharedAttribute returns a new attribute that shares its place with the others of its
// kind: only those on the level nearest to the observation count. A table has either
// these or those of [Table.Attribute].
func SharedAttribute(id, list, separators string) *Attribute {
	kind := assemble.AttributeOf(id)
	place := int(kind)
	if strings.EqualFold(id, symbol) {
		place = symbolPlace
	}
	return &Attribute{ID: id, Kind: kind, List: list, Separators: separators, place: place}
}

// symbol is a second status of Statistics Canada, with a list of its own. It does not
// share the place of the first.
const (
	symbol      = "SYMBOL"
	symbolPlace = int(assemble.AttributeCurrency) + 1
)

// Values are the attributes of one level, each at its place.
type Values []value

// value is the value of an attribute; of is nil if there is no value.
type value struct {
	of          *Attribute
	code, label []byte
}

func (v *Values) at(place int) *value {
	for len(*v) <= place {
		*v = append(*v, value{})
	}
	return &(*v)[place]
}

// Unset removes the value of an attribute.
func (v *Values) Unset(a *Attribute) { v.at(a.place).of = nil }

// Clear removes all values.
func (v Values) Clear() {
	for i := range v {
		v[i].of = nil
	}
}

// Overlay replaces values by those of a level nearer to the observation.
func (v *Values) Overlay(nearer Values) {
	for place, value := range nearer {
		if value.of != nil {
			*v.at(place) = value
		}
	}
}

// Set sets the value of an attribute. Of attributes that share a place the last
// counts, but codes of status and notes are joined.
func (v *Values) Set(a *Attribute, code, label []byte) {
	if len(code) == 0 && len(label) == 0 {
		return
	}
	to := v.at(a.place)
	kept := to.code[:0]
	if to.of != nil && len(label) == 0 && !bytes.Equal(to.code, code) {
		switch a.Kind {
		case assemble.AttributeStatus:
			kept = append(to.code, ' ')
		case assemble.AttributeNote:
			kept = append(to.code, "; "...)
		}
	}
	to.of, to.code, to.label = a, append(kept, code...), append(to.label[:0], label...)
}

// group holds the attributes of the groups that name the same dimensions.
type group struct {
	dimensions []int // the time follows the others
	values     map[string]*Values
}

// maxGroups bounds the different sets of dimensions that groups name.
const maxGroups = 64

// TooManyGroups is the message of the error for more sets than that.
const TooManyGroups = "the groups name more than 64 different sets of dimensions"

// ClearGroups removes the groups, for the next data set.
func (t *Table) ClearGroups() { t.groups, t.hasTimeGroups = nil, false }

// Group returns the attributes of the series that have certain codes. The codes are by
// dimension, empty for any code; one more code is a time. It returns nil if the groups
// name too many sets of dimensions.
func (t *Table) Group(codes []string) *Values {
	var dimensions []int
	var key []byte
	for i, code := range codes {
		if code != "" {
			dimensions = append(dimensions, i)
			key = append(append(key, code...), 0)
		}
	}
	at := slices.IndexFunc(t.groups, func(g group) bool { return slices.Equal(g.dimensions, dimensions) })
	if at < 0 {
		if len(t.groups) == maxGroups {
			return nil
		}
		// A group that names more of the key is nearer to the series.
		if at = slices.IndexFunc(t.groups, func(g group) bool { return len(g.dimensions) > len(dimensions) }); at < 0 {
			at = len(t.groups)
		}
		t.groups = slices.Insert(t.groups, at, group{dimensions, map[string]*Values{}})
		t.hasTimeGroups = t.hasTimeGroups || slices.Contains(dimensions, t.dimensions)
	}
	v := t.groups[at].values[string(key)]
	if v == nil {
		v = &Values{}
		t.groups[at].values[string(key)] = v
	}
	return v
}

// Inherit makes the next observation inherit [Table.Whole], the groups and [Table.Own]
// as they are then. An observation with other codes than the last one always does.
func (t *Table) Inherit() { t.isInherited = false }

// inherit finds the attributes that the current observation and those with the same
// codes inherit. The nearest level wins.
func (t *Table) inherit() {
	t.inherited = append(t.inherited[:0], t.Whole...)
	for _, g := range t.groups {
		t.key = t.key[:0]
		for _, i := range g.dimensions {
			if i == t.dimensions {
				t.key = append(t.key, t.Observation.Period.String()...)
			} else {
				t.key = append(t.key, t.Code(i).ID...)
			}
			t.key = append(t.key, 0)
		}
		if v := g.values[string(t.key)]; v != nil {
			t.inherited.Overlay(*v)
		}
	}
	t.inherited.Overlay(t.Own)
	t.isInherited = !t.hasTimeGroups
}

// Names counts names and keeps the first of them.
type Names struct {
	Count int
	list  []string
}

const maxNames = 20

// Add counts an occurrence of a name.
func (n *Names) Add(name string) {
	n.Count++
	if len(n.list) < maxNames && !slices.Contains(n.list, name) {
		n.list = append(n.list, strings.Clone(name))
	}
}

// Merge adds the counts of other.
func (n *Names) Merge(other Names) {
	for _, name := range other.list {
		n.Add(name)
	}
	n.Count += other.Count - len(other.list)
}
