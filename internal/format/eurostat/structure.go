package eurostat

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// structure is what an SDMX-ML structure message of Eurostat says, in version
// 2.0 (bulk files until 2023) or 2.1.
type structure struct {
	prepared string
	ours     bool // Eurostat sent it
	lists    []xmlList
	concepts []xmlConcept
	datasets []xmlDataset
}

// xmlText is a text in one language.
type xmlText struct {
	Lang     string `xml:"lang,attr"`     // in structures
	Language string `xml:"language,attr"` // in tables of contents
	Text     string `xml:",chardata"`
}

// xmlList is a code list: Codelist in 2.1, CodeList in 2.0.
type xmlList struct {
	ID      string `xml:"id,attr"`
	Version string `xml:"version,attr"`
	Partial bool   `xml:"isPartial,attr"`
	Codes   []struct {
		ID    string    `xml:"id,attr"`     // 2.1
		Value string    `xml:"value,attr"`  // 2.0
		Name  []xmlText `xml:"Name"`        // 2.1: the label
		Text  []xmlText `xml:"Description"` // 2.0: the label; 2.1: an explanation
	} `xml:"Code"`
}

// xmlConcept names what a dimension is.
type xmlConcept struct {
	ID   string    `xml:"id,attr"`
	Name []xmlText `xml:"Name"`
}

// xmlDataset is a DataStructure (2.1) or a KeyFamily (2.0).
type xmlDataset struct {
	ID  string         `xml:"id,attr"`
	New []xmlDimension `xml:"DataStructureComponents>DimensionList>Dimension"`
	Old []xmlDimension `xml:"Components>Dimension"`
}

// xmlDimension is a dimension of a dataset and the code list it uses.
type xmlDimension struct {
	ID      string `xml:"id,attr"`         // 2.1
	Concept string `xml:"conceptRef,attr"` // 2.0
	OldList string `xml:"codelist,attr"`   // 2.0
	List    struct {
		ID string `xml:"id,attr"`
	} `xml:"LocalRepresentation>Enumeration>Ref"` // 2.1
}

// readStructure reads a structure message.
func readStructure(in io.Reader) (structure, error) {
	var s structure
	decoder := newDecoder(in)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if start, ok := token.(xml.StartElement); ok {
			if err := s.element(decoder, start); err != nil {
				return s, err
			}
		}
	}
}

// element reads one element that matters, with all that is in it.
func (s *structure) element(decoder *xml.Decoder, start xml.StartElement) error {
	switch start.Name.Local {
	case "Prepared":
		return decoder.DecodeElement(&s.prepared, &start)
	case "Sender":
		for _, a := range start.Attr {
			id := a.Name.Local == "id"
			s.ours = s.ours || id && (strings.EqualFold(a.Value, "ESTAT") || strings.EqualFold(a.Value, "EUROSTAT"))
		}
	case "Codelist", "CodeList":
		var list xmlList
		err := decoder.DecodeElement(&list, &start)
		s.lists = append(s.lists, list)
		return err
	case "Concept":
		var c xmlConcept
		err := decoder.DecodeElement(&c, &start)
		s.concepts = append(s.concepts, c)
		return err
	case "DataStructure", "KeyFamily":
		var d xmlDataset
		err := decoder.DecodeElement(&d, &start)
		s.datasets = append(s.datasets, d)
		return err
	}
	return nil
}

// addStructure takes in what a structure message of Eurostat says. Other
// agencies' lists of the same names have other codes.
func (l *library) addStructure(file string, s structure) {
	if !s.ours {
		return
	}
	for _, list := range s.lists {
		d := list.dictionary()
		name := strings.ToUpper(strings.TrimPrefix(list.ID, "CL_"))
		l.sources[name] = append(l.sources[name], source{
			file:    file,
			vintage: list.vintage(s.prepared),
			partial: list.Partial || len(s.datasets) > 0,
			read:    func() (dictionary, error) { return d, nil },
		})
	}
	for _, c := range s.concepts {
		l.nameDimension(strings.ToLower(c.ID), c, s.prepared)
	}
	for _, d := range s.datasets {
		code := strings.TrimSuffix(strings.ToLower(d.ID), "_dsd")
		for _, dim := range append(d.New, d.Old...) {
			id := cmp.Or(dim.ID, dim.Concept)
			used := strings.ToUpper(strings.TrimPrefix(cmp.Or(dim.List.ID, dim.OldList), "CL_"))
			l.uses[ofDataset(code, id)] = used
			l.uses[strings.ToLower(id)] = used
			for _, c := range s.concepts {
				if strings.EqualFold(c.ID, id) {
					l.nameDimension(ofDataset(code, id), c, s.prepared)
				}
			}
		}
	}
}

// nameDimension keeps a concept's name, unless a newer file has named it.
func (l *library) nameDimension(key string, c xmlConcept, prepared string) {
	label := english(c.Name)
	if label != "" && l.concepts[key].prepared <= prepared {
		l.concepts[key] = concept{label, prepared}
	}
}

// dictionary is the list's codes with their English labels.
func (x *xmlList) dictionary() dictionary {
	var d dictionary
	for _, c := range x.Codes {
		label := english(c.Name)
		if label == "" {
			label = english(c.Text)
		}
		if id := strings.TrimSpace(cmp.Or(c.ID, c.Value)); id != "" && label != "" {
			d.codes = append(d.codes, stat.Code{ID: id, Label: label})
		}
	}
	return d
}

// vintage is that of the list's version, or, in 2.0, of the year in which the
// message was prepared.
func (x *xmlList) vintage(prepared string) vintage {
	if x.Version != "" && !strings.HasPrefix(x.ID, "CL_") {
		return versionVintage(x.Version)
	}
	year, _, _ := strings.Cut(prepared, "-")
	v := vintage{}
	v[1], _ = strconv.Atoi(year)
	return v
}

// english chooses among the languages of a text: English, else one without a
// language, else the first.
func english(texts []xmlText) string {
	for _, want := range []string{"en", ""} {
		for _, t := range texts {
			if strings.EqualFold(t.Lang+t.Language, want) && tidy(t.Text) != "" {
				return tidy(t.Text)
			}
		}
	}
	for _, t := range texts {
		if text := tidy(t.Text); text != "" {
			return text
		}
	}
	return ""
}
