package ml

import (
	"io"
	"strconv"

	"almanac/internal/encode/sdmx"
)

// WriteSpecific writes structure-specific data: of SDMX-ML 3.0 if the message is one of SDMX 3.0, else of 2.1.
func WriteSpecific(to io.Writer, m *sdmx.Message) error {
	return writeSpecific(to, m, "StructureSpecificData")
}

// WriteSpecificSeries writes structure-specific data of time series, which differ in the name of the
// message.
func WriteSpecificSeries(to io.Writer, m *sdmx.Message) error {
	if m.Flat {
		return errFlat
	}
	return writeSpecific(to, m, "StructureSpecificTimeSeriesData")
}

func writeSpecific(to io.Writer, m *sdmx.Message, root string) error {
	w := newWriter(to, m)
	declared, prefixes := namespaces(m.IsV3, "mes", "com", "ss"), map[string]string{}
	for _, set := range m.DataSets() {
		if own := w.namespaceOf(set); prefixes[own] == "" {
			prefixes[own] = "ns" + strconv.Itoa(len(prefixes)+1)
			declared += ` xmlns:` + prefixes[own] + `="` + own + `"`
		}
	}
	begin := func(set *sdmx.Message) {
		w.text(`<mes:DataSet ss:structureRef="`, w.structureID(set), `" xsi:type="`, prefixes[w.namespaceOf(set)], `:DataSetType" ss:action="`, set.ActionName(), `"`)
		if !w.IsV3 {
			w.text(` ss:dataScope="DataStructure"`)
		}
		w.validity("ss:")
		w.datasetAttributes(w.attribute)
		w.text(`>`)
	}
	series := w.specificSeries
	if m.Flat {
		series = w.specificFlat
	}
	return w.message(root, declared, begin, series)
}

func (w *writer) specificSeries(s *sdmx.Series) {
	w.text(`<Series`)
	w.specificKey(s)
	if !w.HasObservations() || len(s.Obs) == 0 {
		w.text(`/>`)
		return
	}
	w.text(`>`)
	for i := range s.Obs {
		w.text(`<Obs`)
		w.specificObs(&s.Obs[i])
	}
	w.text(`</Series>`)
}

// specificFlat writes observations that have their key. Without observations there is one
// element for the key.
func (w *writer) specificFlat(s *sdmx.Series) {
	if !w.HasObservations() {
		w.text(`<Obs`)
		w.specificKey(s)
		w.text(`/>`)
		return
	}
	start := len(w.Buf)
	w.specificKey(s)
	key := string(w.Buf[start:])
	w.Buf = w.Buf[:start]
	for i := range s.Obs {
		w.text(`<Obs`, key)
		w.specificObs(&s.Obs[i])
	}
}

// specificKey appends the key and the attributes of a series.
func (w *writer) specificKey(s *sdmx.Series) {
	for i := range w.Flow.Dimensions {
		w.text(" ", w.Flow.Dimensions[i].ID, `="`, w.Flow.Dimensions[i].IDAt(s.Key), `"`)
	}
	w.unit(s.Unit, w.attribute)
}

// specificObs appends the time, the value and the attributes of an observation, and ends it.
func (w *writer) specificObs(o *sdmx.Obs) {
	w.text(` TIME_PERIOD="`, w.periods[o.Period].ISO, `" OBS_VALUE="`)
	w.AppendNumber(o.Value)
	w.text(`"`)
	w.observationAttributes(o, w.attribute)
	w.text(`/>`)
}
