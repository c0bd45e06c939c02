package structure

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
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

// oldVersion matches the namespaces of versions 1.0 and 2.0.
var oldVersion = regexp.MustCompile(`(?i)/v[12]_0/`)

// recogniseXML recognises a message by its root element, Structure in a namespace of
// SDMX.
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

// bounded fails after a number of bytes.
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

// xmlReader reads a message element by element.
type xmlReader struct {
	*xml.Decoder
	depth   int
	hasRoot bool // the root was read
}

func newXMLReader(in *bounded) *xmlReader {
	r := &xmlReader{Decoder: xml.NewDecoder(in)}
	r.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8
	return r
}

// readXML reads the parts of a message, wherever they are in it.
func readXML(in io.Reader) (*message, error) {
	r := newXMLReader(&bounded{in, maxText, errLarge})
	m := &message{}
	var noScheme scheme
	parts := map[string]any{
		"Header": &m.Meta, "ConceptScheme": &m.Data.Schemes, "Dataflow": &m.Data.Flows,
		"Codelist": &m.Data.Lists, "DataStructure": &m.Data.Structures,
		"CodeList": &m.Data.Lists, "KeyFamily": &m.Data.Structures, "Concept": &noScheme.Concepts, // 2.0
	}
	for {
		start, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if r.depth == 1 {
			m.isOld = slices.ContainsFunc(start.Attr, func(a xml.Attr) bool { return oldVersion.MatchString(a.Value) })
		}
		if part := parts[start.Name.Local]; err == nil && part != nil {
			err = r.decode(part, start)
		}
		if err != nil {
			return nil, r.where(err)
		}
	}
	m.Data.Schemes = append(m.Data.Schemes, noScheme)
	m.complete()
	return m, nil
}

// next returns the next start tag, or [io.EOF] at the end of the message.
func (r *xmlReader) next() (start xml.StartElement, err error) {
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) && !r.hasRoot {
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
			case root == "Error" && !r.hasRoot:
				return start, readError(r.Decoder)
			case r.hasRoot || root != "Structure" && root != "RegistryInterface":
				return start, r.bad("unexpected element %s; a message is one element Structure", root)
			}
			r.hasRoot = true
			if r.depth++; r.depth > maxDepth {
				return start, r.bad("elements are nested more than %d deep", maxDepth)
			}
			return t, nil
		case xml.EndElement:
			r.depth--
		}
	}
}

// decode decodes the rest of an element.
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

// UnmarshalXML reads and checks a code list.
func (l *codelist) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain codelist
	if err := d.DecodeElement((*plain)(l), &start); err != nil {
		return err
	}
	return l.complete()
}

// addXML adds the components among some elements and within them.
func (s *structure) addXML(elements []component) {
	for _, e := range elements {
		s.add(e.XMLName.Local, e)
		s.addXML(e.Within)
	}
}
