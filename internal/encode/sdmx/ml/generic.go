package ml

import (
	"io"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// WriteGeneric writes generic data.
func WriteGeneric(to io.Writer, m *sdmx.Message) error { return writeGeneric(to, m, "GenericData") }

// WriteGenericSeries writes generic data of time series, which differ in the name of the message.
func WriteGenericSeries(to io.Writer, m *sdmx.Message) error {
	if m.Flat {
		return errFlat
	}
	return writeGeneric(to, m, "GenericTimeSeriesData")
}

var errFlat = stat.Errorf(stat.Invalid, "messages of time series group observations in series; leave out dimensionAtObservation=AllDimensions, or accept genericdata+xml or structurespecificdata+xml")

func writeGeneric(to io.Writer, m *sdmx.Message, root string) error {
	w := newWriter(to, m)
	begin := func(set *sdmx.Message) {
		w.text(`<mes:DataSet structureRef="`, w.structureID(set), `" action="`, set.ActionName(), `"`)
		w.validity("")
		w.text(`>`)
		w.values(`gen:Attributes`, w.datasetAttributes)
	}
	series := w.genericSeries
	if m.Flat {
		series = w.genericFlat
	}
	return w.message(root, namespaces(false, "mes", "com", "gen"), begin, series)
}

func (w *writer) genericSeries(s *sdmx.Series) {
	w.text(`<gen:Series><gen:SeriesKey>`)
	w.genericKey(s)
	w.text(`</gen:SeriesKey>`)
	w.seriesAttributes(s)
	if w.HasObservations() {
		for i := range s.Obs {
			o := &s.Obs[i]
			w.text(`<gen:Obs><gen:ObsDimension value="`, w.periods[o.Period].ISO, `"/>`)
			w.genericObs(o, "")
		}
	}
	w.text(`</gen:Series>`)
}

func (w *writer) genericFlat(s *sdmx.Series) {
	if !w.HasObservations() {
		s.Obs = s.Obs[:min(1, len(s.Obs))] // the key alone
	}
	for i := range s.Obs {
		o := &s.Obs[i]
		w.text(`<gen:Obs><gen:ObsKey>`)
		w.genericKey(s)
		if w.HasObservations() {
			w.value(sdmx.TimePeriod, w.periods[o.Period].ISO)
		}
		w.text(`</gen:ObsKey>`)
		w.genericObs(o, s.Unit)
	}
}

func (w *writer) genericKey(s *sdmx.Series) {
	for i := range w.Flow.Dimensions {
		w.value(w.Flow.Dimensions[i].ID, w.Flow.Dimensions[i].IDAt(s.Key))
	}
}

func (w *writer) seriesAttributes(s *sdmx.Series) {
	w.values(`gen:Attributes`, func(set func(id, value string)) { w.unit(s.Unit, set) })
}

// genericObs appends the value and the attributes of an observation, and ends it. unit is that of
// the series if the observation has to name it.
func (w *writer) genericObs(o *sdmx.Obs, unit string) {
	if w.HasObservations() {
		w.text(`<gen:ObsValue value="`)
		w.AppendNumber(o.Value)
		w.text(`"/>`)
	}
	w.values(`gen:Attributes`, func(set func(id, value string)) {
		w.unit(unit, set)
		if w.HasObservations() {
			w.observationAttributes(o, set)
		}
	})
	w.text(`</gen:Obs>`)
}

// values appends an element with the values that each sets, if there are any.
func (w *writer) values(element string, each func(set func(id, value string))) {
	start := len(w.Buf)
	w.text(`<`, element, `>`)
	empty := len(w.Buf)
	each(w.value)
	if len(w.Buf) == empty {
		w.Buf = w.Buf[:start]
		return
	}
	w.text(`</`, element, `>`)
}

// value appends the value of a component, unless it is empty.
func (w *writer) value(id, value string) {
	if value == "" {
		return
	}
	w.text(`<gen:Value id="`, id, `"`)
	w.attribute("value", value)
	w.text(`/>`)
}
