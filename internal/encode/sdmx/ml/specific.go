package ml

import (
	"io"

	"almanac/internal/encode/sdmx"
)

// WriteSpecific writes structure-specific data.
func WriteSpecific(to io.Writer, m *sdmx.Message) error {
	w := newWriter(to, m)
	own := m.Flow.Urn("Dataflow", m.Flow.ID) + ":ObsLevelDim:" + w.dimensionAtObservation()
	w.text(declaration, `<mes:StructureSpecificData`, instance, messageNS, commonNS, specificNS, ` xmlns:ns1="`, own, `">`)
	w.header(own)
	w.text(`<mes:DataSet ss:structureRef="`, m.Flow.StructureID(), `" xsi:type="ns1:DataSetType" ss:dataScope="DataStructure" ss:action="Replace"`)
	w.datasetAttributes(w.attribute)
	w.text(`>`)
	if err := w.each(w.specific()); err != nil {
		return err
	}
	w.text(`</mes:DataSet></mes:StructureSpecificData>`)
	return w.Close()
}

// specific returns the function that writes a series.
func (w *writer) specific() func(*sdmx.Series) {
	if w.Flat {
		return w.specificFlat
	}
	return w.specificSeries
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
	if w.HasAttributes() {
		w.attribute(w.Flow.Unit, s.Unit)
	}
}

// specificObs appends the time, the value and the attributes of an observation, and ends it.
func (w *writer) specificObs(o *sdmx.Obs) {
	w.text(` TIME_PERIOD="`, w.periods[o.Period].ISO, `" OBS_VALUE="`)
	w.AppendNumber(o.Value)
	w.text(`"`)
	w.observationAttributes(o, w.attribute)
	w.text(`/>`)
}
