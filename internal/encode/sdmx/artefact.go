package sdmx

import (
	"cmp"
	"maps"
	"slices"

	"almanac/internal/stat"
)

// Artefact is a maintainable artefact of a structure message.
type Artefact struct {
	Class        string // as in URNs: "Codelist"
	Agency       string
	ID           string
	Version      string
	Names        stat.Texts // by language; "" if the language is not known
	Descriptions stat.Texts

	IsPartial bool // only some of the items
	IsStub    bool // the content is left out
	// IsComplete says that a stub has its descriptions.
	IsComplete bool

	Items      []Item      // of a list or scheme
	Structure  Reference   // of a dataflow: its structure
	Components []Component // of a structure, in its order
	Concepts   Reference   // of a structure: where the concepts are
	Source     Reference   // of a categorisation: what is in the category
	Target     Reference   // its category
	Region     *Region     // of a constraint
}

// Item is an item of a list or scheme.
type Item struct {
	ID           string
	Names        stat.Texts
	Descriptions stat.Texts
	Items        []Item
	// TextType is the type of the values of a concept that is not a dimension: "String". Empty for
	// other items.
	TextType string
}

// Reference names an artefact, or an item of it.
type Reference struct{ Class, Agency, ID, Version, Item string }

// URN returns the URN of what the reference names.
func (r Reference) URN() string {
	urn := URN(r.Class, r.Agency, r.ID, r.Version)
	if r.Item != "" {
		urn += "." + r.Item
	}
	return urn
}

// Component is a component of a structure.
type Component struct {
	ID   string
	Kind Kind
	List Reference // its code list; zero: it is not coded
	Role string    // concept of the role, such as FREQ; empty if none
}

// Kind is what a component is.
type Kind uint8

// The kinds of components.
const (
	KindDimension Kind = iota
	KindTime
	KindMeasure
	KindObservation // attribute of observations
	KindSeries      // attribute of series
	KindDataset     // attribute of the dataset
)

// Region says which codes have data.
type Region struct {
	Keys         []RegionKey
	First, Last  stat.Period // zero: no data
	Series       int         // -1: unknown
	Observations int         // -1: unknown
}

// RegionKey is the codes of a dimension that have data.
type RegionKey struct {
	Dimension string
	Codes     []string
}

// Reference returns a reference to the artefact.
func (a *Artefact) Reference() Reference {
	return Reference{Class: a.Class, Agency: a.Agency, ID: a.ID, Version: a.Version}
}

// InVersion returns the artefact with versions as SDMX 2.1 or 3.0 writes them.
func (a *Artefact) InVersion(isV3 bool) *Artefact {
	if !isV3 || a.Class == "AgencyScheme" { // whose version is always 1.0
		return a
	}
	b := *a
	b.Version = SemanticVersion(a.Version)
	for _, r := range []*Reference{&b.Structure, &b.Concepts, &b.Source, &b.Target} {
		r.Version = SemanticVersion(r.Version)
	}
	b.Components = slices.Clone(a.Components)
	for i := range b.Components {
		b.Components[i].List.Version = SemanticVersion(b.Components[i].List.Version)
	}
	return &b
}

// Stub returns the artefact without its content; with descriptions if it is complete.
func (a *Artefact) Stub(isComplete bool) *Artefact {
	stub := &Artefact{Class: a.Class, Agency: a.Agency, ID: a.ID, Version: a.Version, Names: a.Names, IsStub: true, IsComplete: isComplete}
	if isComplete {
		stub.Descriptions = a.Descriptions
	}
	return stub
}

// Structures makes the artefacts of a flow with their names in all languages. Translations are
// those of the vintage.
type Structures struct {
	*Flow
	Translations map[string]*stat.Translation
}

func (s *Structures) artefact(class, id string, names stat.Texts) *Artefact {
	return &Artefact{Class: class, Agency: s.Agency, ID: id, Version: s.Version, Names: names}
}

// texts returns a text in all languages: the dataset's own, and that of each translation.
func (s *Structures) texts(own string, of func(*stat.Translation) string) stat.Texts {
	texts := stat.Texts{}
	if own != "" {
		texts[s.Dataset.Language] = own
	}
	for language, t := range s.Translations {
		texts.Set(language, of(t))
	}
	return texts
}

// Dataflow returns the dataflow.
func (s *Structures) Dataflow() *Artefact {
	a := s.artefact("Dataflow", s.ID, s.name())
	a.Descriptions = s.texts(s.Dataset.Description, func(t *stat.Translation) string { return t.Description })
	a.Structure = s.reference("DataStructure", s.StructureID())
	return a
}

func (s *Structures) name() stat.Texts {
	return s.texts(cmp.Or(s.Dataset.Name, s.Dataset.Code), func(t *stat.Translation) string { return t.Name })
}

func (s *Structures) reference(class, id string) Reference {
	return Reference{Class: class, Agency: s.Agency, ID: id, Version: s.Version}
}

// DataStructure returns the structure.
func (s *Structures) DataStructure() *Artefact {
	a := s.artefact("DataStructure", s.StructureID(), s.name())
	a.Concepts = s.reference("ConceptScheme", s.ConceptSchemeID())
	for i := range s.Dimensions {
		d := &s.Dimensions[i]
		a.Components = append(a.Components, Component{ID: d.ID, Kind: KindDimension, List: s.reference("Codelist", s.CodelistID(d)), Role: roles[d.Role]})
	}
	status := Reference{Class: "Codelist", Agency: StatusAgency, ID: StatusList, Version: StatusVersion}
	return s.withComponents(a, []Component{
		{ID: TimePeriod, Kind: KindTime}, {ID: ObsValue, Kind: KindMeasure},
		{ID: s.Unit, Kind: KindSeries}, {ID: s.Multiplier, Kind: KindSeries},
		{ID: s.Status, Kind: KindObservation, List: status}, {ID: s.Flag, Kind: KindObservation},
		{ID: s.Confidentiality, Kind: KindObservation}, {ID: s.Comment, Kind: KindObservation},
		{ID: s.Flow.Transform, Kind: KindDataset}, {ID: s.LicenceID, Kind: KindDataset},
	})
}

func (s *Structures) withComponents(a *Artefact, more []Component) *Artefact {
	a.Components = append(a.Components, more...)
	return a
}

// roles maps the roles of dimensions to the cross-domain concepts of SDMX.
var roles = map[stat.Role]string{stat.RoleGeo: "REF_AREA", stat.RoleFrequency: "FREQ", stat.RoleUnit: "UNIT_MEASURE"}

// Codelists returns the code list of each dimension.
func (s *Structures) Codelists() []*Artefact {
	var all []*Artefact
	for i := range s.Dimensions {
		d := &s.Dimensions[i]
		a := s.artefact("Codelist", s.CodelistID(d), s.dimensionName(d))
		of := s.translated(d)
		for at, code := range d.Codes {
			names := stat.Texts{s.Dataset.Language: cmp.Or(code.SourceLabel, code.Label, code.ID)}
			for _, t := range of {
				names.Set(t.language, t.Codes[code.ID])
			}
			a.Items = append(a.Items, Item{ID: d.IDs[at], Names: names})
		}
		all = append(all, a)
	}
	return all
}

type translatedDimension struct {
	language string
	stat.DimensionTexts
}

// translated returns the texts of a dimension in other languages.
func (s *Structures) translated(d *Dimension) []translatedDimension {
	var all []translatedDimension
	for _, language := range slices.Sorted(maps.Keys(s.Translations)) {
		all = append(all, translatedDimension{language, s.Translations[language].Texts(s.officeID(d))})
	}
	return all
}

// officeID returns the ID that the office gave a dimension.
func (s *Structures) officeID(d *Dimension) string {
	if d.Axis >= 0 {
		return s.Dataset.Axes()[d.Axis].ID
	}
	for _, f := range s.Dataset.Fixed {
		if EscapeName(f.ID) == d.ID {
			return f.ID
		}
	}
	return d.ID
}

func (s *Structures) dimensionName(d *Dimension) stat.Texts {
	names := stat.Texts{s.Dataset.Language: d.Name()}
	for _, t := range s.translated(d) {
		names.Set(t.language, t.Label)
	}
	return names
}

// ConceptScheme returns the concepts of all components.
func (s *Structures) ConceptScheme() *Artefact {
	a := s.artefact("ConceptScheme", s.ConceptSchemeID(), s.name())
	for i := range s.Dimensions {
		a.Items = append(a.Items, Item{ID: s.Dimensions[i].ID, Names: s.dimensionName(&s.Dimensions[i])})
	}
	for _, c := range []struct{ id, name, textType string }{
		{TimePeriod, "Time period", "ObservationalTimePeriod"}, {ObsValue, "Observation value", "Double"}, {s.Unit, "Unit of measure", "String"},
		{s.Multiplier, "Unit multiplier", "String"},
		{s.Status, "Observation status", "String"}, {s.Flag, "All flags, if there are several or flags of the office", "String"},
		{s.Confidentiality, "Confidentiality status", "String"}, {s.Comment, "Note on the observation", "String"},
		{s.Flow.Transform, "Derivation of the values", "String"}, {s.LicenceID, "Licence", "String"},
	} {
		a.Items = append(a.Items, Item{ID: c.id, Names: stat.Texts{"en": c.name}, TextType: c.textType})
	}
	return a
}

// StatusCodes returns the code list of OBS_STATUS.
func StatusCodes() *Artefact {
	a := &Artefact{Class: "Codelist", Agency: StatusAgency, ID: StatusList, Version: StatusVersion, Names: stat.Texts{"en": "Observation status"}}
	for _, c := range ObsStatus {
		a.Items = append(a.Items, Item{ID: c[0], Names: stat.Texts{"en": c[1]}})
	}
	return a
}

// Constraint returns the constraint of the flow with a region.
func (s *Structures) Constraint(r *Region) *Artefact {
	a := s.artefact("ContentConstraint", s.ConstraintID(), stat.Texts{"en": "Data that are available"})
	a.Source = s.reference("Dataflow", s.ID)
	a.Region = r
	return a
}

// Package returns the package of the reference's class.
func (r Reference) Package() string { return packages[r.Class] }

// RoleOf returns the cross-domain concept of the role of a dimension, empty if it has none.
func RoleOf(role stat.Role) string { return roles[role] }
