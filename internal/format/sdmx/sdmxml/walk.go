package sdmxml

import (
	"cmp"
	"io"
	"slices"

	"almanac/internal/stat"
)

// part is the kind of element around a field in generic data. In specific data, all
// fields are attributes in XML.
type part uint8

const (
	partAny       part = iota // specific data, and the time and the value of generic data
	partKey                   // of the key of a series, group or observation
	partAttribute             // an attribute
)

// timeName and valueName name the time and the value in generic data, where they have
// no names.
var timeName, valueName = []byte("TIME_PERIOD"), []byte("OBS_VALUE")

// keyElements are the elements with Value elements in generic data.
var keyElements = []string{"SeriesKey", "GroupKey", "ObsKey", "Attributes"}

// element is a kind of element that is visited.
type element uint8

const (
	wholeSet    element = iota // attributes of the data set
	group                      // a part of a key, and attributes of all series that have it
	series                     // the key and the attributes of a series, whose observations follow
	observation                // outside of series it has the whole key
	seriesEnd                  // the end of a series, again with its fields
)

// visitor is called for the elements of a data set in the order of the file. The
// fields are valid until the next call, those of a series until its end.
type visitor func(e element, fields []field) error

// walker goes through a message of any version and kind.
type walker struct {
	*scanner
	header  header
	footer  string // the text of the message's footer
	partial string // why the data are only a part; empty if they are whole

	root                   // in a mixed message, generic is set for each data set
	skipsObservations bool // the visitor needs no fields of generic observations in series
	inSeries          bool

	keyFamily    string            // the structure named in the data set
	obsDimension []byte            // the dimension at observation level
	spaces       map[string]string // namespaces by prefix
	at           stat.Position     // of the current element
	seriesFields fieldCopies       // the fields of the open series
	openFields   *fieldCopies      // of the open generic element: seriesFields or otherFields
	otherFields  fieldCopies
}

// fieldCopies are fields that own their memory.
type fieldCopies struct {
	fields []field
	text   []byte
}

func (c *fieldCopies) clear() { c.fields, c.text = c.fields[:0], c.text[:0] }

func (c *fieldCopies) add(f field) {
	first := len(c.text)
	c.text = append(append(c.text, f.name...), f.value...)
	kept := c.text[first:]
	c.fields = append(c.fields, field{name: kept[:len(f.name)], value: kept[len(f.name):], part: f.part})
}

// setObsDimension sets the dimension of generic observations that do not name it.
func (w *walker) setObsDimension(d *dataSet) {
	w.obsDimension = []byte(cmp.Or(d.obsDimension, string(timeName)))
}

func newWalker(in io.Reader) *walker {
	return &walker{scanner: newScanner(in), spaces: map[string]string{}}
}

// nextDataSet reads up to the start tag of the next data set. The error is [io.EOF] if
// there is none.
func (w *walker) nextDataSet() error {
	for {
		isRoot := !w.hasRoot
		isStart, err := w.next()
		if err != nil {
			return err
		}
		if !isStart {
			continue
		}
		switch name := string(w.name); {
		case isRoot:
			err = w.readRoot()
		case name == "Header":
			err = w.readHeader()
		case name == "Footer":
			err = w.readFooter()
		case name == "DataSet":
			w.at = w.place
			_, w.keyFamily = parseSpace(string(w.attribute("keyFamilyURI"))) // SDMX 2.0
			if w.mixed {
				w.generic = false // until it names its key family
			}
			w.takeNamespaces()
			return nil
		default:
			err = w.skip()
		}
		if err != nil {
			return err
		}
	}
}

func (w *walker) readRoot() error {
	known := false
	if w.root, known = roots[string(w.name)]; !known {
		return stat.BadFile(w.place, "<%.40s> is not an SDMX data message; one begins with GenericData, CompactData, StructureSpecificData or MessageGroup", w.name)
	}
	if w.unsupported != "" {
		return stat.BadFile(w.place, "%s are not supported; ask the office for generic, compact or structure-specific data", w.unsupported)
	}
	w.takeNamespaces()
	return nil
}

// takeNamespaces keeps the namespaces that the last tag declares, and removes them and
// the attributes of XML itself from its fields.
func (w *walker) takeNamespaces() {
	w.fields = slices.DeleteFunc(w.fields, func(f field) bool {
		switch prefix := string(f.prefix); {
		case prefix == "xmlns":
			w.spaces[string(f.name)] = string(f.value)
		case prefix == "" && string(f.name) == "xmlns":
			w.spaces[""] = string(f.value)
		default:
			return prefix == "xsi" || prefix == "xml"
		}
		return true
	})
}

// readDataSet reads the rest of a data set.
func (w *walker) readDataSet(visit visitor) error {
	return w.children(func() (err error) {
		switch name := string(w.name); {
		case name == "Series":
			return w.readSeries(visit)
		case name == "Obs":
			return w.readElement(observation, visit)
		case name == "KeyFamilyRef":
			w.generic = w.generic || w.mixed
			text, err := w.content()
			w.keyFamily = string(text)
			return err
		case name == "Annotations":
		case name == "Group", !w.generic: // the structure names specific groups
			return w.readElement(group, visit)
		case name == "Attributes":
			return w.readElement(wholeSet, visit)
		}
		return w.skip()
	})
}

func (w *walker) readSeries(visit visitor) error {
	w.inSeries = true
	if err := w.readElement(series, visit); err != nil {
		return err
	}
	w.inSeries = false
	err := visit(seriesEnd, w.seriesFields.fields)
	w.seriesFields.clear()
	return err
}

// readElement reads the rest of an element: its fields, and the series of a generic
// group or the observations of a series.
func (w *walker) readElement(e element, visit visitor) error {
	w.at = w.place
	isVisited := !w.generic
	switch {
	case isVisited:
		if err := w.visitSpecific(e, visit); err != nil {
			return err
		}
	case w.skipsObservations && w.inSeries && e == observation:
		if err := w.skip(); err != nil {
			return err
		}
		return visit(e, nil)
	case e == series:
		w.openFields = &w.seriesFields
	default:
		w.openFields = &w.otherFields
		w.openFields.clear()
	}
	visitOnce := func() error {
		if isVisited {
			return nil
		}
		isVisited = true
		return visit(e, w.openFields.fields)
	}
	err := w.children(func() error {
		switch name := string(w.name); {
		case e == series && name == "Obs", w.generic && e == group && name == "Series":
			if err := visitOnce(); err != nil {
				return err
			}
			if e == series {
				return w.readElement(observation, visit)
			}
			return w.readSeries(visit)
		case !isVisited && e == wholeSet:
			return w.collect(partAttribute)
		case !isVisited:
			return w.collect(partAny)
		case w.generic && slices.Contains(keyElements, name):
			return stat.BadFile(w.place, "<%.40s> after an observation; the key and the attributes of a series must precede its observations", w.name)
		case !w.generic && e != series && name == "Comp":
			return stat.BadFile(w.place, "an observation with several values (<Comp> of SDMX 3.0) is not supported")
		}
		return w.skip()
	})
	if err != nil {
		return err
	}
	return visitOnce()
}

// visitSpecific visits an element whose fields are attributes of XML.
func (w *walker) visitSpecific(e element, visit visitor) error {
	if w.isPrefixed {
		w.takeNamespaces()
	}
	if e != series {
		return visit(e, w.fields)
	}
	for _, f := range w.fields {
		w.seriesFields.add(f)
	}
	return visit(e, w.seriesFields.fields)
}

// collect adds the fields in an element of a generic series, group or observation;
// as is the part of the element around it.
func (w *walker) collect(as part) error {
	name, value := w.attribute("id"), w.attribute("value")
	switch element := string(w.name); {
	case element == "SeriesKey", element == "GroupKey", element == "ObsKey":
		return w.children(func() error { return w.collect(partKey) })
	case element == "Attributes":
		return w.children(func() error { return w.collect(partAttribute) })
	case element == "Time":
		text, err := w.content()
		if err != nil {
			return err
		}
		return w.add(field{name: timeName, value: text})
	case element == "ObsDimension":
		if as = partKey; len(name) == 0 {
			name = w.obsDimension
		}
	case element == "ObsValue":
		as, name = partAny, valueName
	case element != "Value" || as == partAny:
		return w.skip()
	case len(name) == 0:
		if name = w.attribute("concept"); len(name) == 0 { // concept is of SDMX 2.0
			return stat.BadFile(w.place, "a Value element without an id")
		}
	}
	if err := w.add(field{name: name, value: value, part: as}); err != nil {
		return err
	}
	return w.skip()
}

func (w *walker) add(f field) error {
	if len(w.openFields.fields) == maxAttributes || len(w.openFields.text)+len(f.name)+len(f.value) > maxTag {
		return stat.BadFile(w.place, "a series or observation has more than %d values or %d bytes", maxAttributes, maxTag)
	}
	w.openFields.add(f)
	return nil
}
