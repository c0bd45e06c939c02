package sdmxjson

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// pass is the second reading of a message: its observations of one structure.
type pass struct {
	*table
	*reader
	set     *dataSet
	numbers []sdmx.Number // of the current observation, by measure
	written []byte        // and how they are written
}

// read yields the observations of the table's data sets.
func (t *table) read() error {
	err := readText(t.in, &stat.Report{}, func(r *reader) error {
		p := &pass{table: t, reader: r}
		number := -1
		dataSets := map[string]func() error{"dataSets": func() error {
			return p.array("dataSets", func(first jsonscan.Token) error {
				number++
				p.set = p.message.sets[number]
				if p.set.structure != p.index || p.set.observations == 0 {
					return p.SkipRest(first)
				}
				return p.dataSet()
			})
		}}
		return p.object("the message", p.once("the message", map[string]func() error{
			"dataSets": dataSets["dataSets"],
			"data":     func() error { return p.object("data", p.once("data", dataSets)) },
		}))
	})
	if err == nil {
		t.Finish()
	}
	return err
}

// dataSet reads the rest of a data set.
func (p *pass) dataSet() error {
	if err := p.beginDataSet(); err != nil {
		return err
	}
	number := -1
	return p.fields(func(name []byte) error {
		switch string(name) {
		case "observations":
			if series := p.slots[onSeries]; len(series) > 0 {
				return p.bad("observations stand outside of series, and the structure has dimensions of series (%s)", series[0].id)
			}
			p.Own.Clear()
			return p.observations()
		case "series":
			return p.object("series", func(name []byte) error {
				number++
				return p.series(name, number)
			})
		case "annotations":
			return p.passAnnotations("data set")
		}
		return p.Skip()
	})
}

// beginDataSet takes in what is said of the data set as a whole.
func (p *pass) beginDataSet() error {
	p.Observation.At = p.set.at
	for i := range p.slots[onDataSet] {
		s := &p.slots[onDataSet][i]
		if len(s.values) != 1 {
			return stat.BadFile(s.component.at, "dimension %s stands on the level of the data set, where it has one value, and not %d", s.id, len(s.values))
		}
		if err := p.setDimension(s, 0); err != nil {
			return err
		}
	}
	p.Whole.Clear()
	p.Whole.Overlay(p.defaults)
	if err := p.setAll(&p.Whole, p.structure.attributes[onDataSet], p.set.attributes); err != nil {
		return err
	}
	p.ClearGroups()
	return p.addGroups()
}

// setAll takes in the attributes of a level.
func (p *pass) setAll(level *sdmx.Values, components []component, attributes []attribute) error {
	for i, a := range attributes {
		if err := p.table.set(level, components, i, a); err != nil {
			return err
		}
	}
	return nil
}

// addGroups takes in the groups of the data set. Their names count the
// dimensions of all levels.
func (p *pass) addGroups() error {
	all := slices.Concat(p.slots[:]...)
	for _, g := range p.set.groups {
		if len(g.key) != len(all) {
			return stat.BadFile(g.at, "the name of the group has %d parts, and there are %d dimensions (%s)", len(g.key), len(all), strings.Join(p.ids(), ", "))
		}
		codes := make([]string, len(all)+1)
		isOfData := true
		for i, at := range g.key {
			s := &all[i]
			switch {
			case at < 0:
			case at >= len(s.values):
				isOfData = false
			case s.dimension < 0:
				codes[p.Dimensions()] = s.periods[at].String()
			default:
				codes[s.dimension] = string(s.values[at].id)
			}
		}
		if !isOfData {
			continue
		}
		group := p.Group(codes)
		switch {
		case group == nil:
			return stat.BadFile(g.at, sdmx.TooManyGroups)
		case len(*group) > 0:
			return stat.BadFile(g.at, "the attributes of this group stand twice")
		}
		if err := p.setAll(group, p.structure.grouped, g.attributes); err != nil {
			return err
		}
	}
	return nil
}

// series reads one series.
func (p *pass) series(name []byte, number int) error {
	if err := p.readKey(name, onSeries); err != nil {
		return err
	}
	p.Observation.At = p.reader.at
	p.Own.Clear()
	components, late := p.structure.attributes[onSeries], p.set.late[number]
	if err := p.setAll(&p.Own, components, late); err != nil {
		return err
	}
	return p.object("a series", p.once("a series", map[string]func() error{
		"attributes": func() error {
			attributes, err := p.readAttributes()
			if err != nil || late != nil {
				return err
			}
			return p.setAll(&p.Own, components, attributes)
		},
		"annotations":  func() error { return p.passAnnotations("series") },
		"observations": p.observations,
	}))
}

// passAnnotations passes over annotations that have no place.
func (p *pass) passAnnotations(of string) error {
	return p.array("annotations", func(first jsonscan.Token) error {
		p.lose("annotations of a " + of)
		return p.SkipRest(first)
	})
}

// observations reads the observations of a series, or of a flat data set.
func (p *pass) observations() error {
	p.Inherit(sdmx.WholeKey)
	return p.object("observations", func(name []byte) error {
		p.Observation.At = p.reader.at
		if err := p.readKey(name, onObservation); err != nil {
			return err
		}
		if p.HasGroups() {
			p.Inherit(sdmx.WholeKey)
		}
		p.Begin()
		p.numbers, p.written = p.numbers[:0], p.written[:0]
		token, err := p.next()
		if err != nil {
			return err
		}
		if token.Kind == jsonscan.Array {
			n := -1
			err = p.elements(func(first jsonscan.Token) error {
				n++
				return p.element(n, first)
			})
		} else {
			err = p.element(0, token)
		}
		if err != nil {
			return err
		}
		return p.yieldNumbers()
	})
}

// element reads a value of an observation: measures come first, then
// attributes, then positions of annotations.
func (p *pass) element(n int, first jsonscan.Token) error {
	if n < p.measures {
		v, err := p.readNumber(first)
		p.numbers = append(p.numbers, v)
		return err
	}
	n -= p.measures
	if components := p.structure.attributes[onObservation]; n < len(components) {
		a := attribute{position: -1}
		if at, ok := position(first.Text); ok && first.Kind == jsonscan.Number {
			a.position = at
		}
		if a.position < 0 || !components[n].listed {
			value, err := p.nodeFrom("attributes", "attributes", first)
			if err != nil {
				return err
			}
			a.text = value.String()
		}
		return p.table.set(nil, components, n, a)
	}
	if first.Kind == jsonscan.Null {
		return nil
	}
	at, ok := position(first.Text)
	if first.Kind != jsonscan.Number || !ok || at >= len(p.structure.annotations) {
		return p.bad("an observation has %d measures and %d attributes; behind them stand positions of annotations, of which there are %d",
			p.measures, len(p.structure.attributes[onObservation]), len(p.structure.annotations))
	}
	p.SetHere(p.table.annotations, p.structure.annotations[at], nil)
	return nil
}

// readNumber reads a measure: a number, a text that is one, or null.
func (p *pass) readNumber(first jsonscan.Token) (sdmx.Number, error) {
	if first.Kind == jsonscan.Null {
		return sdmx.Number{Value: math.NaN()}, nil
	}
	if first.Kind == jsonscan.Number || first.Kind == jsonscan.String {
		begin := len(p.written)
		p.written = append(p.written, bytes.TrimSpace(first.Text)...)
		if n, ok := sdmx.ReadNumber(p.written[begin:], sdmx.PlainStyle); ok {
			return n, nil
		}
	}
	if len(first.Text) == 0 {
		return sdmx.Number{}, p.bad("an observation begins with its value, a number or null")
	}
	return sdmx.Number{}, p.bad("%.40q is no number that can be stored; a missing value is null", first.Text)
}

// readKey reads the name of a series or an observation: the positions of its
// dimensions.
func (p *pass) readKey(name []byte, level int) error {
	slots := p.slots[level]
	rest, more := name, len(name) > 0
	n := 0
	for ; more; n++ {
		var part []byte
		part, rest, more = bytes.Cut(rest, []byte{':'})
		at, ok := position(part)
		if !ok {
			return p.bad("%.40q is no name of a series or an observation: it is made of positions with colons between", name)
		}
		if n >= len(slots) {
			n++
			break
		}
		if at >= len(slots[n].values) {
			return p.bad("dimension %s has %d values, and this is position %d (counted from 0)", slots[n].id, len(slots[n].values), at)
		}
		if err := p.setDimension(&slots[n], at); err != nil {
			return err
		}
	}
	if n != len(slots) {
		return p.bad("the name %.40q has not as many parts as there are dimensions on this level (%d)", name, len(slots))
	}
	return nil
}

// setDimension gives a dimension its value.
func (p *pass) setDimension(s *slot, at int) error {
	if s.dimension >= 0 {
		p.Observation.Key[p.Axis(s.dimension).At] = s.codes[at]
		return nil
	}
	if p.Observation.Period = s.periods[at]; p.Observation.Period.IsZero() {
		_, err := sdmx.ParsePeriod(string(s.values[at].id))
		return p.bad("value %d of %s: %v", at, s.id, err)
	}
	return nil
}

// yieldNumbers yields the observation that was read.
func (p *pass) yieldNumbers() error {
	if !p.period.IsZero() {
		p.Observation.Period = p.period
	}
	hasValue := slices.ContainsFunc(p.numbers, func(n sdmx.Number) bool { return !math.IsNaN(n.Value) })
	var ok bool
	if p.Observation.Frequency, ok = p.Frequency(); !ok && hasValue {
		_, code := p.FrequencyCode()
		return stat.BadFile(p.Observation.At, "the frequency %q is none that can be stored: annual, half-yearly, quarterly, monthly, weekly or daily", code)
	}
	for len(p.numbers) < p.measures {
		p.numbers = append(p.numbers, sdmx.Number{Value: math.NaN()})
	}
	for i := range p.numbers {
		p.numbers[i].Measure, p.numbers[i].At = int32(i), p.Observation.At
	}
	return p.YieldNumbers(p.numbers)
}
