package sdmxcsv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// noteUpdateTimeUnread is a time of update in an unknown form.
const noteUpdateTimeUnread = "update-time-unread"

// table is a dataset being read.
type table struct {
	*file
	*sdmx.Table
	key        string // of the dataset
	layout     *layout
	dimensions []dimension
	attributes []attribute
	values     []valueColumn
	style      text.Style
	numbers    []sdmx.Number // of the current record
	period     stat.Period   // of the file as a whole
	name       []byte        // the current dataset's cell, as it was read last
	updated    []byte
	codes      []byte // of cells with several
	isUsed     []bool // by column: an attribute without a place has a value
	partials   int    // records that say something of several observations
	finished   bool
}

// dimension is a column of codes, with what it said last.
type dimension struct {
	column
	last []byte
}

// attribute is a column of an attribute.
type attribute struct {
	column
	*sdmx.Attribute
}

// valueColumn is a column of numbers.
type valueColumn struct {
	at      int
	measure int32
	isBound bool
}

// datasetKey tells datasets apart by the cell that names them.
func (h *header) datasetKey(cell string) string {
	agency, code, _ := h.identity(cell)
	return strings.ToLower(agency + ":" + code)
}

// nextTable begins the dataset of the next record; [io.EOF] where there is none.
func (f *file) nextTable() (*table, error) {
	err := f.next()
	if errors.Is(err, io.EOF) && len(f.ended) == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "there are no records below the headings")
	}
	if err != nil {
		return nil, err
	}
	f.isPending = true
	name := f.cell(f.header.dataflow)
	agency, code, title := f.header.identity(string(name))
	t := &table{file: f, key: f.header.datasetKey(string(name)), name: bytes.Clone(name)}
	if f.ended[t.key] {
		return nil, f.records.bad(max(f.header.dataflow, 0), "the records of dataset %s stand in several places: sort the file by dataset, or split it", code)
	}
	if len(f.ended) == maxDatasets {
		return nil, f.records.bad(max(f.header.dataflow, 0), "the file holds more than %d datasets: split it by dataset", maxDatasets)
	}
	f.ended[t.key] = true
	assembled := assemble.New(f.ctx, f.in.Name)
	assembled.Report.Merge(&f.encoding)
	f.encoding = stat.Report{}
	d := assembled.Dataset
	d.Source, d.Name = sdmx.FindOffice(f.in.Source, agency), title
	assembled.SetCode(code, f.in.Code)
	if f.header.name >= 0 {
		d.Name = string(f.cell(f.header.name))
	}
	// Eurostat has files whose headings are IDs and whose cells are "ID: label".
	f.header.hasLabels = f.header.hasLabels || title != "" || f.header.kind == version1 && f.labelsFrequency()
	return t, t.settle(assembled)
}

// labelsFrequency reports whether the frequency is written "A: Annual".
func (f *file) labelsFrequency() bool {
	c := f.header.find("FREQ")
	if c == nil {
		return false
	}
	cell := f.cell(c.at)
	return len(cell) > 3 && string(cell[1:3]) == ": "
}

// settle finds out what the columns are, and makes the dimensions and
// attributes.
func (t *table) settle(assembled *assemble.Table) (err error) {
	d := assembled.Dataset
	known := t.in.Known(d.Source.ID).Structure(d.Code)
	t.layout, err = t.header.settle(d.Source.ID, known, func() (*facts, error) {
		s, err := t.survey()
		if err != nil {
			return nil, err
		}
		return s.dataset(t.file, t.key)
	})
	if err != nil {
		return err
	}
	l := t.layout
	dims := make([]stat.Dimension, len(l.dimensions))
	for i, c := range l.dimensions {
		dims[i] = stat.Dimension{ID: c.id, Label: c.label, Role: l.roles[i]}
		t.dimensions = append(t.dimensions, dimension{column: c})
	}
	if err := t.settleStyle(assembled.Report); err != nil {
		return err
	}
	if t.Table, err = sdmx.NewTable(assembled, &t.in, known, dims, t.measures()); err != nil {
		return err
	}
	noTime := stat.BadFile(stat.Position{Line: 1}, "no column holds periods among %s: state the period of the whole file with --period", strings.Join(t.header.ids(), ", "))
	if t.period, err = t.SettlePeriod(l.time >= 0, t.in.Period, noTime); err != nil {
		return err
	}
	if l.isGuess {
		ids := make([]string, len(dims))
		for i, d := range dims {
			ids[i] = d.ID
		}
		t.NoteGuess(ids)
	}
	for _, c := range l.attributes {
		a := t.Attribute(c.id)
		if strings.EqualFold(c.id, "OBS_FLAG") {
			a.List = "obs_flag"
		}
		if c.several && t.header.sub != 0 {
			a.Separators = string(t.header.sub)
		}
		t.attributes = append(t.attributes, attribute{c, a})
	}
	t.isUsed = make([]bool, t.header.width)
	return nil
}

// measures finds the columns of numbers, and the dimension that tells them
// apart; nil where there is one.
func (t *table) measures() *stat.Dimension {
	l := t.layout
	var codes []stat.Code
	for i, v := range l.values {
		t.values = append(t.values, valueColumn{at: v.at, measure: int32(i)})
		codes = append(codes, stat.Code{ID: v.id, Label: v.label})
	}
	for i, at := range l.bounds {
		if at >= 0 {
			t.values = append(t.values, valueColumn{at: at, measure: int32(i + 1), isBound: true})
		}
	}
	t.numbers = make([]sdmx.Number, len(t.values))
	dimension := assemble.Indicators(codes)
	switch {
	case len(t.values) == 1:
		return nil
	case len(l.values) == 1:
		dimension = assemble.Estimates()
	}
	return &dimension
}

// settleStyle settles how numbers are written. With commas between cells they
// have a decimal point; other files may be of a country with decimal commas.
func (t *table) settleStyle(report *stat.Report) error {
	t.style = sdmx.PlainStyle
	if t.in.Decimal == "" && t.header.sep == ',' {
		return nil
	}
	s, err := t.survey()
	if err != nil {
		return err
	}
	if t.style, err = s.style.Style(t.in.Decimal); err == nil && t.style != sdmx.PlainStyle {
		report.Add(stat.NoteNumberStyle, 1, fmt.Sprintf("decimal sign %q", t.style.Decimal))
	}
	return err
}
