package sdmxml

import (
	"strings"

	"almanac/internal/format/sdmx"
)

// maxNames bounds how many different attributes a data set may have.
const maxNames = 4096

// use says what becomes of a field.
type use uint8

const (
	useNothing use = iota // it does not describe the data
	useUpdate             // it says when a series was last changed
	useNoPlace            // an attribute that observations have no place for
	useDimension
	useTime
	useValue
	useAttribute
)

// mark says how a field tells elements apart.
type mark uint8

const (
	markNothing mark = iota
	markKey
	markArea
	markUnit
)

// component is what a name stands for.
type component struct {
	name        string
	isAttribute bool // of generic data
	use         use
	dimension   int
	attribute   *sdmx.Attribute

	mark    mark
	count   int  // elements that have it
	isNoKey bool // no dimension has such a name
	isLate  bool // it stands behind an attribute
}

// components are those of a data set. The first look at the file counts the
// elements that have them, and makes the dimensions of the names.
type components struct {
	byName   [2]map[string]*component // the second are the attributes of generic data
	expected [2][]*component          // what the last series, and the last observation, had
	names    []*component             // that have been counted, in the order of the file
	elements int                      // that have keys: series with observations, or observations
}

// What generic data call the time and the value has no name.
var timeComponent, valueComponent = &component{use: useTime}, &component{use: useValue}

// technical are attributes of data sets and series that do not describe the
// data.
var technical = map[string]bool{
	"structureref": true, "datascope": true, "action": true, "setid": true, "datasetid": true, "keyfamilyuri": true,
	"dataflowid": true, "dataflowagencyid": true, "providerschemeid": true, "providerschemeagencyid": true, "dataproviderid": true,
	"dataproviderschemeid": true, "dataproviderschemeagencyid": true,
	"validfromdate": true, "validtodate": true, "publicationyear": true, "publicationperiod": true,
	"reportingbegindate": true, "reportingenddate": true, "time_format": true,
}

// lastUpdate is the attribute that says when a series was last changed.
const lastUpdate = "LAST_UPDATE"

// component finds what a field stands for.
func (d *dataSet) component(f *field) *component {
	switch {
	case f.part == partValue:
		return valueComponent
	case f.part == partTime, f.part == partAcross && d.isTimeAcross(f.name):
		return timeComponent
	case f.part == partAcross && len(f.name) == 0:
		f.name = []byte(d.across)
	}
	known := &d.byName[0]
	if f.part == partAttribute {
		known = &d.byName[1]
	}
	c := (*known)[string(f.name)]
	if c == nil {
		c = d.newComponent(f)
		if *known == nil {
			*known = map[string]*component{}
		}
		if len(*known) < maxNames {
			(*known)[c.name] = c
		}
	}
	return c
}

// componentOf finds what the i-th field of a series or an observation stands
// for: most have the same fields in the same order.
func (d *dataSet) componentOf(isSeries bool, i int, f *field) *component {
	expected := &d.expected[0]
	if !isSeries {
		expected = &d.expected[1]
	}
	if i < len(*expected) && f.part <= partKey && (*expected)[i].name == string(f.name) && !(*expected)[i].isAttribute {
		return (*expected)[i]
	}
	c := d.component(f)
	if i < len(*expected) {
		(*expected)[i] = c
	} else if i == len(*expected) {
		*expected = append(*expected, c)
	}
	return c
}

func (d *dataSet) newComponent(f *field) *component {
	c := &component{name: string(f.name), isAttribute: f.part == partAttribute, dimension: -1, mark: d.markOf(f)}
	if !c.isAttribute || d.byArea && strings.EqualFold(c.name, area) {
		c.dimension = d.dimension(c.name)
	}
	s := d.structure
	switch {
	case c.dimension >= 0:
		c.use = useDimension
	case technical[strings.ToLower(c.name)]:
	case strings.EqualFold(c.name, lastUpdate):
		c.use = useUpdate
	case !c.isAttribute && d.isTime(c.name):
		c.use = useTime
	case s != nil && strings.EqualFold(c.name, s.Measure), c.name == "OBS_VALUE", c.name == "VALUE" && (s == nil || s.Measure == ""):
		c.use = useValue
	case !sdmx.HasPlace(c.name):
		c.use = useNoPlace
	default:
		list := c.name
		if s != nil {
			for _, a := range s.Attributes {
				if strings.EqualFold(a.ID, c.name) && a.List != "" {
					list = a.List
				}
			}
		}
		c.use, c.attribute = useAttribute, sdmx.SharedAttribute(c.name, list, " ,;")
	}
	return c
}

// markOf says how a field tells elements apart.
func (d *dataSet) markOf(f *field) mark {
	name := string(f.name)
	switch {
	case f.part == partKey:
		return markKey
	case name == area && !d.hasDimension(area):
		return markArea
	case f.part == partAny && d.isUnit(name):
		return markUnit
	case f.part == partAny && !d.isAttribute(name) && !isValue(name) && !d.isTime(name):
		return markKey
	}
	return markNothing
}
