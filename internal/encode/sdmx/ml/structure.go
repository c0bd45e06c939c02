package ml

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// sections are the parts of a structure message, in the order of the schema.
var sections = []struct{ element, class string }{
	{"OrganisationSchemes", "AgencyScheme"}, {"Dataflows", "Dataflow"}, {"CategorySchemes", "CategoryScheme"}, {"Categorisations", "Categorisation"},
	{"Codelists", "Codelist"}, {"Concepts", "ConceptScheme"}, {"DataStructures", "DataStructure"}, {"Constraints", "ContentConstraint"},
}

// items are the elements of the items of each class.
var items = map[string]string{"AgencyScheme": "Agency", "CategoryScheme": "Category", "Codelist": "Code", "ConceptScheme": "Concept"}

// Header is what a structure message says of itself.
type Header struct {
	ID       string
	Prepared time.Time
	Sender   string
}

// structureWriter writes a structure message.
type structureWriter struct {
	writer
	err error
}

// WriteStructures writes artefacts as a structure message of SDMX-ML 2.1.
func WriteStructures(to io.Writer, h Header, all []*sdmx.Artefact) error {
	w := &structureWriter{writer: writer{Buffer: sdmx.Buffer{To: to}}}
	w.text(declaration, `<mes:Structure`, instance, namespaces(false, "mes", "com", "str"), `>`)
	w.text(`<mes:Header><mes:ID>`, h.ID, `</mes:ID><mes:Test>false</mes:Test><mes:Prepared>`, h.Prepared.UTC().Format(time.RFC3339), `</mes:Prepared>`)
	w.text(`<mes:Sender id="`, h.Sender, `"/></mes:Header><mes:Structures>`)
	for _, section := range sections {
		isOpen := false
		for _, a := range all {
			if a.Class != section.class {
				continue
			}
			if !isOpen {
				w.text(`<str:`, section.element, `>`)
				isOpen = true
			}
			w.artefact(a)
			if w.err != nil {
				return w.err
			}
		}
		if isOpen {
			w.text(`</str:`, section.element, `>`)
		}
	}
	w.text(`</mes:Structures></mes:Structure>`)
	return w.Close()
}

func (w *structureWriter) artefact(a *sdmx.Artefact) {
	w.text(`<str:`, a.Class, ` id="`, a.ID, `" urn="`, a.Reference().URN(), `" agencyID="`, a.Agency, `" version="`, a.Version, `"`)
	if a.Class != "AgencyScheme" {
		w.text(` isFinal="true"`)
	}
	if a.IsPartial {
		w.text(` isPartial="true"`)
	}
	if a.IsStub {
		w.text(` isExternalReference="true"`)
	}
	if a.Region != nil {
		w.text(` type="Actual"`)
	}
	w.text(`>`)
	if r := a.Region; r != nil {
		w.metrics(r)
	}
	w.names("com:Name", a.Names)
	w.names("com:Description", a.Descriptions)
	if !a.IsStub {
		w.content(a)
	}
	w.text(`</str:`, a.Class, `>`)
}

func (w *structureWriter) content(a *sdmx.Artefact) {
	switch a.Class {
	case "Dataflow":
		w.text(`<str:Structure>`)
		w.reference(a.Structure)
		w.text(`</str:Structure>`)
	case "DataStructure":
		w.components(a)
	case "Categorisation":
		w.text(`<str:Source>`)
		w.reference(a.Source)
		w.text(`</str:Source><str:Target>`)
		w.reference(a.Target)
		w.text(`</str:Target>`)
	case "ContentConstraint":
		w.text(`<str:ConstraintAttachment><str:Dataflow>`)
		w.reference(a.Source)
		w.text(`</str:Dataflow></str:ConstraintAttachment>`)
		w.region(a.Region)
	default:
		w.items(a, a.Items, "")
	}
}

// items appends items, nested ones with the path of the items above them.
func (w *structureWriter) items(a *sdmx.Artefact, list []sdmx.Item, path string) {
	element := items[a.Class]
	for i := range list {
		item := &list[i]
		r := a.Reference()
		r.Class, r.Item = element, path+item.ID
		w.text(`<str:`, element, ` id="`, item.ID, `" urn="`, r.URN(), `">`)
		w.names("com:Name", item.Names)
		w.names("com:Description", item.Descriptions)
		if item.TextType != "" { // which sdmx1 expects of the concepts of attributes
			w.text(`<str:CoreRepresentation><str:TextFormat textType="`, item.TextType, `"/></str:CoreRepresentation>`)
		}
		w.items(a, item.Items, path+item.ID+".")
		w.text(`</str:`, element, `>`)
		if err := w.Flush(); err != nil && w.err == nil {
			w.err = err
		}
	}
}

// names appends a text in all languages.
func (w *writer) names(element string, texts stat.Texts) {
	for _, language := range slices.Sorted(maps.Keys(texts)) {
		w.text(`<`, element)
		w.attribute("xml:lang", language)
		w.text(`>`)
		w.Buf = appendText(w.Buf, texts[language])
		w.text(`</`, element, `>`)
	}
}

// reference appends a reference to an artefact or to an item of one.
func (w *writer) reference(r sdmx.Reference) {
	switch r.Class {
	case "Category":
		w.text(`<Ref agencyID="`, r.Agency, `" maintainableParentID="`, r.ID, `" maintainableParentVersion="`, r.Version, `" id="`, r.Item, `" package="categoryscheme" class="Category"/>`)
		return
	case "Concept":
		w.text(`<Ref agencyID="`, r.Agency, `" maintainableParentID="`, r.ID, `" maintainableParentVersion="`, r.Version, `" id="`, r.Item, `" package="conceptscheme" class="Concept"/>`)
		return
	}
	w.text(`<Ref agencyID="`, r.Agency, `" id="`, r.ID, `" version="`, r.Version, `" package="`, r.Package(), `" class="`, r.Class, `"/>`)
}

// components appends the lists of the components of a structure.
func (w *structureWriter) components(a *sdmx.Artefact) {
	w.text(`<str:DataStructureComponents><str:DimensionList id="DimensionDescriptor">`)
	position := 0
	var dimensions []string
	for _, c := range a.Components {
		element := ""
		switch c.Kind {
		case sdmx.KindDimension:
			element = "Dimension"
			dimensions = append(dimensions, c.ID)
		case sdmx.KindTime:
			element = "TimeDimension"
		default:
			continue
		}
		position++
		w.text(`<str:`, element, ` id="`, c.ID, `" position="`, strconv.Itoa(position), `">`)
		w.component(a, c)
		w.text(`</str:`, element, `>`)
	}
	w.text(`</str:DimensionList><str:AttributeList id="AttributeDescriptor">`)
	for _, c := range a.Components {
		if c.Kind >= sdmx.KindObservation {
			w.text(`<str:Attribute id="`, c.ID, `" assignmentStatus="Conditional">`)
			w.component(a, c)
			w.relationship(c, dimensions)
			w.text(`</str:Attribute>`)
		}
	}
	w.text(`</str:AttributeList><str:MeasureList id="MeasureDescriptor"><str:PrimaryMeasure id="OBS_VALUE">`)
	w.component(a, sdmx.Component{ID: sdmx.ObsValue, Kind: sdmx.KindMeasure})
	w.text(`</str:PrimaryMeasure></str:MeasureList></str:DataStructureComponents>`)
}

// component appends the concept and the representation of a component.
func (w *structureWriter) component(a *sdmx.Artefact, c sdmx.Component) {
	concept := a.Concepts
	concept.Class, concept.Item = "Concept", c.ID
	w.text(`<str:ConceptIdentity>`)
	w.reference(concept)
	w.text(`</str:ConceptIdentity><str:LocalRepresentation>`)
	switch {
	case c.List.ID != "":
		w.text(`<str:Enumeration>`)
		w.reference(c.List)
		w.text(`</str:Enumeration>`)
	case c.Kind == sdmx.KindTime:
		w.text(`<str:TextFormat textType="ObservationalTimePeriod"/>`)
	case c.Kind == sdmx.KindMeasure:
		w.text(`<str:TextFormat textType="Double"/>`)
	default:
		w.text(`<str:TextFormat textType="String"/>`)
	}
	w.text(`</str:LocalRepresentation>`)
}

// relationship appends what an attribute belongs to.
func (w *structureWriter) relationship(c sdmx.Component, dimensions []string) {
	w.text(`<str:AttributeRelationship>`)
	switch {
	case c.Kind == sdmx.KindDataset, c.Kind == sdmx.KindSeries && len(dimensions) == 0:
		w.text(`<str:None/>`)
	case c.Kind == sdmx.KindSeries:
		for _, id := range dimensions {
			w.text(`<str:Dimension><Ref id="`, id, `"/></str:Dimension>`)
		}
	default:
		w.text(`<str:PrimaryMeasure><Ref id="OBS_VALUE"/></str:PrimaryMeasure>`)
	}
	w.text(`</str:AttributeRelationship>`)
}

// metrics appends the numbers of series and observations as annotations, as SDMX 2.1 has no other
// place for them.
func (w *structureWriter) metrics(r *sdmx.Region) {
	var list [][2]string
	if r.Series >= 0 {
		list = append(list, [2]string{"series_count", strconv.Itoa(r.Series)})
	}
	if r.Observations >= 0 {
		list = append(list, [2]string{"obs_count", strconv.Itoa(r.Observations)})
	}
	if list == nil {
		return
	}
	w.text(`<com:Annotations>`)
	for _, a := range list {
		w.text(`<com:Annotation id="`, a[0], `"><com:AnnotationTitle>`, a[1], `</com:AnnotationTitle><com:AnnotationType>sdmx_metrics</com:AnnotationType></com:Annotation>`)
	}
	w.text(`</com:Annotations>`)
}

func (w *structureWriter) region(r *sdmx.Region) {
	w.text(`<str:CubeRegion include="true">`)
	for _, key := range r.Keys {
		w.text(`<com:KeyValue id="`, key.Dimension, `">`)
		for _, code := range key.Codes {
			w.text(`<com:Value>`, code, `</com:Value>`)
		}
		w.text(`</com:KeyValue>`)
	}
	if !r.First.IsZero() {
		w.text(`<com:KeyValue id="TIME_PERIOD"><com:TimeRange><com:StartPeriod isInclusive="true">`, r.First.Start().Format(time.DateOnly), `T00:00:00`)
		w.text(`</com:StartPeriod><com:EndPeriod isInclusive="true">`, r.Last.End().Format(time.DateOnly), `T23:59:59</com:EndPeriod></com:TimeRange></com:KeyValue>`)
	}
	w.text(`</str:CubeRegion>`)
}

// WriteError writes an error message of SDMX-ML 2.1.
func WriteError(buf []byte, code int, message string) []byte {
	w := &writer{Buffer: sdmx.Buffer{Buf: buf}}
	w.text(declaration, `<mes:Error`, namespaces(false, "mes", "com"), `><mes:ErrorMessage code="`, strconv.Itoa(code), `"><com:Text xml:lang="en">`)
	w.Buf = appendText(w.Buf, message)
	w.text(`</com:Text></mes:ErrorMessage></mes:Error>`)
	return w.Buf
}
