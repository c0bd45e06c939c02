package sdmxml

import (
	"cmp"
	"time"

	"almanac/internal/format/sdmx"
)

// header is the header of a message.
type header struct {
	id       string
	name     string
	sender   string
	prepared time.Time
	updated  time.Time // when the data were extracted

	dataSet    string // DataSetID
	action     string
	keyFamily  string // of SDMX 2.0: the structure's ID
	agency     string // whose structure it is
	partial    string // the text that says that the message is incomplete
	references []reference
}

// reference is the header's description of a structure that data sets name.
type reference struct {
	name      string // that data sets use for it
	at        string // the dimension that the observations bear
	flow      string // ID of the dataflow, if stated
	structure string // ID of the structure, if stated
	agency    string
	byMeasure bool // observations are named after their measures
}

func (s *scanner) readHeader() (h header, err error) {
	var names []sdmx.Text
	var prepared, extracted, truncated string
	texts := map[string]*string{
		"ID": &h.id, "DataSetID": &h.dataSet, "DataSetAction": &h.action, "KeyFamilyRef": &h.keyFamily, "KeyFamilyAgency": &h.agency,
		"Prepared": &prepared, "Extracted": &extracted, "Truncated": &truncated,
	}
	err = s.children(func() (err error) {
		switch name := string(s.name); name {
		case "Sender":
			h.sender = s.attribute("id")
		case "Name":
			language := s.attribute("lang")
			content, err := s.content()
			names = append(names, sdmx.Text{Language: language, Text: content})
			return err
		case "Structure":
			r, err := s.readReference()
			h.references = append(h.references, r)
			return err
		default:
			if to := texts[name]; to != nil && *to == "" {
				*to, err = s.content()
				return err
			}
		}
		return s.skip()
	})
	h.name, h.prepared, h.updated = sdmx.Best(names, ""), sdmx.ParseTime(prepared), sdmx.ParseTime(extracted)
	if truncated == "true" || truncated == "1" {
		h.partial = "Truncated"
	}
	return h, err
}

func (s *scanner) readReference() (reference, error) {
	r := reference{
		name: s.attribute("structureID"), at: s.attribute("dimensionAtObservation"),
		byMeasure: s.attribute("explicitMeasures") == "true",
	}
	err := s.children(func() error {
		into := new(string) // a provision agreement only says whose the data are
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

// readTarget reads what an element refers to, in a Ref element or a URN within
// it.
func (s *scanner) readTarget(found func(agency, id string)) error {
	return s.walk(func() error {
		if string(s.name) == "Ref" {
			found(s.attribute("agencyID"), s.attribute("id"))
		}
		return s.readTarget(found)
	}, func() error {
		if agency, id, _ := sdmx.ParseURN(string(s.text)); id != "" {
			found(agency, id)
		}
		return nil
	})
}
