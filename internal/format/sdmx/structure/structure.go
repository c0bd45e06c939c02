// Package structure reads the structure messages of SDMX: what codes mean
// and what datasets are made of, without any data. In XML (SDMX-ML 2.0, 2.1 and
// 3.0) a message is
//
//	<Structure> <Header> <Prepared>2016-02-06T10:10:56</Prepared> <Sender id="ECB"/> </Header>
//	<Structures>
//	  <Codelists>      <Codelist id="CL_FREQ" agencyID="ECB" version="1.0"> <Code id="A"> <Name xml:lang="en">Annual
//	  <Concepts>       <ConceptScheme id="ECB_CONCEPTS"> <Concept id="FREQ"> <Name xml:lang="en">Frequency
//	  <DataStructures> <DataStructure id="ECB_EXR1"> … <Dimension id="FREQ"> … its concept, its code list, its role
//	  <Dataflows>      <Dataflow id="EXR"> <Name xml:lang="en">Exchange Rates … the structure it uses
//
// Version 2.0 says CodeList, Code value="A" with a Description, KeyFamily, and
// conceptRef and codelist as attributes; 3.0 refers to things by their URN. The
// JSON form (SDMX-JSON 1.0 and 2.0) has the same parts under "data", names in
// all languages under "names".
//
// What a message says becomes one [stat.Dictionary], that of the office whose
// structures it holds; lists that other agencies keep and that the message
// brings along (SDMX's CL_FREQ) are that office's too, since it uses them.
// Everything else in a message (categories, organisations, constraints) is
// passed over. Names are taken in English, else in no stated language, else in
// the first that is there.
//
// Servers list their dataflows and describe the keys of their data in the same
// messages: see [Dataflows] and [ReadKey].
package structure

import (
	"cmp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// holds is what the files of both formats are.
const holds = "a structure message"

// Formats are SDMX-ML's and SDMX-JSON's structure messages.
func Formats() []format.Format {
	return []format.Format{
		{Name: "sdmx-structure", Recognise: recogniseXML, Holds: holds, Learn: learnXML},
		{Name: "sdmx-structure-json", Recognise: recogniseJSON, Holds: holds, Learn: learnJSON},
	}
}

// message is what a structure message says, in either form.
type message struct {
	prepared   string
	sender     string
	old        bool // version 2.0, in which lists have no version that counts
	lists      []codelist
	concepts   []concept
	structures []structure
	flows      []dataflow
}

// codelist is a list as a message has it.
type codelist struct {
	id, agency, version string
	partial             bool
	codes               []stat.Code
}

// concept is what a dimension or an attribute stands for.
type concept struct {
	scheme, id string
	label      string
	list       string // code list, where the concept names one
}

// structure is a data structure definition, or a key family.
type structure struct {
	id, agency, title string
	dimensions        []component
	attributes        []component
	time, measure     string
}

// component is a dimension or an attribute of a structure.
type component struct {
	id              string
	scheme, concept string // the concept that it stands for
	list            string
	role            string // ID of the concept that says its role
	isFrequency     bool   // 2.0: isFrequencyDimension
	isMeasure       bool   // it tells measures apart
	position        int    // in the key; 0: not said
}

// dataflow is a published view of a structure.
type dataflow struct {
	id, agency, title, uses string
}

// dictionary makes the office's dictionary of a message; stated is the office
// that the caller names, if any.
func (m *message) dictionary(stated string) (*stat.Dictionary, error) {
	agency := cmp.Or(stated, m.office())
	office := office.Find(agency)
	if office.ID == "" {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the message does not say whose structures it holds: neither an agencyID nor the sender names an office; state it with --source")
	}
	d := stat.NewDictionary(office.ID)
	d.Prepared = sdmx.ParseTime(m.prepared)
	if len(m.lists)+len(m.concepts)+len(m.structures)+len(m.flows) == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the message holds no code list, no concept, no structure and no dataflow")
	}
	m.addLists(d, agency)
	for _, s := range m.structures {
		m.addStructure(d, s)
	}
	for _, f := range m.flows {
		addFlow(d, f)
	}
	for _, c := range m.concepts {
		if id := strings.ToLower(c.id); d.Concepts[id] == "" && c.label != "" {
			d.Concepts[id] = c.label
		}
	}
	return d, nil
}

// office is the agency whose structures the message holds: of the structures,
// else of the dataflows, else of the lists, else who sends it. SDMX itself is
// no office.
func (m *message) office() string {
	var agencies []string
	for _, s := range m.structures {
		agencies = append(agencies, s.agency)
	}
	for _, f := range m.flows {
		agencies = append(agencies, f.agency)
	}
	for _, l := range m.lists {
		agencies = append(agencies, l.agency)
	}
	for _, agency := range append(agencies, m.sender) {
		if agency != "" && !strings.EqualFold(agency, "SDMX") && !strings.EqualFold(agency, "unknown") {
			return agency
		}
	}
	return ""
}

// addLists adds the code lists. Of two with one name the office's own counts
// before another agency's. Eurostat's messages with a structure hold, of each
// list, only the codes that the dataset has, without saying so in every version.
func (m *message) addLists(d *stat.Dictionary, agency string) {
	own := map[string]bool{}
	for i := range m.lists {
		l := &m.lists[i]
		list := &stat.CodeList{
			Name: l.id, Version: m.version(l.version), Codes: l.codes,
			Partial: l.partial || d.Source == "eurostat" && len(m.structures) > 0,
		}
		key := stat.ListName(l.id)
		isOwn := strings.EqualFold(l.agency, agency)
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

// version is that of a list. Offices that do not count their versions write
// 1.0 for ever, and all do in messages of version 2.0: then the year counts in
// which the message was made.
func (m *message) version(stated string) string {
	if !m.old && stated != "" && stated != "1.0" && stated != "1" {
		return stated
	}
	if t := sdmx.ParseTime(m.prepared); !t.IsZero() {
		return "0." + t.Format("2006")
	}
	return "0"
}

// addStructure adds a structure with the labels of its concepts. One whose
// name ends in _DSD is found by the name without it, which is the dataset's.
func (m *message) addStructure(d *stat.Dictionary, s structure) {
	whole := &stat.Structure{ID: s.id, Title: s.title, Time: s.time, Measure: s.measure}
	for _, c := range s.dimensions {
		whole.Dimensions = append(whole.Dimensions, m.component(d, c))
	}
	setRoles(whole.Dimensions)
	for _, c := range s.attributes {
		whole.Attributes = append(whole.Attributes, m.component(d, c))
	}
	if whole.Title == s.id {
		whole.Title = "" // says nothing
	}
	key := strings.ToLower(s.id)
	if known := d.Structures[key]; known != nil && len(known.Dimensions) > 0 {
		return // an earlier version of it; the first is the one that the message is about
	}
	d.Structures[key] = sdmx.WithoutScale(d.Source, whole)
	if stem, found := strings.CutSuffix(key, "_dsd"); found && stem != "" && d.Structures[stem] == nil {
		d.Structures[stem] = &stat.Structure{ID: s.id[:len(stem)], Uses: s.id}
	}
}

// component fills in what the concepts say of a dimension or attribute.
func (m *message) component(d *stat.Dictionary, c component) stat.Component {
	result := stat.Component{ID: c.id, List: c.list, Role: assemble.RoleOf(c.role)}
	for _, known := range m.concepts {
		if known.id != cmp.Or(c.concept, c.id) {
			continue
		}
		isSame := c.scheme == "" || known.scheme == c.scheme
		if isSame || result.Label == "" {
			result.Label = cmp.Or(known.label, result.Label)
			result.List = cmp.Or(c.list, known.list, result.List)
		}
		if isSame {
			break
		}
	}
	if c.isFrequency {
		result.Role = stat.RoleFrequency
	}
	if result.Label != "" {
		d.Concepts[strings.ToLower(result.ID)] = result.Label
	}
	return result
}

// setRoles completes the roles that concepts of roles stated: one dimension
// is the geography, and the others have the role that their names say.
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

// addFlow adds a dataflow: another name, and a title, of a structure.
func addFlow(d *stat.Dictionary, f dataflow) {
	key := strings.ToLower(f.id)
	known := d.Structures[key]
	switch {
	case f.id == "":
	case known == nil:
		d.Structures[key] = &stat.Structure{ID: f.id, Uses: f.uses, Title: f.title}
	case len(known.Dimensions) > 0: // the structure has the same name
		known.Title = cmp.Or(f.title, known.Title)
	default:
		known.Title, known.Uses = cmp.Or(f.title, known.Title), cmp.Or(f.uses, known.Uses)
	}
}

// Text is a text in a language.
type Text struct{ Language, Text string }

// Best chooses among the languages of a text: English, else own, else one
// without a language, else the first. White space in it becomes single spaces.
func Best(texts []Text, own string) string {
	best, rank := "", 0
	for _, t := range texts {
		if r := sdmx.LanguageRank(t.Language, own); r > rank {
			if text := foldSpace(t.Text); text != "" {
				best, rank = text, r
			}
		}
	}
	return best
}

func foldSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// parseReference takes the ID that a URN ends in, and the scheme that it is of,
// if it is a part of one.
func parseReference(urn string) (scheme, id string) {
	_, id, part := sdmx.ParseURN(urn)
	if part != "" {
		return id, part
	}
	return "", id
}
