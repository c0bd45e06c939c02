// Package csv writes SDMX-CSV 1.0 and 2.0: one observation per row, lines end with CR LF.
//
//	1.0  DATAFLOW, the dimensions, TIME_PERIOD, OBS_VALUE, the attributes
//	2.0  STRUCTURE, STRUCTURE_ID, ACTION and, if wanted, SERIES_KEY and OBS_KEY, then the same
//
// See https://github.com/sdmx-twg/sdmx-csv.
package csv

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// Write writes a message: SDMX-CSV 2.0 if it is one of SDMX 3.0, else 1.0. Several data sets must have
// the same columns; else the error is [stat.Invalid].
func Write(to io.Writer, m *sdmx.Message) error {
	w := &writer{Buffer: sdmx.NewBuffer(to), Message: m}
	w.header()
	columns := slices.Clone(w.Buf)
	for _, set := range m.Sets {
		other := &writer{Message: set}
		if other.header(); !bytes.Equal(other.Buf, columns) {
			return stat.Errorf(stat.Invalid, "versions %s and %s have other dimensions, and rows of CSV have one heading; choose another format, such as structurespecificdata", set.Flow.Version, m.Flow.Version)
		}
	}
	write := func(s *sdmx.Series) error {
		w.rows(s)
		return w.Flush()
	}
	if err := m.WriteSets(w.use, write, func() {}); err != nil {
		return err
	}
	return w.Close()
}

// use makes a data set the one that is written.
func (w *writer) use(set *sdmx.Message) {
	w.Message, w.periods = set, set.Periods()
	start := len(w.Buf)
	if w.Transform != "" && w.Shows(w.Flow.Transform) {
		w.uncoded(w.Transform)
	}
	if w.Shows(w.Flow.LicenceID) {
		w.uncoded(w.Flow.LicenceText())
	}
	w.end = append(w.end[:0], w.Buf[start:]...)
	w.Buf = w.Buf[:start]
}

// writer writes the rows of one message.
type writer struct {
	sdmx.Buffer
	*sdmx.Message
	periods []encode.Period
	key     []byte // the cells of a series before the time
	end     []byte // the last cells of each row
}

func (w *writer) header() {
	f := w.Flow
	if w.IsV3 {
		w.cell("STRUCTURE")
		w.named("STRUCTURE_ID", "STRUCTURE_NAME", false)
		w.cell("ACTION")
		if w.hasKey("series") {
			w.cell("SERIES_KEY")
		}
		if w.hasKey("obs") {
			w.cell("OBS_KEY")
		}
	} else {
		w.cell("DATAFLOW")
	}
	for i := range f.Dimensions {
		w.named(f.Dimensions[i].ID, f.Dimensions[i].Name(), true)
	}
	w.named(sdmx.TimePeriod, "Time period", true)
	w.named(sdmx.ObsValue, "Observation value", true)
	for _, a := range []struct{ id, name string }{
		{f.Unit, "Unit of measure"}, {f.Multiplier, "Unit multiplier"}, {f.Status, "Observation status"}, {f.Flag, "All flags, if there are several or flags of the office"},
		{f.Confidentiality, "Confidentiality status"}, {f.Comment, "Note on the observation"},
		{f.Transform, "Derivation of the values"}, {f.LicenceID, "Licence"},
	} {
		if w.Shows(a.id) && (a.id != f.Transform || w.Transform != "") {
			w.named(a.id, a.name, true)
		}
	}
	w.endRow()
}

// hasKey reports whether a column with keys is wanted.
func (w *writer) hasKey(which string) bool { return w.Keys == which || w.Keys == "both" }

// named appends an ID or a heading and, in 2.0 with names, the cell of its name beside it.
// isAlways says that it has its name with labels=both.
func (w *writer) named(id, name string, isAlways bool) {
	switch {
	case w.Labels == "both" && isAlways:
		w.cell(id + ": " + name)
	case w.Labels == "name" && w.IsV3:
		w.cell(id)
		w.cell(name)
	case w.Labels == "name":
		w.cell(name)
	default:
		w.cell(id)
	}
}

// coded appends a code, with its name as the labels say.
func (w *writer) coded(id, name string) {
	if id == "" {
		w.uncoded("")
		return
	}
	w.named(id, name, true)
}

// uncoded appends a value that has no name. In 2.0 with names, the column of names is empty.
func (w *writer) uncoded(text string) {
	w.cell(text)
	if w.Labels == "name" && w.IsV3 {
		w.cell("")
	}
}

func (w *writer) rows(s *sdmx.Series) {
	f := w.Flow
	start := len(w.Buf)
	for i := range f.Dimensions {
		d := &f.Dimensions[i]
		w.coded(d.IDAt(s.Key), d.CodeAt(s.Key).Label)
	}
	w.key = append(w.key[:0], w.Buf[start:]...)
	w.Buf = w.Buf[:start]
	if !w.HasObservations() {
		w.structure(s, "")
		w.Buf = append(w.Buf, w.key...)
		w.uncoded("")
		w.uncoded("")
		w.attributes(&sdmx.Obs{}, s.Unit)
		return
	}
	for i := range s.Obs {
		o := &s.Obs[i]
		period := w.periods[o.Period].ISO
		if w.Normalized {
			period = w.periods[o.Period].Start + "T00:00:00"
		}
		w.structure(s, period)
		w.Buf = append(w.Buf, w.key...)
		w.uncoded(period)
		w.AppendNumber(o.Value)
		w.uncoded("") // ends the cell of the number
		w.attributes(o, s.Unit)
	}
}

// structure begins a row.
func (w *writer) structure(s *sdmx.Series, period string) {
	f := w.Flow
	id := f.Agency + ":" + f.ID + "(" + f.Version + ")"
	if !w.IsV3 {
		w.cell(id)
		return
	}
	w.cell("dataflow")
	w.coded(id, f.Dataset.Name)
	w.cell(w.ActionName()[:1])
	if w.hasKey("series") {
		w.cell(w.keyOf(s))
	}
	if w.hasKey("obs") {
		w.cell(strings.TrimSuffix(w.keyOf(s)+"."+period, "."))
	}
}

// keyOf returns the key of a series as in an address.
func (w *writer) keyOf(s *sdmx.Series) string {
	var parts []string
	for i := range w.Flow.Dimensions {
		parts = append(parts, w.Flow.Dimensions[i].IDAt(s.Key))
	}
	return strings.Join(parts, ".")
}

// attributes appends the attributes and ends the row.
func (w *writer) attributes(o *sdmx.Obs, unit string) {
	if w.HasAttributes() {
		if unit == "" {
			unit = o.Unit
		}
		f := w.Flow
		status, own, confidentiality := sdmx.SplitFlags(o.Flags)
		unit, multiplier := stat.SplitUnit(unit)
		w.shown(f.Unit, unit)
		w.shown(f.Multiplier, multiplier)
		if w.Shows(f.Status) {
			w.coded(status, sdmx.StatusName(status))
		}
		w.shown(f.Flag, own)
		w.shown(f.Confidentiality, confidentiality)
		w.shown(f.Comment, o.Note)
		w.Buf = append(w.Buf, w.end...)
	}
	w.endRow()
}

// shown appends the value of an attribute that the message has.
func (w *writer) shown(id, value string) {
	if w.Shows(id) {
		w.uncoded(value)
	}
}

// cell appends a cell and a comma.
func (w *writer) cell(text string) {
	if strings.ContainsAny(text, ",\"\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	w.Buf = append(append(w.Buf, text...), ',')
}

// endRow ends a row in place of its last comma.
func (w *writer) endRow() { w.Buf = append(w.Buf[:len(w.Buf)-1], "\r\n"...) }
