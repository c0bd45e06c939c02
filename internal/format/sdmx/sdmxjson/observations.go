package sdmxjson

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// errStopped says that nobody asks for more observations.
var errStopped = errors.New("stopped")

// pass is the second reading of a message: its observations of one structure.
type pass struct {
	*table
	*reader
	yield       func(stat.Observation, error) bool
	set         *dataSet
	numbers     []number // of the current observation, by measure
	annotations []string
	counted     int
}

// number is a measure of an observation.
type number struct {
	value   float64
	rounded string // what is written, where it has more digits than value
}

// all yields the observations of the table's data sets.
func (t *table) all(yield func(stat.Observation, error) bool) {
	r, text, err := open(t.in, &stat.Report{})
	if err != nil {
		yield(stat.Observation{}, err)
		return
	}
	defer text.Close()
	p := &pass{table: t, reader: r, yield: yield}
	if err := p.message(); err != nil {
		if !errors.Is(err, errStopped) {
			yield(stat.Observation{}, err)
		}
		return
	}
	if len(t.lost) > 0 {
		t.report.Add(assemble.NoteAttributeNotKept, len(t.lost), strings.Join(t.lost, ", "))
	}
	assemble.NoteUnlabelled(t.dataset, t.report)
}

// message reads the whole text.
func (p *pass) message() error {
	number := 0
	data := map[string]func() error{"dataSets": func() error {
		return p.array("dataSets", func(first jsonscan.Token) error {
			p.set = p.table.message.sets[number]
			number++
			if p.set.structure != p.index || p.set.observations == 0 {
				return p.SkipRest(first)
			}
			return p.dataSet()
		})
	}}
	data["data"] = func() error { return p.fields("data", map[string]func() error{"dataSets": data["dataSets"]}) }
	return p.fields("the message", data)
}

// dataSet reads the rest of a data set.
func (p *pass) dataSet() error {
	p.obs.At = p.set.at
	if err := p.beginSet(); err != nil {
		return err
	}
	number := 0
	for {
		name, err := p.next()
		if err != nil || name.Kind == jsonscan.ObjectEnd {
			return err
		}
		switch string(name.Text) {
		case "observations":
			p.ofSeries = append(p.ofSeries[:0], p.ofSet...)
			if len(p.slots[onSeries]) > 0 {
				return p.bad("observations stand outside of series, and the structure has dimensions of series (%s)", p.slots[onSeries][0].id)
			}
			err = p.observations()
		case "series":
			err = p.object("series", func(name []byte) error {
				number++
				return p.series(name, number-1)
			})
		case "annotations":
			err = p.passAnnotations("data set")
		default:
			err = p.Skip()
		}
		if err != nil {
			return err
		}
	}
}

// beginSet takes in what is said of the data set as a whole.
func (p *pass) beginSet() error {
	for i := range p.slots[onDataSet] {
		s := &p.slots[onDataSet][i]
		if len(s.values) != 1 {
			return stat.BadFile(s.component.at, "dimension %s stands on the level of the data set, where it has one value, and not %d", s.id, len(s.values))
		}
		if err := p.setDimension(onDataSet, i, 0); err != nil {
			return err
		}
	}
	copy(p.said, p.presets)
	for i, a := range p.set.attributes {
		if err := p.say(p.structure.attributes[onDataSet], p.places[onDataSet], i, a); err != nil {
			return err
		}
	}
	p.ofSet = append(p.ofSet[:0], p.said...)
	var err error
	p.groups, err = p.newGroups(p.set.groups)
	return err
}

// series reads one series.
func (p *pass) series(name []byte, number int) error {
	if err := p.readKey(name, onSeries); err != nil {
		return err
	}
	p.obs.At = p.reader.at
	copy(p.said, p.ofSet)
	say := func(attributes []attribute) error {
		for i, a := range attributes {
			if err := p.say(p.structure.attributes[onSeries], p.places[onSeries], i, a); err != nil {
				return err
			}
		}
		p.ofSeries = append(p.ofSeries[:0], p.said...)
		return nil
	}
	if err := say(p.set.late[number]); err != nil {
		return err
	}
	return p.fields("a series", map[string]func() error{
		"attributes": func() error {
			attributes, err := p.readAttributes()
			if err != nil || p.set.late[number] != nil {
				return err
			}
			return say(attributes)
		},
		"annotations":  func() error { return p.passAnnotations("series") },
		"observations": p.observations,
	})
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
	return p.object("observations", func(name []byte) error {
		if p.counted++; p.counted%checkEvery == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		p.obs.At = p.reader.at
		if err := p.readKey(name, onObservation); err != nil {
			return err
		}
		copy(p.said, p.ofSeries)
		p.numbers, p.annotations = p.numbers[:0], p.annotations[:0]
		if err := p.sayGroups(); err != nil {
			return err
		}
		token, err := p.next()
		if err != nil {
			return err
		}
		if token.Kind == jsonscan.Array {
			n := 0
			err = p.elements(func(first jsonscan.Token) error {
				n++
				return p.element(n-1, first)
			})
		} else {
			err = p.element(0, token)
		}
		if err != nil {
			return err
		}
		return p.emit()
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
		a, err := p.readAttribute(first, !components[n].listed)
		if err != nil {
			return err
		}
		return p.say(components, p.places[onObservation], n, a)
	}
	if first.Kind == jsonscan.Null {
		return nil
	}
	at, ok := position(first.Text)
	if first.Kind != jsonscan.Number || !ok || at >= len(p.structure.annotations) {
		return p.bad("an observation has %d measures and %d attributes; behind them stand positions of annotations, of which there are %d",
			p.measures, len(p.structure.attributes[onObservation]), len(p.structure.annotations))
	}
	p.annotations = append(p.annotations, p.structure.annotations[at])
	return nil
}

// readNumber reads a measure: a number, a text that is one, or null.
func (p *pass) readNumber(first jsonscan.Token) (number, error) {
	missing := number{value: math.NaN()}
	switch first.Kind {
	case jsonscan.Null:
		return missing, nil
	case jsonscan.Number, jsonscan.String:
		content := bytes.TrimSpace(first.Text)
		if value, size, exact := text.Number(content); size > 0 && size == len(content) {
			if !exact {
				return number{value, string(content)}, nil
			}
			return number{value: value}, nil
		}
		if first.Kind == jsonscan.String && text.IsMissing(string(content)) {
			return missing, nil
		}
	}
	if len(first.Text) == 0 {
		return missing, p.bad("an observation begins with its value, a number or null")
	}
	return missing, p.bad("%.40q is no number that can be stored; a missing value is null", first.Text)
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
		if err := p.setDimension(level, n, at); err != nil {
			return err
		}
	}
	if n != len(slots) {
		return p.bad("the name %.40q has not as many parts as there are dimensions on this level (%d)", name, len(slots))
	}
	return nil
}

// setDimension gives a dimension its value.
func (p *pass) setDimension(level, n, at int) error {
	s := &p.slots[level][n]
	p.table.at[level][n] = int32(at)
	if s.axis != nil {
		p.obs.Key[s.axis.At] = s.codes[at]
		return nil
	}
	if p.obs.Period = s.periods[at]; p.obs.Period.IsZero() {
		_, err := stat.ParsePeriod(s.values[at].id)
		return p.bad("value %d of %s: %v", at, s.id, err)
	}
	return nil
}

// emit yields the observation that was read, or counts what it lacks.
func (p *pass) emit() error {
	o := p.obs
	if !p.stated.IsZero() {
		o.Period = p.stated
	}
	said := p.meaning(p.annotations)
	o.Unit, o.Note = said.unit, said.note
	var err error
	if o.Frequency, err = p.frequency(); err != nil {
		return err
	}
	for i := range p.measures {
		v := number{value: math.NaN()}
		if i < len(p.numbers) {
			v = p.numbers[i]
		}
		if p.measure >= 0 {
			o.Key[p.measure] = int32(i)
		}
		o.Value, o.Flags = v.value, said.flags
		p.count(&o, v, said)
		if math.IsNaN(o.Value) && o.Flags == "" && o.Note == "" {
			continue
		}
		if !p.yield(o, nil) {
			return errStopped
		}
	}
	return nil
}

// count accounts for an observation in the report.
func (p *pass) count(o *stat.Observation, v number, said texts) {
	p.report.Read++
	switch {
	case math.IsNaN(v.value):
	case o.Flags.Missing():
		o.Value = math.NaN()
		p.report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("%s: %v", assemble.Where(p.dataset, o), v.value))
	case v.rounded != "":
		p.report.Add(stat.NoteRounded, 1, fmt.Sprintf("%s: %s", assemble.Where(p.dataset, o), v.rounded))
	}
	if said.unknown != "" {
		p.report.Add(stat.NoteUnknownFlag, 1, said.unknown+" at "+assemble.Where(p.dataset, o))
	}
	if math.IsNaN(o.Value) {
		p.report.Missing++
	}
}

// frequency is what the observation's frequency dimension states.
func (p *pass) frequency() (stat.Frequency, error) {
	if p.freqAxis == nil {
		return 0, nil
	}
	id := p.freqAxis.Dim.Codes[p.obs.Key[p.freqAxis.At]].ID
	f, ok := office.Frequency(p.dataset.Source.ID, id)
	holds := slices.ContainsFunc(p.numbers, func(v number) bool { return !math.IsNaN(v.value) })
	if !ok && holds && id != "_Z" && id != "_U" {
		return 0, stat.BadFile(p.obs.At, "the frequency %q is none that can be stored: annual, half-yearly, quarterly, monthly, weekly or daily", id)
	}
	return f, nil
}
