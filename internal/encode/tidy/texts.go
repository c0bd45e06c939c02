package tidy

import (
	"almanac/internal/encode"
	"almanac/internal/stat"
)

// Cells is how a form writes the cells of a row. Each method appends a cell and the separator
// after it, which is one byte.
type Cells interface {
	// AppendText appends a text, which may be empty.
	AppendText(buf []byte, c Column, text string) []byte
	// AppendNumber appends a number with at most so many decimals; NaN is a missing value.
	AppendNumber(buf []byte, c Column, v float64, d stat.Decimals) []byte
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
	periods    []encode.Period // by position in Extract.Periods
	flags      map[stat.Flags][]byte
	memory     *memory
}

// NewTexts returns the texts of a table.
func NewTexts(t *encode.Table, o encode.Options, cells Cells) *Texts {
	d := t.Vintage.Dataset
	x := &Texts{
		cells: cells, table: t, dataset: d, labels: o.Labels, isISO: o.ISOPeriods,
		periods: encode.PeriodsOf(t.Vintage), memory: newMemory(d, len(t.Extract.Periods)),
	}
	n := namesOf(t.Vintage)
	x.dimensions, x.geography = n.dimensions, n.geography
	m := x.memory
	m.name = x.append(m.name, Dataset, Code, t.Reference())
	for i := range d.Fixed {
		m.tail = x.appendCode(m.tail, x.dimensions[len(d.Dimensions)+i], &d.Fixed[i].Code)
	}
	if t.Transform != "" {
		m.tail = x.append(m.tail, Transform, Code, t.Transform)
	}
	m.tail = x.append(m.tail, Version, Code, t.Vintage.Version)
	m.tail = x.append(m.tail, Source, Text, d.Source.Name)
	m.tail = x.append(m.tail, Licence, Text, LicenceOf(t))
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
	list := append(make([]Column, 0, 2*len(x.dimensions)+16), Column{Dataset, Code}) // with room for those of a row
	for _, d := range x.dimensions[:len(x.dataset.Dimensions)] {
		list = x.pair(list, d.code, d.label)
	}
	return list
}

// AppendHead appends the cells of HeadColumns for the key of a series.
func (x *Texts) AppendHead(buf []byte, key []int32) []byte {
	buf = append(buf, x.memory.name...)
	for i, code := range key {
		p := &x.memory.dimensions[i]
		if !p.has(code) {
			p.add(code, x.appendCode(p.text, x.dimensions[i], &x.dataset.Dimensions[i].Codes[code]))
		}
		buf = append(buf, p.of(code)...)
	}
	return buf
}

// AreaColumns returns the columns of an area.
func (x *Texts) AreaColumns() []Column {
	return append(x.pair(make([]Column, 0, 4), x.geography.code, x.geography.label), Column{GeoISO3, Code}, Column{GeoISO, Code})
}

// Area returns the cells of AreaColumns for a code of the geography.
func (x *Texts) Area(code int32) []byte {
	p := &x.memory.areas
	if !p.has(code) {
		c := &x.dataset.Geography.Codes[code]
		text := x.appendCode(p.text, x.geography, c)
		text = x.append(text, GeoISO3, Code, Alpha3Of(x.table.Vintage)[code])
		p.add(code, x.append(text, GeoISO, Code, AreaOf(c)))
	}
	return p.of(code)
}

// PeriodColumns returns the columns of a period.
func (x *Texts) PeriodColumns() []Column {
	return []Column{{Period, Code}, {PeriodStart, Date}, {PeriodEnd, Date}}
}

// Period returns the cells of PeriodColumns for a position in Extract.Periods.
func (x *Texts) Period(at int32) []byte {
	p := &x.memory.periods
	if !p.has(at) {
		text := x.append(p.text, Period, Code, x.periods[at].Text)
		text = x.append(text, PeriodStart, Date, x.periods[at].Start)
		p.add(at, x.append(text, PeriodEnd, Date, x.periods[at].End))
	}
	return p.of(at)
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
	if len(x.dataset.PeriodLabels) > 0 {
		buf = x.append(buf, PeriodLabel, Text, x.dataset.PeriodLabels[x.table.Extract.Periods[at]])
	}
	if x.isISO {
		buf = x.append(buf, PeriodISO, Code, x.periods[at].ISO)
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
		if x.flags == nil {
			x.flags = map[stat.Flags][]byte{}
		}
		x.flags[f] = text
	}
	return text
}

// TailColumns returns the columns of what is the same for all observations: dimensions with a
// single code that are in no key, and what is known of the dataset.
func (x *Texts) TailColumns() []Column {
	list := make([]Column, 0, 16)
	for _, d := range x.dimensions[len(x.dataset.Dimensions):] {
		list = x.pair(list, d.code, d.label)
	}
	if x.table.Transform != "" {
		list = append(list, Column{Transform, Code})
	}
	return append(list, Column{Version, Code}, Column{Source, Text}, Column{Licence, Text})
}

// Tail returns the cells of TailColumns.
func (x *Texts) Tail() []byte { return x.memory.tail }
