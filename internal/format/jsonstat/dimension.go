package jsonstat

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

type dimension struct {
	id          string
	isListed    bool // in the list "id" of the cube
	at          stat.Position
	label       string
	codes       []string // in the order of the values; nil without an index
	hasCategory bool
	labels      map[string]string
	units       map[string]string
	unitLabels  map[string]string   // of codes without a label
	notes       map[string][]string // on categories
	remarks     []string            // on the dimension
	total       string
	frequency   string
	roles       map[string][]string // in version 1, roles look like a dimension

	parents map[string][]string // by code; nil without a hierarchy

	// While values are read:
	axis    *assemble.Axis // nil for the time
	noteOf  []string       // by code; nil without notes
	current int64          // position of the code of the current cell
}

func (d *dimension) read(j *jsonscan.Scanner, value jsonscan.Token) error {
	fields := map[string]any{
		"label":    &d.label,
		"note":     addTexts(&d.remarks),
		"category": jsonscan.Reader(d.readCategory),
		"extension": map[string]any{ // of PxWeb
			"eliminationValueCode": &d.total,
			"frequency":            &d.frequency,
			"valueNote":            jsonscan.Reader(d.addNotes),
			"note":                 addTexts(&d.remarks),
		},
	}
	for _, role := range []string{"time", "geo", "metric"} {
		fields[role] = func(value jsonscan.Token) (err error) {
			d.roles[role], err = list(j, value)
			return err
		}
	}
	return j.Decode(value, fields)
}

func (d *dimension) readCategory(j *jsonscan.Scanner, value jsonscan.Token) error {
	d.hasCategory = d.hasCategory || value.Kind == jsonscan.Object
	return j.Decode(value, map[string]any{
		"index": jsonscan.Reader(d.readIndex),
		"label": &d.labels,
		"child": jsonscan.Reader(d.readChildren),
		"unit":  jsonscan.Reader(d.readUnits),
		"note":  jsonscan.Reader(d.addNotes),
	})
}

// readChildren reads the hierarchy: for a code, the codes that are directly below it.
func (d *dimension) readChildren(j *jsonscan.Scanner, value jsonscan.Token) error {
	children, err := jsonscan.MapOf(j, value, list)
	for _, parent := range slices.Sorted(maps.Keys(children)) {
		for _, code := range children[parent] {
			if d.parents == nil {
				d.parents = map[string][]string{}
			}
			d.parents[code] = append(d.parents[code], parent)
		}
	}
	return err
}

func (d *dimension) addNotes(j *jsonscan.Scanner, value jsonscan.Token) error {
	more, err := jsonscan.MapOf(j, value, texts)
	for code, notes := range more {
		d.notes[code] = append(d.notes[code], notes...)
	}
	return err
}

// readIndex reads the codes: an array in their order, or an object with the
// position of each.
func (d *dimension) readIndex(j *jsonscan.Scanner, open jsonscan.Token) error {
	switch open.Kind {
	case jsonscan.Array:
		d.codes = []string{}
		seen := map[string]struct{}{}
		return j.Array(func(value jsonscan.Token) error {
			if value.Kind != jsonscan.String && value.Kind != jsonscan.Number {
				return stat.BadFile(value.At, "a code in an index must be a text")
			}
			code := string(value.Text)
			if _, twice := seen[code]; twice {
				return stat.BadFile(value.At, "the code %q occurs twice in one index", text.Clip(code))
			}
			seen[code] = struct{}{}
			d.codes = append(d.codes, code)
			return nil
		})
	case jsonscan.Object:
		return d.readPositions(j, open.At)
	}
	return stat.BadFile(open.At, "an index must be an array of codes, or an object with the position of each")
}

func (d *dimension) readPositions(j *jsonscan.Scanner, at stat.Position) error {
	var codes []string
	var positions []int
	err := j.Object(func(code string, value jsonscan.Token) error {
		position, err := strconv.Atoi(string(value.Text))
		if value.Kind != jsonscan.Number || err != nil || position < 0 {
			return stat.BadFile(value.At, "the position of the code %q must be a whole number from 0 on", text.Clip(code))
		}
		codes, positions = append(codes, code), append(positions, position)
		return nil
	})
	if err != nil {
		return err
	}
	d.codes = make([]string, len(codes))
	taken := make([]bool, len(codes))
	for i, code := range codes {
		position := positions[i]
		if position >= len(codes) || taken[position] {
			return stat.BadFile(at, "the index has %d codes, but the position %d of %q is taken or past the end", len(codes), position, text.Clip(code))
		}
		taken[position] = true
		d.codes[position] = code
	}
	return nil
}

// readUnits reads the units of categories: the label of each, which includes the
// multiplier ("thousands of persons"), after a symbol such as $, else its base with its
// multiplier. A file of the ONS also has a text "unit", and the label is that of the category.
func (d *dimension) readUnits(j *jsonscan.Scanner, value jsonscan.Token) error {
	units, err := jsonscan.MapOf(j, value, func(j *jsonscan.Scanner, value jsonscan.Token) (map[string]string, error) {
		if value.Kind != jsonscan.Object {
			text, err := j.TextOf(value)
			return map[string]string{"label": text}, err
		}
		return j.Texts(value)
	})
	d.units, d.unitLabels = make(map[string]string, len(units)), map[string]string{}
	for code, u := range units {
		text := cmp.Or(strings.TrimSpace(u["symbol"]+" "+u["label"]), stat.UnitText(u["base"], u["multiplier"]))
		if u["unit"] != "" {
			text = u["unit"]
			d.unitLabels[code] = u["label"]
		}
		d.units[code] = text
	}
	return err
}

// check completes the codes and compares their number with size, if that is not
// negative.
func (d *dimension) check(size int) error {
	id := text.Clip(d.id)
	if d.codes == nil && len(d.labels) == 1 {
		for code := range d.labels { // a single category needs no index
			d.codes = []string{code}
		}
	}
	switch {
	case d.codes == nil && len(d.labels) > 1:
		return stat.BadFile(d.at, "dimension %q has labels of %d categories but no index with their order", id, len(d.labels))
	case len(d.codes) == 0:
		return stat.BadFile(d.at, "dimension %q has no categories", id)
	case size >= 0 && size != len(d.codes):
		return stat.BadFile(d.at, "dimension %q must have %d categories according to \"size\", but has %d", id, size, len(d.codes))
	case slices.Contains(d.codes, ""):
		return stat.BadFile(d.at, "dimension %q has a category with an empty code", id)
	}
	return nil
}

// texts returns the texts of a value that is a text, an array of texts, or an
// array of objects with a field "text".
func texts(j *jsonscan.Scanner, value jsonscan.Token) (all []string, err error) {
	switch value.Kind {
	case jsonscan.Array:
		err = j.Array(func(item jsonscan.Token) error { return addTexts(&all)(j, item) })
	case jsonscan.Object:
		err = j.Decode(value, map[string]any{"text": addTexts(&all)})
	case jsonscan.String:
		if s := strings.TrimSpace(string(value.Text)); s != "" {
			all = []string{s}
		}
	}
	return all, err
}

// addTexts returns a reader that appends the texts of a value.
func addTexts(to *[]string) jsonscan.Reader {
	return func(j *jsonscan.Scanner, value jsonscan.Token) error {
		more, err := texts(j, value)
		*to = append(*to, more...)
		return err
	}
}

// list returns the texts of an array; none for any other value.
func list(j *jsonscan.Scanner, value jsonscan.Token) (all []string, err error) {
	if value.Kind != jsonscan.Array {
		return nil, j.SkipRest(value)
	}
	err = j.Array(func(item jsonscan.Token) error {
		name, err := j.TextOf(item)
		all = append(all, name)
		return err
	})
	return all, err
}
