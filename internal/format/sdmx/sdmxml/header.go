package sdmxml

import (
	"bytes"
	"cmp"
	"time"

	"almanac/internal/format/sdmx"
)

// header is what the head of a message says.
type header struct {
	id       string
	name     string
	nameRank int // how much the language of name is wanted
	sender   string
	prepared time.Time
	updated  time.Time // when the data were extracted

	dataSet    string // DataSetID
	action     string
	keyFamily  string // of SDMX 2.0: the structure's ID
	agency     string // whose structure it is
	partial    string // the words in which the message says that it is cut
	references []reference
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
	texts := map[string]*string{"ID": &h.id, "DataSetID": &h.dataSet, "DataSetAction": &h.action, "KeyFamilyRef": &h.keyFamily, "KeyFamilyAgency": &h.agency}
	err = s.children(func() (err error) {
		switch name := string(s.name); name {
		case "Sender":
			h.sender = s.attribute("id")
		case "Name":
			rank := sdmx.LanguageRank(s.attribute("lang"), "")
			content, err := s.content()
			if h.name == "" || rank > h.nameRank {
				h.name, h.nameRank = content, rank
			}
			return err
		case "Structure":
			r, err := s.readReference()
			h.references = append(h.references, r)
			return err
		case "Truncated", "Prepared", "Extracted":
			content, err := s.content()
			switch name {
			case "Truncated":
				if content == "true" || content == "1" {
					h.partial = "Truncated"
				}
			case "Prepared":
				h.prepared = sdmx.ParseTime(content)
			case "Extracted":
				h.updated = sdmx.ParseTime(content)
			}
			return err
		default:
			if to := texts[name]; to != nil && *to == "" {
				*to, err = s.content()
				return err
			}
		}
		return s.skip()
	})
	return h, err
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
			if agency, id, _ := sdmx.ParseURN(string(bytes.TrimSpace(s.text))); id != "" {
				found(agency, id)
			}
		case t == tokenClose && len(s.starts) < depth:
			return nil
		}
	}
}
