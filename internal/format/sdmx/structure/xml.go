package structure

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// Bounds of a message.
const (
	maxDepth = 64        // of nested elements
	maxText  = 256 << 20 // bytes of a whole message
)

// recogniseXML recognises a message by its root: Structure, of SDMX.
func recogniseXML(_ string, head []byte) bool {
	name, attributes := sdmx.Root(head)
	return name == "Structure" && strings.Contains(attributes, "sdmx")
}

func learnXML(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	file, err := sdmx.OpenXML(&in, &stat.Report{})
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

// bounded fails with an error after a number of bytes.
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
	*xml.Decoder
	depth   int
	isBegun bool      // the root was read
	list    *codelist // the list that is open
}

func readXML(in io.Reader) (*message, error) {
	r := &xmlReader{Decoder: xml.NewDecoder(&bounded{in, maxText, errLarge})}
	r.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
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

// next goes on to the next start tag; [io.EOF] at the end of a message.
func (r *xmlReader) next() (start xml.StartElement, err error) {
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) && !r.isBegun {
			return start, io.ErrUnexpectedEOF
		}
		if err != nil {
			return start, err
		}
		switch t := token.(type) {
		case xml.Directive:
			return start, r.bad("<!%.20s…> is not supported: a message has no document type", t)
		case xml.StartElement:
			root := t.Name.Local
			switch {
			case r.depth > 0:
			case root == "Error" && !r.isBegun:
				return start, readError(r.Decoder)
			case r.isBegun || root != "Structure" && root != "RegistryInterface":
				return start, r.bad("unexpected element %s; a message is one element Structure", root)
			}
			r.isBegun = true
			if r.depth++; r.depth > maxDepth {
				return start, r.bad("elements are nested more than %d deep", maxDepth)
			}
			return t, nil
		case xml.EndElement:
			r.depth--
			if t.Name.Local == "Codelist" || t.Name.Local == "CodeList" {
				r.list = nil
			}
		}
	}
}

// decode reads an element to its end.
func (r *xmlReader) decode(into any, start xml.StartElement) error {
	r.depth--
	return r.DecodeElement(into, &start)
}

func (r *xmlReader) bad(message string, args ...any) error {
	line, column := r.InputPos()
	return stat.BadFile(stat.Position{Line: line, Column: column}, message, args...)
}

// where adds the position to an error.
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
		return r.bad("invalid XML: %s", syntax.Msg)
	}
	return r.bad("cannot read the message: %v", err)
}

// element enters an element, or reads it to its end.
func (r *xmlReader) element(start xml.StartElement) error {
	switch start.Name.Local {
	case "Structure", "RegistryInterface": // the whole message
		r.isOld = slices.ContainsFunc(start.Attr, func(a xml.Attr) bool { return strings.Contains(strings.ToLower(a.Value), "/v2_0/") })
	case "Structures", "Codelists", "CodeLists", "Concepts", "ConceptSchemes", "DataStructures", "KeyFamilies", "Dataflows":
	case "Codelist", "CodeList":
		l := codelist{item: item{ID: attr(start, "id"), Agency: attr(start, "agencyID"), Version: attr(start, "version")}, Partial: attr(start, "isPartial") == "true"}
		if l.ID == "" {
			return r.bad("code list without an id")
		}
		r.Data.Lists = append(r.Data.Lists, l)
		r.list = &r.Data.Lists[len(r.Data.Lists)-1]
	default:
		return r.part(start)
	}
	return nil
}

// part reads a part of the message, or skips any other element.
func (r *xmlReader) part(start xml.StartElement) (err error) {
	switch start.Name.Local {
	case "Header":
		err = r.decode(&r.Meta, start)
	case "Code":
		var c code
		if err = r.decode(&c, start); err != nil || r.list == nil {
			return err
		}
		if c.ID = cmp.Or(c.ID, c.Value); c.ID == "" {
			return r.bad("code without an id in the list %s", r.list.ID)
		}
		r.list.Codes = append(r.list.Codes, c)
	case "ConceptScheme":
		var s scheme
		err = r.decode(&s, start)
		r.Data.Schemes = append(r.Data.Schemes, s)
	case "Concept": // of no scheme, in version 2.0
		var c concept
		err = r.decode(&c, start)
		r.Data.Schemes = append(r.Data.Schemes, scheme{Concepts: []concept{c}})
	case "Dataflow":
		var f dataflow
		err = r.decode(&f, start)
		f.Uses.id = cmp.Or(f.Uses.id, f.KeyFamily)
		r.Data.Flows = append(r.Data.Flows, f)
	case "DataStructure", "KeyFamily":
		var s structure
		err = r.decode(&s, start)
		for _, list := range append(s.XML.Lists, s.Old) {
			for _, c := range list.All {
				s.add(c.XMLName.Local, c)
			}
		}
		if !s.isReference() {
			r.Data.Structures = append(r.Data.Structures, s)
		}
	default:
		r.depth--
		return r.Skip()
	}
	return err
}

// attr is the value of an attribute in any namespace.
func attr(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// xmlComponents is a list of components; in version 2.0, of all.
type xmlComponents struct {
	All []component `xml:",any"`
}

// UnmarshalXML reads a reference: an element Ref or URN in 2.1, a URN in 3.0.
func (r *reference) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var e struct {
		Ref struct {
			ID     string `xml:"id,attr"`
			Scheme string `xml:"maintainableParentID,attr"`
		}
		URN  string
		Text string `xml:",chardata"`
	}
	if err := d.DecodeElement(&e, &start); err != nil {
		return err
	}
	if *r = (reference{e.Ref.Scheme, e.Ref.ID}); r.id != "" {
		return nil
	}
	return r.UnmarshalText([]byte(cmp.Or(e.URN, e.Text)))
}
