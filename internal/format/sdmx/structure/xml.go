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
	name, rest := text.FirstElement(head)
	attributes, _, _ := bytes.Cut(rest, []byte(">"))
	return name == "Structure" && bytes.Contains(bytes.ToLower(attributes), []byte("sdmx"))
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
	in    io.Reader
	left  int
	large error
}

var errLarge = errors.New("the message is larger than 256 MiB")

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, b.large
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
	r := &xmlReader{decoder: newDecoder(&bounded{in, maxText, errLarge})}
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
		file   *stat.FileError
		answer *MessageError
		syntax *xml.SyntaxError
	)
	switch {
	case errors.As(err, &file), errors.As(err, &answer), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &syntax):
		return r.bad("this is no XML: %s", syntax.Msg)
	}
	return r.bad("the message cannot be read: %v", err)
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
			id: attr(start.Attr, "id"), agency: attr(start.Attr, "agencyID"), version: attr(start.Attr, "version"),
			partial: attr(start.Attr, "isPartial") == "true",
		})
		r.list = &r.lists[len(r.lists)-1]
		if r.list.id == "" {
			return r.bad("a code list without an id")
		}
		return nil
	case "ConceptScheme":
		r.scheme = attr(start.Attr, "id")
		return nil
	}
	r.open = r.open[:len(r.open)-1]
	return r.part(start)
}

// part reads one of the things that a message is made of, or passes over
// anything else.
func (r *xmlReader) part(start xml.StartElement) error {
	if !slices.Contains([]string{"Header", "Code", "Concept", "DataStructure", "KeyFamily", "Dataflow"}, start.Name.Local) {
		return r.decoder.Skip()
	}
	var n node
	if err := r.decoder.DecodeElement(&n, &start); err != nil {
		return err
	}
	label := Best(n.texts("Name"), "")
	switch start.Name.Local {
	case "Header":
		r.prepared, r.sender = n.at("Prepared").Text, n.at("Sender").attr("id")
	case "Code":
		if r.list == nil {
			return nil
		}
		id := cmp.Or(n.attr("id"), n.attr("value")) // value is of 2.0, whose label is the description
		if id == "" {
			return r.bad("a code of the list %s without an id", r.list.id)
		}
		r.list.codes = append(r.list.codes, stat.Code{ID: id, Label: cmp.Or(label, Best(n.texts("Description"), ""))})
	case "Concept":
		r.concepts = append(r.concepts, concept{r.scheme, n.attr("id"), label, n.at("CoreRepresentation", "Enumeration").id()})
	case "Dataflow":
		uses := cmp.Or(n.at("Structure").id(), n.at("KeyFamilyRef", "KeyFamilyID").Text)
		r.flows = append(r.flows, dataflow{n.attr("id"), n.attr("agencyID"), label, uses})
	default:
		isReference := len(n.at("DataStructureComponents", "DimensionList").Children)+len(n.at("Components").Children) == 0
		if s := n.structure(); s.id != "" && !isReference {
			r.structures = append(r.structures, s)
		}
	}
	return nil
}

// attr is the value of an attribute, whatever its namespace.
func attr(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// node is an element with all that is in it, whichever namespace it has.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []node     `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (n *node) attr(name string) string { return attr(n.Attrs, name) }

// at is the first element at a path; an empty one where there is none.
func (n *node) at(path ...string) *node {
	for _, name := range path {
		i := slices.IndexFunc(n.Children, func(c node) bool { return c.XMLName.Local == name })
		if i < 0 {
			return &node{}
		}
		n = &n.Children[i]
	}
	return n
}

// texts are the texts of the children with a name.
func (n *node) texts(name string) (texts []Text) {
	for i := range n.Children {
		if c := &n.Children[i]; c.XMLName.Local == name {
			texts = append(texts, Text{c.attr("lang"), c.Text})
		}
	}
	return texts
}

// reference is the ID of what an element refers to, and of what that belongs to:
// by an element Ref in 2.1, by a URN in 3.0 (and in an element URN in 2.1).
func (n *node) reference() (scheme, id string) {
	if ref := n.at("Ref"); ref.attr("id") != "" {
		return ref.attr("maintainableParentID"), ref.attr("id")
	}
	return parseReference(cmp.Or(n.at("URN").Text, n.Text))
}

// id is the ID of what an element refers to.
func (n *node) id() string {
	_, id := n.reference()
	return id
}

// component is what the element says of a dimension or attribute. Version 2.0
// says it in attributes.
func (n *node) component() component {
	scheme, id := n.at("ConceptIdentity").reference()
	c := component{
		scheme: cmp.Or(scheme, n.attr("conceptSchemeRef")), concept: cmp.Or(id, n.attr("conceptRef")),
		list:        cmp.Or(n.at("LocalRepresentation", "Enumeration").id(), n.attr("codelist")),
		isFrequency: n.attr("isFrequencyDimension") == "true", isMeasure: n.XMLName.Local == "MeasureDimension",
	}
	c.id = cmp.Or(n.attr("id"), c.concept)
	c.position, _ = strconv.Atoi(n.attr("position")) // 0 where it is none
	for i := range n.Children {
		if role := &n.Children[i]; role.XMLName.Local == "ConceptRole" {
			c.role = cmp.Or(c.role, role.id())
		}
	}
	return c
}

// structure is what a DataStructure (2.1, 3.0) or a KeyFamily (2.0) says.
func (n *node) structure() structure {
	s := structure{id: n.attr("id"), agency: n.attr("agencyID"), title: Best(n.texts("Name"), "")}
	all := n.at("DataStructureComponents")
	for _, group := range []*node{all.at("DimensionList"), all.at("AttributeList"), all.at("MeasureList"), n.at("Components")} {
		for i := range group.Children {
			c := group.Children[i].component()
			if c.id == "" {
				continue // a group, a name
			}
			switch group.Children[i].XMLName.Local {
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
