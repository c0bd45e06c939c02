package sdmxtest

import (
	"bytes"
	"encoding/csv"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// selection selects observations by the codes of their series and by their periods.
type selection struct {
	codes    map[string][]string // by dimension; all if there are none
	from, to string              // years; empty: all
}

// newSelection returns the selection of a key and of the first and last year.
func newSelection(dimensions []string, key, from, to string) selection {
	w := selection{map[string][]string{}, from, to}
	for i, codes := range strings.Split(key, ".") {
		if key != "all" && codes != "" && i < len(dimensions) {
			w.codes[dimensions[i]] = strings.Split(codes, "+")
		}
	}
	return w
}

func (w selection) series(codes map[string]string) bool {
	for dimension, some := range w.codes {
		if !slices.Contains(some, codes[dimension]) {
			return false
		}
	}
	return true
}

func (w selection) period(period string) bool {
	year := period[:min(4, len(period))]
	return (w.from == "" || year >= w.from) && (w.to == "" || year <= w.to)
}

// message is a data message that was parsed, so that parts of it can be sent.
type message struct {
	series []series
	tail   []byte // after the last series
	whole  int    // observations of a message that cannot be cut
}

type series struct {
	before       []byte // between the previous series and this one
	codes        map[string]string
	observations []observation
	tail         []byte // after the last observation
}

type observation struct {
	before, text []byte
	period       string
}

// messages are those of the files that were read. Parsing costs much more than
// cutting, and tests request many parts of one file.
var messages sync.Map

// readMessage reads a file, which must not change while the process runs.
func readMessage(file string) (*message, error) {
	if m, ok := messages.Load(file); ok {
		return m.(*message), nil
	}
	body, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := parseMessage(body)
	messages.Store(file, m)
	return m, nil
}

// cut returns the message with the selected observations only, and how many there are.
// Series without observations are removed.
func (m *message) cut(keep selection) (body []byte, n int) {
	var out []byte
	for i := range m.series {
		s := &m.series[i]
		out = append(out, s.before...)
		if !keep.series(s.codes) {
			continue
		}
		start, remaining := len(out), 0
		for _, o := range s.observations {
			out = append(out, o.before...)
			if keep.period(o.period) {
				out = append(out, o.text...)
				remaining++
			}
		}
		out = append(out, s.tail...)
		if n += remaining; remaining == 0 {
			out = out[:start]
		}
	}
	return append(out, m.tail...), n + m.whole
}

// parseMessage parses XML and CSV. Other messages are not cut.
func parseMessage(body []byte) *message {
	text := bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	switch {
	case bytes.HasPrefix(text, []byte("<")):
		return parseXML(body)
	case bytes.HasPrefix(text, []byte("{")), bytes.HasPrefix(text, []byte("PK")):
		return &message{tail: body, whole: 1}
	}
	return parseCSV(body)
}

var (
	startTag  = regexp.MustCompile(`^<[^>]*>`)
	attribute = regexp.MustCompile(`(\w+)="([^"]*)"`)
	keyValue  = regexp.MustCompile(`<(?:\w+:)?Value (?:id|concept)="(\w+)" value="([^"]*)"`)
	obsTime   = regexp.MustCompile(`TIME_PERIOD="([^"]*)"|ObsDimension value="([^"]*)"|<(?:\w+:)?Time>([^<]*)`)
)

func parseXML(body []byte) *message {
	m := &message{}
	m.tail = eachElement(body, "Series", func(before, element []byte) {
		s := series{before: before, codes: map[string]string{}}
		head := startTag.Find(element)
		if i := bytes.LastIndex(element, []byte("SeriesKey>")); i >= 0 {
			head = element[:i]
		}
		for _, match := range append(attribute.FindAllSubmatch(head, -1), keyValue.FindAllSubmatch(head, -1)...) {
			s.codes[string(match[1])] = string(match[2])
		}
		s.tail = eachElement(element, "Obs", func(before, text []byte) {
			o := observation{before: before, text: text}
			if match := obsTime.FindSubmatch(text); match != nil {
				o.period = string(match[1]) + string(match[2]) + string(match[3])
			}
			s.observations = append(s.observations, o)
		})
		m.series = append(m.series, s)
	})
	return m
}

// eachElement calls each with the elements of a name, in any namespace, and with the
// text before each. It returns the text after the last. Such elements must not be nested.
func eachElement(body []byte, name string, each func(before, element []byte)) (tail []byte) {
	first := regexp.MustCompile(`<(\w+:)?` + name + `[\s/>]`).FindSubmatch(body)
	if first == nil {
		return body
	}
	open, end := []byte("<"+string(first[1])+name), []byte("</"+string(first[1])+name+">")
	from := 0
	for {
		i := bytes.Index(body[from:], open)
		if i < 0 {
			return body
		}
		i += from
		from = i + len(open)
		if !strings.ContainsRune(" \t\r\n/>", rune(body[from])) { // SeriesKey
			continue
		}
		length := bytes.IndexByte(body[i:], '>') + 1
		if body[i+length-2] != '/' {
			length = bytes.Index(body[i:], end) + len(end)
		}
		each(body[:i], body[i:i+length])
		body, from = body[i+length:], 0
	}
}

// parseCSV returns each line as a series with one observation. A message whose cells
// have line breaks is not cut.
func parseCSV(body []byte) *message {
	records, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil || len(records) == 0 {
		return &message{tail: body, whole: bytes.Count(body, []byte("\n"))}
	}
	lines := bytes.SplitAfter(body, []byte("\n"))
	if len(lines) < len(records) || len(lines) > len(records)+1 {
		return &message{tail: body, whole: len(records) - 1}
	}
	m := &message{}
	for i, record := range records[1:] {
		s := series{codes: map[string]string{}}
		if i == 0 {
			s.before = lines[0]
		}
		for at, name := range records[0] {
			s.codes[name] = record[at]
		}
		s.observations = []observation{{text: lines[i+1], period: s.codes["TIME_PERIOD"]}}
		m.series = append(m.series, s)
	}
	return m
}
