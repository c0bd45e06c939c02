package sdmxml

import (
	"context"
	"io"
	"strings"

	"almanac/internal/stat"
)

// event is what a walk through a message comes to.
type event uint8

const (
	eventEnd        event = iota // the message is at its end
	eventDataSet                 // a data set begins; its attributes
	eventAttributes              // attributes of the data set
	eventGroup                   // a part of a key, and attributes of all series that have it
	eventSeries                  // a series begins; its key and attributes
	eventObs                     // an observation
	eventSeriesEnd
	eventDataSetEnd
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

// where a walk stands.
type where uint8

const (
	beforeMessage where = iota
	inMessage
	inDataSet
	inGroup
	inSeries
	afterMessage
)

// walker goes through a message, of whatever version and kind, and tells what
// it comes to. The fields of an event are overwritten by the next.
type walker struct {
	*scanner
	header header
	footer string // what the message's footer says
	part   string // the footer's words where it says that the data are a part

	where   where
	series  where // what the series stands in: a data set or a group
	generic bool  // keys and attributes are elements
	mixed   bool  // each data set says whether it is generic
	brief   bool  // the caller does not look at observations of generic data
	told    bool  // the series or group has been told of
	again   token // is to be met once more
	rest    bool  // the last element is open, and what is in it to be passed over

	keyFamily string // the structure that the data set itself names
	spaces    [2]map[string]string
	given     []field // of the event
	at        stat.Position
	own       []field // the fields of generic data
	arena     []byte  // and what they hold
}

func newWalker(ctx context.Context, in io.Reader) (*walker, error) {
	w := &walker{scanner: newScanner(ctx, in)}
	return w, w.start()
}

// step goes on to the next event.
func (w *walker) step() (event, error) {
	for {
		if w.rest {
			w.rest = false
			if err := w.passRest(); err != nil {
				return 0, err
			}
		}
		t := w.again
		if t == tokenEnd {
			var err error
			if t, err = w.next(); err != nil {
				return 0, err
			}
		}
		w.again = tokenEnd
		if t == tokenText {
			continue
		}
		if t == tokenEnd {
			return eventEnd, nil
		}
		e, told, err := w.meet(t)
		if told || err != nil {
			return e, err
		}
	}
}

// meet takes in a start or end tag; told is false where it is nothing to tell.
func (w *walker) meet(t token) (e event, told bool, err error) {
	switch w.where {
	case beforeMessage:
		return 0, false, w.meetMessage()
	case inMessage:
		return w.meetInMessage(t)
	case inDataSet:
		return w.meetInDataSet(t)
	case inGroup:
		return w.meetInGroup(t)
	}
	return w.meetInSeries(t)
}

// meetMessage takes in the root.
func (w *walker) meetMessage() error {
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
	w.where = inMessage
	return nil
}

func (w *walker) meetInMessage(t token) (e event, told bool, err error) {
	if t == tokenClose {
		w.where = afterMessage
		return 0, false, nil
	}
	switch string(w.name) {
	case "Header":
		w.header, err = w.readHeader()
		return 0, false, err
	case "Footer":
		return 0, false, w.readFooter()
	case "DataSet":
		w.where, w.keyFamily = inDataSet, ""
		if w.mixed {
			w.generic = false // until it names its key family
		}
		w.spaces[1] = w.declared()
		w.tell()
		return eventDataSet, true, nil
	}
	return 0, false, w.skip()
}

func (w *walker) meetInDataSet(t token) (e event, told bool, err error) {
	if t == tokenClose {
		w.where = inMessage
		return eventDataSetEnd, true, nil
	}
	switch string(w.name) {
	case "Annotations":
		return 0, false, w.skip()
	case "KeyFamilyRef":
		w.generic = w.generic || w.mixed
		w.keyFamily, err = w.content()
		return 0, false, err
	case "Series":
		return w.beginSeries()
	case "Obs":
		return eventObs, true, w.readObs()
	}
	if !w.generic {
		// Whatever else stands there is a group, named by its structure.
		w.tell()
		w.rest = true
		return eventGroup, true, nil
	}
	switch string(w.name) {
	case "Attributes":
		w.clear()
		return eventAttributes, true, w.collect(partAttribute)
	case "Group":
		w.where, w.told = inGroup, false
		w.clear()
		return 0, false, nil
	}
	return 0, false, w.skip()
}

// meetInGroup is for generic data, whose groups may have series inside.
func (w *walker) meetInGroup(t token) (e event, told bool, err error) {
	if t == tokenOpen {
		switch string(w.name) {
		case "GroupKey":
			return 0, false, w.collect(partKey)
		case "Attributes":
			return 0, false, w.collect(partAttribute)
		case "Series":
			if w.told {
				return w.beginSeries()
			}
		default:
			return 0, false, w.skip()
		}
	}
	if !w.told {
		w.told, w.again = true, t
		return eventGroup, true, nil
	}
	w.where = inDataSet
	return 0, false, nil
}

func (w *walker) beginSeries() (e event, told bool, err error) {
	w.series, w.where = w.where, inSeries
	if !w.generic {
		w.told = true
		w.tell()
		return eventSeries, true, nil
	}
	w.told = false
	w.clear()
	return 0, false, nil
}

func (w *walker) meetInSeries(t token) (e event, told bool, err error) {
	if t == tokenOpen && string(w.name) != "Obs" {
		switch {
		case !w.generic || string(w.name) == "Annotations":
			return 0, false, w.skip()
		case w.told:
			return 0, false, stat.BadFile(w.place, "<%.40s> stands behind an observation; key and attributes of a series stand before", w.name)
		case string(w.name) == "SeriesKey":
			return 0, false, w.collect(partKey)
		case string(w.name) == "Attributes":
			return 0, false, w.collect(partAttribute)
		}
		return 0, false, w.skip()
	}
	if !w.told {
		w.told, w.again = true, t
		return eventSeries, true, nil
	}
	if t == tokenOpen {
		return eventObs, true, w.readObs()
	}
	// Series in a group tell of it only once.
	w.where, w.told = w.series, true
	return eventSeriesEnd, true, nil
}

// tell gives the attributes of the last tag as the event's fields.
func (w *walker) tell() { w.given, w.at = w.fields, w.place }

// clear makes room for the fields of an element.
func (w *walker) clear() {
	w.own, w.arena, w.at = w.own[:0], w.arena[:0], w.place
	w.given = w.own
}

// passRest passes over what stands in an observation or group of specific
// data.
func (w *walker) passRest() error {
	return w.children(func() error {
		if string(w.name) == "Comp" {
			return stat.BadFile(w.place, "an observation with several values (<Comp> of SDMX 3.0) is not read")
		}
		return w.skip()
	})
}

// readObs reads an observation, whose start tag was met.
func (w *walker) readObs() error {
	if !w.generic {
		w.tell()
		if w.closing {
			w.closing = false
		} else {
			w.rest = true
		}
		return nil
	}
	w.clear()
	if w.brief {
		return w.skip()
	}
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
	if len(w.own) == maxAttributes || len(w.arena)+len(name)+len(value) > maxTag {
		return stat.BadFile(w.place, "more than %d values of one series or observation, or %d bytes", maxAttributes, maxTag)
	}
	first := len(w.arena)
	w.arena = append(append(w.arena, name...), value...)
	kept := w.arena[first:]
	w.own = append(w.own, field{name: kept[:len(name)], value: kept[len(name):], part: as})
	w.given = w.own
	return nil
}

// declared are the namespaces that the last tag declares, by prefix.
func (w *walker) declared() map[string]string {
	var spaces map[string]string
	for _, f := range w.fields {
		if isDeclared(f.prefix, f.name) {
			if spaces == nil {
				spaces = map[string]string{}
			}
			prefix := ""
			if len(f.prefix) > 0 {
				prefix = string(f.name)
			}
			spaces[prefix] = string(f.value)
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
