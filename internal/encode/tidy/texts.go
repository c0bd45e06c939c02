package tidy

import (
	"time"

	"almanac/internal/encode"
	"almanac/internal/stat"
)

// Cells is how a form writes the cells of a row. Each method appends a cell and the separator
// after it, which is one byte.
type Cells interface {
	// AppendText appends a text, which may be empty.
	AppendText(buf []byte, c Column, text string) []byte
	// AppendNumber appends a number; NaN is a missing value.
	AppendNumber(buf []byte, c Column, v float64) []byte
}

// Texts are the cells of series, areas, periods and flags as a form writes them, each written
// once, and their columns.
type Texts struct {
	cells      Cells
	table      *encode.Table
	dataset    *stat.Dataset
	labels     encode.Labels
	isISO      bool
	dimensions []dimension // with the fixed ones
	geography  dimension

	name    []byte             // the cell of the dataset
	codes   []map[int32][]byte // by dimension and code
	areas   prepared           // by code of the geography
	periods prepared           // by position in Extract.Periods
	flags   map[stat.Flags][]byte
	tail    []byte
}

// NewTexts returns the texts of a table.
func NewTexts(t *encode.Table, o encode.Options, cells Cells) *Texts {
	d := t.Vintage.Dataset
	x := &Texts{
		cells: cells, table: t, dataset: d, labels: o.Labels, isISO: o.ISOPeriods,
		codes: make([]map[int32][]byte, len(d.Dimensions)), flags: map[stat.Flags][]byte{},
	}
	x.areas.at, x.periods.at = make([]int32, len(d.Geography.Codes)), make([]int32, len(t.Extract.Periods))
	n := namesOf(t.Vintage)
	x.dimensions, x.geography = n.dimensions, n.geography
	x.name = x.append(nil, Dataset, Code, t.Reference())
	for i := range d.Fixed {
		x.tail = x.appendCode(x.tail, x.dimensions[len(d.Dimensions)+i], &d.Fixed[i].Code)
	}
	if t.Transform != "" {
		x.tail = x.append(x.tail, Transform, Code, t.Transform)
	}
	x.tail = x.append(x.tail, Version, Code, t.Vintage.Version)
	x.tail = x.append(x.tail, Source, Text, d.Source.Name)
	x.tail = x.append(x.tail, Licence, Text, LicenceOf(t))
	return x
}

func (x *Texts) append(buf []byte, name string, kind Kind, text string) []byte {
	return x.cells.AppendText(buf, Column{name, kind}, text)
}

// pair appends those of the columns of a code and its label that were chosen.
func (x *Texts) pair(list []Column, code, label Column) []Column {
	if HasCodes(x.labels) {
		list = append(list, code)
	}
	if HasLabels(x.labels) {
		list = append(list, label)
	}
	return list
}

func (x *Texts) appendCode(buf []byte, d dimension, c *stat.Code) []byte {
	if HasCodes(x.labels) {
		buf = x.cells.AppendText(buf, d.code, c.ID)
	}
	if HasLabels(x.labels) {
		buf = x.cells.AppendText(buf, d.label, c.Label)
	}
	return buf
}

// HeadColumns returns the columns of the dataset and the dimensions of its keys.
func (x *Texts) HeadColumns() []Column {
	list := []Column{{Dataset, Code}}
	for _, d := range x.dimensions[:len(x.dataset.Dimensions)] {
		list = x.pair(list, d.code, d.label)
	}
	return list
}

// AppendHead appends the cells of HeadColumns for the key of a series.
func (x *Texts) AppendHead(buf []byte, key []int32) []byte {
	buf = append(buf, x.name...)
	for i, code := range key {
		text, ok := x.codes[i][code]
		if !ok {
			if x.codes[i] == nil {
				x.codes[i] = map[int32][]byte{}
			}
			text = x.appendCode(nil, x.dimensions[i], &x.dataset.Dimensions[i].Codes[code])
			x.codes[i][code] = text
		}
		buf = append(buf, text...)
	}
	return buf
}

// AreaColumns returns the columns of an area.
func (x *Texts) AreaColumns() []Column {
	return append(x.pair(nil, x.geography.code, x.geography.label), Column{GeoISO3, Code})
}

// Area returns the cells of AreaColumns for a code of the geography.
func (x *Texts) Area(code int32) []byte {
	if !x.areas.has(code) {
		x.areas.text = x.appendCode(x.areas.text, x.geography, &x.dataset.Geography.Codes[code])
		x.areas.add(code, x.append(x.areas.text, GeoISO3, Code, Alpha3Of(x.table.Vintage)[code]))
	}
	return x.areas.of(code)
}

// PeriodColumns returns the columns of a period.
func (x *Texts) PeriodColumns() []Column {
	return []Column{{Period, Code}, {PeriodStart, Date}, {PeriodEnd, Date}}
}

// Period returns the cells of PeriodColumns for a position in Extract.Periods.
func (x *Texts) Period(at int32) []byte {
	if !x.periods.has(at) {
		p := x.table.Extract.Periods[at]
		text := x.append(x.periods.text, Period, Code, p.String())
		text = x.append(text, PeriodStart, Date, p.Start().Format(time.DateOnly))
		x.periods.add(at, x.append(text, PeriodEnd, Date, p.End().Format(time.DateOnly)))
	}
	return x.periods.of(at)
}

// LabelColumns returns the columns of other texts of periods: the source's, if it has any, and
// those of ISO 8601, if wanted.
func (x *Texts) LabelColumns() (list []Column) {
	if len(x.dataset.PeriodLabels) > 0 {
		list = append(list, Column{PeriodLabel, Text})
	}
	if x.isISO {
		list = append(list, Column{PeriodISO, Code})
	}
	return list
}

// hasPeriodTexts reports whether there are LabelColumns.
func (x *Texts) hasPeriodTexts() bool { return x.isISO || len(x.dataset.PeriodLabels) > 0 }

// AppendLabel appends the cells of LabelColumns for a position in Extract.Periods.
func (x *Texts) AppendLabel(buf []byte, at int32) []byte {
	if !x.hasPeriodTexts() {
		return buf
	}
	p := x.table.Extract.Periods[at]
	if len(x.dataset.PeriodLabels) > 0 {
		buf = x.append(buf, PeriodLabel, Text, x.dataset.PeriodLabels[p])
	}
	if x.isISO {
		buf = x.append(buf, PeriodISO, Code, p.SDMX())
	}
	return buf
}

// AppendUnit appends the cell of the unit of a block, in the column Unit.
func (x *Texts) AppendUnit(buf []byte, b *stat.Block) []byte {
	return x.append(buf, Unit, Text, x.dataset.UnitOf(b.Key, b.Unit))
}

// Flags returns the cell of flags, in the column Status.
func (x *Texts) Flags(f stat.Flags) []byte {
	text, ok := x.flags[f]
	if !ok {
		text = x.append(nil, Status, Flags, string(f))
		x.flags[f] = text
	}
	return text
}

// TailColumns returns the columns of what is the same for all observations: dimensions with a
// single code that are in no key, and what is known of the dataset.
func (x *Texts) TailColumns() []Column {
	var list []Column
	for _, d := range x.dimensions[len(x.dataset.Dimensions):] {
		list = x.pair(list, d.code, d.label)
	}
	if x.table.Transform != "" {
		list = append(list, Column{Transform, Code})
	}
	return append(list, Column{Version, Code}, Column{Source, Text}, Column{Licence, Text})
}

// Tail returns the cells of TailColumns.
func (x *Texts) Tail() []byte { return x.tail }
