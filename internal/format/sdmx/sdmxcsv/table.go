package sdmxcsv

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// noteUpdateTimeUnread is a time of update in an unknown form.
const noteUpdateTimeUnread = "update-time-unread"

// table is a dataset being read.
type table struct {
	*file
	key     string // of the dataset
	dataset *stat.Dataset
	report  *stat.Report
	layout  *layout
	known   *stat.Dictionary
	dims    []dimension
	cells   []valueCell
	style   text.Style
	plain   bool        // numbers have a decimal point, and nothing between thousands
	stated  stat.Period // of the file as a whole

	obs      stat.Observation
	name     []byte // the current dataset's cell, as it was read last
	updated  []byte
	period   text.Cache[readTime]
	flags    text.Cache[flags]
	unit     text.Cache[string]
	note     text.Cache[string]
	freqs    []stat.Frequency // by code of the frequency; 0: not looked up
	freqAt   int              // among dims; -1: there is none
	used     []bool           // by column: an attribute without a place has a value
	partials int              // records that say something of several observations
	finished bool
}

// dimension is a column of codes, with what it said last.
type dimension struct {
	column
	axis *assemble.Axis
	last []byte
	code int32
}

// valueCell is a column of numbers, and the code that stands for it, if any.
type valueCell struct {
	at    int // the cell
	axis  int // in the key; -1: there is one column of numbers
	code  int32
	bound bool
}

// datasetKey tells datasets apart by the cell that names them.
func (h *header) datasetKey(cell string) string {
	agency, code, _ := h.identity(cell)
	return strings.ToLower(agency + ":" + code)
}

// table begins the dataset of the next record; [io.EOF] where there is none.
func (f *file) table() (*table, error) {
	err := f.next()
	if errors.Is(err, io.EOF) && len(f.ended) == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "there are no records below the headings")
	}
	if err != nil {
		return nil, err
	}
	f.pending = true
	name := f.cell(f.header.dataflow)
	agency, code, title := f.header.identity(string(name))
	t := &table{file: f, key: f.header.datasetKey(string(name)), report: f.report, name: bytes.Clone(name)}
	f.report = &stat.Report{} // the next table's
	if f.ended[t.key] {
		return nil, f.records.bad(max(f.header.dataflow, 0), "the records of dataset %s stand in several places: sort the file by dataset, or split it", code)
	}
	if len(f.ended) == maxDatasets {
		return nil, f.records.bad(max(f.header.dataflow, 0), "the file holds more than %d datasets: split it by dataset", maxDatasets)
	}
	f.ended[t.key] = true
	t.dataset = &stat.Dataset{Source: source(f.in.Source, agency, f.kind), Name: title}
	t.dataset.Code = cmp.Or(code, f.in.Code)
	if t.dataset.Code == "" {
		t.dataset.Code = assemble.CodeFromName(f.in.Name, t.report)
	}
	if f.header.name >= 0 {
		t.dataset.Name = string(f.cell(f.header.name))
	}
	// Eurostat has files whose headings are IDs and whose cells are "ID: label".
	f.header.both = f.header.both || title != "" || f.kind == version1 && t.freqHasLabel()
	return t, t.settle()
}

// freqHasLabel reports whether the frequency is written "A: Annual".
func (t *table) freqHasLabel() bool {
	i := t.header.find("FREQ")
	if i < 0 {
		return false
	}
	cell := t.cell(t.header.columns[i].at)
	return len(cell) > 3 && string(cell[1:3]) == ": "
}

// settle finds out what the columns are, and makes the axes.
func (t *table) settle() error {
	t.known = t.in.Known(t.dataset.Source.ID)
	var err error
	t.layout, err = t.header.settle(t.kind, t.dataset.Source.ID, t.known.Structure(t.dataset.Code), func() (*facts, error) {
		s, err := t.survey()
		if err != nil {
			return nil, err
		}
		return s.dataset(t.file, t.key)
	})
	if err != nil {
		return err
	}
	if err := t.settleStyle(); err != nil {
		return err
	}
	switch {
	case t.layout.time >= 0 && t.in.Period != "":
		t.report.Add(stat.NotePeriodNotUsed, 1, t.in.Period)
	case t.layout.time < 0 && t.in.Period == "":
		return stat.BadFile(stat.Position{Line: 1}, "no column holds periods among %s: state the period of the whole file with --period", strings.Join(t.header.ids(), ", "))
	case t.layout.time < 0:
		if t.stated, err = stat.ParsePeriod(t.in.Period); err != nil {
			return stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
		}
	}
	if t.layout.guessed {
		ids := make([]string, len(t.layout.dims))
		for i, d := range t.layout.dims {
			ids[i] = d.id
		}
		t.report.Add(stat.NoteNoStructure, 1, "taken for dimensions: "+strings.Join(ids, ", "))
	}
	t.used = make([]bool, t.header.width)
	return t.arrange()
}

// settleStyle settles how numbers are written. With commas between cells they
// have a decimal point; other files may be of a country with decimal commas.
func (t *table) settleStyle() (err error) {
	t.style = text.Style{Decimal: '.'}
	if t.in.Decimal == "" && t.header.sep == ',' {
		t.plain = true
		return nil
	}
	s, err := t.survey()
	if err != nil {
		return err
	}
	if t.style, err = s.style.Style(t.in.Decimal); err != nil {
		return err
	}
	t.plain = t.style == text.Style{Decimal: '.'}
	if !t.plain {
		t.report.Add(stat.NoteNumberStyle, 1, fmt.Sprintf("decimal sign %q", t.style.Decimal))
	}
	return nil
}

// arrange makes the dataset's dimensions and axes.
func (t *table) arrange() error {
	dims := make([]stat.Dimension, 0, len(t.layout.dims)+1)
	t.freqAt = -1
	for i, c := range t.layout.dims {
		role := cmp.Or(t.layout.roles[i], assemble.RoleOf(c.id))
		if role == stat.RoleGeo && t.layout.roles[i] != stat.RoleGeo {
			role = stat.RoleOther // of several, the name decides
		}
		if role == stat.RoleFrequency && t.freqAt < 0 {
			t.freqAt = i
		}
		dims = append(dims, stat.Dimension{ID: c.id, Label: c.label, Role: role})
	}
	geo, err := assemble.Geography(dims, t.in.Geo)
	if err != nil {
		return err
	}
	l := t.layout
	extra := len(dims)
	switch {
	case len(l.values) > 1:
		codes := make([]stat.Code, len(l.values))
		for i, v := range l.values {
			codes[i] = stat.Code{ID: v.id, Label: v.label}
		}
		dims = append(dims, assemble.Indicators(codes))
	case l.bounds[0] >= 0 || l.bounds[1] >= 0:
		dims = append(dims, assemble.Estimates())
	}
	axes := assemble.Arrange(t.dataset, dims, geo)
	for i, c := range l.dims {
		t.dims = append(t.dims, dimension{column: c, axis: axes[i]})
	}
	t.obs.Key = assemble.Key(t.dataset)
	if extra == len(dims) {
		t.cells = []valueCell{{at: l.values[0].at, axis: -1}}
		return nil
	}
	for i, v := range l.values {
		t.cells = append(t.cells, valueCell{at: v.at, axis: axes[extra].At, code: int32(i)})
	}
	for i, at := range l.bounds {
		if at >= 0 {
			t.cells = append(t.cells, valueCell{at: at, axis: axes[extra].At, code: int32(i + 1), bound: true})
		}
	}
	return nil
}

// observations yields what the records say, until another dataset begins.
func (t *table) observations(yield func(stat.Observation, error) bool) {
	for {
		err := t.next()
		switch {
		case errors.Is(err, io.EOF):
			t.finish()
			return
		case err == nil && !bytes.Equal(t.cell(t.header.dataflow), t.name):
			t.name = append(t.name[:0], t.cell(t.header.dataflow)...)
			if t.header.datasetKey(string(t.name)) != t.key {
				t.pending = true
				t.finish()
				return
			}
		}
		if err == nil {
			err = t.record(yield)
		}
		if err != nil {
			if !errors.Is(err, errStopped) {
				yield(stat.Observation{}, err)
			}
			return
		}
	}
}

// errStopped says that nobody asks for more observations.
var errStopped = errors.New("stopped")

// finish writes the notes that need all records.
func (t *table) finish() {
	t.finished = true
	if t.partials > 0 {
		t.report.Add(stat.NoteNotRead, t.partials, "records of attributes without an observation")
	}
	var ids []string
	for _, c := range t.layout.others {
		if t.used[c.at] {
			ids = append(ids, c.id)
		}
	}
	if len(ids) > 0 {
		t.report.Add(assemble.NoteAttributeNotKept, len(ids), strings.Join(ids, ", "))
	}
	assemble.NoteUnlabelled(t.dataset, t.report)
}

// checkAction refuses what is no data to be stored.
func (t *table) checkAction() error {
	cell := t.cell(t.header.action)
	switch string(cell) {
	case "", "I", "A", "R", "M":
		return nil
	case "D":
		return t.records.bad(t.header.action, "the record is to be deleted (%s D), which an import of a whole dataset cannot do; remove such records", action)
	}
	return t.records.bad(t.header.action, "%.40q is no %s, which is I, A, R, M or D", cell, action)
}

// checkKey holds a key to the codes of the record: "EXR.D.USD" is of the
// dataset EXR and the codes D and USD.
func (t *table) checkKey() error {
	if !t.header.keyed {
		return nil
	}
	key := t.records.cells[0]
	_, rest, _ := bytes.Cut(key, []byte("."))
	for i, d := range t.layout.dims {
		cell := t.records.cells[d.at]
		after, ok := bytes.CutPrefix(rest, cell)
		if last := i == len(t.layout.dims)-1; ok && !last {
			after, ok = bytes.CutPrefix(after, []byte("."))
		} else if ok {
			ok = len(after) == 0
		}
		if !ok {
			return t.records.bad(d.at, "the code of %s is %.40q here, and the %s of the record is %.80q: a key is the dataset and the codes of the columns up to the time, with points between",
				d.id, cell, firstOfKeyed, key)
		}
		rest = after
	}
	return nil
}

// checkUpdated takes in the time of update; of several the latest counts.
func (t *table) checkUpdated() {
	cell := t.cell(t.header.updated)
	if len(cell) == 0 || bytes.Equal(cell, t.updated) {
		return
	}
	t.updated = append(t.updated[:0], cell...)
	updated, ok := parseUpdated(string(cell))
	if !ok {
		t.report.Add(noteUpdateTimeUnread, 1, string(cell[:min(len(cell), 40)]))
	} else if updated.After(t.dataset.Updated) {
		t.dataset.Updated = updated
	}
}

// codes reads the key; missing is the first dimension without a code.
func (t *table) codes() (missing int) {
	missing = -1
	for i := range t.dims {
		d := &t.dims[i]
		cell := t.records.cells[d.at]
		if len(cell) == 0 {
			if missing < 0 {
				missing = d.at
			}
			continue
		}
		if !bytes.Equal(cell, d.last) {
			d.last = append(d.last[:0], cell...)
			id, label := t.header.split(cell)
			d.code = d.axis.Code(id)
			if code := &d.axis.Dim.Codes[d.code]; code.Label == "" {
				if len(label) == 0 {
					label = t.cell(d.labelAt)
				}
				code.Label = string(label)
			}
		}
		t.obs.Key[d.axis.At] = d.code
	}
	return missing
}

// readNote reads the texts beside an observation.
func (t *table) readNote() string {
	if len(t.layout.notes) == 0 {
		return ""
	}
	key := t.note.Begin()
	for _, c := range t.layout.notes {
		key = append(append(key, t.records.cells[c.at]...), 0)
	}
	t.note.Keep(key)
	text, _ := t.note.Find(key, func() (string, error) { return t.makeNote(), nil })
	return text
}

func (t *table) makeNote() string {
	var texts []string
	for _, c := range t.layout.notes {
		text := string(t.records.cells[c.at])
		switch {
		case text == "":
			continue
		case c.languages && t.header.sub != 0:
			text = oneLanguage(text, string(t.header.sub))
		case c.labelAt >= 0 && len(t.cell(c.labelAt)) > 0:
			text = string(t.cell(c.labelAt))
		}
		if assemble.AttributeOf(c.id) == assemble.AttributePreBreak {
			text = "pre-break value: " + text
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

// oneLanguage is the English text of "en:Value;fr:Valeur", else the first.
func oneLanguage(text, sub string) string {
	texts := strings.Split(text, sub)
	for _, t := range texts {
		if english, ok := strings.CutPrefix(t, "en:"); ok {
			return english
		}
	}
	if len(texts[0]) > 2 && texts[0][2] == ':' {
		return texts[0][3:]
	}
	return text
}
