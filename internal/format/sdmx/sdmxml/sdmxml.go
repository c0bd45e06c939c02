// Package sdmxml reads SDMX-ML data messages, the XML in which statistical
// offices exchange data. There are two forms. In a generic message, elements
// tell the key from attributes:
//
//	<message:DataSet structureRef="EXR">
//	  <generic:Series>
//	    <generic:SeriesKey><generic:Value id="FREQ" value="A"/><generic:Value id="CURRENCY" value="CHF"/></generic:SeriesKey>
//	    <generic:Attributes><generic:Value id="UNIT" value="CHF"/></generic:Attributes>
//	    <generic:Obs><generic:ObsDimension value="2014"/><generic:ObsValue value="1.2146"/></generic:Obs>
//
// In a structure-specific one (compact, before SDMX 2.1) both are attributes of
// XML, and only the structure tells them apart:
//
//	<Series FREQ="A" CURRENCY="CHF" UNIT="CHF">
//	  <Obs TIME_PERIOD="2014" OBS_VALUE="1.2146" OBS_STATUS="A"/>
//
// The structure comes from the office's dictionary. Without one, a dimension is
// what every series has and what does not have the name of an attribute.
//
// A file is read twice. The survey finds what must be known before the first
// observation: dimensions, attributes of groups, and series without observations,
// in which some offices send the attributes of others. The second pass yields the
// observations.
//
// The message types of SDMX 1.0 to 3.0 are supported, except cross-sectional and
// utility data. A cell is an Obs element.
package sdmxml

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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

// roots are the root elements of data messages.
var roots = []string{
	"GenericData", "GenericTimeSeriesData", "CompactData", "StructureSpecificData", "StructureSpecificTimeSeriesData", "MessageGroup",
	"CrossSectionalData", "UtilityData",
}

// recognise looks for the root of a data message in a namespace of SDMX.
func recognise(_ string, head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil) // UTF-16; the root is all ASCII
	}
	name, rest := text.FirstElement(head)
	attributes, _, _ := bytes.Cut(rest, []byte(">"))
	return slices.Contains(roots, name) && bytes.Contains(bytes.ToLower(attributes), []byte("sdmx.org/resources/sdmxml/"))
}

// message is a file that is being read.
type message struct {
	ctx    context.Context
	in     format.Input
	header header
	footer string
}

// survey makes the first pass, and returns the data sets.
func (m *message) survey() ([]*dataSet, error) {
	file, err := sdmx.OpenXML(&m.in, &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	v := &surveyor{in: &m.in, w: newWalker(file)}
	err = v.survey()
	m.header, m.footer = v.w.header, v.w.footer
	m.header.partial = cmp.Or(v.w.part, m.header.partial)
	return v.sets, err
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

// yieldTables yields the tables; the second pass is made while their observations
// are read.
func (m *message) yieldTables(yield func(*stat.Table, error) bool) error {
	sets, err := m.survey()
	if err != nil {
		return err
	}
	tables := tablesOf(sets)
	if len(tables) == 0 {
		if m.footer != "" {
			m.footer = "; it says: " + m.footer
		}
		return stat.BadFile(stat.Position{}, "the message has no observations%s", m.footer)
	}
	encoding := &stat.Report{}
	file, err := sdmx.OpenXML(&m.in, encoding)
	if err != nil {
		return err
	}
	defer file.Close()
	w := newWalker(file)
	for i, sets := range tables {
		r, err := m.newReader(w, sets)
		if err != nil {
			return err
		}
		if len(tables) == 1 && m.in.Code != "" {
			r.Dataset.Code = m.in.Code
		}
		if i == 0 {
			r.Report.Merge(encoding)
		}
		if !yield(r.Reading(r.read), nil) {
			return nil
		}
		if !r.done {
			return errors.New("a table of an SDMX-ML message was not read to the end")
		}
	}
	return nil
}

// tablesOf joins neighbouring data sets of one structure. Those without
// observations do not count.
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
