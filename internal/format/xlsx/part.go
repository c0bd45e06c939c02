package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// part reads an XML file of the workbook, token by token and within bounds.
type part struct {
	xml    *xml.Decoder
	input  *countingReader
	file   io.Closer
	name   string
	depth  int
	tokens int
}

// open opens a part; nil if there is none.
func (f *File) open(name string) (*part, error) {
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

// countingReader counts what a part unpacks to, because what its header says of
// that may be wrong.
type countingReader struct {
	from         io.Reader
	name         string
	packed, read int64
	token        int64 // how much was read when the current token began
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

// next is the next token; [io.EOF] after the last element has ended.
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
			return nil, p.bad("an element has %d attributes", len(t.Attr))
		}
	case xml.EndElement:
		p.depth--
	case xml.Directive:
		return nil, p.bad("there is a DOCTYPE, which no workbook has")
	}
	if p.depth > maxXMLDepth || p.tokens > maxXMLTokens {
		return nil, p.bad("there are too many elements, or too many within one another")
	}
	return token, nil
}

func (p *part) bad(text string, args ...any) error {
	line, column := p.xml.InputPos()
	return badFile("%s:%d:%d: %s", p.name, line, column, fmt.Sprintf(text, args...))
}

// characters reads the current element to its end and returns the characters
// directly within it.
func (p *part) characters() (string, error) { return p.text(true) }

// richText reads the current element to its end and joins the texts (t) within
// it, without the readings of Japanese words (rPh).
func (p *part) richText() (string, error) { return p.text(false) }

func (p *part) text(direct bool) (string, error) {
	var b strings.Builder
	texts, readings := 0, 0 // elements of these names that are open
	for depth := 1; depth > 0; {
		token, err := p.next()
		if err != nil {
			return "", err
		}
		name, step := "", 0
		switch t := token.(type) {
		case xml.StartElement:
			name, step = t.Name.Local, 1
		case xml.EndElement:
			name, step = t.Name.Local, -1
		case xml.CharData:
			if direct && depth == 1 || !direct && texts > 0 && readings == 0 {
				b.Write(t)
			}
		}
		depth += step
		switch name {
		case "t":
			texts += step
		case "rPh":
			readings += step
		}
		if b.Len() > maxText {
			return "", p.bad("a text has more than %d bytes", maxText)
		}
	}
	return b.String(), nil
}

// elements calls visit at the start of each element of a part, which may be
// missing.
func (f *File) elements(name string, visit func(p *part, e xml.StartElement) error) error {
	p, err := f.open(name)
	if p == nil || err != nil {
		return err
	}
	defer p.file.Close()
	for {
		token, err := p.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := visit(p, e); err != nil {
				return err
			}
		}
	}
}

// attr is an attribute by its name without a namespace.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
