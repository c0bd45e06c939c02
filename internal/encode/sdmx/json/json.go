// Package json writes SDMX-JSON: data messages of versions 1.0 and 2.0, structure messages of
// version 2.0, and errors. See https://github.com/sdmx-twg/sdmx-json.
//
// In a data message, dimensions and attributes are written as positions in lists of their values.
// The lists hold the values that occur, in the order in which they occur, and follow the data:
// so a message is written while the data are read.
package json

import (
	"io"
	"math"
	"strconv"
	"sync"
	"time"

	"almanac/internal/encode/json"
	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// Write writes a data message: SDMX-JSON 2.0 if it is one of SDMX 3.0, else 1.0, which can have only
// one data set.
func Write(to io.Writer, m *sdmx.Message) error {
	w := newWriter(to, m)
	defer w.release()
	w.meta()
	w.text(`,"data":{"dataSets":[`)
	var sets []*writer
	begin := func(set *sdmx.Message) {
		if set != m {
			next := newWriter(to, set)
			next.Buffer = w.Buffer
			w = next
		}
		w.beginDataSet(len(sets))
		sets = append(sets, w)
	}
	write := func(s *sdmx.Series) error {
		w.series(s)
		return w.Flush()
	}
	if err := m.WriteSets(begin, write, func() { w.text(`}}`) }); err != nil {
		return err
	}
	w.text(`],`)
	if m.IsV3 {
		w.text(`"structures":[`)
	} else {
		w.text(`"structure":`)
	}
	for i, set := range sets {
		set.Buffer = w.Buffer
		w = set
		w.structure(i)
	}
	if m.IsV3 {
		w.text(`]`)
	}
	w.text(`}}`)
	return w.Close()
}

// beginDataSet appends the beginning of a data set with a number, up to its series.
func (w *writer) beginDataSet(number int) {
	w.Buf = append(json.AppendComma(w.Buf), '{')
	if w.IsV3 {
		w.Buf = json.AppendInt(w.Buf, "structure", int64(number))
	}
	w.Buf = json.AppendText(w.Buf, "action", w.ActionName())
	for _, at := range []struct {
		name string
		time time.Time
	}{{"validFrom", w.ValidFrom}, {"validTo", w.ValidTo}} {
		if !at.time.IsZero() {
			w.Buf = json.AppendText(w.Buf, at.name, at.time.UTC().Format(time.RFC3339))
		}
	}
	w.text(`,"links":[{"rel":"dataflow"`)
	w.Buf = json.AppendText(w.Buf, "urn", w.Flow.Urn("Dataflow", w.Flow.ID))
	w.text(`}]`)
	if w.HasAttributes() {
		w.text(`,"attributes":[`)
		for range w.datasetAttributes() {
			w.Buf = append(json.AppendComma(w.Buf), '0')
		}
		w.text(`]`)
	}
	if w.Flat && w.HasObservations() {
		w.text(`,"observations":{`)
	} else {
		w.text(`,"series":{`)
	}
}

// writer writes one message.
type writer struct {
	sdmx.Buffer
	*sdmx.Message
	dimensions  []positions // the values of each dimension that occur
	periods     positions
	units       texts
	multipliers texts
	status      texts
	flags       texts
	conf        texts
	comments    texts
	key         []byte
}

// writers are writers to reuse.
var writers = sync.Pool{New: func() any { return &writer{} }}

func newWriter(to io.Writer, m *sdmx.Message) *writer {
	w := writers.Get().(*writer)
	w.Buffer, w.Message = sdmx.NewBuffer(to), m
	w.periods.reset(len(m.Extract.Periods))
	for i := range m.Flow.Dimensions {
		if i == len(w.dimensions) {
			w.dimensions = append(w.dimensions, positions{})
		}
		w.dimensions[i].reset(len(m.Flow.Dimensions[i].IDs))
	}
	return w
}

// release allows others to use the writer.
func (w *writer) release() {
	*w = writer{dimensions: w.dimensions, periods: w.periods, key: w.key}
	writers.Put(w)
}

// positions numbers the codes of a dimension that occur, in the order in which they occur.
type positions struct {
	at   []int32 // plus one, by code; 0: it did not occur
	used []int32
}

// reset forgets what occurred, and makes place for n codes.
func (p *positions) reset(n int) {
	for _, code := range p.used {
		p.at[code] = 0
	}
	if cap(p.at) < n {
		p.at = make([]int32, n)
	}
	p.at, p.used = p.at[:n], p.used[:0]
}

func (p *positions) of(code int32) int {
	if p.at[code] == 0 {
		p.used = append(p.used, code)
		p.at[code] = int32(len(p.used))
	}
	return int(p.at[code] - 1)
}

// texts numbers the values of an attribute.
type texts struct {
	at   map[string]int
	used []string
}

func (t *texts) of(text string) int {
	at, ok := t.at[text]
	if !ok {
		if t.at == nil {
			t.at = map[string]int{}
		}
		at = len(t.used)
		t.at[text] = at
		t.used = append(t.used, text)
	}
	return at
}

// text appends text that needs no escapes.
func (w *writer) text(parts ...string) {
	for _, part := range parts {
		w.Buf = append(w.Buf, part...)
	}
}

func (w *writer) meta() {
	version := "1.0"
	if w.IsV3 {
		version = "2.0.0"
	}
	w.text(`{"meta":{`)
	w.Buf = json.AppendText(w.Buf, "schema", "https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/data-message/tools/schemas/"+version+"/sdmx-json-data-schema.json")
	w.Buf = json.AppendText(w.Buf, "id", w.ID())
	w.Buf = json.AppendText(w.Buf, "prepared", w.Prepared().Format(time.RFC3339))
	w.text(`,"test":false`)
	if w.Flow.Dataset.Language != "" {
		w.Buf = json.AppendTexts(json.AppendName(w.Buf, "contentLanguages"), []string{w.Flow.Dataset.Language})
	}
	w.text(`,"sender":{`)
	w.Buf = json.AppendText(w.Buf, "id", w.Flow.Agency)
	w.Buf = json.AppendText(w.Buf, "name", w.Flow.Dataset.Source.Name)
	w.text(`}`)
	if w.Address != "" {
		w.text(`,"links":[{"rel":"self"`)
		w.Buf = json.AppendText(w.Buf, "href", w.Address)
		w.text(`}]`)
	}
	w.text(`}`)
}

func (w *writer) series(s *sdmx.Series) {
	w.key = w.key[:0]
	for i := range w.Flow.Dimensions {
		at := int32(0)
		if axis := w.Flow.Dimensions[i].Axis; axis >= 0 {
			at = s.Key[axis]
		}
		w.key = append(strconv.AppendInt(w.key, int64(w.dimensions[i].of(at)), 10), ':')
	}
	if w.Flat && w.HasObservations() {
		for i := range s.Obs {
			w.Buf = append(append(json.AppendComma(w.Buf), '"'), w.key...)
			w.Buf = strconv.AppendInt(w.Buf, int64(w.periods.of(s.Obs[i].Period)), 10)
			w.obs(&s.Obs[i], s.Unit)
		}
		return
	}
	key := w.key[:max(0, len(w.key)-1)]
	if len(key) == 0 {
		key = append(key, '0') // of a dataset without dimensions
	}
	w.Buf = append(append(append(json.AppendComma(w.Buf), '"'), key...), `":{`...)
	if w.HasAttributes() {
		w.text(`"attributes":[`)
		unit, multiplier := stat.SplitUnit(s.Unit)
		if w.Shows(w.Flow.Unit) {
			w.index(&w.units, unit)
		}
		if w.Shows(w.Flow.Multiplier) {
			w.Buf = json.AppendComma(w.Buf)
			w.index(&w.multipliers, multiplier)
		}
		w.text(`]`)
	}
	if w.HasObservations() {
		w.Buf = append(json.AppendComma(w.Buf), `"observations":{`...)
		for i := range s.Obs {
			w.Buf = append(json.AppendComma(w.Buf), '"')
			w.Buf = strconv.AppendInt(w.Buf, int64(w.periods.of(s.Obs[i].Period)), 10)
			w.obs(&s.Obs[i], s.Obs[i].Unit)
		}
		w.text(`}`)
	}
	w.text(`}`)
}

// obs appends the value and the attributes of an observation after its key. unit is the unit that
// the observation has itself.
func (w *writer) obs(o *sdmx.Obs, unit string) {
	w.Buf = append(w.Buf, `":[`...)
	if math.IsNaN(o.Value) {
		w.text(`null`)
	} else {
		w.AppendNumber(o.Value)
	}
	if w.HasAttributes() && (o.Flags != "" || o.Note != "" || unit != "" || w.Flat && o.Unit != "") {
		status, own, conf := sdmx.SplitFlags(o.Flags)
		if unit == "" {
			unit = o.Unit
		}
		unit, multiplier := stat.SplitUnit(unit)
		f := w.Flow
		for _, a := range []struct {
			id   string
			of   *texts
			text string
		}{{f.Status, &w.status, status}, {f.Flag, &w.flags, own}, {f.Confidentiality, &w.conf, conf}, {f.Comment, &w.comments, o.Note}, {f.Unit, &w.units, unit}, {f.Multiplier, &w.multipliers, multiplier}} {
			if w.Shows(a.id) {
				w.text(`,`)
				w.index(a.of, a.text)
			}
		}
		for len(w.Buf) > 5 && string(w.Buf[len(w.Buf)-5:]) == ",null" {
			w.Buf = w.Buf[:len(w.Buf)-5]
		}
	}
	w.Buf = append(w.Buf, ']')
}

// index appends the position of a value, null if it is empty.
func (w *writer) index(t *texts, text string) {
	if text == "" {
		w.text(`null`)
		return
	}
	w.Buf = strconv.AppendInt(w.Buf, int64(t.of(text)), 10)
}
