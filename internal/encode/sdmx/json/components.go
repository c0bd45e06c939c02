package json

import (
	"cmp"
	"strconv"

	"almanac/internal/encode/json"
	"almanac/internal/encode/sdmx"
)

// structure appends the description of the components of a data set.
func (w *writer) structure(number int) {
	f := w.Flow
	if w.IsV3 {
		w.Buf = append(json.AppendComma(w.Buf), `{"dataSets":[`...)
		w.Buf = append(strconv.AppendInt(w.Buf, int64(number), 10), `],`...)
	} else {
		w.text(`{`)
	}
	w.text(`"links":[{"rel":"dataflow"`)
	w.Buf = json.AppendText(w.Buf, "urn", f.Urn("Dataflow", f.ID))
	w.text(`},{"rel":"datastructure"`)
	w.Buf = json.AppendText(w.Buf, "urn", f.Urn("DataStructure", f.StructureID()))
	w.text(`}]`)
	w.named("name", "names", cmp.Or(f.Dataset.Name, f.Dataset.Code))
	if f.Dataset.Description != "" {
		w.named("description", "descriptions", f.Dataset.Description)
	}
	w.text(`,"dimensions":{`)
	w.dimensionsAt("series", !w.Flat || !w.HasObservations(), false)
	w.text(`,`)
	w.dimensionsAt("observation", w.Flat && w.HasObservations(), true)
	w.text(`}`)
	if w.IsV3 {
		w.text(`,"measures":{"observation":[{"id":"OBS_VALUE","name":"Observation value","format":{"dataType":"Double"}}]}`)
	}
	w.attributes()
	w.text(`}`)
}

// named appends a text in the language of the message.
func (w *writer) named(one, all, text string) {
	w.Buf = json.AppendText(w.Buf, one, text)
	if language := w.Flow.Dataset.Language; language != "" && text != "" {
		w.Buf = append(json.AppendName(w.Buf, all), '{')
		w.Buf = json.AppendText(w.Buf, language, text)
		w.text(`}`)
	}
}

// dimensionsAt appends the dimensions of a level.
func (w *writer) dimensionsAt(level string, hasKey, hasTime bool) {
	w.text(`"`, level, `":[`)
	if hasKey {
		for i := range w.Flow.Dimensions {
			w.dimension(i)
		}
	}
	if hasTime && w.HasObservations() {
		w.time()
	}
	w.text(`]`)
}

func (w *writer) dimension(i int) {
	d := &w.Flow.Dimensions[i]
	w.Buf = append(json.AppendComma(w.Buf), '{')
	w.Buf = json.AppendText(w.Buf, "id", d.ID)
	w.named("name", "names", d.Name())
	w.Buf = json.AppendInt(w.Buf, "keyPosition", int64(i))
	if role := sdmx.RoleOf(d.Role); role != "" {
		w.roles(role)
	}
	w.text(`,"values":[`)
	for _, at := range w.dimensions[i].used {
		w.Buf = append(json.AppendComma(w.Buf), '{')
		w.Buf = json.AppendText(w.Buf, "id", d.IDs[at])
		w.named("name", "names", cmp.Or(d.Codes[at].SourceLabel, d.Codes[at].Label, d.Codes[at].ID))
		w.text(`}`)
	}
	w.text(`]}`)
}

// roles appends the role of a component: one text in 1.0, a list in 2.0.
func (w *writer) roles(role string) {
	if w.IsV3 {
		w.Buf = json.AppendTexts(json.AppendName(w.Buf, "roles"), []string{role})
		return
	}
	w.Buf = json.AppendText(w.Buf, "role", role)
}

func (w *writer) time() {
	w.Buf = append(json.AppendComma(w.Buf), `{"id":"TIME_PERIOD"`...)
	w.Buf = json.AppendText(w.Buf, "name", "Time period")
	w.Buf = json.AppendInt(w.Buf, "keyPosition", int64(len(w.Flow.Dimensions)))
	w.roles("TIME_PERIOD")
	w.text(`,"values":[`)
	periods := w.Periods()
	for _, at := range w.periods.used {
		p := &periods[at]
		w.Buf = json.AppendComma(w.Buf)
		w.text(`{"start":"`, p.Start, `T00:00:00Z","end":"`, p.End, `T23:59:59Z","id":"`, p.ISO, `","name":"`, p.ISO, `"}`)
	}
	w.text(`]}`)
}

func (w *writer) attributes() {
	w.text(`,"attributes":{`)
	if !w.HasAttributes() {
		w.text(`"dataSet":[],"series":[],"observation":[]}`)
		return
	}
	f := w.Flow
	w.text(`"dataSet":[`)
	dataflow := `{"dataflow":{}}`
	if !w.IsV3 {
		dataflow = `{"none":{}}`
	}
	for _, a := range w.datasetAttributes() {
		w.attribute(a[0], a[1], dataflow, a[2:])
	}
	w.text(`],"series":[`)
	if !w.Flat || !w.HasObservations() {
		w.attribute(f.Unit, "Unit of measure", w.seriesRelationship(), w.units.used)
		w.attribute(f.Multiplier, "Unit multiplier", w.seriesRelationship(), w.multipliers.used)
	}
	observation := `{"observation":{}}`
	if !w.IsV3 {
		observation = `{"primaryMeasure":"OBS_VALUE"}`
	}
	w.text(`],"observation":[`)
	w.statusAttribute(observation)
	w.attribute(f.Flag, "All flags, if there are several or flags of the office", observation, w.flags.used)
	w.attribute(f.Confidentiality, "Confidentiality status", observation, w.conf.used)
	w.attribute(f.Comment, "Note on the observation", observation, w.comments.used)
	w.attribute(f.Unit, "Unit of measure", observation, w.units.used)
	w.attribute(f.Multiplier, "Unit multiplier", observation, w.multipliers.used)
	w.text(`]}`)
}

// datasetAttributes returns the attributes of the dataset that the message has: ID, name and value.
func (w *writer) datasetAttributes() (all [][]string) {
	f := w.Flow
	if w.Transform != "" && w.Shows(f.Transform) {
		all = append(all, []string{f.Transform, "Derivation of the values", w.Transform})
	}
	if w.Shows(f.LicenceID) {
		all = append(all, []string{f.LicenceID, "Licence", f.LicenceText()})
	}
	return all
}

// seriesRelationship says that an attribute belongs to series.
func (w *writer) seriesRelationship() string {
	var ids []string
	for i := range w.Flow.Dimensions {
		ids = append(ids, w.Flow.Dimensions[i].ID)
	}
	if ids == nil {
		return `{"dataflow":{}}`
	}
	return `{"dimensions":` + string(json.AppendTexts(nil, ids)) + `}`
}

// attribute appends an attribute that is not coded, if the message has it.
func (w *writer) attribute(id, name, relationship string, values []string) {
	if !w.Shows(id) {
		return
	}
	w.beginAttribute(id, name, relationship)
	if w.IsV3 {
		w.text(`,"format":{"dataType":"String"}`)
	}
	w.text(`,"values":[`)
	for _, value := range values {
		w.Buf = append(json.AppendComma(w.Buf), '{')
		if w.IsV3 {
			w.Buf = json.AppendString(json.AppendName(w.Buf, "value"), value)
		} else {
			w.Buf = json.AppendString(json.AppendName(w.Buf, "name"), value)
		}
		w.text(`}`)
	}
	w.endValues(len(values))
}

func (w *writer) statusAttribute(relationship string) {
	if !w.Shows(w.Flow.Status) {
		return
	}
	w.beginAttribute(w.Flow.Status, "Observation status", relationship)
	w.text(`,"values":[`)
	for _, code := range w.status.used {
		w.Buf = append(json.AppendComma(w.Buf), '{')
		w.Buf = json.AppendText(w.Buf, "id", code)
		w.Buf = json.AppendText(w.Buf, "name", cmp.Or(sdmx.StatusName(code), code))
		w.text(`}`)
	}
	w.endValues(len(w.status.used))
}

func (w *writer) beginAttribute(id, name, relationship string) {
	w.Buf = append(json.AppendComma(w.Buf), '{')
	w.Buf = json.AppendText(w.Buf, "id", id)
	w.Buf = json.AppendText(w.Buf, "name", name)
	w.text(`,"relationship":`, relationship)
}

// endValues ends the list of values. 2.0 leaves out one without values.
func (w *writer) endValues(n int) {
	if n == 0 && w.IsV3 {
		w.Buf = w.Buf[:len(w.Buf)-len(`,"values":[`)]
		w.text(`}`)
		return
	}
	w.text(`]}`)
}
