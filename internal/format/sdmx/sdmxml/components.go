package sdmxml

import (
	"strings"

	"almanac/internal/format/sdmx"
)

// maxNames bounds the number of different names in a data set.
const maxNames = 4096

// use is the meaning of a field.
type use uint8

const (
	useNothing use = iota // none: it does not describe the data
	useUpdate             // the time of a series' last change
	useNoPlace            // an attribute that observations have no place for
	useDimension
	useTime
	useValue
	useAttribute
)

// component is the meaning of a name.
type component struct {
	name        string
	isAttribute bool // of generic data
	use         use
	dimension   int
	attribute   *sdmx.Attribute

	isKey            bool // it distinguishes elements
	isUnit           bool // a unit, where no structure is known
	followsAttribute bool // an area that follows an attribute
	count            int  // elements that have it
}

// components are the components of a data set. The survey counts the elements that
// have them and chooses the dimensions among their names.
type components struct {
	byName   [2]map[string]*component // attributes of generic data are in the second
	recent   [2][]*component          // of the last observation and of the last series
	names    []*component             // the counted ones, in the order of the file
	elements int                      // elements with a key: series with observations, or observations
}

// technical lists attributes of data sets and series that do not describe the data.
var technical = map[string]bool{
	"structureref": true, "datascope": true, "action": true, "setid": true, "datasetid": true, "keyfamilyuri": true,
	"dataflowid": true, "dataflowagencyid": true, "providerschemeid": true, "providerschemeagencyid": true, "dataproviderid": true,
	"dataproviderschemeid": true, "dataproviderschemeagencyid": true,
	"validfromdate": true, "validtodate": true, "publicationyear": true, "publicationperiod": true,
	"reportingbegindate": true, "reportingenddate": true, "time_format": true,
}

func (d *dataSet) component(f *field) *component {
	components := &d.byName[0]
	if f.part == partAttribute {
		components = &d.byName[1]
	}
	if c := (*components)[string(f.name)]; c != nil {
		return c
	}
	if *components == nil {
		*components = map[string]*component{}
	}
	c := d.newComponent(f)
	if len(*components) < maxNames {
		(*components)[c.name] = c
	}
	return c
}

func (d *dataSet) newComponent(f *field) *component {
	c := &component{name: string(f.name), isAttribute: f.part == partAttribute, dimension: -1}
	isArea := f.part != partKey && string(f.name) == area && !d.hasDimension(area)
	c.isUnit = f.part == partAny && d.isUnit(c.name)
	c.isKey = f.part == partKey || f.part == partAny && !isArea && !d.isAttribute(c.name) && !isValue(c.name) && !d.isTime(c.name)
	if !c.isAttribute || d.isInKey(c.name) {
		c.dimension = d.dimension(c.name)
	}
	s := d.structure
	switch {
	case c.dimension >= 0:
		c.use = useDimension
	case technical[strings.ToLower(c.name)]:
	case strings.EqualFold(c.name, "LAST_UPDATE"):
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

// componentOf finds the component of the i-th field of a series or an observation.
// It tries that of the last one first, since most have the same fields in the same
// order.
func (d *dataSet) componentOf(e element, i int, f *field) *component {
	recent := &d.recent[observation-e]
	if i == len(*recent) {
		*recent = append(*recent, d.component(f))
	} else if i < len(*recent) {
		if c := (*recent)[i]; c.name != string(f.name) || c.isAttribute != (f.part == partAttribute) {
			(*recent)[i] = d.component(f)
		}
	}
	return (*recent)[i]
}
