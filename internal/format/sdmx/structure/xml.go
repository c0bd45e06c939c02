package structure

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Bounds of a message.
const (
	maxDepth = 64        // of elements within each other
	maxText  = 256 << 20 // bytes of a whole message
)

// recogniseXML knows a message by its outermost element: Structure, of SDMX.
func recogniseXML(_ string, head []byte) bool {
	decoder := newDecoder(bytes.NewReader(bytes.TrimPrefix(head, text.ByteOrderMark)))
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return false
		}
		root, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		return root.Name.Local == "Structure" && slices.ContainsFunc(root.Attr, func(a xml.Attr) bool {
			return (a.Name.Space == "xmlns" || a.Name.Local == "xmlns") && strings.Contains(strings.ToLower(a.Value), "sdmx")
		})
	}
}

// newDecoder makes a decoder of text that has been decoded before.
func newDecoder(in io.Reader) *xml.Decoder {
	d := xml.NewDecoder(in)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

// learnXML reads a message.
func learnXML(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	declared := ""
	head := make([]byte, 1024)
	if looked, err := in.Again(); err == nil {
		n, _ := io.ReadFull(looked, head) // what cannot be read is met again
		looked.Close()
		declared = encodingOf(head[:n])
	}
	file, err := text.Open(in.Again, cmp.Or(in.Encoding, declared), &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := readXML(file)
	if err != nil {
		return nil, err
	}
	return m.dictionary(in.Source)
}

// encodingOf is what the first line of XML declares.
func encodingOf(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte("?>"))
	_, after, found := strings.Cut(string(line), "encoding=")
	if !found || len(after) < 2 {
		return ""
	}
	name, _, _ := strings.Cut(after[1:], after[:1])
	return name
}

// bounded ends with an error after so many bytes.
type bounded struct {
	in   io.Reader
	left int
}

var errLarge = errors.New("the message is larger than 256 MiB")

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errLarge
	}
	return n, err
}

// xmlReader reads the elements of a message.
type xmlReader struct {
	message
	decoder *xml.Decoder
	isBegun bool      // the root was met
	open    []string  // the elements that are open
	list    *codelist // the list that is open
	scheme  string    // the concept scheme that is open
}

// readXML reads a message whole.
func readXML(in io.Reader) (*message, error) {
	r := &xmlReader{decoder: newDecoder(&bounded{in, maxText})}
	for {
		start, err := r.next()
		if err == nil {
			err = r.element(start)
		}
		if errors.Is(err, io.EOF) {
			return &r.message, nil
		}
		if err != nil {
			return nil, r.where(err)
		}
	}
}

// next goes on to the next start tag; [io.EOF] at the end of a message. An
// element that the caller reads to its end is to be left.
func (r *xmlReader) next() (start xml.StartElement, err error) {
	for {
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) && !r.isBegun {
			return start, io.ErrUnexpectedEOF
		}
		if err != nil {
			return start, err
		}
		switch t := token.(type) {
		case xml.Directive:
			return start, r.bad("<!%.20s…> is not read: a message has no document type", t)
		case xml.StartElement:
			if len(r.open) == 0 {
				if t.Name.Local == "Error" && !r.isBegun {
					return start, readError(r.decoder)
				}
				if r.isBegun || t.Name.Local != "Structure" && t.Name.Local != "RegistryInterface" {
					return start, r.bad("the element %s stands where the one element Structure of a message should", t.Name.Local)
				}
				r.isBegun = true
			}
			if r.open = append(r.open, t.Name.Local); len(r.open) > maxDepth {
				return start, r.bad("elements stand within each other more than %d deep", maxDepth)
			}
			return t, nil
		case xml.EndElement:
			r.open = r.open[:len(r.open)-1]
			switch t.Name.Local {
			case "Codelist", "CodeList":
				r.list = nil
			case "ConceptScheme":
				r.scheme = ""
			}
		}
	}
}

// where gives an error its place.
func (r *xmlReader) where(err error) error {
	var (
		syntax *xml.SyntaxError
		large  = errors.Is(err, errLarge) || errors.Is(err, io.ErrUnexpectedEOF)
	)
	switch {
	case errors.As(err, &syntax):
		return r.bad("this is no XML: %s", syntax.Msg)
	case large:
		return r.bad("the message cannot be read: %v", err)
	}
	return err
}

func (r *xmlReader) bad(message string, args ...any) error {
	line, column := r.decoder.InputPos()
	return stat.BadFile(stat.Position{Line: line, Column: column}, message, args...)
}

// element reads an element that matters, with all that is in it, or enters it.
func (r *xmlReader) element(start xml.StartElement) error {
	switch start.Name.Local {
	case "Structure", "RegistryInterface": // the whole message
		r.old = slices.ContainsFunc(start.Attr, func(a xml.Attr) bool { return strings.Contains(strings.ToLower(a.Value), "/v2_0/") })
		return nil
	case "Structures", "Codelists", "CodeLists", "Concepts", "ConceptSchemes", "DataStructures", "KeyFamilies", "Dataflows":
		return nil
	case "Codelist", "CodeList":
		r.lists = append(r.lists, codelist{
			id: attr(start, "id"), agency: attr(start, "agencyID"), version: attr(start, "version"),
			partial: attr(start, "isPartial") == "true",
		})
		r.list = &r.lists[len(r.lists)-1]
		if r.list.id == "" {
			return r.bad("a code list without an id")
		}
		return nil
	case "ConceptScheme":
		r.scheme = attr(start, "id")
		return nil
	}
	r.open = r.open[:len(r.open)-1]
	return r.part(start)
}

// part reads one of the things that a message is made of, or passes over
// anything else.
func (r *xmlReader) part(start xml.StartElement) error {
	switch start.Name.Local {
	case "Header":
		var header xmlHeader
		err := r.decoder.DecodeElement(&header, &start)
		r.prepared, r.sender = header.Prepared, header.Sender.ID
		return err
	case "Code":
		var code xmlCode
		if err := r.decoder.DecodeElement(&code, &start); err != nil || r.list == nil {
			return err
		}
		if id := strings.TrimSpace(cmp.Or(code.ID, code.Value)); id != "" {
			r.list.codes = append(r.list.codes, stat.Code{ID: id, Label: cmp.Or(Best(code.Name, ""), Best(code.Text, ""))})
			return nil
		}
		return r.bad("a code of the list %s without an id", r.list.id)
	case "Concept":
		var c xmlConcept
		err := r.decoder.DecodeElement(&c, &start)
		r.concepts = append(r.concepts, concept{r.scheme, c.ID, Best(c.Name, ""), c.List.id()})
		return err
	case "DataStructure", "KeyFamily":
		var s xmlStructure
		err := r.decoder.DecodeElement(&s, &start)
		if s.ID != "" && (len(s.New.Dimensions.All)+len(s.Old.All) > 0) {
			r.structures = append(r.structures, s.structure())
		}
		return err
	case "Dataflow":
		var f xmlFlow
		err := r.decoder.DecodeElement(&f, &start)
		r.flows = append(r.flows, dataflow{f.ID, f.Agency, Best(f.Names, ""), cmp.Or(f.Uses.id(), f.Old.ID)})
		return err
	}
	return r.decoder.Skip()
}

func attr(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// The elements of a message as encoding/xml reads them, whichever namespace
// they have.

type xmlHeader struct {
	Prepared string `xml:"Prepared"`
	Sender   struct {
		ID string `xml:"id,attr"`
	} `xml:"Sender"`
}

type xmlCode struct {
	ID    string `xml:"id,attr"`     // 2.1 and 3.0
	Value string `xml:"value,attr"`  // 2.0
	Name  []Text `xml:"Name"`        // 2.1 and 3.0: the label
	Text  []Text `xml:"Description"` // 2.0: the label; else an explanation
}

type xmlConcept struct {
	ID   string       `xml:"id,attr"`
	Name []Text       `xml:"Name"`
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
	return parseReference(cmp.Or(r.URN, r.Text))
}

// xmlStructure is a DataStructure (2.1, 3.0) or a KeyFamily (2.0).
type xmlStructure struct {
	ID     string `xml:"id,attr"`
	Agency string `xml:"agencyID,attr"`
	Name   []Text `xml:"Name"`
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
	XMLName   xml.Name
	ID        string         `xml:"id,attr"`
	Position  string         `xml:"position,attr"`
	Concept   string         `xml:"conceptRef,attr"`           // 2.0
	OldScheme string         `xml:"conceptSchemeRef,attr"`     // 2.0
	OldList   string         `xml:"codelist,attr"`             // 2.0
	Frequency string         `xml:"isFrequencyDimension,attr"` // 2.0
	Identity  xmlReference   `xml:"ConceptIdentity"`
	Roles     []xmlReference `xml:"ConceptRole"`
	List      xmlReference   `xml:"LocalRepresentation>Enumeration"`
}

// component is what the element says of a dimension or attribute.
func (x *xmlComponent) component() component {
	scheme, id := x.Identity.both()
	c := component{
		scheme: cmp.Or(scheme, x.OldScheme), concept: cmp.Or(id, x.Concept),
		list: cmp.Or(x.List.id(), x.OldList), isFrequency: x.Frequency == "true", isMeasure: x.XMLName.Local == "MeasureDimension",
	}
	c.id = cmp.Or(x.ID, c.concept)
	c.position, _ = strconv.Atoi(x.Position) // 0 where it is none
	for _, role := range x.Roles {
		c.role = cmp.Or(c.role, role.id())
	}
	return c
}

// structure is what the element says as a whole.
func (x *xmlStructure) structure() structure {
	s := structure{id: x.ID, agency: x.Agency, title: Best(x.Name, "")}
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
	Dataflow
	Uses xmlReference `xml:"Structure"`
	Old  struct {
		ID string `xml:"KeyFamilyID"`
	} `xml:"KeyFamilyRef"` // 2.0
	Annotations []struct {
		ID    string   `xml:"id,attr"`
		Title []string `xml:"AnnotationTitle"`
		Text  []string `xml:"AnnotationText"`
	} `xml:"Annotations>Annotation"`
}
