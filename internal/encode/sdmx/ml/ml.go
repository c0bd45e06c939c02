// Package ml writes SDMX-ML 2.1: data, structure-specific and generic, structures and errors; and the
// structure-specific data of SDMX-ML 3.0.
package ml

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/encode"
	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

const (
	declaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	instance    = ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`
)

// namespaces returns the declarations of namespaces of SDMX-ML 2.1, or of 3.0, with their prefixes.
func namespaces(isV3 bool, prefixes ...string) string {
	version := "v2_1"
	if isV3 {
		version = "v3_0"
	}
	text := ""
	for _, prefix := range prefixes {
		text += ` xmlns:` + prefix + `="http://www.sdmx.org/resources/sdmxml/schemas/` + version + `/` + namespaceNames[prefix] + `"`
	}
	return text
}

// namespaceNames maps the prefixes to the ends of namespaces.
var namespaceNames = map[string]string{"mes": "message", "com": "common", "ss": "data/structurespecific", "gen": "data/generic", "str": "structure"}

// writer writes the data of one message. What is the same in many observations is prepared.
type writer struct {
	sdmx.Buffer
	whole         *sdmx.Message
	*sdmx.Message // the data set that is written
	periods       []encode.Period
}

func newWriter(to io.Writer, m *sdmx.Message) *writer {
	return &writer{Buffer: sdmx.NewBuffer(to), whole: m, Message: m}
}

// message writes a message with data, which has declared namespaces. begin appends the beginning of a data set, series a series.
func (w *writer) message(root, declared string, begin func(set *sdmx.Message), series func(*sdmx.Series)) error {
	w.text(declaration, `<mes:`, root, instance, declared, `>`)
	w.header(strings.HasPrefix(root, "StructureSpecific"))
	use := func(set *sdmx.Message) {
		w.Message, w.periods = set, set.Periods()
		begin(set)
	}
	write := func(s *sdmx.Series) error {
		series(s)
		return w.Flush()
	}
	if err := w.whole.WriteSets(use, write, func() { w.text(`</mes:DataSet>`) }); err != nil {
		return err
	}
	w.text(`</mes:`, root, `>`)
	return w.Close()
}

// text appends text that needs no escapes.
func (w *writer) text(parts ...string) {
	for _, part := range parts {
		w.Buf = append(w.Buf, part...)
	}
}

// attribute appends an attribute, unless its value is empty.
func (w *writer) attribute(name, value string) {
	if value == "" {
		return
	}
	w.text(" ", name, `="`)
	w.Buf = append(appendText(w.Buf, value), '"')
}

// header appends the header of a message with data, and the reference to the structure of each data
// set.
func (w *writer) header(isSpecific bool) {
	f := w.Flow
	w.text(`<mes:Header><mes:ID>`, w.ID(), `</mes:ID><mes:Test>false</mes:Test><mes:Prepared>`, w.Prepared().Format(time.RFC3339), `</mes:Prepared>`)
	w.text(`<mes:Sender id="`, f.Agency, `"/>`)
	seen := map[string]bool{}
	for _, set := range w.DataSets() {
		id := w.structureID(set)
		if seen[id] {
			continue
		}
		seen[id] = true
		w.text(`<mes:Structure structureID="`, id, `"`)
		if isSpecific {
			w.attribute("namespace", w.namespaceOf(set))
		}
		w.text(` dimensionAtObservation="`, w.dimensionAtObservation(), `"><com:StructureUsage>`)
		if w.IsV3 {
			w.text(set.Flow.Urn("Dataflow", set.Flow.ID))
		} else {
			w.text(`<Ref agencyID="`, set.Flow.Agency, `" id="`, set.Flow.ID, `" version="`, set.Flow.Version, `" class="Dataflow"/>`)
		}
		w.text(`</com:StructureUsage></mes:Structure>`)
	}
	for _, source := range []string{f.Dataset.Source.Name, f.LicenceText(), w.Address} {
		if source != "" {
			w.text(`<mes:Source>`)
			w.Buf = appendText(w.Buf, source)
			w.text(`</mes:Source>`)
		}
	}
	w.text(`</mes:Header>`)
}

// structureID returns the ID by which a data set refers to its structure: that of the structure, with
// the version if it is an earlier one.
func (w *writer) structureID(set *sdmx.Message) string {
	if set.Flow.Version == w.whole.Flow.Version {
		return set.Flow.StructureID()
	}
	return set.Flow.StructureID() + "_" + set.Flow.Version
}

// namespaceOf returns the namespace of structure-specific data of a data set.
func (w *writer) namespaceOf(set *sdmx.Message) string {
	return set.Flow.Urn("Dataflow", set.Flow.ID) + ":ObsLevelDim:" + w.dimensionAtObservation()
}

// validity appends what a data set says of its time, with the prefix of its attributes.
func (w *writer) validity(prefix string) {
	if !w.ValidFrom.IsZero() {
		w.attribute(prefix+"validFromDate", w.ValidFrom.UTC().Format(time.RFC3339))
	}
	if !w.ValidTo.IsZero() {
		w.attribute(prefix+"validToDate", w.ValidTo.UTC().Format(time.RFC3339))
	}
}

func (w *writer) dimensionAtObservation() string {
	if w.Flat {
		return "AllDimensions"
	}
	return sdmx.TimePeriod
}

// datasetAttributes calls set with each attribute of the dataset.
func (w *writer) datasetAttributes(set func(id, value string)) {
	w.shown(w.Flow.Transform, w.Transform, set)
	w.shown(w.Flow.LicenceID, w.Flow.LicenceText(), set)
}

// shown calls set with an attribute that the message has.
func (w *writer) shown(id, value string, set func(id, value string)) {
	if value != "" && w.Shows(id) {
		set(id, value)
	}
}

// unit calls set with the attributes of a unit: itself and its multiplier.
func (w *writer) unit(text string, set func(id, value string)) {
	unit, multiplier := stat.SplitUnit(text)
	w.shown(w.Flow.Unit, unit, set)
	w.shown(w.Flow.Multiplier, multiplier, set)
}

// observationAttributes calls set with each attribute of an observation.
func (w *writer) observationAttributes(o *sdmx.Obs, set func(id, value string)) {
	if !w.HasAttributes() {
		return
	}
	w.unit(o.Unit, set)
	if o.Flags != "" {
		status, own, conf := sdmx.SplitFlags(o.Flags)
		w.shown(w.Flow.Status, status, set)
		w.shown(w.Flow.Flag, own, set)
		w.shown(w.Flow.Confidentiality, conf, set)
	}
	w.shown(w.Flow.Comment, o.Note, set)
}

// appendText appends text with escapes, also for the value of an attribute. What XML cannot hold
// becomes the replacement character.
func appendText(buf []byte, text string) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '&':
				buf = append(buf, "&amp;"...)
			case c == '<':
				buf = append(buf, "&lt;"...)
			case c == '>':
				buf = append(buf, "&gt;"...)
			case c == '"':
				buf = append(buf, "&quot;"...)
			case c == '\n':
				buf = append(buf, "&#10;"...)
			case c == '\t':
				buf = append(buf, "&#9;"...)
			case c == '\r':
				buf = append(buf, "&#13;"...)
			case c < ' ':
				buf = append(buf, "\uFFFD"...)
			default:
				buf = append(buf, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == 0xFFFE || r == 0xFFFF {
			r = utf8.RuneError
		}
		buf = utf8.AppendRune(buf, r)
		i += size
	}
	return buf
}
