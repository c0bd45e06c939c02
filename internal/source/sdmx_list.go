package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"

	"almanac/internal/stat"
)

// Limits of a structure message.
const (
	sdmxMaxFlows = 2_000_000
	sdmxMaxDepth = 64
	sdmxMaxToken = 1 << 20 // bytes of one tag or text
)

// sdmxStructureTypes are the media types to request for structures; the last ones are for
// servers with their own media types.
const sdmxStructureTypes = "application/vnd.sdmx.structure+xml;version=2.1, application/xml;q=0.9, */*;q=0.1"

// sdmxSeen records which codes a list had, with sixteen bytes each, since a list may have
// a million. The shortened digests of two codes do not collide in practice.
type sdmxSeen map[[16]byte]struct{}

// add reports whether the code is new.
func (s sdmxSeen) add(code string) bool {
	h := fnv.New128a()
	_, _ = io.WriteString(h, strings.ToLower(code))
	k := [16]byte(h.Sum(nil))
	_, had := s[k]
	s[k] = struct{}{}
	return !had
}

// sdmxListed is a dataflow in a structure message.
type sdmxListed struct {
	agency, id string
	title      string
	rank       int // preference of the title's language
	updated    time.Time
}

// sdmxXML reads the tokens of a message within limits: encoding/xml keeps a whole token in
// memory, so too long ones are cut off before.
type sdmxXML struct {
	ctx  context.Context
	in   *sdmxBounded
	xml  *xml.Decoder
	path []string // the open elements
	n    int
}

type sdmxBounded struct {
	r    io.Reader
	left int
}

var errSdmxToken = fmt.Errorf("a tag or text of the message is longer than %d bytes", sdmxMaxToken)

func (b *sdmxBounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errSdmxToken
	}
	n, err := b.r.Read(p)
	b.left -= n
	return n, err
}

func newSdmxXML(ctx context.Context, r io.Reader) *sdmxXML {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = text.Discard(3)
	}
	in := &sdmxBounded{r: text}
	return &sdmxXML{ctx: ctx, in: in, xml: xml.NewDecoder(in)}
}

// next returns the next token, and io.EOF after the last one.
func (x *sdmxXML) next() (xml.Token, error) {
	if x.n++; x.n%1024 == 0 && x.ctx.Err() != nil {
		return nil, x.ctx.Err()
	}
	x.in.left = sdmxMaxToken
	t, err := x.xml.Token()
	switch t := t.(type) {
	case xml.StartElement:
		if x.path = append(x.path, t.Name.Local); len(x.path) > sdmxMaxDepth {
			return nil, sdmxBroken("elements are nested deeper than %d", sdmxMaxDepth)
		}
	case xml.EndElement:
		x.path = x.path[:len(x.path)-1]
	case xml.Directive:
		return nil, sdmxBroken("it has a document type, which SDMX messages never have")
	}
	if err == nil || err == io.EOF {
		return t, err
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return nil, sdmxBroken("line %d: %s", syntax.Line, syntax.Msg)
	}
	if errors.Is(err, errSdmxToken) {
		return nil, sdmxBroken("%v", err)
	}
	return nil, err
}

func sdmxBroken(format string, args ...any) error {
	return stat.Errorf(stat.Unavailable, "the response is not a complete SDMX message: %s", fmt.Sprintf(format, args...))
}

// sdmxAttr returns an attribute in any namespace.
func sdmxAttr(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// sdmxFlows yields the dataflows of a structure message. language is the language of
// titles that are not available in English.
func sdmxFlows(ctx context.Context, r io.Reader, language string) iter.Seq2[sdmxListed, error] {
	return func(yield func(sdmxListed, error) bool) {
		x := newSdmxXML(ctx, r)
		err := x.root("Structure", "RegistryInterface")
		for n := 0; err == nil; {
			var t xml.Token
			if t, err = x.next(); err != nil {
				break
			}
			start, ok := t.(xml.StartElement)
			// A dataflow without an ID is a reference.
			if !ok || start.Name.Local != "Dataflow" || sdmxAttr(start, "id") == "" {
				continue
			}
			if n++; n > sdmxMaxFlows {
				err = stat.Errorf(stat.Refused, "the list has more than the limit of %d dataflows", sdmxMaxFlows)
				break
			}
			f := sdmxListed{agency: sdmxAttr(start, "agencyID"), id: sdmxAttr(start, "id")}
			if err = x.readFlow(&f, language); err == nil && sdmxID.MatchString(f.id) && !yield(f, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(sdmxListed{}, err)
		}
	}
}

// root reads the root element, which must be one of the given names.
func (x *sdmxXML) root(kinds ...string) error {
	for {
		t, err := x.next()
		if err == io.EOF {
			return sdmxBroken("it is empty")
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		for _, kind := range kinds {
			if start.Name.Local == kind {
				return nil
			}
		}
		if start.Name.Local == "Error" {
			code, text := x.readError()
			return stat.Errorf(stat.Unavailable, "the office returned an error (%s): %s", cmp.Or(code, "no code"), cmp.Or(text, "no text"))
		}
		return sdmxBroken("it begins with <%s>", start.Name.Local)
	}
}

// readError reads an error message as far as possible.
func (x *sdmxXML) readError() (code, text string) {
	for {
		t, err := x.next()
		if err != nil {
			return code, text
		}
		switch t := t.(type) {
		case xml.StartElement:
			code = cmp.Or(code, sdmxAttr(t, "code"))
		case xml.CharData:
			if words := strings.Join(strings.Fields(string(t)), " "); words != "" && len(text) < 500 {
				text = strings.TrimSpace(text + " " + words)
			}
		}
	}
}

// readFlow reads a dataflow after its start tag.
func (x *sdmxXML) readFlow(f *sdmxListed, language string) error {
	depth := len(x.path)
	annotation := ""
	for len(x.path) >= depth {
		t, err := x.next()
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch name := start.Name.Local; {
		case name == "Name" && len(x.path) == depth+1:
			text, err := x.text()
			if err != nil {
				return err
			}
			if rank := sdmxRank(sdmxAttr(start, "lang"), language); text != "" && rank > f.rank {
				f.title, f.rank = text, rank
			}
		case name == "Annotation":
			annotation = sdmxAttr(start, "id")
		case annotation == "LAST_UPDATE" && (name == "AnnotationTitle" || name == "AnnotationText"):
			text, err := x.text()
			if err != nil {
				return err
			}
			if at := sdmxTime(text); !at.IsZero() {
				f.updated = at
			}
		}
	}
	return nil
}

// sdmxRank returns the preference of a language: English, the office's own, unstated, any
// other.
func sdmxRank(language, own string) int {
	language = strings.ToLower(language)
	is := func(wanted string) bool {
		return wanted != "" && (language == wanted || strings.HasPrefix(language, wanted+"-"))
	}
	switch {
	case is("en"):
		return 4
	case is(strings.ToLower(own)):
		return 3
	case language == "":
		return 2
	}
	return 1
}

// text returns the text of an element after its start tag, with white space folded.
func (x *sdmxXML) text() (string, error) {
	depth := len(x.path)
	var b strings.Builder
	for len(x.path) >= depth {
		t, err := x.next()
		if err == io.EOF {
			return "", io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		if chars, ok := t.(xml.CharData); ok && b.Len() < sdmxMaxToken {
			b.Write(chars)
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), nil
}

// sdmxTimes are the layouts of times of update.
var sdmxTimes = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "01/02/2006 15:04:05", time.DateOnly}

var sdmxSpaces = regexp.MustCompile(`\s+`)

// sdmxTime parses a time, in UTC if it has no zone; zero if it is invalid.
func sdmxTime(text string) time.Time {
	text = sdmxSpaces.ReplaceAllString(strings.TrimSpace(text), " ")
	for _, layout := range sdmxTimes {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
