package sdmxml

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// surveyor makes the first pass over a file.
type surveyor struct {
	*walker
	ctx          context.Context
	in           format.Input
	tables       [][]*dataSet // the data sets of each
	set          *dataSet     // the open one
	observations int          // of the open series

	weak map[string][weakKinds]string // values of components that may be in the key, by the rest of it
	key  []byte
}

func (v *surveyor) survey() error {
	file, err := sdmx.OpenXML(&v.in, &stat.Report{})
	if err != nil {
		return err
	}
	defer file.Close()
	v.walker = newWalker(file)
	for {
		err := v.nextDataSet()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := v.beginDataSet(); err != nil {
			return err
		}
		if err := v.readDataSet(v.take); err != nil {
			return err
		}
		v.endDataSet()
	}
}

// endDataSet adds a data set with observations to the last table, or makes it a new
// one.
func (v *surveyor) endDataSet() {
	d := v.set
	if d.observations == 0 {
		return
	}
	d.chooseDimensions()
	d.components = components{} // the dimensions change the meaning of names
	if last := len(v.tables) - 1; last >= 0 && v.tables[last][0].isPartOf(d) {
		v.tables[last] = append(v.tables[last], d)
		return
	}
	v.tables = append(v.tables, []*dataSet{d})
}

func (v *surveyor) beginDataSet() error {
	d := &dataSet{at: v.at}
	v.set, v.skipsObservations, v.weak = d, false, map[string][weakKinds]string{}
	action, named := v.header.Action, ""
	for _, f := range v.fields {
		switch string(f.name) {
		case "structureRef":
			named = string(f.value)
		case "dataflowID":
			d.flow = string(f.value)
		case "id":
			d.id = string(f.value)
		case "action":
			action = string(f.value)
		}
	}
	if strings.EqualFold(action, "delete") || strings.EqualFold(action, "D") {
		return stat.BadFile(d.at, "unsupported action %q of the data set: an import cannot delete data", action)
	}
	for i, s := range v.header.Structures {
		if s.Name == named || i == 0 {
			d.declaration = s
		}
	}
	if d.declaration.ByMeasure == "true" {
		return stat.BadFile(d.at, "observations whose elements have the names of measures (explicitMeasures) are not supported; ask the office for generic data")
	}
	if !strings.EqualFold(d.declaration.ObsDimension, "AllDimensions") {
		d.obsDimension = d.declaration.ObsDimension
	}
	v.setObsDimension(d)
	return v.take(wholeSet, v.fields)
}

// take keeps the attributes of the data set and of groups. It handles the fields of a
// series at its end, when it is known whether the series has observations.
func (v *surveyor) take(e element, fields []field) error {
	d := v.set
	if e != wholeSet {
		d.identify(&v.in, v.walker)
	}
	switch e {
	case wholeSet:
		for _, f := range fields {
			if len(f.value) > 0 {
				d.whole.add(field{name: f.name, value: f.value, part: partAttribute})
			}
		}
	case group:
		d.keepPartial(fields)
	case series:
		v.observations = 0
	case seriesEnd:
		if v.observations == 0 {
			d.keepPartial(fields)
			return nil
		}
		return v.countKey(series, fields)
	case observation:
		return v.observation(fields)
	}
	return nil
}

// observation counts an observation. Only the first one in a series is examined, since
// all have the same fields.
func (v *surveyor) observation(fields []field) error {
	d := v.set
	d.observations++
	v.observations++
	if !v.inSeries {
		if err := v.countKey(observation, fields); err != nil {
			return err
		}
	}
	if d.observations == 1 {
		for _, f := range fields {
			if f.part == partKey && v.inSeries {
				d.obsDimension = cmp.Or(d.obsDimension, string(f.name))
			}
		}
		for _, f := range slices.Concat(fields, v.seriesFields.fields) {
			d.isTimed = d.isTimed || d.component(&f).use == useTime
		}
	}
	v.skipsObservations = true
	return nil
}

// countKey counts the fields of an element with a key. If elements with the same codes
// differ in their area, unit or series, that is a part of the key although it is an
// attribute.
func (v *surveyor) countKey(e element, fields []field) error {
	d := v.set
	d.elements++
	var now [weakKinds]string
	v.key = v.key[:0]
	for i := range fields {
		f := &fields[i]
		c := d.componentOf(e, i, f)
		if c.use == useNothing {
			continue
		}
		switch {
		case c.isKey:
			v.key = append(append(append(append(v.key, f.name...), '='), f.value...), 0)
		case c.name == area:
			now[weakArea] = string(f.value)
			if len(f.value) > 0 {
				d.areas++
			}
		case c.name == seriesName:
			now[weakSeries] = string(f.value)
		case c.isUnit:
			now[weakUnit] = string(f.value)
		}
		if f.part == partAttribute {
			continue
		}
		if c.count == 0 {
			if len(d.names) == maxNames {
				return stat.BadFile(d.at, "the data set has more than %d different attributes", maxNames)
			}
			c.followsAttribute = c.name == area && slices.ContainsFunc(fields[:i], func(f field) bool { return d.component(&f).use != useNothing && sdmx.IsAttribute(string(f.name)) })
			d.names = append(d.names, c)
		}
		c.count++
	}
	if now == [weakKinds]string{} {
		return nil
	}
	before, met := v.weak[string(v.key)]
	if !met {
		v.weak[string(v.key)] = now
	}
	for kind := range now {
		d.inKey[kind] = d.inKey[kind] || met && before[kind] != now[kind]
	}
	return nil
}
