package sdmx

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Root returns the name of the root element of an XML file, without its prefix, and
// its attributes in small letters.
func Root(head []byte) (name, attributes string) {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil) // UTF-16; the root is all ASCII
	}
	name, rest := text.FirstElement(head)
	tag, _, _ := bytes.Cut(rest, []byte(">"))
	return name, strings.ToLower(string(tag))
}

// declaration is the encoding that an XML file declares.
var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// OpenXML opens a file of XML in the encoding that the caller states, or else the
// file declares; see [text.Open].
func OpenXML(in *format.Input, report *stat.Report) (io.ReadCloser, error) {
	file, err := in.Again()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(text.LineErrors(file), 1024))
	if err != nil {
		return nil, err
	}
	declared := ""
	if match := declaration.FindSubmatch(head); match != nil {
		declared = string(match[1])
	}
	return text.Open(in.Again, cmp.Or(in.Encoding, declared), report)
}

// Reference names another part of a message, and the agency and the scheme that
// the part belongs to.
type Reference struct{ Agency, Scheme, ID string }

// UnmarshalText reads a URN.
func (r *Reference) UnmarshalText(urn []byte) error {
	agency, id, part := ParseURN(string(urn))
	if *r = (Reference{Agency: agency, ID: id}); part != "" {
		r.Scheme, r.ID = id, part
	}
	return nil
}

// UnmarshalXML reads an element with a Ref or URN element (2.1), or a URN (3.0).
func (r *Reference) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var e struct {
		Ref struct {
			Agency string `xml:"agencyID,attr"`
			Scheme string `xml:"maintainableParentID,attr"`
			ID     string `xml:"id,attr"`
		}
		URN  string
		Text string `xml:",chardata"`
	}
	if err := d.DecodeElement(&e, &start); err != nil {
		return err
	}
	if *r = Reference(e.Ref); r.ID != "" {
		return nil
	}
	return r.UnmarshalText([]byte(cmp.Or(e.URN, e.Text)))
}
