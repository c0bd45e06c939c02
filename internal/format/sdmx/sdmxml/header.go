package sdmxml

import (
	"bytes"
	"cmp"
	"strings"
	"time"
)

// header is what the head of a message says.
type header struct {
	id       string
	name     string // English where there is one
	nameIn   string // the language of name
	sender   string
	prepared time.Time
	updated  time.Time // when the data were extracted

	dataSet   string // DataSetID
	action    string
	keyFamily string // of SDMX 2.0: the structure's ID
	agency    string // whose structure it is
	cut       string // the words in which the message says that it is cut
	about     []reference
}

// reference is what the head says of a structure that data sets name.
type reference struct {
	name      string // by which data sets name it
	at        string // the dimension that the observations bear
	flow      string // ID of the dataflow, if one is named
	structure string // ID of the structure, if that is named
	agency    string
	byMeasure bool // observations are of the types of their measures
}

// readHeader reads the Header element, whose start tag was read.
func (s *scanner) readHeader() (h header, err error) {
	err = s.children(func() error {
		text := func(into *string) error {
			content, err := s.content()
			if *into == "" {
				*into = content
			}
			return err
		}
		switch string(s.name) {
		case "ID":
			return text(&h.id)
		case "DataSetID":
			return text(&h.dataSet)
		case "DataSetAction":
			return text(&h.action)
		case "KeyFamilyRef":
			return text(&h.keyFamily)
		case "KeyFamilyAgency":
			return text(&h.agency)
		case "Sender":
			h.sender = s.attribute("id")
		case "Name":
			return h.readName(s)
		case "Truncated":
			content, err := s.content()
			if content == "true" || content == "1" {
				h.cut = "Truncated"
			}
			return err
		case "Prepared", "Extracted":
			into := &h.prepared
			if s.name[0] == 'E' {
				into = &h.updated
			}
			content, err := s.content()
			*into = readTime(content)
			return err
		case "Structure":
			r, err := s.readReference()
			h.about = append(h.about, r)
			return err
		}
		return s.skip()
	})
	return h, err
}

// readName takes one of several names in: English, else one without a
// language, else the first.
func (h *header) readName(s *scanner) error {
	language := strings.ToLower(s.attribute("lang"))
	name, err := s.content()
	rank := func(language string) int {
		switch {
		case language == "en" || strings.HasPrefix(language, "en-"):
			return 2
		case language == "":
			return 1
		}
		return 0
	}
	if h.name == "" || rank(language) > rank(h.nameIn) {
		h.name, h.nameIn = name, language
	}
	return err
}

// readReference reads a Structure element of the head. What it refers to
// stands there as a Ref element or as a URN.
func (s *scanner) readReference() (reference, error) {
	r := reference{
		name: s.attribute("structureID"), at: s.attribute("dimensionAtObservation"),
		byMeasure: s.attribute("explicitMeasures") == "true",
	}
	err := s.children(func() error {
		into := new(string) // an agreement of provision says whose the data are, no more
		switch string(s.name) {
		case "StructureUsage":
			into = &r.flow
		case "Structure":
			into = &r.structure
		}
		return s.readTarget(func(agency, id string) {
			*into = id
			r.agency = cmp.Or(r.agency, agency)
		})
	})
	return r, err
}

// readTarget reads what an element refers to.
func (s *scanner) readTarget(found func(agency, id string)) error {
	depth := len(s.starts)
	if s.closing {
		return s.skip()
	}
	for {
		t, err := s.next()
		if err != nil {
			return err
		}
		switch {
		case t == tokenOpen && string(s.name) == "Ref":
			found(s.attribute("agencyID"), s.attribute("id"))
		case t == tokenText:
			if agency, id, ok := parseURN(string(bytes.TrimSpace(s.text))); ok {
				found(agency, id)
			}
		case t == tokenClose && len(s.starts) < depth:
			return nil
		}
	}
}

// children calls visit at the start tag of each element in the one whose start
// tag was read last; visit reads it to its end.
func (s *scanner) children(visit func() error) error {
	for {
		t, err := s.next()
		if err != nil {
			return err
		}
		switch t {
		case tokenClose:
			return nil
		case tokenOpen:
			if err := visit(); err != nil {
				return err
			}
		}
	}
}

// attribute is the value of an attribute of the last start tag; "" if it has
// none of that name.
func (s *scanner) attribute(name string) string { return string(s.raw(name)) }

// raw is the value of an attribute until the next tag is read.
func (s *scanner) raw(name string) []byte {
	for _, f := range s.fields {
		if string(f.name) == name && !isDeclared(f.prefix, f.name) {
			return f.value
		}
	}
	return nil
}

// isDeclared reports whether an attribute declares a namespace.
func isDeclared(prefix, name []byte) bool {
	return string(prefix) == "xmlns" || len(prefix) == 0 && string(name) == "xmlns"
}

// parseURN takes agency and ID out of the name of a structure:
// urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=ECB:ECB_EXR1(1.0).
func parseURN(urn string) (agency, id string, ok bool) {
	class, rest, found := strings.Cut(urn, "=")
	if !found || !strings.HasPrefix(class, "urn:sdmx:") {
		return "", "", false
	}
	agency, id, found = strings.Cut(rest, ":")
	if at := strings.IndexAny(id, "(:"); at >= 0 {
		id = id[:at]
	}
	return agency, id, found && id != ""
}

// timeForms are the ways in which messages write a time; one without a zone
// counts as UTC.
var timeForms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02Z07:00", "2006-01-02"}

// readTime reads a time; what is none is the zero Time.
func readTime(text string) time.Time {
	for _, form := range timeForms {
		if t, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return t
		}
	}
	return time.Time{}
}
