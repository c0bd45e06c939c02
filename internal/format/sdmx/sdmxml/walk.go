package sdmxml

import (
	"cmp"
	"io"
	"slices"

	"almanac/internal/stat"
)

// part is the element that has a field in generic data. In specific data all fields
// are attributes of XML.
type part uint8

const (
	partAny       part = iota // specific data, and the time and the value of generic data
	partKey                   // of the key of a series, group or observation
	partAttribute             // an attribute
)

// timeName and valueName are names for the time and the value in generic data.
var timeName, valueName = []byte("TIME_PERIOD"), []byte("OBS_VALUE")

// keyElements are the elements of generic data that hold Value elements.
var keyElements = []string{"SeriesKey", "GroupKey", "ObsKey", "Attributes"}

// element is a kind of element that a visitor takes.
type element uint8

const (
	wholeSet    element = iota // attributes of the data set
	group                      // a part of a key, and attributes of all series that have it
	series                     // the key and the attributes of a series, whose observations follow
	observation                // outside of series it has the whole key
	seriesEnd                  // the end of a series, again with its fields
)

// visitor takes the elements of a data set in the order of the file. The next
// element overwrites the fields, except those of a series.
type visitor func(e element, fields []field) error

// walker goes through a message of any version and kind.
type walker struct {
	*scanner
	header  header
	footer  string // the text of the message's footer
	partial string // the text that says that the data are a part

	root                   // generic is that of the data set in a mixed message
	skipsObservations bool // the visitor needs no fields of generic observations in series
	inSeries          bool

	keyFamily    string            // the structure that the data set itself names
	obsDimension []byte            // the dimension that the observations bear
	spaces       map[string]string // namespaces by prefix
	at           stat.Position     // of the current element
	seriesFields fieldCopies       // the fields of the open series
	openFields   *fieldCopies      // the fields of the open element in generic data: ofSeries or ofOther
	otherFields  fieldCopies
}

// fieldCopies are fields with memory of their own.
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

// setAcross sets the dimension that observations of generic data bear where they do
// not name it.
func (w *walker) setObsDimension(d *dataSet) {
	w.obsDimension = []byte(cmp.Or(d.obsDimension, string(timeName)))
}

func newWalker(in io.Reader) *walker {
	return &walker{scanner: newScanner(in), spaces: map[string]string{}}
}

// nextDataSet goes on to the start tag of the next data set; found is false at
// the end of the message.
func (w *walker) nextDataSet() (found bool, err error) {
	for {
		isRoot := !w.hasRoot
		t, err := w.next()
		if err != nil || t == tokenEnd {
			return false, err
		}
		if t != tokenOpen {
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
			w.at, w.keyFamily = w.place, ""
			if w.mixed {
				w.generic = false // until it names its key family
			}
			w.takeNamespaces()
			return true, nil
		default:
			err = w.skip()
		}
		if err != nil {
			return false, err
		}
	}
}

// readRoot finds the kind of the message.
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

// takeNamespaces remembers the namespaces that the last tag declares, and
// removes from its fields all that belong to XML and its schemas.
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

// readDataSet reads the data set whose start tag was read.
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
		case name == "Group", !w.generic: // specific groups are named by their structure
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

// readElement reads an element whose start tag was read: its fields, and the
// series of a generic group or the observations of a series.
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
			return stat.BadFile(w.place, "<%.40s> after an observation; key and attributes of a series must come before", w.name)
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
		return stat.BadFile(w.place, "more than %d values of one series or observation, or %d bytes", maxAttributes, maxTag)
	}
	w.openFields.add(f)
	return nil
}
