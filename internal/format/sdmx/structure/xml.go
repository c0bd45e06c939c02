package structure

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
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
	*xml.Decoder
	depth   int
	isBegun bool // the root was read
}

func readXML(in io.Reader) (*message, error) {
	r := &xmlReader{Decoder: xml.NewDecoder(&bounded{in, maxText, errLarge})}
	r.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	m := &message{}
	start, err := r.next()
	if err == nil {
		err = r.decode(m, start)
	}
	if err == nil {
		_, err = r.next()
	}
	if !errors.Is(err, io.EOF) {
		return nil, r.where(err)
	}
	m.isOld = slices.ContainsFunc(start.Attr, func(a xml.Attr) bool { return strings.Contains(strings.ToLower(a.Value), "/v2_0/") })
	m.Data.join(m.parts)
	return m, nil
}

// join adds the parts of version 2.0, and brings those of all versions into one
// form.
func (p *parts) join(old parts) {
	p.Lists = slices.Concat(p.Lists, p.OldLists, old.Lists, old.OldLists)
	p.Schemes = slices.Concat(p.Schemes, p.NewSchemes, old.Schemes, old.NewSchemes)
	p.Structures = slices.Concat(p.Structures, p.OldStructures, old.Structures, old.OldStructures)
	p.Flows = slices.Concat(p.Flows, old.Flows)
	for _, c := range slices.Concat(p.OldConcepts, old.OldConcepts) { // of no scheme
		p.Schemes = append(p.Schemes, scheme{Concepts: []concept{c}})
	}
	for i := range p.Flows {
		f := &p.Flows[i]
		f.Uses.id = cmp.Or(f.Uses.id, f.KeyFamily)
	}
	for i := range p.Structures {
		s := &p.Structures[i]
		for _, list := range append(s.XML.Lists, s.Old) {
			for _, c := range list.All {
				s.add(c.XMLName.Local, c)
			}
		}
	}
	p.Structures = slices.DeleteFunc(p.Structures, func(s structure) bool { return s.isReference() })
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
	return r.bad("%v", err)
}

var errNoCode = errors.New("code without an id")

// UnmarshalXML reads a code list, which must have an ID, and so must its codes.
func (l *codelist) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	id := attr(start, "id")
	if id == "" {
		return errors.New("code list without an id")
	}
	type plain codelist
	err := d.DecodeElement((*plain)(l), &start)
	l.Partial = attr(start, "isPartial") == "true"
	if errors.Is(err, errNoCode) {
		return fmt.Errorf("%w in the list %s", err, id)
	}
	return err
}

// UnmarshalXML reads a code.
func (c *code) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain code
	if err := d.DecodeElement((*plain)(c), &start); err != nil {
		return err
	}
	if c.ID = cmp.Or(c.ID, c.Value); c.ID == "" {
		return errNoCode
	}
	return nil
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
