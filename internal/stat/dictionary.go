package stat

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Dictionary holds what one office says about its codes and datasets apart from
// the data: code lists, structures and titles of datasets. It comes from separate
// files (SDMX structure messages, Eurostat's dictionaries and tables of contents,
// metadata in World Bank packages) and from earlier imports. Names are compared
// without regard to case. A nil Dictionary is empty.
type Dictionary struct {
	Source   string    // ID of the office
	Prepared time.Time // when the office created the file; zero if unknown

	Lists      map[string]*CodeList  // by name in lower case, without a leading "cl_"
	Structures map[string]*Structure // by the dataset's code, or by the name of a shared structure, in lower case
	Concepts   map[string]string     // label of a dimension or attribute by its ID in lower case
	// ConceptTexts holds the labels of concepts that have them in several languages, by the
	// same IDs.
	ConceptTexts map[string]Texts
}

// A Structure describes the components of a dataset: an SDMX data structure
// definition, the dataflow that uses it, or a PX file's header.
type Structure struct {
	ID          string      `json:"id"`             // as the source writes it: "ECB_EXR1", "nama_10_gdp"
	Uses        string      `json:"uses,omitempty"` // the structure that a dataflow refers to
	Title       string      `json:"title,omitempty"`
	Titles      Texts       `json:"titles,omitempty"`     // by language, if there are several
	Dimensions  []Component `json:"dimensions,omitempty"` // in the source's order, with geography, without time
	Time        string      `json:"time,omitempty"`       // ID of the time dimension
	Measure     string      `json:"measure,omitempty"`    // ID of the primary measure: "OBS_VALUE"
	Attributes  []Component `json:"attributes,omitempty"`
	MetadataURL string      `json:"metadata_url,omitempty"`
	SourceURL   string      `json:"source_url,omitempty"`

	// Listed is when the office had updated the dataset last, when it wrote a table of
	// contents; zero if there is none. It says nothing of the data of a file, which may be
	// those of any release.
	Listed time.Time `json:"updated,omitzero"`
}

// A Component is a dimension or an attribute of a [Structure].
type Component struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty"`
	Texts Texts  `json:"labels,omitempty"` // labels by language, if there are several
	List  string `json:"list,omitempty"`   // name of its code list
	Role  Role   `json:"role,omitempty"`   // [RoleOther] or empty if the structure states none
	Total string `json:"total,omitempty"`  // code that the office declares as the total
}

// NamesLists reports whether a structure states code lists for its dimensions. It
// is false for a nil Structure.
func (s *Structure) NamesLists() bool {
	return s != nil && slices.ContainsFunc(s.Dimensions, func(c Component) bool { return c.List != "" })
}

// NewDictionary returns an empty dictionary of a source.
func NewDictionary(source string) *Dictionary {
	return &Dictionary{
		Source: source, Lists: map[string]*CodeList{},
		Structures: map[string]*Structure{}, Concepts: map[string]string{}, ConceptTexts: map[string]Texts{},
	}
}

// Dimension returns the dimension with an ID, nil if there is none.
func (s *Structure) Dimension(id string) *Component {
	for i := range s.Dimensions {
		if strings.EqualFold(s.Dimensions[i].ID, id) {
			return &s.Dimensions[i]
		}
	}
	return nil
}

// Structure returns the structure with a name, with the dimensions of the
// structure that it uses. It returns nil if there are no dimensions.
func (d *Dictionary) Structure(name string) *Structure {
	if d == nil {
		return nil
	}
	s := d.Structures[strings.ToLower(name)]
	if s == nil || len(s.Dimensions) > 0 {
		return s
	}
	used := d.Structures[strings.ToLower(s.Uses)]
	if used == nil || len(used.Dimensions) == 0 {
		return nil
	}
	about := *s
	about.Dimensions, about.Attributes, about.Time, about.Measure = used.Dimensions, used.Attributes, used.Time, used.Measure
	return &about
}

// About returns what is known about the dataset with a code apart from its
// dimensions, such as its title and addresses; the zero Structure if nothing.
func (d *Dictionary) About(dataset string) Structure {
	if d == nil || d.Structures[strings.ToLower(dataset)] == nil {
		return Structure{}
	}
	return *d.Structures[strings.ToLower(dataset)]
}

// List returns the code list of a dataset's dimension: the one that the dataset's
// structure states, else the one with the dimension's name, else nil.
func (d *Dictionary) List(dataset, dimension string) *CodeList {
	if d == nil {
		return nil
	}
	return cmp.Or(d.statedList(dataset, dimension), d.Lists[ListName(dimension)])
}

// States reports whether the structure of a dataset states the code list of a
// dimension, and the list is known.
func (d *Dictionary) States(dataset, dimension string) bool {
	return d.statedList(dataset, dimension) != nil
}

// statedList returns the list that a dataset's structure states for a dimension.
func (d *Dictionary) statedList(dataset, dimension string) *CodeList {
	list := d.Dimension(dataset, dimension).List
	if list == "" {
		return nil
	}
	return d.Lists[ListName(list)]
}

// Dimension returns a dimension of a dataset as its structure states it, the zero
// Component if it states none.
func (d *Dictionary) Dimension(dataset, id string) Component {
	if s := d.Structure(dataset); s != nil && s.Dimension(id) != nil {
		return *s.Dimension(id)
	}
	return Component{}
}

// Label returns the label of a dataset's dimension, "" if there is none.
func (d *Dictionary) Label(dataset, dimension string) string {
	if d == nil {
		return ""
	}
	return cmp.Or(d.Dimension(dataset, dimension).Label, d.Concepts[strings.ToLower(dimension)])
}

// Labels returns the labels of a dataset's dimension by language, if there are several.
func (d *Dictionary) Labels(dataset, dimension string) Texts {
	if d == nil {
		return nil
	}
	return d.Dimension(dataset, dimension).Texts.Over(d.ConceptTexts[strings.ToLower(dimension)])
}

// Newest merges dictionaries of one office. The newest file has precedence; older
// ones add what it lacks.
func Newest(source string, dictionaries ...*Dictionary) *Dictionary {
	dictionaries = slices.Clone(dictionaries)
	slices.SortStableFunc(dictionaries, func(a, b *Dictionary) int { return b.Prepared.Compare(a.Prepared) })
	result := NewDictionary(source)
	lists := map[string][]*CodeList{}
	for _, d := range dictionaries {
		for name, l := range d.Lists {
			lists[name] = append(lists[name], l)
		}
		result.fillIn(d)
	}
	for name, versions := range lists {
		result.Lists[name] = NewestCodes(versions...)
	}
	return result
}

// Over merges two dictionaries. d has precedence; below adds what it lacks. Either
// may be nil.
func (d *Dictionary) Over(below *Dictionary) *Dictionary {
	if d == nil {
		return below
	}
	if below == nil {
		return d
	}
	result := NewDictionary(d.Source)
	for name, l := range d.Lists {
		result.Lists[name] = l.over(below.Lists[name])
	}
	for name, l := range below.Lists {
		if d.Lists[name] == nil {
			result.Lists[name] = l
		}
	}
	result.fillIn(d)
	result.fillIn(below)
	return result
}

func (d *Dictionary) fillIn(other *Dictionary) {
	for id, label := range other.Concepts {
		if d.Concepts[id] == "" {
			d.Concepts[id] = label
		}
	}
	for id, texts := range other.ConceptTexts {
		d.ConceptTexts[id] = d.ConceptTexts[id].Over(texts)
	}
	for name, s := range other.Structures {
		if known := d.Structures[name]; known != nil {
			s = known.Over(s)
		}
		d.Structures[name] = s
	}
}

// Over returns the structure with what it lacks taken from another. All components
// come from one of the two.
func (s *Structure) Over(other *Structure) *Structure {
	whole := *s
	s = &whole
	s.Title, s.Titles = cmp.Or(s.Title, other.Title), s.Titles.Over(other.Titles)
	s.MetadataURL = cmp.Or(s.MetadataURL, other.MetadataURL)
	s.SourceURL = cmp.Or(s.SourceURL, other.SourceURL)
	if s.Listed.IsZero() {
		s.Listed = other.Listed
	}
	if len(s.Dimensions) == 0 && (s.Uses == "" || strings.EqualFold(s.Uses, s.ID)) {
		s.Uses, s.Dimensions, s.Attributes = other.Uses, other.Dimensions, other.Attributes
		s.Time, s.Measure = other.Time, other.Measure
	}
	return s
}
