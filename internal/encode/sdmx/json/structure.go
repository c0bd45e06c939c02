package json

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"almanac/internal/encode/json"
	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// sections are the members of a structure message with the classes that they hold.
var sections = []struct{ member, class string }{
	{"agencySchemes", "AgencyScheme"}, {"dataflows", "Dataflow"}, {"categorySchemes", "CategoryScheme"}, {"categorisations", "Categorisation"},
	{"codelists", "Codelist"}, {"conceptSchemes", "ConceptScheme"}, {"dataStructures", "DataStructure"}, {"dataConstraints", "ContentConstraint"},
}

// items are the members with the items of each class.
var items = map[string]string{"AgencyScheme": "agencies", "CategoryScheme": "categories", "Codelist": "codes", "ConceptScheme": "concepts"}

// Header is what a structure message says of itself.
type Header struct {
	ID       string
	Prepared time.Time
	Sender   string
	Language string // of the names without a language, as far as there are names in it
}

// structureWriter writes a structure message.
type structureWriter struct {
	writer
	Header
	err error
}

// WriteStructures writes artefacts as a structure message of SDMX-JSON 2.0. Their versions are those
// of SDMX 3.0.
func WriteStructures(to io.Writer, h Header, all []*sdmx.Artefact) error {
	w := &structureWriter{writer: writer{Buffer: sdmx.Buffer{To: to}}, Header: h}
	w.text(`{"meta":{`)
	w.Buf = json.AppendText(w.Buf, "schema", "https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/structure-message/tools/schemas/2.0.0/sdmx-json-structure-schema.json")
	w.Buf = json.AppendText(w.Buf, "id", h.ID)
	w.Buf = json.AppendText(w.Buf, "prepared", h.Prepared.UTC().Format(time.RFC3339))
	w.text(`,"test":false,"sender":{`)
	w.Buf = json.AppendText(w.Buf, "id", h.Sender)
	w.text(`}},"data":{`)
	for _, section := range sections {
		isOpen := false
		for _, a := range all {
			if a.Class != section.class {
				continue
			}
			if !isOpen {
				w.Buf = append(json.AppendName(w.Buf, section.member), '[')
				isOpen = true
			}
			w.artefact(a)
			if w.err != nil {
				return w.err
			}
		}
		if isOpen {
			w.text(`]`)
		}
	}
	w.text(`}}`)
	return w.Close()
}

func (w *structureWriter) artefact(a *sdmx.Artefact) {
	w.Buf = append(json.AppendComma(w.Buf), '{')
	w.Buf = json.AppendText(w.Buf, "id", a.ID)
	w.names("name", "names", a.Names, a.ID)
	w.names("description", "descriptions", a.Descriptions, "")
	w.Buf = json.AppendText(w.Buf, "version", a.Version)
	w.Buf = json.AppendText(w.Buf, "agencyID", a.Agency)
	if a.IsStub {
		w.text(`,"isExternalReference":true`)
	}
	if a.IsPartial {
		w.text(`,"isPartial":true`)
	}
	r := a.Reference()
	if r.Class == "ContentConstraint" {
		r.Class = "DataConstraint"
	}
	w.text(`,"links":[{"rel":"self"`)
	w.Buf = json.AppendText(w.Buf, "urn", r.URN())
	w.text(`}]`)
	if !a.IsStub {
		w.content(a)
	}
	w.text(`}`)
}

func (w *structureWriter) content(a *sdmx.Artefact) {
	switch a.Class {
	case "Dataflow":
		w.Buf = json.AppendText(w.Buf, "structure", a.Structure.URN())
	case "DataStructure":
		w.components(a)
	case "Categorisation":
		w.Buf = json.AppendText(w.Buf, "source", a.Source.URN())
		w.Buf = json.AppendText(w.Buf, "target", a.Target.URN())
	case "ContentConstraint":
		w.text(`,"role":"Actual","constraintAttachment":{`)
		w.Buf = json.AppendTexts(json.AppendName(w.Buf, "dataflows"), []string{a.Source.URN()})
		w.text(`}`)
		w.region(a.Region)
	default:
		w.Buf = append(json.AppendName(w.Buf, items[a.Class]), '[')
		w.items(a, a.Items)
		w.text(`]`)
	}
}

func (w *structureWriter) items(a *sdmx.Artefact, list []sdmx.Item) {
	for i := range list {
		item := &list[i]
		w.Buf = append(json.AppendComma(w.Buf), '{')
		w.Buf = json.AppendText(w.Buf, "id", item.ID)
		w.names("name", "names", item.Names, item.ID)
		w.names("description", "descriptions", item.Descriptions, "")
		if len(item.Items) > 0 {
			w.Buf = append(json.AppendName(w.Buf, items[a.Class]), '[')
			w.items(a, item.Items)
			w.text(`]`)
		}
		w.text(`}`)
		if err := w.Flush(); err != nil && w.err == nil {
			w.err = err
		}
	}
}

// names appends a text in the language of the message, or in the next best, and in all
// languages.
func (w *structureWriter) names(one, all string, texts stat.Texts, otherwise string) {
	languages := slices.Sorted(maps.Keys(texts))
	best := otherwise
	for _, language := range append(slices.Clone(languages), "", "en", w.Language) {
		if texts[language] != "" {
			best = texts[language]
		}
	}
	w.Buf = json.AppendText(w.Buf, one, best)
	languages = slices.DeleteFunc(languages, func(language string) bool { return language == "" || texts[language] == "" })
	if len(languages) == 0 {
		return
	}
	w.Buf = append(json.AppendName(w.Buf, all), '{')
	for _, language := range languages {
		w.Buf = json.AppendString(json.AppendName(w.Buf, language), texts[language])
	}
	w.text(`}`)
}

func (w *structureWriter) components(a *sdmx.Artefact) {
	w.text(`,"dataStructureComponents":{"dimensionList":{"id":"DimensionDescriptor","dimensions":[`)
	var dimensions []string
	for _, c := range a.Components {
		if c.Kind == sdmx.KindDimension {
			w.component(a, c, len(dimensions))
			w.text(`}`)
			dimensions = append(dimensions, c.ID)
		}
	}
	w.text(`],"timeDimension":`)
	w.component(a, sdmx.Component{ID: sdmx.TimePeriod, Kind: sdmx.KindTime}, -1)
	w.text(`}},"attributeList":{"id":"AttributeDescriptor","attributes":[`)
	for _, c := range a.Components {
		if c.Kind >= sdmx.KindObservation {
			w.component(a, c, -1)
			w.text(`,"usage":"optional","attributeRelationship":`)
			switch {
			case c.Kind == sdmx.KindDataset, c.Kind == sdmx.KindSeries && dimensions == nil:
				w.text(`{"dataflow":{}}`)
			case c.Kind == sdmx.KindSeries:
				w.text(`{"dimensions":`)
				w.Buf = json.AppendTexts(w.Buf, dimensions)
				w.text(`}`)
			default:
				w.text(`{"observation":{}}`)
			}
			w.text(`}`)
		}
	}
	w.text(`]},"measureList":{"id":"MeasureDescriptor","measures":[`)
	w.component(a, sdmx.Component{ID: sdmx.ObsValue, Kind: sdmx.KindMeasure}, -1)
	w.text(`,"usage":"optional"}]}}`)
}

// component appends a component without its last brace.
func (w *structureWriter) component(a *sdmx.Artefact, c sdmx.Component, position int) {
	concept := a.Concepts
	concept.Class, concept.Item = "Concept", c.ID
	if n := len(w.Buf); w.Buf[n-1] == ':' {
		w.text(`{`)
	} else {
		w.Buf = append(json.AppendComma(w.Buf), '{')
	}
	w.Buf = json.AppendText(w.Buf, "id", c.ID)
	w.Buf = json.AppendText(w.Buf, "conceptIdentity", concept.URN())
	if position >= 0 {
		w.Buf = json.AppendInt(w.Buf, "position", int64(position))
	}
	w.text(`,"localRepresentation":{`)
	switch {
	case c.List.ID != "":
		w.Buf = json.AppendText(w.Buf, "enumeration", c.List.URN())
	case c.Kind == sdmx.KindTime:
		w.text(`"format":{"dataType":"ObservationalTimePeriod"}`)
	case c.Kind == sdmx.KindMeasure:
		w.text(`"format":{"dataType":"Double"}`)
	default:
		w.text(`"format":{"dataType":"String"}`)
	}
	w.text(`}`)
}

func (w *structureWriter) region(r *sdmx.Region) {
	if r.Series >= 0 || r.Observations >= 0 {
		w.text(`,"annotations":[`)
		for _, a := range []struct {
			id string
			n  int
		}{{"series_count", r.Series}, {"obs_count", r.Observations}} {
			if a.n >= 0 {
				w.Buf = append(json.AppendComma(w.Buf), '{')
				w.Buf = json.AppendText(w.Buf, "id", a.id)
				w.Buf = json.AppendText(w.Buf, "title", strconv.Itoa(a.n))
				w.Buf = json.AppendText(w.Buf, "type", "sdmx_metrics")
				w.text(`}`)
			}
		}
		w.text(`]`)
	}
	w.text(`,"cubeRegions":[{"include":true,"keyValues":[`)
	for _, key := range r.Keys {
		w.Buf = append(json.AppendComma(w.Buf), '{')
		w.Buf = json.AppendText(w.Buf, "id", key.Dimension)
		w.text(`,"include":true,"values":[`)
		for _, code := range key.Codes {
			w.Buf = append(json.AppendComma(w.Buf), '{')
			w.Buf = json.AppendText(w.Buf, "value", code)
			w.text(`}`)
		}
		w.text(`]}`)
	}
	if !r.First.IsZero() {
		w.Buf = append(json.AppendComma(w.Buf), `{"id":"TIME_PERIOD","include":true,"timeRange":{"startPeriod":{`...)
		w.Buf = json.AppendText(w.Buf, "period", r.First.Start().Format("2006-01-02T15:04:05Z"))
		w.text(`,"isInclusive":true},"endPeriod":{`)
		w.Buf = json.AppendText(w.Buf, "period", r.Last.End().Format("2006-01-02")+"T23:59:59Z")
		w.text(`,"isInclusive":true}}}`)
	}
	w.text(`]}]`)
}

// WriteError appends an error message.
func WriteError(buf []byte, code int, title, message string) []byte {
	buf = append(buf, `{"errors":[{`...)
	buf = json.AppendInt(buf, "code", int64(code))
	buf = json.AppendText(buf, "title", title)
	buf = json.AppendText(buf, "detail", message)
	return append(buf, `}]}`...)
}
