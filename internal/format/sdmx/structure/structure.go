// Package structure reads the structure messages of SDMX: code lists, concepts,
// structures and dataflows, without data. In XML (SDMX-ML 2.0, 2.1 and 3.0) a
// message is
//
//	<Structure> <Header> <Prepared>2016-02-06T10:10:56</Prepared> <Sender id="ECB"/> </Header>
//	<Structures>
//	  <Codelists>      <Codelist id="CL_FREQ" agencyID="ECB" version="1.0"> <Code id="A"> <Name xml:lang="en">Annual
//	  <Concepts>       <ConceptScheme id="ECB_CONCEPTS"> <Concept id="FREQ"> <Name xml:lang="en">Frequency
//	  <DataStructures> <DataStructure id="ECB_EXR1"> … <Dimension id="FREQ"> … its concept, its code list, its role
//	  <Dataflows>      <Dataflow id="EXR"> <Name xml:lang="en">Exchange Rates … the structure it uses
//
// Version 2.0 has CodeList, Code value="A" with a Description, KeyFamily, and
// conceptRef and codelist as attributes; 3.0 has URNs as references. The JSON form
// (SDMX-JSON 1.0 and 2.0) has the same parts under "data", and names in all
// languages under "names".
//
// A message becomes one [stat.Dictionary], that of the office whose structures it
// holds. The lists of other agencies in it (SDMX's CL_FREQ) belong to that
// dictionary too, since the office uses them. Everything else in a message
// (categories, organisations, constraints) is skipped. For the language of names
// see [sdmx.Best].
//
// Servers list their dataflows and describe the keys of their data in the same
// messages: see [Dataflows] and [ReadKey].
package structure

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// holds describes the content of both formats.
const holds = "a structure message"

// Formats returns the formats of structure messages in SDMX-ML and SDMX-JSON.
func Formats() []format.Format {
	return []format.Format{
		{Name: "sdmx-structure", Recognise: recogniseXML, Holds: holds, Learn: learnXML},
		{Name: "sdmx-structure-json", Recognise: recogniseJSON, Holds: holds, Learn: learnJSON},
	}
}

type message struct {
	Meta struct {
		Prepared string `json:"prepared"`
		Sender   struct {
			ID string `json:"id" xml:"id,attr"`
		} `json:"sender" xml:"Sender"`
	} `json:"meta" xml:"Header"`
	Data struct {
		Lists      []codelist  `json:"codelists"`
		Schemes    []scheme    `json:"conceptSchemes"`
		Structures []structure `json:"dataStructures"`
		Flows      []Dataflow  `json:"dataflows"`
	} `json:"data" xml:"-"`
	isOld bool // version 1.0 or 2.0, whose lists have no meaningful versions
}

// item is common to all parts of a message. Name has no stated language.
type item struct {
	ID      string            `json:"id" xml:"id,attr"`
	Agency  string            `json:"agencyID" xml:"agencyID,attr"`
	Version string            `json:"version" xml:"version,attr"`
	Name    string            `json:"name" xml:"-"`
	Names   map[string]string `json:"names" xml:"-"`
	Texts   []sdmx.Text       `json:"-" xml:"Name"`
}

// label returns the best of the names: the English one, else the one without a
// language, else any.
func (i *item) label() string { return i.labelIn("") }

// labelIn is label with the name in an office's own language in place of any.
func (i *item) labelIn(own string) string { return sdmx.Best(i.texts(), own) }

// texts returns the names in all languages.
func (i *item) texts() []sdmx.Text {
	texts := append(slices.Clip(i.Texts), sdmx.Text{Text: i.Name})
	for _, language := range slices.Sorted(maps.Keys(i.Names)) {
		texts = append(texts, sdmx.Text{Language: language, Text: i.Names[language]})
	}
	return texts
}

// inAll returns the names by language if there are several languages, else nil.
func (i *item) inAll() stat.Texts { return sdmx.InAll(i.texts()) }

type codelist struct {
	item
	Partial bool   `json:"isPartial" xml:"isPartial,attr"`
	Codes   []code `json:"codes" xml:"Code"`
}

// complete sets the IDs of codes in version 2.0, and checks that the list and all codes
// have IDs.
func (l *codelist) complete() error {
	if strings.TrimSpace(l.ID) == "" {
		return errors.New("code list without an id")
	}
	for i := range l.Codes {
		c := &l.Codes[i]
		if c.ID = cmp.Or(c.ID, c.Value); c.ID == "" {
			return fmt.Errorf("code without an id in the list %s: code %d of %d", l.ID, i+1, len(l.Codes))
		}
	}
	return nil
}

// code is a code of a list. Version 2.0 has a value with a description.
type code struct {
	item
	Value        string      `json:"-" xml:"value,attr"`
	Parent       string      `json:"parent" xml:"-"`          // in JSON
	Above        above       `json:"-" xml:"Parent"`          // from version 2.1 on
	ParentCode   string      `json:"-" xml:"parentCode,attr"` // in version 2.0
	Descriptions []sdmx.Text `json:"-" xml:"Description"`
}

// scheme is a list of concepts: the meanings of dimensions and attributes.
type scheme struct {
	item
	Concepts []concept `json:"concepts" xml:"Concept"`
}

type concept struct {
	item
	Representation representation `json:"coreRepresentation" xml:"CoreRepresentation"`
}

// representation names the code list of a concept or a component.
type representation struct {
	List sdmx.Reference `json:"enumeration" xml:"Enumeration"`
}

// structure is a data structure definition, or a key family of version 2.0.
type structure struct {
	item
	JSON jsonComponents `json:"dataStructureComponents" xml:"-"`
	XML  []component    `json:"-" xml:",any"`

	dimensions, attributes []component
	time, measure          string
}

// component is a dimension or an attribute of a structure, or an XML element around
// some.
type component struct {
	Within         []component      `json:"-" xml:",any"`
	XMLName        xml.Name         `json:"-"`
	ID             string           `json:"id" xml:"id,attr"`
	Concept        sdmx.Reference   `json:"conceptIdentity" xml:"ConceptIdentity"`
	Roles          []sdmx.Reference `json:"conceptRoles" xml:"ConceptRole"`
	Representation representation   `json:"localRepresentation" xml:"LocalRepresentation"`
	Position       int              `json:"-" xml:"position,attr"` // in the key

	// Versions 1.0 and 2.0 have attributes in place of elements.
	ConceptName string `json:"-" xml:"concept,attr"` // 1.0
	ConceptID   string `json:"-" xml:"conceptRef,attr"`
	Scheme      string `json:"-" xml:"conceptSchemeRef,attr"`
	ListID      string `json:"-" xml:"codelist,attr"`
	IsFrequency string `json:"-" xml:"isFrequencyDimension,attr"`
}

// add adds components of a kind, which is the name of their XML element. The ID of the
// concept replaces a missing ID; elements without either are references.
func (s *structure) add(kind string, components ...component) {
	for _, c := range components {
		c.Concept.ID = cmp.Or(c.Concept.ID, c.ConceptID, c.ConceptName)
		c.Concept.Scheme = cmp.Or(c.Concept.Scheme, c.Scheme)
		c.ListID = cmp.Or(c.Representation.List.ID, c.ListID)
		if c.ID = cmp.Or(c.ID, c.Concept.ID); c.ID == "" {
			continue
		}
		switch kind {
		case "Dimension", "MeasureDimension":
			s.dimensions = append(s.dimensions, c)
		case "Attribute":
			s.attributes = append(s.attributes, c)
		case "TimeDimension":
			s.time = cmp.Or(s.time, c.ID)
		case "PrimaryMeasure", "Measure":
			s.measure = cmp.Or(s.measure, c.ID)
		}
	}
}

// Dataflow is a dataset with a structure, as servers list it.
type Dataflow struct {
	item
	Uses        sdmx.Reference    `json:"structure" xml:"Structure"`
	KeyFamily   string            `json:"-" xml:"KeyFamilyRef>KeyFamilyID"` // 2.0
	Description string            `json:"description" xml:"-"`
	Described   map[string]string `json:"descriptions" xml:"-"`
	DescribedAs []sdmx.Text       `json:"-" xml:"Description"`
	Annotations []struct {
		ID     string      `xml:"id,attr"`
		Titles []sdmx.Text `xml:"AnnotationTitle"`
		Texts  []sdmx.Text `xml:"AnnotationText"`
	} `json:"-" xml:"Annotations>Annotation"`
}

// uses returns the ID of the structure.
func (f *Dataflow) uses() string { return cmp.Or(f.Uses.ID, f.KeyFamily) }

// complete gives the structures their components, and removes structures and
// dataflows that are only references.
func (m *message) complete() {
	for i := range m.Data.Structures {
		s := &m.Data.Structures[i]
		s.addXML(s.XML)
		s.add("Dimension", s.JSON.Dimensions.All...)
		s.add("Attribute", s.JSON.Attributes.All...)
		s.add("TimeDimension", append(s.JSON.Dimensions.Times, s.JSON.Dimensions.Time)...)
		s.add("Measure", append([]component{s.JSON.Measures.Primary}, s.JSON.Measures.All...)...)
	}
	m.Data.Structures = slices.DeleteFunc(m.Data.Structures, func(s structure) bool { return s.ID == "" || len(s.dimensions) == 0 && s.time == "" })
	m.Data.Flows = slices.DeleteFunc(m.Data.Flows, func(f Dataflow) bool { return f.ID == "" })
}

// dictionary makes the dictionary of a message; stated is the office that the
// caller states, if any.
func (m *message) dictionary(stated string) (*stat.Dictionary, error) {
	agency := cmp.Or(stated, m.office())
	office := office.Find(agency)
	if office.ID == "" {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the message does not name the office whose structures it holds: neither an agencyID nor the sender is an office; state it")
	}
	d := stat.NewDictionary(office.ID)
	d.Prepared = sdmx.ParseTime(m.Meta.Prepared)
	hasConcepts := slices.ContainsFunc(m.Data.Schemes, func(s scheme) bool { return len(s.Concepts) > 0 })
	if len(m.Data.Lists)+len(m.Data.Structures)+len(m.Data.Flows) == 0 && !hasConcepts {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the message has no code list, concept, structure or dataflow")
	}
	m.addLists(d, agency)
	for _, s := range m.Data.Structures {
		m.addStructure(d, &s)
	}
	for _, f := range m.Data.Flows {
		addFlow(d, f)
	}
	for _, s := range m.Data.Schemes {
		for _, c := range s.Concepts {
			if id := strings.ToLower(c.ID); d.Concepts[id] == "" && c.label() != "" {
				d.Concepts[id] = c.label()
				if texts := c.inAll(); texts != nil {
					d.ConceptTexts[id] = texts
				}
			}
		}
	}
	return d, nil
}

// office returns the agency of the structures, else of the dataflows, else of the lists,
// else the sender. SDMX itself is not an office.
func (m *message) office() string {
	var agencies []string
	for _, s := range m.Data.Structures {
		agencies = append(agencies, s.Agency)
	}
	for _, f := range m.Data.Flows {
		agencies = append(agencies, f.Agency)
	}
	for _, l := range m.Data.Lists {
		agencies = append(agencies, l.Agency)
	}
	for _, agency := range append(agencies, m.Meta.Sender.ID) {
		if agency != "" && !strings.EqualFold(agency, "SDMX") && !strings.EqualFold(agency, "unknown") {
			return agency
		}
	}
	return ""
}

// addLists adds the code lists. Of lists with the same name, the office's own takes
// precedence. Eurostat's messages with a structure list only the codes of the dataset,
// although not every version of SDMX declares that.
func (m *message) addLists(d *stat.Dictionary, agency string) {
	own := map[string]bool{}
	for i := range m.Data.Lists {
		l := &m.Data.Lists[i]
		list := &stat.CodeList{Name: l.ID, Version: m.version(l.Version), Partial: l.Partial || d.Source == "eurostat" && len(m.Data.Structures) > 0}
		addCodes(list, l.Codes)
		key := stat.ListName(l.ID)
		isOwn := strings.EqualFold(l.Agency, agency)
		known := d.Lists[key]
		switch {
		case known == nil || isOwn && !own[key]:
			d.Lists[key] = list
		case isOwn == own[key]:
			d.Lists[key] = stat.NewestCodes(known, list)
		}
		own[key] = own[key] || isOwn
	}
}

// addCodes adds codes with their labels in all languages.
func addCodes(list *stat.CodeList, codes []code) {
	count := map[string]int{} // of labels by language
	for _, c := range codes {
		texts := c.texts()
		if c.label() == "" {
			texts = c.Descriptions
		}
		list.Codes = append(list.Codes, stat.Code{ID: c.ID, Label: sdmx.Best(texts, ""), Parents: c.parents()})
		language, others := sdmx.Others(texts, "")
		if count[language]++; language != "" && count[language] > count[list.Language] {
			list.Language = language
		}
		for language, label := range others {
			list.Translate(language, c.ID, label)
		}
	}
}

// version returns the version of a list. Some offices, and all messages of version 2.0,
// always state 1.0: there the year of the message is the version.
func (m *message) version(stated string) string {
	if !m.isOld && stated != "" && stated != "1.0" && stated != "1" {
		return stated
	}
	if t := sdmx.ParseTime(m.Meta.Prepared); !t.IsZero() {
		return "0." + t.Format("2006")
	}
	return "0"
}

// addStructure adds a structure with the labels of its concepts. A structure X_DSD is
// also that of the dataset X.
func (m *message) addStructure(d *stat.Dictionary, s *structure) {
	whole := &stat.Structure{ID: s.ID, Title: s.label(), Titles: s.inAll(), Time: s.time, Measure: s.measure}
	for _, c := range s.dimensions {
		whole.Dimensions = append(whole.Dimensions, m.component(d, c))
	}
	setRoles(whole.Dimensions)
	for _, c := range s.attributes {
		whole.Attributes = append(whole.Attributes, m.component(d, c))
	}
	if whole.Title == s.ID {
		whole.Title, whole.Titles = "", nil
	}
	key := strings.ToLower(s.ID)
	if known := d.Structures[key]; known != nil && len(known.Dimensions) > 0 {
		return // another version; the first one counts
	}
	d.Structures[key] = sdmx.WithoutScale(d.Source, whole)
	if stem, found := strings.CutSuffix(key, "_dsd"); found && stem != "" && d.Structures[stem] == nil {
		d.Structures[stem] = &stat.Structure{ID: s.ID[:len(stem)], Uses: s.ID}
	}
}

// component completes a dimension or attribute with its concept: that of the scheme it
// names, else one with the same ID in another scheme.
func (m *message) component(d *stat.Dictionary, c component) stat.Component {
	role := ""
	for _, r := range c.Roles {
		role = cmp.Or(role, r.ID)
	}
	result := stat.Component{ID: c.ID, List: c.ListID, Role: assemble.RoleOf(role)}
	if c.IsFrequency == "true" {
		result.Role = stat.RoleFrequency
	}
	isSame := false
	for _, s := range m.Data.Schemes {
		for _, known := range s.Concepts {
			if isSame || known.ID != cmp.Or(c.Concept.ID, c.ID) {
				continue
			}
			isSame = c.Concept.Scheme == "" || s.ID == c.Concept.Scheme
			if isSame || result.Label == "" {
				if label := known.label(); label != "" {
					result.Label, result.Texts = label, known.inAll()
				}
				result.List = cmp.Or(c.ListID, known.Representation.List.ID, result.List)
			}
		}
	}
	if id := strings.ToLower(result.ID); result.Label != "" {
		d.Concepts[id] = result.Label
		if result.Texts != nil {
			d.ConceptTexts[id] = result.Texts
		}
	}
	return result
}

// setRoles completes the roles: one dimension is the geography, and other dimensions
// without a stated role have the role of their names.
func setRoles(components []stat.Component) {
	dims := make([]stat.Dimension, len(components))
	for i, c := range components {
		dims[i] = stat.Dimension{ID: c.ID, Role: c.Role}
	}
	at, _ := assemble.Geography(dims, "") // fails only for a geography that the caller states
	for i := range components {
		c := &components[i]
		named := assemble.RoleOf(c.ID)
		switch {
		case i == at:
			c.Role = stat.RoleGeo
		case c.Role == stat.RoleGeo:
			c.Role = stat.RoleOther
		case c.Role == stat.RoleOther && named != stat.RoleGeo:
			c.Role = named
		}
	}
}

// addFlow adds a dataflow, which is another name and a title of a structure.
func addFlow(d *stat.Dictionary, f Dataflow) {
	title, uses := f.label(), f.uses()
	key := strings.ToLower(f.ID)
	known := d.Structures[key]
	if known == nil {
		d.Structures[key] = &stat.Structure{ID: f.ID, Uses: uses, Title: title, Titles: f.inAll()}
		return
	}
	if title != "" {
		known.Title, known.Titles = title, f.inAll()
	}
	if len(known.Dimensions) == 0 { // else the structure has the same name
		known.Uses = cmp.Or(uses, known.Uses)
	}
}
