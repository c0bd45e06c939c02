package sdmxml

import (
	"bytes"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// maxNames bounds how many different attributes a data set may have.
const maxNames = 4096

// dataSet is what a first look at a file finds in a DataSet element: all that
// must be known before the first observation is yielded.
type dataSet struct {
	at        stat.Position
	reference reference
	flow      string // ID of the dataflow, where the data set itself has it
	family    string // the structure that it names
	space     string // namespace of its series
	generic   bool

	across       string // the dimension that the observations bear
	acrossIsTime bool
	isFlat       bool // observations stand outside of series
	isTimed      bool // observations have a time
	observations int
	elements     int // that have keys: series with observations, or observations
	names        []*name
	index        map[string]*name

	whole    []pair   // attributes of the data set
	partials [][]pair // groups, and series without observations
	updated  time.Time
	notKept  sdmx.Names

	doubles map[string]double // by key, of those that have an area or unit
	marks   map[string]mark
	byArea  bool // the attribute REF_AREA tells observations apart
	byUnit  bool // so does the unit

	identified bool
	source     stat.Source
	code       string
	structure  *stat.Structure
	dimensions []string // IDs as the file writes them
	isGuess    bool     // dimensions are told from attributes by their names
}

// name is one that may be a dimension's.
type name struct {
	id          string
	count       int  // elements that have it
	isLate      bool // it stands behind an attribute
	isAttribute bool // it is called like one
}

// pair is a field that is kept.
type pair struct{ name, value string }

// surveyor takes the first look at a file.
type surveyor struct {
	in           *format.Input
	w            *walker
	sets         []*dataSet
	set          *dataSet // the open one
	open         []field  // the fields of the open series
	arena        []byte   // and what they hold
	observations int      // of the open series
	key          []byte
}

// survey goes through the whole message.
func (v *surveyor) survey() error {
	for {
		found, err := v.w.nextDataSet()
		if err != nil || !found {
			return err
		}
		if err := v.beginDataSet(); err != nil {
			return err
		}
		if err := v.w.readDataSet(v); err != nil {
			return err
		}
		v.set.settleDimensions()
	}
}

func (v *surveyor) beginDataSet() error {
	d := &dataSet{at: v.w.at, index: map[string]*name{}, doubles: map[string]double{}, marks: map[string]mark{}}
	v.set, v.w.brief = d, false
	v.sets = append(v.sets, d)
	action, named := v.w.header.action, ""
	for _, f := range v.w.fields {
		switch string(f.name) {
		case "structureRef":
			named = string(f.value)
		case "dataflowID":
			d.flow = string(f.value)
		case "action":
			action = string(f.value)
		default:
			d.keepWhole(f)
		}
	}
	if strings.EqualFold(action, "delete") || strings.EqualFold(action, "D") {
		return stat.BadFile(d.at, "the data set is to be deleted, its action being %q; an import only takes data in", action)
	}
	for i, r := range v.w.header.references {
		if r.name == named || i == 0 {
			d.reference = r
		}
	}
	if d.reference.byMeasure {
		return stat.BadFile(d.at, "observations that are named after their measures (explicitMeasures) are not read; ask for generic data")
	}
	d.isFlat = strings.EqualFold(d.reference.at, "AllDimensions")
	return nil
}

func (v *surveyor) attributes(fields []field) error {
	for _, f := range fields {
		v.set.keepWhole(f)
	}
	return nil
}

func (v *surveyor) group(fields []field) error {
	v.identify()
	v.set.keepPartial(fields)
	return nil
}

// series remembers the fields of a series until it is known whether it has
// observations.
func (v *surveyor) series(fields []field) error {
	v.identify()
	v.observations = 0
	v.open, v.arena = v.open[:0], v.arena[:0]
	for _, f := range fields {
		if isTechnical(f) {
			continue
		}
		first := len(v.arena)
		v.arena = append(append(v.arena, f.name...), f.value...)
		kept := v.arena[first:]
		v.open = append(v.open, field{name: kept[:len(f.name)], value: kept[len(f.name):], part: f.part})
	}
	return nil
}

func (v *surveyor) endSeries() error {
	if v.observations == 0 {
		v.set.keepPartial(v.open)
		return nil
	}
	for _, f := range v.open {
		v.set.seeUpdate(f)
	}
	return v.seeKey(v.open)
}

// seeKey takes in the fields that an element with a key has.
func (v *surveyor) seeKey(fields []field) error {
	v.set.elements++
	v.seeDoubles(fields)
	return v.set.count(fields)
}

// observation takes in an observation. Those in series are alike in what they
// have.
func (v *surveyor) observation(fields []field) error {
	d := v.set
	d.observations++
	v.observations++
	if !v.w.inSeries {
		v.identify()
		d.isFlat = true
		if err := v.seeKey(fields); err != nil {
			return err
		}
		v.open = v.open[:0]
	}
	if d.observations == 1 {
		for _, fields := range [][]field{fields, v.open} {
			for _, f := range fields {
				if f.part == partAcross && d.across == "" {
					d.setAcross(string(f.name))
				}
				d.isTimed = d.isTimed || f.part == partTime || f.part == partAcross && d.isTimeAcross(f.name) || f.part != partAttribute && d.isTime(string(f.name))
			}
		}
	}
	v.w.brief = !d.isFlat
	return nil
}

// technical are attributes of data sets and series that say nothing of the
// data.
var technical = map[string]bool{
	"structureref": true, "datascope": true, "action": true, "setid": true, "datasetid": true, "keyfamilyuri": true,
	"dataflowid": true, "dataflowagencyid": true, "providerschemeid": true, "providerschemeagencyid": true, "dataproviderid": true,
	"dataproviderschemeid": true, "dataproviderschemeagencyid": true,
	"validfromdate": true, "validtodate": true, "publicationyear": true, "publicationperiod": true,
	"reportingbegindate": true, "reportingenddate": true, "time_format": true,
}

// isTechnical reports whether an attribute says nothing of the data.
func isTechnical(f field) bool {
	return isOfXML(f.prefix) || technical[strings.ToLower(string(f.name))] || isDeclared(f.prefix, f.name)
}

// isOfXML reports whether an attribute's prefix is one of XML and its schemas.
func isOfXML(prefix []byte) bool {
	return len(prefix) > 2 && prefix[0] == 'x' && (string(prefix) == "xsi" || string(prefix) == "xml" || string(prefix) == "xmlns")
}

// keepWhole keeps an attribute of the data set.
func (d *dataSet) keepWhole(f field) {
	switch {
	case isTechnical(f) || len(f.value) == 0:
	case d.hasPlace(f):
		d.whole = append(d.whole, pair{string(f.name), string(f.value)})
	default:
		d.notKept.Add(string(f.name))
	}
}

// hasPlace reports whether an attribute has a place in observations, or in the
// data set.
func (d *dataSet) hasPlace(f field) bool { return d.seeUpdate(f) || sdmx.HasPlace(string(f.name)) }

// lastUpdate is the attribute that says when a series was last changed. The
// data set was when its newest series was.
var lastUpdate = []byte("LAST_UPDATE")

// seeUpdate reports whether an attribute is the time of an update.
func (d *dataSet) seeUpdate(f field) bool {
	if !bytes.EqualFold(f.name, lastUpdate) {
		return false
	}
	if t := sdmx.ParseTime(string(f.value)); t.After(d.updated) {
		d.updated = t
	}
	return true
}

// keepPartial keeps the fields of a group, or of a series without
// observations, if it says anything of the observations of others.
func (d *dataSet) keepPartial(fields []field) {
	var kept []pair
	hasAttributes := false
	for _, f := range fields {
		if isTechnical(f) || len(f.value) == 0 {
			continue
		}
		isAttribute := f.part == partAttribute || f.part == partAny && d.isAttribute(string(f.name))
		if isAttribute && !d.hasPlace(f) {
			d.notKept.Add(string(f.name))
			continue
		}
		hasAttributes = hasAttributes || isAttribute
		kept = append(kept, pair{string(f.name), string(f.value)})
	}
	if hasAttributes {
		d.partials = append(d.partials, kept)
	}
}

// count takes in which names an element has.
func (d *dataSet) count(fields []field) error {
	isLate := false
	for i, f := range fields {
		if f.part != partAny && f.part != partKey || isOfXML(f.prefix) {
			continue
		}
		var n *name
		if i < len(d.names) && d.names[i].id == string(f.name) {
			n = d.names[i]
		} else if n = d.index[string(f.name)]; n == nil {
			if len(d.names) == maxNames {
				return stat.BadFile(d.at, "the data set has more than %d different attributes", maxNames)
			}
			n = &name{id: string(f.name), isLate: isLate}
			n.isAttribute = f.part == partAny && sdmx.IsAttribute(n.id)
			d.names = append(d.names, n)
			d.index[n.id] = n
		}
		n.count++
		isLate = isLate || n.isAttribute
	}
	return nil
}

// double are the values of attributes in which elements of one key may differ.
type double struct{ area, unit string }

// mark says what a field has to do with telling elements apart.
type mark uint8

const (
	markKey mark = iota + 1
	markArea
	markUnit
	markNothing
)

// markOf tells what a field has to do with telling elements apart; by its name,
// each once.
func (d *dataSet) markOf(f *field) mark {
	if f.part == partKey {
		return markKey
	}
	if m := d.marks[string(f.name)]; m != 0 {
		return m
	}
	name, m := string(f.name), markNothing
	switch {
	case name == area && !d.hasDimension(area):
		m = markArea
	case f.part == partAny && d.isUnit(name):
		m = markUnit
	case f.part == partAny && !d.isAttribute(name) && !isValue(name) && !d.isTime(string(f.name)):
		m = markKey
	}
	if len(d.marks) < maxNames {
		d.marks[name] = m
	}
	return m
}

// seeDoubles finds out whether elements of the same key, as far as it is known
// yet, differ in their area or unit: what is called like an attribute is then a
// part of the key.
func (v *surveyor) seeDoubles(fields []field) {
	d := v.set
	var area, unit []byte
	v.key = v.key[:0]
	for i := range fields {
		f := &fields[i]
		switch d.markOf(f) {
		case markArea:
			area = f.value
		case markUnit:
			unit = f.value
		case markKey:
			v.key = append(append(append(append(v.key, f.name...), '='), f.value...), 0)
		}
	}
	if len(area) == 0 && len(unit) == 0 {
		return
	}
	if before, met := d.doubles[string(v.key)]; met {
		d.byArea = d.byArea || before.area != string(area)
		d.byUnit = d.byUnit || before.unit != string(unit)
		return
	}
	d.doubles[string(v.key)] = double{string(area), string(unit)}
}

// isUnit reports whether a name is that of a unit of which nobody says whether
// it is an attribute.
func (d *dataSet) isUnit(name string) bool {
	return d.structure == nil && assemble.AttributeOf(name) == assemble.AttributeUnit && d.isAttribute(name)
}
