package sdmxml

import (
	"io"
	"strings"

	"almanac/internal/stat"
)

// part says what generic data call a field. In specific data all fields are
// attributes of XML, and only the structure tells what they are.
type part uint8

const (
	partAny       part = iota
	partKey            // of the key of a series, group or observation
	partAcross         // the dimension that the observations bear
	partAttribute      // an attribute
	partTime           // the time
	partValue          // the value
)

// handler takes in what a data set holds, in the order in which it stands there.
// The fields are overwritten by those of the next element.
type handler interface {
	attributes(fields []field) error // of the data set
	group(fields []field) error      // a part of a key, and attributes of all series that have it
	series(fields []field) error     // a series begins: its key and attributes
	observation(fields []field) error
	endSeries() error
}

// walker goes through a message, of whatever version and kind.
type walker struct {
	*scanner
	header header
	footer string // what the message's footer says
	part   string // the footer's words where it says that the data are a part

	generic  bool // keys and attributes are elements
	mixed    bool // each data set says whether it is generic
	brief    bool // the handler does not look at observations of generic data
	inSeries bool

	keyFamily string // the structure that the data set itself names
	spaces    [2]map[string]string
	at        stat.Position // of the element that the handler takes in
	collected []field       // the fields of generic data
	arena     []byte        // and what they hold
}

func newWalker(in io.Reader) (*walker, error) {
	w := &walker{scanner: newScanner(in)}
	return w, w.start()
}

// nextDataSet goes on to the start tag of the next data set; found is false at
// the end of the message.
func (w *walker) nextDataSet() (found bool, err error) {
	for {
		isRoot := !w.rooted
		t, err := w.next()
		if err != nil || t == tokenEnd {
			return false, err
		}
		if t != tokenOpen {
			continue
		}
		if isRoot {
			if err := w.readRoot(); err != nil {
				return false, err
			}
			continue
		}
		switch string(w.name) {
		case "Header":
			w.header, err = w.readHeader()
		case "Footer":
			err = w.readFooter()
		case "DataSet":
			w.at, w.keyFamily = w.place, ""
			if w.mixed {
				w.generic = false // until it names its key family
			}
			w.spaces[1] = w.declared()
			return true, nil
		default:
			err = w.skip()
		}
		if err != nil {
			return false, err
		}
	}
}

// readRoot tells from the root what kind of message this is.
func (w *walker) readRoot() error {
	switch string(w.name) {
	case "GenericData", "GenericTimeSeriesData":
		w.generic = true
	case "CompactData", "StructureSpecificData", "StructureSpecificTimeSeriesData":
	case "MessageGroup":
		w.mixed = true
	case "CrossSectionalData":
		return stat.BadFile(w.place, "cross-sectional data, whose observations are grouped by something other than series, are not read; ask the office for generic, compact or structure-specific data")
	case "UtilityData":
		return stat.BadFile(w.place, "utility data are not read; ask the office for generic, compact or structure-specific data")
	default:
		return stat.BadFile(w.place, "<%.40s> is no SDMX data message; one begins with GenericData, CompactData, StructureSpecificData or MessageGroup", w.name)
	}
	w.spaces[0] = w.declared()
	return nil
}

// readDataSet reads the data set whose start tag was read.
func (w *walker) readDataSet(h handler) error {
	return w.children(func() (err error) {
		switch string(w.name) {
		case "Annotations":
			return w.skip()
		case "KeyFamilyRef":
			w.generic = w.generic || w.mixed
			w.keyFamily, err = w.content()
			return err
		case "Series":
			return w.readSeries(h)
		case "Obs":
			return w.readObservation(h)
		}
		if !w.generic {
			// Whatever else stands there is a group, named by its structure.
			w.at = w.place
			if err := h.group(w.fields); err != nil {
				return err
			}
			return w.passRest()
		}
		switch string(w.name) {
		case "Attributes":
			w.clear()
			if err := w.collect(partAttribute); err != nil {
				return err
			}
			return h.attributes(w.collected)
		case "Group":
			return w.readGroup(h)
		}
		return w.skip()
	})
}

// readGroup reads a group of generic data, which may have its series inside.
func (w *walker) readGroup(h handler) error {
	w.clear()
	read := false
	begin := func() error {
		if read {
			return nil
		}
		read = true
		return h.group(w.collected)
	}
	err := w.children(func() error {
		switch string(w.name) {
		case "GroupKey":
			return w.collect(partKey)
		case "Attributes":
			return w.collect(partAttribute)
		case "Series":
			if err := begin(); err != nil {
				return err
			}
			return w.readSeries(h)
		}
		return w.skip()
	})
	if err != nil {
		return err
	}
	return begin()
}

// readSeries reads a series with its observations.
func (w *walker) readSeries(h handler) error {
	w.clear()
	begun := false
	begin := func(fields []field) error {
		begun, w.inSeries = true, true
		return h.series(fields)
	}
	if !w.generic {
		if err := begin(w.fields); err != nil {
			return err
		}
	}
	err := w.children(func() error {
		isObs := string(w.name) == "Obs"
		switch {
		case isObs && begun:
			return w.readObservation(h)
		case isObs:
			if err := begin(w.collected); err != nil {
				return err
			}
			return w.readObservation(h)
		case !w.generic || string(w.name) == "Annotations":
			return w.skip()
		case begun:
			return stat.BadFile(w.place, "<%.40s> stands behind an observation; key and attributes of a series stand before", w.name)
		case string(w.name) == "SeriesKey":
			return w.collect(partKey)
		case string(w.name) == "Attributes":
			return w.collect(partAttribute)
		}
		return w.skip()
	})
	if err == nil && !begun {
		err = begin(w.collected)
	}
	if err != nil {
		return err
	}
	w.inSeries = false
	return h.endSeries()
}

// readObservation reads an observation, whose start tag was read.
func (w *walker) readObservation(h handler) error {
	if !w.generic {
		w.at = w.place
		if err := h.observation(w.fields); err != nil {
			return err
		}
		return w.passRest()
	}
	w.clear()
	if w.brief {
		if err := w.skip(); err != nil {
			return err
		}
		return h.observation(nil)
	}
	if err := w.collectObservation(); err != nil {
		return err
	}
	return h.observation(w.collected)
}

// passRest passes over what stands in an observation or group of specific
// data.
func (w *walker) passRest() error {
	if w.closing {
		w.closing = false
		return nil
	}
	return w.children(func() error {
		if string(w.name) == "Comp" {
			return stat.BadFile(w.place, "an observation with several values (<Comp> of SDMX 3.0) is not read")
		}
		return w.skip()
	})
}

// collectObservation takes in the fields of a generic observation.
func (w *walker) collectObservation() error {
	return w.children(func() error {
		switch string(w.name) {
		case "ObsDimension":
			if err := w.add(partAcross, w.raw("id"), w.raw("value")); err != nil {
				return err
			}
		case "Time":
			text, err := w.content()
			if err != nil {
				return err
			}
			return w.add(partTime, nil, []byte(text))
		case "ObsKey":
			return w.collect(partKey)
		case "ObsValue":
			if err := w.add(partValue, nil, w.raw("value")); err != nil {
				return err
			}
		case "Attributes":
			return w.collect(partAttribute)
		}
		return w.skip()
	})
}

// clear makes room for the fields of a generic element.
func (w *walker) clear() { w.collected, w.arena, w.at = w.collected[:0], w.arena[:0], w.place }

// collect adds the Value elements in the element that was met.
func (w *walker) collect(as part) error {
	return w.children(func() error {
		if string(w.name) == "Value" {
			var name, value []byte
			for _, f := range w.fields {
				switch string(f.name) {
				case "id", "concept":
					name = f.value
				case "value":
					value = f.value
				}
			}
			if len(name) == 0 {
				return stat.BadFile(w.place, "a Value without an id says nothing")
			}
			if err := w.add(as, name, value); err != nil {
				return err
			}
		}
		return w.skip()
	})
}

// add keeps a field of generic data.
func (w *walker) add(as part, name, value []byte) error {
	if len(w.collected) == maxAttributes || len(w.arena)+len(name)+len(value) > maxTag {
		return stat.BadFile(w.place, "more than %d values of one series or observation, or %d bytes", maxAttributes, maxTag)
	}
	first := len(w.arena)
	w.arena = append(append(w.arena, name...), value...)
	kept := w.arena[first:]
	w.collected = append(w.collected, field{name: kept[:len(name)], value: kept[len(name):], part: as})
	return nil
}

// declared are the namespaces that the last tag declares, by prefix.
func (w *walker) declared() map[string]string {
	spaces := map[string]string{}
	for _, f := range w.fields {
		switch {
		case string(f.prefix) == "xmlns":
			spaces[string(f.name)] = string(f.value)
		case isDeclared(f.prefix, f.name):
			spaces[""] = string(f.value)
		}
	}
	return spaces
}

// space is the namespace of the last tag.
func (w *walker) space() string {
	for _, spaces := range []map[string]string{w.declared(), w.spaces[1], w.spaces[0]} {
		if space, ok := spaces[string(w.prefix)]; ok {
			return space
		}
	}
	return ""
}

// readFooter reads the message's footer, where services tell why the data are
// not all there.
func (w *walker) readFooter() error {
	return w.children(func() error {
		if string(w.name) != "Message" {
			return w.skip()
		}
		code := w.attribute("code")
		var words []string
		err := w.children(func() error {
			text, err := w.content()
			words = append(words, text)
			return err
		})
		text := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
		if w.footer == "" {
			w.footer = text
		}
		// SDMX's codes of answers that were cut: too large, over the limit.
		if code == "413" || code == "510" {
			w.part = text
		}
		return err
	})
}
