package stat

import (
	"strings"
	"time"
)

// A Dictionary is what one office says of its codes and datasets apart from
// the data: code lists, the structures of datasets, their titles. It comes
// from files of its own (SDMX structure messages, Eurostat's dictionaries and
// contents, metadata in a package of the World Bank) and from what earlier
// imports of the office's files taught. All names compare without regard to
// case. A nil Dictionary knows nothing.
type Dictionary struct {
	Source string // ID of the office

	Lists      map[string]*CodeList  // by name in lower case, without a leading "cl_"
	Structures map[string]*Structure // by the dataset's code, or by the name of a structure that datasets share, in lower case
	Concepts   map[string]string     // label of a dimension or attribute by its ID in lower case
}

// A CodeList is a list of codes with their labels, in the office's order.
type CodeList struct {
	Name    string // as the source writes it: "CL_FREQ", "geo"
	Version string // where the source states one: "2.1", "2021"
	Codes   []Code
	// Partial says that the list holds only the codes that one dataset has, so
	// that its order says little.
	Partial bool
}

// A Structure says what a dataset is made of: an SDMX data structure
// definition (or the dataflow that uses it), a PX file's header.
type Structure struct {
	ID          string      `json:"id"`             // as the source writes it: "ECB_EXR1", "nama_10_gdp"
	Uses        string      `json:"uses,omitempty"` // the structure that says the rest, where a dataflow names one
	Title       string      `json:"title,omitempty"`
	Dimensions  []Component `json:"dimensions,omitempty"` // in the source's order, geography among them, time not
	Time        string      `json:"time,omitempty"`       // ID of the time dimension
	Measure     string      `json:"measure,omitempty"`    // ID of the primary measure: "OBS_VALUE"
	Attributes  []Component `json:"attributes,omitempty"`
	Updated     time.Time   `json:"updated,omitzero"`
	MetadataURL string      `json:"metadata_url,omitempty"`
}

// A Component is a dimension or an attribute of a [Structure].
type Component struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty"`
	List  string `json:"list,omitempty"`  // name of its code list
	Role  Role   `json:"role,omitempty"`  // [RoleOther] or empty where the structure states none
	Total string `json:"total,omitempty"` // code that the office names as the total
}

// ListName is the key of a code list in [Dictionary.Lists].
func ListName(name string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "cl_")
}

// NewDictionary makes an empty dictionary of a source.
func NewDictionary(source string) *Dictionary {
	return &Dictionary{
		Source: source, Lists: map[string]*CodeList{},
		Structures: map[string]*Structure{}, Concepts: map[string]string{},
	}
}

// Structure returns the structure with a name, that of the structure it uses
// filled in; nil if there is none with dimensions.
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
	whole := *used
	whole.ID, whole.Uses, whole.Title, whole.Updated, whole.MetadataURL = s.ID, s.Uses, s.Title, s.Updated, s.MetadataURL
	return &whole
}

// About returns what is said of the dataset with a code apart from its
// dimensions (title, time of update, address of explanations); the zero
// Structure if nothing is.
func (d *Dictionary) About(dataset string) Structure {
	if d == nil || d.Structures[strings.ToLower(dataset)] == nil {
		return Structure{}
	}
	return *d.Structures[strings.ToLower(dataset)]
}

// List returns the code list of a dataset's dimension: the one that the
// dataset's structure names, else the one that bears the dimension's name;
// nil if there is none.
func (d *Dictionary) List(dataset, dimension string) *CodeList {
	if d == nil {
		return nil
	}
	if s := d.Structure(dataset); s != nil {
		for _, c := range s.Dimensions {
			if list := d.Lists[ListName(c.List)]; c.List != "" && list != nil && strings.EqualFold(c.ID, dimension) {
				return list
			}
		}
	}
	return d.Lists[ListName(dimension)]
}

// Label returns the label of a dataset's dimension; "" if there is none.
func (d *Dictionary) Label(dataset, dimension string) string {
	if d == nil {
		return ""
	}
	if s := d.Structure(dataset); s != nil {
		for _, c := range s.Dimensions {
			if c.Label != "" && strings.EqualFold(c.ID, dimension) {
				return c.Label
			}
		}
	}
	return d.Concepts[strings.ToLower(dimension)]
}
