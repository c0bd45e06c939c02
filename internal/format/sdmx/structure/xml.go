package structure

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
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
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, text.ByteOrderMark)))
	decoder.CharsetReader = asIs
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

// asIs leaves the text as it is: it has been decoded before.
func asIs(_ string, in io.Reader) (io.Reader, error) { return in, nil }

// xmlReader is a message while it is read.
type xmlReader struct {
	message
	ctx     context.Context
	decoder *xml.Decoder
	open    []string  // the elements that are open
	list    *codelist // the list that is open
	scheme  string    // the concept scheme that is open
}

// learnXML reads a message.
func learnXML(ctx context.Context, in format.Input) (*stat.Dictionary, error) {
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
	r := &xmlReader{ctx: ctx, decoder: xml.NewDecoder(&bounded{file, maxText})}
	r.decoder.CharsetReader = asIs
	if err := r.read(); err != nil {
		return nil, r.where(err)
	}
	return r.dictionary(in.Source)
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

// where gives an error its place.
func (r *xmlReader) where(err error) error {
	var (
		known  *stat.FileError
		syntax *xml.SyntaxError
	)
	line, column := r.decoder.InputPos()
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &syntax):
		return stat.BadFile(stat.Position{Line: line, Column: column}, "this is no XML: %s", syntax.Msg)
	}
	return stat.BadFile(stat.Position{Line: line, Column: column}, "the message cannot be read: %v", err)
}

func (r *xmlReader) bad(message string, args ...any) error {
	line, column := r.decoder.InputPos()
	return stat.BadFile(stat.Position{Line: line, Column: column}, message, args...)
}

// read goes through the elements to the end of the file.
func (r *xmlReader) read() error {
	for roots := 0; ; {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) && roots > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.Directive:
			return r.bad("<!%.20s…> is not read: a message has no document type", t)
		case xml.StartElement:
			if len(r.open) == 0 {
				if roots++; roots > 1 || t.Name.Local != "Structure" {
					return r.bad("the element %s stands where the one element Structure of a message should", t.Name.Local)
				}
			}
			if r.open = append(r.open, t.Name.Local); len(r.open) > maxDepth {
				return r.bad("elements stand within each other more than %d deep", maxDepth)
			}
			if err := r.element(t); err != nil {
				return err
			}
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

// element reads an element that matters, with all that is in it, or enters it.
func (r *xmlReader) element(start xml.StartElement) error {
	switch start.Name.Local {
	case "Structure": // the whole message
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
	case "Header", "Code", "Concept", "DataStructure", "KeyFamily", "Dataflow":
		defer func() { r.open = r.open[:len(r.open)-1] }()
		return r.part(start)
	}
	r.open = r.open[:len(r.open)-1]
	return r.decoder.Skip()
}

// part reads one of the things that a message is made of.
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
			r.list.codes = append(r.list.codes, stat.Code{ID: id, Label: cmp.Or(english(texts(code.Name)), english(texts(code.Text)))})
			return nil
		}
		return r.bad("a code of the list %s without an id", r.list.id)
	case "Concept":
		var c xmlConcept
		err := r.decoder.DecodeElement(&c, &start)
		r.concepts = append(r.concepts, concept{r.scheme, c.ID, english(texts(c.Name)), c.List.id()})
		return err
	case "DataStructure", "KeyFamily":
		var s xmlStructure
		err := r.decoder.DecodeElement(&s, &start)
		if s.ID != "" && (len(s.New.Dimensions.All)+len(s.Old.All) > 0) {
			r.structures = append(r.structures, s.structure())
		}
		return err
	}
	var f xmlFlow
	err := r.decoder.DecodeElement(&f, &start)
	uses := cmp.Or(f.Uses.id(), f.Old.ID)
	r.flows = append(r.flows, dataflow{f.ID, f.Agency, english(texts(f.Name)), uses})
	return err
}

func attr(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
