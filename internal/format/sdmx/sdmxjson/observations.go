package sdmxjson

import (
	"bytes"
	"math"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

func (t *table) read() error {
	file := jsonscan.NewFile(t.in.Again, t.in.Encoding)
	defer file.Close()
	for _, set := range t.structure.sets {
		t.set = set
		if err := t.beginDataSet(); err != nil {
			return err
		}
		var first jsonscan.Token
		var err error
		if t.Scanner, first, err = file.From(set.at); err != nil {
			return err
		}
		if err := t.readDataSet(first); err != nil {
			return err
		}
	}
	t.Finish()
	return nil
}

func (t *table) readDataSet(first jsonscan.Token) error {
	number := -1
	return t.entries("a data set", first, func(name, value jsonscan.Token) error {
		switch string(name.Text) {
		case "observations":
			if series := t.structure.dimensions[onSeries]; len(series) > 0 {
				return stat.BadFile(name.At, "observations are outside any series, but the structure has dimensions of series (%s)", series[0].id)
			}
			t.Own.Clear()
			return t.readObservations(value)
		case "series":
			return t.entries("series", value, func(name, value jsonscan.Token) error {
				number++
				return t.readSeries(name, value, number)
			})
		case "annotations":
			return t.skipAnnotations("data set", value)
		}
		return t.SkipRest(value)
	})
}

// skipAnnotations skips annotations that have no place, and notes that.
func (t *table) skipAnnotations(of string, value jsonscan.Token) error {
	return t.array("annotations", value, func(value jsonscan.Token) error {
		t.drop("annotations of a " + of)
		return t.SkipRest(value)
	})
}

// beginDataSet sets the dimensions and attributes of the whole data set.
func (t *table) beginDataSet() error {
	t.Observation.At = t.set.at
	for _, d := range t.structure.dimensions[onDataSet] {
		if len(d.values) != 1 {
			return stat.BadFile(d.at, "dimension %s is on the level of the data set, where it must have one value, not %d", d.id, len(d.values))
		}
		if err := t.setDimension(d, 0); err != nil {
			return err
		}
	}
	t.Whole.Clear()
	t.Whole.Overlay(t.defaults)
	if err := t.setAttributes(&t.Whole, t.structure.attributes[onDataSet], t.set.attributes); err != nil {
		return err
	}
	t.ClearGroups()
	return t.addGroups()
}

// addGroups adds the groups of the data set. Their names have a part for each dimension
// of all levels.
func (t *table) addGroups() error {
groups:
	for _, g := range t.set.groups {
		parts := strings.Split(g.key, ":")
		if len(parts) != len(t.dimensions) {
			return stat.BadFile(g.at, "the name of the group has %d parts, but there are %d dimensions (%s)", len(parts), len(t.dimensions), t.dimensionIDs())
		}
		codes := make([]string, t.keyLength) // the time comes last
		for i, part := range parts {
			d, at := t.dimensions[i], position([]byte(part))
			switch {
			case part == "":
			case at < 0:
				return stat.BadFile(g.at, "invalid name of a group %.40q: must be positions joined by colons, empty for any value", g.key)
			case at >= len(d.values):
				continue groups // no observation is in it
			case d.dimension < 0:
				p, _ := sdmx.ParsePeriod(string(d.values[at].id))
				codes[len(codes)-1] = p.String()
			default:
				codes[d.dimension] = string(d.values[at].id)
			}
		}
		group := t.Group(codes)
		switch {
		case group == nil:
			return stat.BadFile(g.at, sdmx.TooManyGroups)
		case len(*group) > 0:
			return stat.BadFile(g.at, "the attributes of this group are repeated")
		}
		if err := t.setAttributes(group, t.structure.grouped, g.attributes); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) readSeries(name, value jsonscan.Token, number int) error {
	if err := t.readKey(name, onSeries); err != nil {
		return err
	}
	t.Own.Clear()
	components := t.structure.attributes[onSeries]
	if err := t.setAttributes(&t.Own, components, t.set.late[number]); err != nil {
		return err
	}
	return t.entries("a series", value, func(name, value jsonscan.Token) error {
		switch string(name.Text) {
		case "attributes":
			var attributes []attribute
			if err := t.attributes(&attributes)(value); err != nil {
				return err
			}
			return t.setAttributes(&t.Own, components, attributes)
		case "annotations":
			return t.skipAnnotations("series", value)
		case "observations":
			return t.readObservations(value)
		}
		return t.SkipRest(value)
	})
}

// readObservations reads the observations of a series, or of a flat data set.
func (t *table) readObservations(first jsonscan.Token) error {
	t.Inherit()
	return t.entries("observations", first, func(name, value jsonscan.Token) (err error) {
		if err := t.readKey(name, onObservation); err != nil {
			return err
		}
		t.Here.Clear()
		t.written = t.written[:0]
		for i := range t.numbers {
			t.numbers[i] = sdmx.Number{Value: math.NaN(), Measure: int32(i), At: name.At}
		}
		if value.Kind == jsonscan.Array {
			n := -1
			err = t.Array(func(value jsonscan.Token) error {
				n++
				return t.element(n, value)
			})
		} else {
			err = t.element(0, value)
		}
		if err != nil {
			return err
		}
		return t.YieldNumbers(t.numbers)
	})
}

// element reads the n-th element of an observation: measures come first, then attributes,
// then positions of annotations.
func (t *table) element(n int, first jsonscan.Token) error {
	if n < len(t.numbers) {
		return t.readNumber(&t.numbers[n], first)
	}
	n -= len(t.numbers)
	if components := t.structure.attributes[onObservation]; n < len(components) {
		value, err := t.readAttribute(first)
		if err != nil {
			return err
		}
		return t.setAttribute(&t.Here, components, n, value)
	}
	if first.Kind == jsonscan.Null {
		return nil
	}
	at := positionOf(first)
	if at < 0 || at >= len(t.structure.annotations) {
		return stat.BadFile(first.At, "after its %d measures and %d attributes an observation can only have positions of annotations, of which there are %d",
			len(t.numbers), len(t.structure.attributes[onObservation]), len(t.structure.annotations))
	}
	t.Here.Set(t.annotations, t.structure.annotations[at], nil)
	return nil
}

// readNumber reads a measure: a number, a text that is one, or null.
func (t *table) readNumber(n *sdmx.Number, first jsonscan.Token) error {
	switch first.Kind {
	case jsonscan.Null:
		return nil
	case jsonscan.Number, jsonscan.String:
		begin := len(t.written)
		t.written = append(t.written, bytes.TrimSpace(first.Text)...)
		if read, ok := sdmx.ReadNumber(t.written[begin:], sdmx.PlainStyle); ok {
			n.Value, n.Rounded, n.Text = read.Value, read.Rounded, read.Text
			return nil
		}
	}
	if len(first.Text) == 0 {
		return stat.BadFile(first.At, "an observation must begin with its value, a number or null")
	}
	return stat.BadFile(first.At, "%.40q is not a number that can be stored; a missing value is null", first.Text)
}

// readKey reads the name of a series or an observation: the positions of its dimensions.
func (t *table) readKey(name jsonscan.Token, level int) error {
	t.Observation.At = name.At
	dimensions, colon := t.structure.dimensions[level], []byte{':'}
	parts := 0
	if len(name.Text) > 0 {
		parts = bytes.Count(name.Text, colon) + 1
	}
	if parts != len(dimensions) {
		return stat.BadFile(name.At, "the name %.40q has %d parts, but there are %d dimensions on this level", name.Text, parts, len(dimensions))
	}
	rest := name.Text
	for _, d := range dimensions {
		var part []byte
		part, rest, _ = bytes.Cut(rest, colon)
		at := position(part)
		if at < 0 {
			return stat.BadFile(name.At, "invalid name of a series or an observation %.40q: must be positions joined by colons", name.Text)
		}
		if at >= len(d.values) {
			return stat.BadFile(name.At, "dimension %s has %d values, but this is position %d (counted from 0)", d.id, len(d.values), at)
		}
		if err := t.setDimension(d, at); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) setDimension(d *component, at int) error {
	id := d.values[at].id
	if d.dimension >= 0 {
		t.SetCode(d.dimension, id)
		return nil
	}
	if err := t.SetPeriod(id); err != nil {
		return stat.BadFile(t.Observation.At, "value %d of %s: %v", at, d.id, err)
	}
	return nil
}
