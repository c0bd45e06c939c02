package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// part reads an XML file of the workbook token by token, within the limits.
type part struct {
	xml    *xml.Decoder
	input  *countingReader
	file   io.Closer
	name   string
	depth  int
	tokens int
}

// open opens a part; nil if it does not exist.
func (f *file) open(name string) (*part, error) {
	at := slices.IndexFunc(f.zip.File, func(e *zip.File) bool { return strings.EqualFold(e.Name, name) })
	if at < 0 {
		return nil, nil
	}
	file, err := f.zip.File[at].Open()
	if err != nil {
		return nil, badFile("%s: %v", name, err)
	}
	input := &countingReader{from: file, name: name, packed: int64(min(f.zip.File[at].CompressedSize64, 1<<40))}
	return &part{xml: xml.NewDecoder(input), input: input, file: file, name: name}, nil
}

// countingReader limits the unpacked size of a part, because the one in its header may
// be wrong.
type countingReader struct {
	from         io.Reader
	name         string
	packed, read int64
	token        int64 // bytes read when the current token began
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.read += int64(n)
	if r.read > maxEntry || r.read > minRatioed && r.read > r.packed*maxRatio {
		return 0, badFile("%s unpacks to more than %d times its size or to more than %d MiB", r.name, maxRatio, maxEntry>>20)
	}
	if r.read-r.token > maxXMLToken {
		return 0, badFile("%s has a tag or a text of more than %d MiB", r.name, maxXMLToken>>20)
	}
	return n, err
}

// next returns the next token; [io.EOF] after the last element.
func (p *part) next() (xml.Token, error) {
	p.input.token = p.input.read
	token, err := p.xml.Token()
	var known *stat.FileError
	switch {
	case err == io.EOF:
		return nil, err
	case errors.As(err, &known):
		return nil, known
	case err != nil:
		return nil, p.bad("%v", err)
	}
	p.tokens++
	switch t := token.(type) {
	case xml.StartElement:
		p.depth++
		if len(t.Attr) > maxXMLAttrs {
			return nil, p.bad("an element has %d attributes, more than %d", len(t.Attr), maxXMLAttrs)
		}
	case xml.EndElement:
		p.depth--
	case xml.Directive:
		return nil, p.bad("it has a DOCTYPE, which a workbook cannot have")
	}
	if p.depth > maxXMLDepth || p.tokens > maxXMLTokens {
		return nil, p.bad("it has more than %d elements, or more than %d nested", maxXMLTokens, maxXMLDepth)
	}
	return token, nil
}

func (p *part) bad(text string, args ...any) error {
	line, column := p.xml.InputPos()
	return badFile("%s:%d:%d: %s", p.name, line, column, fmt.Sprintf(text, args...))
}

// text reads the rest of an element with a name, and joins the texts of its elements t
// and v without the readings of Japanese words (rPh).
func (p *part) text(name string) (string, error) {
	var b strings.Builder
	for {
		token, err := p.next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			inner, err := p.text(t.Name.Local)
			if err != nil {
				return "", err
			}
			b.WriteString(inner)
		case xml.EndElement:
			if name == "rPh" {
				return "", nil
			}
			return b.String(), nil
		case xml.CharData:
			if name == "t" || name == "v" {
				b.Write(t)
			}
		}
		if b.Len() > workbook.MaxText {
			return "", p.bad("a text has more than %d bytes", workbook.MaxText)
		}
	}
}

// children calls visit at the start of each element within the current one. If visit
// does not read an element to its end, it is called for the elements within it, too.
func (p *part) children(visit func(e xml.StartElement) error) error {
	for end := p.depth; ; {
		token, err := p.next()
		if err != nil {
			return err
		}
		if p.depth < end {
			return nil
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := visit(e); err != nil {
				return err
			}
		}
	}
}

// elements calls visit at the start of each element of a part, if there is the part.
func (f *file) elements(name string, visit func(p *part, e xml.StartElement) error) error {
	p, err := f.open(name)
	if p == nil || err != nil {
		return err
	}
	defer p.file.Close()
	if err = p.children(func(e xml.StartElement) error { return visit(p, e) }); err == io.EOF {
		return nil
	}
	return err
}

// attr returns an attribute by its name without a namespace.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
