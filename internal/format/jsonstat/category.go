package jsonstat

import (
	"cmp"
	"strconv"

	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// dimension is a dimension as the file has it.
type dimension struct {
	at        stat.Position
	label     string
	codes     []string // in the order of the values; nil: there is no index
	category  bool     // it has categories
	labels    map[string]string
	units     map[string]string
	notes     map[string][]string // on categories
	remarks   []string            // on the dimension
	total     string
	frequency string
	roles     map[string][]string // of a field "role" among the dimensions, as in version 1
}

func readDimension(j *jsonscan.Scanner, open jsonscan.Token) (*dimension, error) {
	d := &dimension{at: open.At, notes: map[string][]string{}, roles: map[string][]string{}}
	err := j.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case name == "label":
			d.label, err = j.TextOf(value)
		case name == "note":
			d.remarks, err = texts(j, value)
		case name == "category" && value.Kind == jsonscan.Object:
			d.category = true
			err = j.Object(func(name string, value jsonscan.Token) error { return d.readCategory(j, name, value) })
		case name == "extension" && value.Kind == jsonscan.Object:
			err = j.Object(func(name string, value jsonscan.Token) error { return d.readExtension(j, name, value) })
		case value.Kind == jsonscan.Array:
			d.roles[name], err = list(j, value)
		default:
			err = j.SkipRest(value)
		}
		return err
	})
	return d, err
}

func (d *dimension) readCategory(j *jsonscan.Scanner, name string, value jsonscan.Token) (err error) {
	switch name {
	case "index":
		return d.readIndex(j, value)
	case "label":
		d.labels, err = j.Texts(value)
	case "unit":
		d.units, err = jsonscan.MapOf(j, value, readUnit)
	case "note":
		return d.addNotes(j, value)
	default:
		err = j.SkipRest(value)
	}
	return err
}

// readExtension reads what PxWeb says of a dimension.
func (d *dimension) readExtension(j *jsonscan.Scanner, name string, value jsonscan.Token) (err error) {
	switch name {
	case "eliminationValueCode":
		d.total, err = j.TextOf(value)
	case "frequency":
		d.frequency, err = j.TextOf(value)
	case "valueNote":
		return d.addNotes(j, value)
	case "note":
		var more []string
		more, err = texts(j, value)
		d.remarks = append(d.remarks, more...)
	default:
		err = j.SkipRest(value)
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

// readIndex reads the codes in their order: an array of them, or an object
// that says the position of each.
func (d *dimension) readIndex(j *jsonscan.Scanner, open jsonscan.Token) error {
	switch open.Kind {
	case jsonscan.Array:
		d.codes = []string{}
		seen := map[string]struct{}{}
		return j.Array(func(value jsonscan.Token) error {
			if value.Kind != jsonscan.String && value.Kind != jsonscan.Number {
				return stat.BadFile(value.At, "a code in an index is a text")
			}
			code := string(value.Text)
			if _, twice := seen[code]; twice {
				return stat.BadFile(value.At, "the code %q comes twice in one index", text.Clip(code))
			}
			seen[code] = struct{}{}
			d.codes = append(d.codes, code)
			return nil
		})
	case jsonscan.Object:
		return d.readPositions(j, open.At)
	}
	return stat.BadFile(open.At, "an index is an array of codes, or an object with the position of each")
}

func (d *dimension) readPositions(j *jsonscan.Scanner, at stat.Position) error {
	type entry struct {
		code     string
		position int
	}
	var entries []entry
	err := j.Object(func(name string, value jsonscan.Token) error {
		position, err := strconv.Atoi(string(value.Text))
		if value.Kind != jsonscan.Number || err != nil || position < 0 {
			return stat.BadFile(value.At, "the position of the code %q is no whole number from 0 on", text.Clip(name))
		}
		entries = append(entries, entry{name, position})
		return nil
	})
	if err != nil {
		return err
	}
	d.codes = make([]string, len(entries))
	taken := make([]bool, len(entries))
	for _, e := range entries {
		if e.position >= len(entries) || taken[e.position] {
			return stat.BadFile(at, "the index has %d codes, and the position %d of %q is another one's or past the end", len(entries), e.position, text.Clip(e.code))
		}
		taken[e.position] = true
		d.codes[e.position] = e.code
	}
	return nil
}

// readUnit makes one text of a unit: its label, else its symbol, else its base
// with its multiplier. A label says the multiplier itself ("thousands of
// persons").
func readUnit(j *jsonscan.Scanner, value jsonscan.Token) (string, error) {
	if value.Kind != jsonscan.Object {
		return j.TextOf(value)
	}
	u, err := j.Texts(value)
	return cmp.Or(u["label"], u["symbol"], assemble.UnitText(u["base"], u["multiplier"])), err
}

// check completes the codes once the whole dimension is read, and compares
// them with the size that the cube gives (negative: none).
func (d *dimension) check(id string, size int) error {
	if d.codes == nil && len(d.labels) == 1 {
		for code := range d.labels { // the one category needs no index
			d.codes = []string{code}
		}
	}
	switch {
	case d.codes == nil && len(d.labels) > 1:
		return stat.BadFile(d.at, "dimension %q has labels of %d categories and no index that tells their order", text.Clip(id), len(d.labels))
	case len(d.codes) == 0:
		return stat.BadFile(d.at, "dimension %q has no categories", text.Clip(id))
	case size >= 0 && size != len(d.codes):
		return stat.BadFile(d.at, "dimension %q is to have %d categories by \"size\", and has %d", text.Clip(id), size, len(d.codes))
	}
	for _, code := range d.codes {
		if code == "" {
			return stat.BadFile(d.at, "dimension %q has a category with an empty code", text.Clip(id))
		}
	}
	return nil
}
