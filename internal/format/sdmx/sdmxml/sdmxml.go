// Package sdmxml reads SDMX-ML data messages, the XML in which statistical
// offices exchange data. One message says the same in two ways. In a generic
// one, elements say what is key and what is attribute:
//
//	<message:DataSet structureRef="EXR">
//	  <generic:Series>
//	    <generic:SeriesKey><generic:Value id="FREQ" value="A"/><generic:Value id="CURRENCY" value="CHF"/></generic:SeriesKey>
//	    <generic:Attributes><generic:Value id="UNIT" value="CHF"/></generic:Attributes>
//	    <generic:Obs><generic:ObsDimension value="2014"/><generic:ObsValue value="1.2146"/></generic:Obs>
//
// In a structure-specific one (compact, until SDMX 2.1) all are attributes of
// XML, and only the structure tells which are the key:
//
//	<Series FREQ="A" CURRENCY="CHF" UNIT="CHF">
//	  <Obs TIME_PERIOD="2014" OBS_VALUE="1.2146" OBS_STATUS="A"/>
//
// The structure comes from what is known of the office; where nothing is, what
// every series has and what is not called like an attribute is a dimension.
//
// A file is read twice. The first look finds what must be known before the
// first observation: dimensions, attributes of groups, and series without
// observations, by which some offices send the attributes of others. The
// second yields the observations.
//
// The message types of SDMX 1.0 to 3.0 are read but cross-sectional and
// utility data. A cell is an Obs element.
package sdmxml

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the format of SDMX-ML data messages.
func Formats() []format.Format {
	return []format.Format{{Name: "sdmx-ml", Recognise: recognise, Read: read}}
}

// roots are the elements that a data message begins with.
var roots = []string{
	"GenericData", "GenericTimeSeriesData", "CompactData", "StructureSpecificData", "StructureSpecificTimeSeriesData", "MessageGroup",
	"CrossSectionalData", "UtilityData",
}

// recognise looks for the root of a data message in a namespace of SDMX.
func recognise(_ string, head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil) // UTF-16, of which the root is all ASCII
	}
	name, rest := text.FirstElement(head)
	attributes, _, _ := bytes.Cut(rest, []byte(">"))
	return slices.Contains(roots, name) && bytes.Contains(bytes.ToLower(attributes), []byte("sdmx.org/resources/sdmxml/"))
}

// message is a file that is being read.
type message struct {
	ctx      context.Context
	in       format.Input
	encoding stat.Report // the note of it
	header   header
}

// open opens the file from its beginning.
func (m *message) open() (*walker, io.Closer, error) {
	m.encoding = stat.Report{}
	file, err := sdmx.OpenXML(&m.in, &m.encoding)
	if err != nil {
		return nil, nil, err
	}
	return newWalker(file), file, nil
}

// survey takes the first look, and returns the data sets and the text of the
// footer.
func (m *message) survey() (sets []*dataSet, footer string, err error) {
	w, file, err := m.open()
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	v := &surveyor{in: &m.in, w: w}
	err = v.survey()
	m.header = w.header
	if w.part != "" {
		m.header.partial = w.part
	}
	return v.sets, w.footer, err
}

// read yields the tables of a message.
func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		m := &message{ctx: ctx, in: in}
		if err := m.yieldTables(yield); err != nil {
			yield(nil, err)
		}
	}
}

// yieldTables looks at the message, and takes the second look while the
// observations are read.
func (m *message) yieldTables(yield func(*stat.Table, error) bool) error {
	sets, footer, err := m.survey()
	if err != nil {
		return err
	}
	tables := tablesOf(sets)
	if len(tables) == 0 {
		if footer != "" {
			footer = "; it says: " + footer
		}
		return stat.BadFile(stat.Position{}, "the message holds no observations%s", footer)
	}
	w, file, err := m.open()
	if err != nil {
		return err
	}
	defer file.Close()
	for i, sets := range tables {
		r, err := m.newReader(w, sets)
		if err != nil {
			return err
		}
		if len(tables) == 1 && m.in.Code != "" {
			r.Dataset.Code = m.in.Code
		}
		if i == 0 {
			r.Report.Merge(&m.encoding)
		}
		if !yield(r.Reading(r.read), nil) {
			return nil
		}
		if !r.done {
			return errors.New("a table of an SDMX-ML message was not read to its end")
		}
	}
	return nil
}

// tablesOf joins neighbouring data sets of one structure, and leaves out those
// without observations.
func tablesOf(sets []*dataSet) [][]*dataSet {
	var tables [][]*dataSet
	for _, d := range sets {
		if d.observations == 0 {
			continue
		}
		last := len(tables) - 1
		if last >= 0 && tables[last][0].isPartOf(d) {
			tables[last] = append(tables[last], d)
			continue
		}
		tables = append(tables, []*dataSet{d})
	}
	return tables
}
