// Package sdmxml reads SDMX-ML data messages, the XML in which statistical
// offices exchange data. There are two forms. In a generic message, the key
// and the attributes are separate elements:
//
//	<message:DataSet structureRef="EXR">
//	  <generic:Series>
//	    <generic:SeriesKey><generic:Value id="FREQ" value="A"/><generic:Value id="CURRENCY" value="CHF"/></generic:SeriesKey>
//	    <generic:Attributes><generic:Value id="UNIT" value="CHF"/></generic:Attributes>
//	    <generic:Obs><generic:ObsDimension value="2014"/><generic:ObsValue value="1.2146"/></generic:Obs>
//
// In a structure-specific one (compact, before SDMX 2.1) both are attributes of
// XML, and only the structure distinguishes them:
//
//	<Series FREQ="A" CURRENCY="CHF" UNIT="CHF">
//	  <Obs TIME_PERIOD="2014" OBS_VALUE="1.2146" OBS_STATUS="A"/>
//
// The structure comes from the office's dictionary. Without one, a name
// that every series has is a dimension unless it is a usual name of attributes.
//
// A file is read twice. The survey finds what must be known before the first
// observation: the dimensions, the attributes of groups, and series without
// observations, in which some offices send attributes of other series. The second pass
// yields the observations.
//
// The message types of SDMX 1.0 to 3.0 are supported, except cross-sectional and
// utility data. Each Obs element counts as a cell.
package sdmxml

import (
	"context"
	"errors"
	"iter"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// Formats returns the format of SDMX-ML data messages.
func Formats() []format.Format {
	return []format.Format{{Name: "sdmx-ml", Recognise: recognise, Read: read}}
}

// roots are the root elements of data messages.
var roots = map[string]root{
	"GenericData":                     {generic: true},
	"GenericTimeSeriesData":           {generic: true},
	"CompactData":                     {},
	"StructureSpecificData":           {},
	"StructureSpecificTimeSeriesData": {},
	"MessageGroup":                    {mixed: true},
	"CrossSectionalData":              {unsupported: "cross-sectional data, whose observations are not grouped by series,"},
	"UtilityData":                     {unsupported: "utility data"},
}

// root is the kind of message that begins with a root element.
type root struct {
	generic     bool   // keys and attributes are elements
	mixed       bool   // each data set says whether it is generic
	unsupported string // what the message holds, if that is not supported
}

// recognise looks for the root of a data message in a namespace of SDMX.
func recognise(_ string, head []byte) bool {
	name, attributes := sdmx.Root(head)
	_, isRoot := roots[name]
	return isRoot && strings.Contains(attributes, "sdmx.org/resources/sdmxml/")
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		v := &surveyor{ctx: ctx, in: in}
		if err := v.yieldTables(yield); err != nil {
			yield(nil, err)
		}
	}
}

// yieldTables yields the tables. The second pass takes place while their observations
// are read.
func (v *surveyor) yieldTables(yield func(*stat.Table, error) bool) error {
	if err := v.survey(); err != nil {
		return err
	}
	if len(v.tables) == 0 {
		reason := ""
		if v.footer != "" {
			reason = "; its footer says: " + v.footer
		}
		return stat.BadFile(stat.Position{}, "the message has no observations%s", reason)
	}
	encoding := &stat.Report{}
	file, err := sdmx.OpenXML(&v.in, encoding)
	if err != nil {
		return err
	}
	defer file.Close()
	w := newWalker(file)
	for i, sets := range v.tables {
		r, err := v.newReader(w, sets)
		if err != nil {
			return err
		}
		if len(v.tables) == 1 && v.in.Code != "" {
			r.Dataset.Code = v.in.Code
		}
		if i == 0 {
			r.Report.Merge(encoding)
		}
		if !yield(r.Reading(r.read), nil) {
			return nil
		}
		if !r.IsFinished {
			return errors.New("a table of an SDMX-ML message was not read to the end")
		}
	}
	return nil
}
