package sdmx

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/encode"
	"almanac/internal/encode/json"
	"almanac/internal/stat"
)

// Message is a message with data, to be written in one of the syntaxes.
type Message struct {
	Flow      *Flow
	Extract   *stat.Extract
	Transform string // how values are derived; empty for the office's own
	Address   string // where the message can be read again
	MessageOptions

	// Of one of several data sets: what a reader does with it, and since when and until when
	// it was valid here. Zero: not said.
	Action             Action
	ValidFrom, ValidTo time.Time
	// Sets, if there are any, are the data sets of the message, of versions of one dataset, in
	// place of its own data. Those without series are left out.
	Sets []*Message
}

// Action says what a reader does with a data set.
type Action string

// The actions. The empty one is Replace, or Information for derived values.
const (
	Replace     Action = "Replace"
	Delete      Action = "Delete"
	Information Action = "Information" // a reader does not store the values
)

// DataSets returns the data sets of the message, the message itself if there are no others.
func (m *Message) DataSets() []*Message {
	if len(m.Sets) == 0 {
		return []*Message{m}
	}
	return m.Sets
}

// ActionName returns the action as SDMX-ML writes it. Derived values do not replace those of the dataflow.
func (m *Message) ActionName() string {
	if m.Transform != "" {
		return string(Information)
	}
	return string(cmp.Or(m.Action, Replace))
}

// WriteSets calls begin for each data set that has series, write for each series and end. It
// returns the message's error if there are none.
func (m *Message) WriteSets(begin func(*Message), write func(*Series) error, end func()) error {
	isEmpty := true
	page := page{skip: m.Offset, left: m.Limit, isLimited: m.Limit > 0}
	for _, set := range m.DataSets() {
		isBegun := set == m // which is there without series too
		if isBegun {
			begin(set)
		}
		for s, err := range set.SeriesOf() {
			if err != nil {
				return err
			}
			if page.isLimited && page.left == 0 {
				break
			}
			if !page.cut(s, m.HasObservations()) {
				continue
			}
			if !isBegun {
				begin(set)
				isBegun = true
			}
			isEmpty = false
			if err := write(s); err != nil {
				return err
			}
		}
		if isBegun {
			end()
		}
	}
	if isEmpty {
		return m.Empty
	}
	return nil
}

// page is the part of a message that its options leave: observations, or series if there are no
// observations in it.
type page struct {
	skip, left int
	isLimited  bool
}

// cut leaves the observations of a series that are in the page. It reports whether there are any.
func (p *page) cut(s *Series, hasObservations bool) bool {
	n := 1
	if hasObservations {
		n = len(s.Obs)
	}
	if p.skip >= n {
		p.skip -= n
		return false
	}
	from, to := p.skip, n
	p.skip = 0
	if p.isLimited {
		to = min(to, from+p.left)
		p.left -= to - from
	}
	if hasObservations {
		s.Obs = s.Obs[from:to]
	}
	return true
}

// MessageOptions are what a caller chose of a message.
type MessageOptions struct {
	Detail Detail
	First  int  // observations of each series, from the first; 0: all
	Last   int  // from the last; 0: all
	Offset int  // observations of the message to skip; of a message without any, series
	Limit  int  // at most so many observations of the message; 0: all
	Flat   bool // observations are not grouped in series
	// Only are the IDs of the attributes that the message has; nil: all, as far as the detail has any.
	Only []string
	// IsV3 says that URNs and versions are those of SDMX 3.0.
	IsV3 bool
	// Empty is the error for a message without any series; nil: the message is written.
	Empty error

	Labels string // of CSV: "id", "name" or "both"
	Keys   string // of CSV: "none", "obs", "series" or "both"
	// Normalized has the time of CSV at the first instant of the period.
	Normalized bool
}

// Detail says how much a message has of each series.
type Detail string

// The details. The empty one is full.
const (
	Full           Detail = "full"
	DataOnly       Detail = "dataonly"       // no attributes
	SeriesKeysOnly Detail = "serieskeysonly" // neither attributes nor observations
	NoData         Detail = "nodata"         // no observations
)

// HasAttributes reports whether the message has attributes.
func (m *Message) HasAttributes() bool { return m.Detail != DataOnly && m.Detail != SeriesKeysOnly }

// Shows reports whether the message has an attribute.
func (m *Message) Shows(id string) bool {
	return m.HasAttributes() && (m.Only == nil || slices.Contains(m.Only, id))
}

// HasObservations reports whether the message has observations.
func (m *Message) HasObservations() bool { return m.Detail != NoData && m.Detail != SeriesKeysOnly }

// NewMessage returns the message of a table.
func NewMessage(t *encode.Table) *Message {
	return &Message{Flow: FlowFor(t.Vintage), Extract: t.Extract, Transform: t.Transform, Address: t.Address}
}

// Periods returns the texts of the periods of the extract, by position.
func (m *Message) Periods() []encode.Period { return encode.PeriodsOf(m.Flow.Vintage) }

// ID returns the ID of the message, which depends on the data only.
func (m *Message) ID() string {
	return m.Flow.ID + "-" + EscapeID(strings.ReplaceAll(m.Flow.Version, ".", "-"))
}

// Prepared returns when the data were published here: the message says the same each time.
func (m *Message) Prepared() time.Time { return m.Flow.Vintage.Imported.UTC().Truncate(time.Second) }

// Urn returns the URN of an artefact of a class: Dataflow, DataStructure, Codelist.
func (f *Flow) Urn(class, id string) string {
	return URN(class, f.Agency, id, f.Version)
}

// packages maps the classes of artefacts to their packages in URNs.
var packages = map[string]string{
	"Dataflow": "datastructure", "DataStructure": "datastructure", "Codelist": "codelist", "ConceptScheme": "conceptscheme",
	"CategoryScheme": "categoryscheme", "Category": "categoryscheme", "Categorisation": "categoryscheme", "AgencyScheme": "base", "Agency": "base",
	"Concept": "conceptscheme", "Code": "codelist", "Dimension": "datastructure", "TimeDimension": "datastructure",
	"DataAttribute": "datastructure", "ContentConstraint": "registry", "DataConstraint": "registry", "PrimaryMeasure": "datastructure", "Measure": "datastructure",
}

// URN returns the URN of a maintainable artefact.
func URN(class, agency, id, version string) string {
	return "urn:sdmx:org.sdmx.infomodel." + packages[class] + "." + class + "=" + agency + ":" + id + "(" + version + ")"
}

// ChunkSize is the number of bytes that the writers collect before they write.
const ChunkSize = 64 << 10

// Buffer collects what a writer writes. It is ready to use with To.
type Buffer struct {
	To  io.Writer
	Buf []byte

	numbers json.Numbers
}

// chunks are buffers to reuse.
var chunks = sync.Pool{New: func() any {
	buf := make([]byte, 0, ChunkSize+ChunkSize/8)
	return &buf
}}

// NewBuffer returns a buffer with memory that Close allows others to use.
func NewBuffer(to io.Writer) Buffer { return Buffer{To: to, Buf: (*chunks.Get().(*[]byte))[:0]} }

// AppendNumber appends the shortest decimal that reads back as the same value, without exponent
// below 1e21. Negative zero is 0; a missing value is NaN, as SDMX writes it.
func (b *Buffer) AppendNumber(v float64) {
	if math.IsNaN(v) {
		b.Buf = append(b.Buf, "NaN"...)
		return
	}
	b.Buf = b.numbers.Append(b.Buf, v)
}

// Flush writes the buffer if it fills a chunk. It keeps the last byte, by which JSON knows whether
// a comma comes next.
func (b *Buffer) Flush() error {
	n := len(b.Buf) - 1
	if n < ChunkSize {
		return nil
	}
	_, err := b.To.Write(b.Buf[:n])
	b.Buf = append(b.Buf[:0], b.Buf[n])
	return err
}

// Close writes what is left. The buffer must not be used again.
func (b *Buffer) Close() error {
	_, err := b.To.Write(b.Buf)
	if cap(b.Buf) <= 2*ChunkSize {
		buf := b.Buf
		chunks.Put(&buf)
	}
	b.Buf = nil
	return err
}
