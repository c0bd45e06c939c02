package structure

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Title returns the name of the dataflow in English, else in the office's own language;
// see [sdmx.Best].
func (f *Dataflow) Title(own string) string { return f.labelIn(own) }

// Titles returns the language of [Dataflow.Title] and the titles in other languages.
func (f *Dataflow) Titles(own string) (language string, others stat.Texts) {
	return sdmx.Others(f.texts(), own)
}

// Descriptions returns the description in a language, else the best of the others, and
// the descriptions in all languages.
func (f *Dataflow) Descriptions(language string) (text string, all stat.Texts) {
	texts := (&item{Name: f.Description, Names: f.Described, Texts: f.DescribedAs}).texts()
	for _, t := range texts {
		all = all.Set(stat.LanguageTag(t.Language), sdmx.FoldSpace(t.Text))
	}
	return cmp.Or(all[language], sdmx.Best(texts, language)), all
}

// Updated returns the annotations of the last update.
func (f *Dataflow) Updated() (texts []sdmx.Text) {
	for _, a := range f.Annotations {
		if a.ID == "LAST_UPDATE" {
			texts = slices.Concat(texts, a.Titles, a.Texts)
		}
	}
	return texts
}

// MessageError is an error that a server returns in place of a structure message.
type MessageError struct{ Code, Text string }

func (e *MessageError) Error() string {
	return fmt.Sprintf("the message is an error (%s): %s", e.Code, e.Text)
}

// maxElement bounds a tag, a text or a whole dataflow of a list.
const maxElement = 1 << 20

var errLargeElement = fmt.Errorf("a tag or text of the message is longer than %d bytes", maxElement)

// isJSON reports whether a message is JSON, which some servers send although XML was
// requested.
func isJSON(in *bufio.Reader) bool {
	head, _ := in.Peek(512) // an error will return
	return bytes.HasPrefix(text.Start(head), []byte("{"))
}

// Dataflows yields the dataflows of a message, in XML as it reads them, except references
// without an ID. Memory use does not grow with their number in XML. An error is a
// [stat.FileError], a [MessageError] or an error of reading.
func Dataflows(in io.Reader) iter.Seq2[Dataflow, error] {
	return func(yield func(Dataflow, error) bool) {
		buffered := bufio.NewReader(in)
		if isJSON(buffered) {
			m, err := readJSON(buffered)
			if err == nil && m.Data.Flows == nil {
				err = stat.BadFile(stat.Position{Line: 1}, "the message has no list of dataflows")
			}
			if err != nil {
				yield(Dataflow{}, err)
				return
			}
			for _, flow := range m.Data.Flows {
				if flow.ID != "" && !yield(flow, nil) {
					return
				}
			}
			return
		}
		bounded := &bounded{in: buffered, large: errLargeElement}
		r := newXMLReader(bounded)
		for {
			bounded.left = maxElement
			start, err := r.next()
			if errors.Is(err, io.EOF) {
				return
			}
			var flow Dataflow
			if err == nil && start.Name.Local == "Dataflow" {
				bounded.left = maxElement
				err = r.decode(&flow, start)
			}
			if err != nil {
				yield(Dataflow{}, r.where(err))
				return
			}
			if flow.ID != "" && !yield(flow, nil) {
				return
			}
		}
	}
}

// ReadError reads as much of a server's error message as possible.
func ReadError(in io.Reader) *MessageError { return readError(xml.NewDecoder(in)) }

func readError(d *xml.Decoder) *MessageError {
	e := &MessageError{}
	for {
		token, err := d.Token()
		if err != nil {
			return e
		}
		switch t := token.(type) {
		case xml.StartElement:
			for _, a := range t.Attr {
				if a.Name.Local == "code" {
					e.Code = cmp.Or(e.Code, strings.TrimSpace(a.Value))
				}
			}
		case xml.CharData:
			if words := sdmx.FoldSpace(string(t)); words != "" && len(e.Text) < 500 {
				e.Text = strings.TrimSpace(e.Text + " " + words)
			}
		}
	}
}

// Key describes the keys of a dataflow's series.
type Key struct {
	Dimensions []Dimension // in the order of the key, without the time
	HasTime    bool
}

// Dimension is a dimension with the codes of its list, if it has one.
type Dimension struct {
	ID    string
	Codes []string
}

// ReadKey reads the key of a dataflow from a structure message: the key of the structure
// that the dataflow names, or of the only structure. Errors are those of [Dataflows].
func ReadKey(in io.Reader, flow string) (Key, error) {
	buffered, read := bufio.NewReader(in), readXML
	if isJSON(buffered) {
		read = readJSON
	}
	m, err := read(buffered)
	if err != nil {
		return Key{}, err
	}
	at := slices.IndexFunc(m.Data.Structures, func(s structure) bool {
		return slices.ContainsFunc(m.Data.Flows, func(f Dataflow) bool { return f.ID == flow && f.uses() == s.ID })
	})
	if at < 0 && len(m.Data.Structures) == 1 {
		at = 0
	}
	if at < 0 {
		return Key{}, nil
	}
	s := m.Data.Structures[at]
	key := Key{HasTime: s.time != ""}
	dimensions := slices.DeleteFunc(s.dimensions, func(c component) bool { return c.XMLName.Local == "MeasureDimension" })
	sortByPosition(dimensions)
	for _, c := range dimensions {
		d := Dimension{ID: c.ID}
		for _, l := range m.Data.Lists {
			if l.ID != m.listOf(c) {
				continue
			}
			for _, code := range l.Codes {
				d.Codes = append(d.Codes, code.ID)
			}
		}
		key.Dimensions = append(key.Dimensions, d)
	}
	return key, nil
}

// sortByPosition sorts dimensions by their positions, which begin with 1, at some offices
// with 0. Dimensions without positions keep their order.
func sortByPosition(dimensions []component) {
	zeros := 0
	for _, c := range dimensions {
		if c.Position == 0 {
			zeros++
		}
	}
	for i := range dimensions {
		if zeros > 1 {
			dimensions[i].Position = cmp.Or(dimensions[i].Position, i+1)
		}
	}
	slices.SortStableFunc(dimensions, func(a, b component) int { return cmp.Compare(a.Position, b.Position) })
}

// listOf returns the ID of the code list of a component: its own, or else that of its
// concept.
func (m *message) listOf(c component) string {
	list := c.ListID
	for _, s := range m.Data.Schemes {
		for _, known := range s.Concepts {
			isSame := known.ID == cmp.Or(c.Concept.ID, c.ID) && (c.Concept.Scheme == "" || s.ID == c.Concept.Scheme)
			if isSame && list == "" {
				list = known.Representation.List.ID
			}
		}
	}
	return list
}
