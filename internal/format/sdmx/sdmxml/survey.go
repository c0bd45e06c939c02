package sdmxml

import (
	"bytes"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// maxNames bounds how many different attributes a data set may have.
const maxNames = 4096

// area is the attribute that becomes the geography where the keys alone do
// not tell observations apart.
const area = "REF_AREA"

// dataSet is what a first look at a file finds in a DataSet element: all that
// must be known before the first observation is yielded.
type dataSet struct {
	at         stat.Position
	about      reference
	flow       string // ID of the dataflow, where the data set itself has it
	family     string // the structure that it names
	space      string // namespace of its series
	generic    bool
	across     string // ID of that dimension
	timeAcross bool   // the dimension that observations bear is the time
	flat       bool   // observations stand outside of series
	timed      bool   // observations have a time
	obs        int
	elements   int // that have keys: series with observations, or observations
	names      []*named
	index      map[string]*named
	whole      []pair           // attributes of the data set
	partials   [][]pair         // groups, and series without observations
	apart      map[string]apart // by key, of those that have any
	byArea     bool             // the attribute REF_AREA tells observations apart
	byUnit     bool             // so does the unit
	kinds      map[string]uint8 // see kindOf
	updated    time.Time
	notKept    notKept
	settled    bool
	source     stat.Source
	code       string
	structure  *stat.Structure
	dims       []string // IDs as the file writes them
	unknown    bool     // dimensions are told from attributes by their names
}

// named is a name that may be a dimension's.
type named struct {
	id        string
	count     int  // elements that have it
	late      bool // it stands behind an attribute
	attribute bool // it is called like one
}

// pair is a field that is kept.
type pair struct{ name, value string }

// surveyor takes the first look at a file.
type surveyor struct {
	in     format.Input
	w      *walker
	sets   []*dataSet
	set    *dataSet // the open one
	series []field  // the fields of the open series
	kept   []byte   // and what they hold
	obs    int      // of the open series
	key    []byte
}

// survey goes through the whole message.
func (v *surveyor) survey() error {
	for {
		e, err := v.w.step()
		if err != nil {
			return err
		}
		switch e {
		case eventEnd:
			return nil
		case eventDataSet:
			err = v.beginDataSet()
		case eventAttributes:
			for _, f := range v.w.given {
				v.set.keepWhole(f)
			}
		case eventGroup:
			v.settle()
			v.set.keepPartial(v.w.given)
		case eventSeries:
			v.settle()
			v.keepSeries()
		case eventObs:
			err = v.seeObs()
		case eventSeriesEnd:
			err = v.endSeries()
		case eventDataSetEnd:
			v.set.settleDimensions()
		}
		if err != nil {
			return err
		}
	}
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

func (v *surveyor) beginDataSet() error {
	d := &dataSet{at: v.w.at, index: map[string]*named{}}
	v.set, v.w.brief = d, false
	v.sets = append(v.sets, d)
	action, named := v.w.header.action, ""
	for _, f := range v.w.given {
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
	for i, r := range v.w.header.about {
		if r.name == named || i == 0 {
			d.about = r
		}
	}
	return d.checkReadable()
}

func (d *dataSet) checkReadable() error {
	if d.about.byMeasure {
		return stat.BadFile(d.at, "observations that are named after their measures (explicitMeasures) are not read; ask for generic data")
	}
	d.flat = strings.EqualFold(d.about.at, "AllDimensions")
	return nil
}

// keepWhole keeps an attribute of the data set.
func (d *dataSet) keepWhole(f field) {
	if isTechnical(f) || len(f.value) == 0 {
		return
	}
	if !d.see(f) {
		d.notKept.add(string(f.name))
		return
	}
	d.whole = append(d.whole, pair{string(f.name), string(f.value)})
}

// see reports whether an attribute has a place in observations, or in the data
// set.
func (d *dataSet) see(f field) bool {
	return d.seeUpdate(f) || assemble.AttributeOf(string(f.name)) != assemble.AttributeOther
}

// lastUpdate is the attribute that says when a series was last changed. The
// data set was when its newest series was.
var lastUpdate = []byte("LAST_UPDATE")

// seeUpdate reports whether an attribute is the time of an update.
func (d *dataSet) seeUpdate(f field) bool {
	if !bytes.EqualFold(f.name, lastUpdate) {
		return false
	}
	if t := readTime(string(f.value)); t.After(d.updated) {
		d.updated = t
	}
	return true
}

// keepPartial keeps the fields of a group, or of a series without
// observations, if it says anything of the observations of others.
func (d *dataSet) keepPartial(fields []field) {
	var kept []pair
	says := false
	for _, f := range fields {
		if isTechnical(f) || len(f.value) == 0 {
			continue
		}
		attribute := f.part == partAttribute || f.part == partAny && d.isAttribute(string(f.name))
		if attribute && !d.see(f) {
			d.notKept.add(string(f.name))
			continue
		}
		says = says || attribute
		kept = append(kept, pair{string(f.name), string(f.value)})
	}
	if says {
		d.partials = append(d.partials, kept)
	}
}

// keepSeries remembers the fields of a series until it is known whether it has
// observations.
func (v *surveyor) keepSeries() {
	v.obs = 0
	v.series, v.kept = v.series[:0], v.kept[:0]
	for _, f := range v.w.given {
		if isTechnical(f) {
			continue
		}
		first := len(v.kept)
		v.kept = append(append(v.kept, f.name...), f.value...)
		kept := v.kept[first:]
		v.series = append(v.series, field{name: kept[:len(f.name)], value: kept[len(f.name):], part: f.part})
	}
}

func (v *surveyor) endSeries() error {
	if v.obs == 0 {
		v.set.keepPartial(v.series)
		return nil
	}
	v.set.elements++
	for _, f := range v.series {
		v.set.seeUpdate(f)
	}
	v.seeApart(v.series)
	return v.set.count(v.series)
}

// seeObs takes in an observation. Those in series are alike in what they have.
func (v *surveyor) seeObs() error {
	d := v.set
	d.obs++
	v.obs++
	if v.w.where == inDataSet {
		v.settle()
		d.flat = true
		d.elements++
		v.seeApart(v.w.given)
		if err := d.count(v.w.given); err != nil {
			return err
		}
	}
	if d.obs == 1 {
		for _, fields := range [][]field{v.w.given, v.series} {
			for _, f := range fields {
				if f.part == partAcross && d.across == "" {
					d.across = string(f.name)
				}
				d.timed = d.timed || f.part == partTime || f.part == partAcross && d.acrossTime(f.name) || f.part != partAttribute && d.isTime(string(f.name))
			}
		}
	}
	v.w.brief = !d.flat
	return nil
}

// acrossTime reports whether the dimension that the observations bear, whose
// ID may not be stated, is the time.
func (d *dataSet) acrossTime(name []byte) bool {
	if len(name) == 0 || string(name) == d.across {
		return d.timeAcross
	}
	return d.isTime(string(name))
}

// isTime reports whether a name is that of the time.
func (d *dataSet) isTime(name string) bool {
	if d.structure != nil && d.structure.Time != "" && strings.EqualFold(name, d.structure.Time) {
		return true
	}
	return assemble.IsTime(name)
}

// count takes in which names an element has.
func (d *dataSet) count(fields []field) error {
	behind := false
	for i, f := range fields {
		if f.part != partAny && f.part != partKey || isOfXML(f.prefix) {
			continue
		}
		var n *named
		if i < len(d.names) && d.names[i].id == string(f.name) {
			n = d.names[i]
		} else if n = d.index[string(f.name)]; n == nil {
			if len(d.names) == maxNames {
				return stat.BadFile(d.at, "the data set has more than %d different attributes", maxNames)
			}
			n = &named{id: string(f.name), late: behind}
			n.attribute = f.part == partAny && assemble.IsAttribute(n.id)
			d.names = append(d.names, n)
			d.index[n.id] = n
		}
		n.count++
		behind = behind || n.attribute
	}
	return nil
}

// apart are the values of attributes that may tell series of one key apart.
type apart struct{ area, unit string }

// What a field may have to do with telling series apart.
const (
	apartByKey = iota + 1
	apartByArea
	apartByUnit
	apartByNothing
)

// kindOf tells what a field has to do with telling series apart; by its name,
// each once.
func (d *dataSet) kindOf(f *field) uint8 {
	if f.part == partKey {
		return apartByKey
	}
	if kind := d.kinds[string(f.name)]; kind != 0 {
		return kind
	}
	name, kind := string(f.name), uint8(apartByNothing)
	switch {
	case name == area && !d.hasDimension(area):
		kind = apartByArea
	case f.part == partAny && d.isUnit(name):
		kind = apartByUnit
	case f.part == partAny && !d.isAttribute(name) && !isValue(name) && !d.isTime(name):
		kind = apartByKey
	}
	if d.kinds == nil {
		d.kinds = map[string]uint8{}
	}
	if len(d.kinds) < maxNames {
		d.kinds[name] = kind
	}
	return kind
}

// seeApart finds out whether series of the same key, as far as it is known
// yet, differ in their area or unit: what is called like an attribute is then a
// part of the key.
func (v *surveyor) seeApart(fields []field) {
	d := v.set
	var where, unit []byte
	v.key = v.key[:0]
	for i := range fields {
		f := &fields[i]
		switch d.kindOf(f) {
		case apartByArea:
			where = f.value
		case apartByUnit:
			unit = f.value
		case apartByKey:
			v.key = append(append(append(append(v.key, f.name...), '='), f.value...), 0)
		}
	}
	if len(where) == 0 && len(unit) == 0 {
		return
	}
	if before, met := d.apart[string(v.key)]; met {
		d.byArea = d.byArea || before.area != string(where)
		d.byUnit = d.byUnit || before.unit != string(unit)
		return
	}
	if d.apart == nil {
		d.apart = map[string]apart{}
	}
	d.apart[string(v.key)] = apart{string(where), string(unit)}
}

// isUnit reports whether a name is that of a unit of which nobody says whether
// it is an attribute.
func (d *dataSet) isUnit(name string) bool {
	return d.structure == nil && assemble.AttributeOf(name) == assemble.AttributeUnit && d.isAttribute(name)
}

// notKept counts attributes that have no place in an observation.
type notKept struct {
	count int
	names []string
}

func (n *notKept) add(name string) {
	n.count++
	for _, known := range n.names {
		if known == name {
			return
		}
	}
	if len(n.names) < 20 {
		n.names = append(n.names, strings.Clone(name))
	}
}

func (n *notKept) report(r *stat.Report) {
	if n.count > 0 {
		r.Add(assemble.NoteAttributeNotKept, n.count, strings.Join(n.names, ", "))
	}
}
