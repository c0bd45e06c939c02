package workbook

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Limits of workbooks that are zip archives of XML.
const (
	maxEntries   = 1000
	maxEntry     = 512 << 20 // bytes of an entry, unpacked
	maxRatio     = 100       // unpacked to packed size, of entries above minRatioed
	minRatioed   = 100 << 10
	maxXMLDepth  = 64
	maxXMLTokens = 50_000_000
	maxXMLAttrs  = 256
	maxXMLToken  = 1 << 20 // bytes of a tag or text

	maxKept = 64 << 20 // bytes of a part that is kept unpacked
)

// Archive is a workbook that is a zip archive of XML files.
type Archive struct {
	zip  *zip.Reader
	kept map[string][]byte // parts, unpacked
}

// OpenArchive reads the directory of an archive.
func OpenArchive(from io.Reader) (*Archive, error) {
	data, err := ReadAll(from)
	if err != nil {
		return nil, err
	}
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, BadFile("%v; it may be cut off", err)
	}
	a := &Archive{files, map[string][]byte{}}
	return a, a.checkEntries()
}

// checkEntries refuses entries as only hostile or encrypted files have them.
func (a *Archive) checkEntries() error {
	if len(a.zip.File) > maxEntries {
		return BadFile("it has %d entries, more than %d", len(a.zip.File), maxEntries)
	}
	type span struct{ from, to int64 }
	var spans []span
	for _, e := range a.zip.File {
		if e.Flags&1 != 0 {
			return BadFile("its entry %q is encrypted", e.Name)
		}
		at, err := e.DataOffset()
		if err != nil {
			return BadFile("%v", err)
		}
		spans = append(spans, span{at, at + int64(min(e.CompressedSize64, 1<<62))})
	}
	slices.SortFunc(spans, func(x, y span) int { return cmp.Compare(x.from, y.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i-1].to > spans[i].from {
			return BadFile("its entries overlap")
		}
	}
	return nil
}

// Part reads an XML file of an archive token by token, within the limits.
type Part struct {
	xml    *xml.Decoder
	input  *countingReader
	file   io.Closer
	name   string
	depth  int
	tokens int
	first  Place // where the reading began
	start  Place // of the current token
}

// Place is the place of an element in a part.
type Place struct {
	part         string
	offset       int64
	line, column int
}

// Open opens a part; nil if it does not exist.
func (a *Archive) Open(name string) (*Part, error) {
	at := slices.IndexFunc(a.zip.File, func(e *zip.File) bool { return strings.EqualFold(e.Name, name) })
	if at < 0 {
		return nil, nil
	}
	file, err := a.zip.File[at].Open()
	if err != nil {
		return nil, BadFile("%s: %v", name, err)
	}
	input := &countingReader{from: file, name: name, packed: int64(min(a.zip.File[at].CompressedSize64, 1<<40))}
	return &Part{xml: xml.NewDecoder(input), input: input, file: file, name: name, first: Place{line: 1, column: 1}}, nil
}

// Keep keeps a part in memory, unless it is large, so that it is not unpacked for each
// element with which [Archive.OpenAt] begins.
func (a *Archive) Keep(name string) {
	p, err := a.Open(name)
	if p == nil || err != nil {
		return // whoever reads the part gets the error
	}
	defer p.Close()
	p.input.token = maxEntry // it is read without tokens
	if data, err := io.ReadAll(io.LimitReader(p.input, maxKept+1)); err == nil && len(data) <= maxKept {
		a.kept[name] = data
	}
}

// OpenAt opens a part at the beginning of an element.
func (a *Archive) OpenAt(from Place) (*Part, error) {
	p, err := a.Open(from.part)
	if err != nil {
		return nil, err
	}
	p.first, p.input.read = from, from.offset
	if data := a.kept[from.part]; data != nil {
		p.input.from = bytes.NewReader(data[from.offset:])
	} else if _, err := io.CopyN(io.Discard, p.input.from, from.offset); err != nil {
		_ = p.Close() // the error is known
		return nil, BadFile("%s: %v", from.part, err)
	}
	return p, nil
}

// Start returns the place of the element that Next has returned.
func (p *Part) Start() Place { return p.start }

// place returns the place up to which the part is read.
func (p *Part) place() Place {
	line, column := p.xml.InputPos()
	if line == 1 {
		column += p.first.column - 1
	}
	return Place{p.name, p.first.offset + p.xml.InputOffset(), p.first.line + line - 1, column}
}

// Close closes the part.
func (p *Part) Close() error { return p.file.Close() }

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
		return 0, BadFile("%s unpacks to more than %d times its size or to more than %d MiB", r.name, maxRatio, maxEntry>>20)
	}
	if r.read-r.token > maxXMLToken {
		return 0, BadFile("%s has a tag or a text of more than %d MiB", r.name, maxXMLToken>>20)
	}
	return n, err
}

// Next returns the next token; [io.EOF] after the last element.
func (p *Part) Next() (xml.Token, error) {
	p.input.token = p.input.read
	p.start = p.place()
	token, err := p.xml.Token()
	var known *stat.FileError
	switch {
	case err == io.EOF:
		return nil, err
	case errors.As(err, &known):
		return nil, known
	case err != nil:
		return nil, p.Bad("%v", err)
	}
	p.tokens++
	switch t := token.(type) {
	case xml.StartElement:
		p.depth++
		if len(t.Attr) > maxXMLAttrs {
			return nil, p.Bad("an element has %d attributes, more than %d", len(t.Attr), maxXMLAttrs)
		}
	case xml.EndElement:
		p.depth--
	case xml.Directive:
		return nil, p.Bad("it has a DOCTYPE, which a workbook cannot have")
	}
	if p.depth > maxXMLDepth || p.tokens > maxXMLTokens {
		return nil, p.Bad("it has more than %d elements, or more than %d nested", maxXMLTokens, maxXMLDepth)
	}
	return token, nil
}

// Depth returns how many elements are open.
func (p *Part) Depth() int { return p.depth }

// Bad returns an error with the place in the part.
func (p *Part) Bad(text string, args ...any) error {
	at := p.place()
	return BadFile("%s:%d:%d: %s", p.name, at.line, at.column, fmt.Sprintf(text, args...))
}

// Text reads the rest of an element with a name, and joins the texts of its elements t
// and v without the readings of Japanese words (rPh).
func (p *Part) Text(name string) (string, error) {
	var b strings.Builder
	for {
		token, err := p.Next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			inner, err := p.Text(t.Name.Local)
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
		if b.Len() > MaxText {
			return "", p.Bad("a text has more than %d bytes", MaxText)
		}
	}
}

// Children calls visit at the start of each element within the current one. If visit
// does not read an element to its end, it is called for the elements within it, too.
func (p *Part) Children(visit func(e xml.StartElement) error) error {
	for end := p.depth; ; {
		token, err := p.Next()
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

// Elements calls visit at the start of each element of a part, if there is the part.
func (a *Archive) Elements(name string, visit func(p *Part, e xml.StartElement) error) error {
	p, err := a.Open(name)
	if p == nil || err != nil {
		return err
	}
	defer p.Close()
	if err = p.Children(func(e xml.StartElement) error { return visit(p, e) }); err == io.EOF {
		return nil
	}
	return err
}

// Contains reports whether the bytes of a part contain a text.
func (a *Archive) Contains(name, text string) (bool, error) {
	p, err := a.Open(name)
	if p == nil || err != nil {
		return false, err
	}
	defer p.Close()
	buffer, kept := make([]byte, 64<<10), 0
	for {
		p.input.token = p.input.read
		n, err := p.input.Read(buffer[kept:])
		if bytes.Contains(buffer[:kept+n], []byte(text)) {
			return true, nil
		}
		if err != nil {
			return false, nil // whoever reads the part gets the error
		}
		kept = copy(buffer, buffer[max(0, kept+n-len(text)):kept+n])
	}
}

// Attr returns an attribute by its name without a namespace.
func Attr(e xml.StartElement, name string) string {
	for _, at := range e.Attr {
		if at.Name.Local == name {
			return at.Value
		}
	}
	return ""
}
