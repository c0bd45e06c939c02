package structure

import (
	"cmp"
	"encoding/xml"
)

// The elements of a message as encoding/xml reads them, whichever namespace
// they have.

type xmlHeader struct {
	Prepared string `xml:"Prepared"`
	Sender   struct {
		ID string `xml:"id,attr"`
	} `xml:"Sender"`
}

// xmlText is a text in one language.
type xmlText struct {
	Lang string `xml:"lang,attr"`
	Text string `xml:",chardata"`
}

func texts(all []xmlText) []localText {
	result := make([]localText, len(all))
	for i, t := range all {
		result[i] = localText{t.Lang, t.Text}
	}
	return result
}

type xmlCode struct {
	ID    string    `xml:"id,attr"`     // 2.1 and 3.0
	Value string    `xml:"value,attr"`  // 2.0
	Name  []xmlText `xml:"Name"`        // 2.1 and 3.0: the label
	Text  []xmlText `xml:"Description"` // 2.0: the label; else an explanation
}

type xmlConcept struct {
	ID   string       `xml:"id,attr"`
	Name []xmlText    `xml:"Name"`
	List xmlReference `xml:"CoreRepresentation>Enumeration"`
}

// xmlReference refers to something: by an element Ref in 2.1, by a URN in 3.0
// (and in an element URN in 2.1).
type xmlReference struct {
	Ref struct {
		ID     string `xml:"id,attr"`
		Parent string `xml:"maintainableParentID,attr"`
	} `xml:"Ref"`
	URN  string `xml:"URN"`
	Text string `xml:",chardata"`
}

// id is the ID of what is referred to.
func (r xmlReference) id() string {
	_, id := r.both()
	return id
}

// both is the ID of what is referred to, and of what it belongs to.
func (r xmlReference) both() (scheme, id string) {
	if r.Ref.ID != "" {
		return r.Ref.Parent, r.Ref.ID
	}
	return lastOf(cmp.Or(r.URN, r.Text))
}

// xmlStructure is a DataStructure (2.1, 3.0) or a KeyFamily (2.0).
type xmlStructure struct {
	ID     string    `xml:"id,attr"`
	Agency string    `xml:"agencyID,attr"`
	Name   []xmlText `xml:"Name"`
	New    struct {
		Dimensions xmlComponents `xml:"DimensionList"`
		Attributes xmlComponents `xml:"AttributeList"`
		Measures   xmlComponents `xml:"MeasureList"`
	} `xml:"DataStructureComponents"`
	Old xmlComponents `xml:"Components"`
}

// xmlComponents keeps the order of its elements, which are of several names.
type xmlComponents struct {
	All []xmlComponent `xml:",any"`
}

type xmlComponent struct {
	XMLName    xml.Name
	ID         string         `xml:"id,attr"`
	Concept    string         `xml:"conceptRef,attr"`           // 2.0
	OldScheme  string         `xml:"conceptSchemeRef,attr"`     // 2.0
	OldList    string         `xml:"codelist,attr"`             // 2.0
	Frequency  string         `xml:"isFrequencyDimension,attr"` // 2.0
	IsIdentity xmlReference   `xml:"ConceptIdentity"`
	Roles      []xmlReference `xml:"ConceptRole"`
	List       xmlReference   `xml:"LocalRepresentation>Enumeration"`
}

// component is what the element says of a dimension or attribute.
func (x *xmlComponent) component() component {
	scheme, id := x.IsIdentity.both()
	c := component{
		scheme: cmp.Or(scheme, x.OldScheme), concept: cmp.Or(id, x.Concept),
		list: cmp.Or(x.List.id(), x.OldList), frequencyRole: x.Frequency == "true",
	}
	c.id = cmp.Or(x.ID, c.concept)
	for _, role := range x.Roles {
		c.role = cmp.Or(c.role, role.id())
	}
	return c
}

// structure is what the element says as a whole.
func (x *xmlStructure) structure() structure {
	s := structure{id: x.ID, agency: x.Agency, title: english(texts(x.Name))}
	for _, group := range [][]xmlComponent{x.New.Dimensions.All, x.New.Attributes.All, x.New.Measures.All, x.Old.All} {
		for i := range group {
			c := group[i].component()
			if c.id == "" {
				continue // a group, a name
			}
			switch group[i].XMLName.Local {
			case "Dimension", "MeasureDimension":
				s.dimensions = append(s.dimensions, c)
			case "Attribute":
				s.attributes = append(s.attributes, c)
			case "TimeDimension":
				s.time = c.id
			case "PrimaryMeasure", "Measure":
				s.measure = cmp.Or(s.measure, c.id)
			}
		}
	}
	return s
}

// xmlFlow is a Dataflow.
type xmlFlow struct {
	ID     string       `xml:"id,attr"`
	Agency string       `xml:"agencyID,attr"`
	Name   []xmlText    `xml:"Name"`
	Uses   xmlReference `xml:"Structure"`
	Old    struct {
		ID string `xml:"KeyFamilyID"`
	} `xml:"KeyFamilyRef"` // 2.0
}
