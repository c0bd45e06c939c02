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
	// List is the name of its code list, where that is not the ID.
	List string
	// Separators are the signs between several codes of status in one value.
	Separators string

	place int
}

// Attribute makes the attribute with an ID; nil where an observation has no
// place for it. What the attribute says holds beside what others of its kind
// say.
func (t *Table) Attribute(id string) *Attribute {
	return t.NewAttribute(id, assemble.AttributeOf(id))
}

// NewAttribute makes an attribute of a kind that its ID does not tell.
func (t *Table) NewAttribute(id string, kind assemble.Attribute) *Attribute {
	if kind == assemble.AttributeOther {
		return nil
	}
	t.places++
	return &Attribute{ID: id, Kind: kind, place: t.places - 1}
}

// SharedAttribute makes an attribute that shares its place with the others of
// its kind: on the level nearest to the observation that has any, all that are
// there count, and none of the levels above. No table has both sorts.
func SharedAttribute(id, list, separators string) *Attribute {
	kind := assemble.AttributeOf(id)
	return &Attribute{ID: id, Kind: kind, List: list, Separators: separators, place: int(kind)}
}

// Values are what the attributes of one level say, each at its place.
type Values []value

// value is what an attribute says; of is nil where it says nothing.
type value struct {
	of          *Attribute
	code, label []byte
}

// at is the value at a place.
func (v *Values) at(place int) *value {
	for len(*v) <= place {
		*v = append(*v, value{})
	}
	return &(*v)[place]
}

// Clear makes the level say nothing.
func (v Values) Clear() {
	for i := range v {
		v[i].of = nil
	}
}

// Overlay puts what a nearer level says in place of what v says.
func (v *Values) Overlay(nearer Values) {
	for place, value := range nearer {
		if value.of != nil {
			*v.at(place) = value
		}
	}
}

// Set takes in the value of an attribute. Of attributes that share a place the
// last counts, but all codes of status and all notes do.
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

// SetHere takes in the value of an attribute of the current observation.
func (t *Table) SetHere(a *Attribute, code, label []byte) { t.here.Set(a, code, label) }

// group are the attributes of groups that name the same dimensions.
type group struct {
	dimensions []int // the number of dimensions stands for the time
	values     map[string]*Values
}

// maxGroups is how many sets of dimensions the groups of a dataset may name.
const maxGroups = 64

// TooManyGroups is the message of the error that there are too many sets of
// dimensions.
const TooManyGroups = "the groups give more than 64 different sets of dimensions"

// ClearGroups forgets the groups, before another data set.
func (t *Table) ClearGroups() { t.groups = nil }

// HasGroups reports whether there are groups.
func (t *Table) HasGroups() bool { return len(t.groups) > 0 }

// Group is the level of a group of series: those that have certain codes, by
// dimension, empty for any; a last one is of the time. It is nil where the
// groups name too many sets of dimensions.
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
		// Who names more of the key is nearer to the series, and counts more.
		if at = slices.IndexFunc(t.groups, func(g group) bool { return len(g.dimensions) > len(dimensions) }); at < 0 {
			at = len(t.groups)
		}
		t.groups = slices.Insert(t.groups, at, group{dimensions, map[string]*Values{}})
	}
	v := t.groups[at].values[string(key)]
	if v == nil {
		v = &Values{}
		t.groups[at].values[string(key)] = v
	}
	return v
}

// WholeKey says that all codes of a key are known.
const WholeKey = ^uint64(0)

// Inherit settles which attributes hold for the observations that follow: those
// of the dataset, of the groups that the key belongs to, and of the series
// itself, the nearest counting most. known has a bit for each dimension whose
// code is set; groups that name others are left out.
func (t *Table) Inherit(known uint64) {
	t.series = append(t.series[:0], t.Whole...)
	for _, g := range t.groups {
		if v := g.values[string(t.groupKey(g.dimensions, known))]; v != nil {
			t.series.Overlay(*v)
		}
	}
	t.series.Overlay(t.Own)
}

// groupKey is the current key as far as groups name it.
func (t *Table) groupKey(dimensions []int, known uint64) []byte {
	key := t.key[:0]
	for _, i := range dimensions {
		switch {
		case i == t.dimensions:
			key = append(key, t.Observation.Period.String()...)
		case i < 64 && known&(1<<i) == 0:
			return nil
		default:
			key = append(key, t.code(t.axes[i]).ID...)
		}
		key = append(key, 0)
	}
	t.key = key
	return key
}

// Names are names that are counted, the first of them kept.
type Names struct {
	Count int
	list  []string
}

// maxNames bounds the names that are kept.
const maxNames = 20

// Add counts a name.
func (n *Names) Add(name string) {
	n.Count++
	if len(n.list) < maxNames && !slices.Contains(n.list, name) {
		n.list = append(n.list, strings.Clone(name))
	}
}

// Merge adds what others counted.
func (n *Names) Merge(other Names) {
	for _, name := range other.list {
		n.Add(name)
	}
	n.Count += other.Count - len(other.list)
}
