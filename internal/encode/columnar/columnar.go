// Package columnar lays out a table as one observation per row, for forms that store columns:
// each column has its distinct values once, and rows refer to them by position.
//
//	column            dataset             na_item  geo     period  value  …
//	distinct values   eurostat:nama_10_gdp  B1GQ P3  DE FR   2023 2024
//	row               0                   0        1       0       4.2
//
// The columns and their order are those of package csv.
package columnar

import (
	"iter"

	"almanac/internal/encode"
	"almanac/internal/encode/tidy"
	"almanac/internal/stat"
)

// Type is the type of the values of a column.
type Type uint8

// The types.
const (
	Text Type = iota
	Date
	Number
)

// Column is a column of the layout.
type Column struct {
	Name string
	Type Type
	// Texts has the distinct values of a column of texts; the empty one is a missing value. The
	// columns for units, flags and notes get new ones while batches are read.
	Texts []string
	// Days has the distinct values of a column of dates, as days since 1970-01-01.
	Days []int32

	// IsOptional is whether values may be missing.
	IsOptional bool

	from      origin
	dimension int              // of a dimension's column
	positions map[string]int32 // of Texts; only of columns that get new ones
}

// origin says which part of an observation a column shows.
type origin uint8

const (
	ofDataset origin = iota // the same in all rows
	ofDimension
	ofArea
	ofPeriod
	ofValue
	ofUnit
	ofFlags
	ofNote
)

// Layout is a table in columns.
type Layout struct {
	Columns []Column
	table   *encode.Table
	names   tidy.Names
}

// New returns the layout of a table. Dimensions have a column for codes, for labels, or both.
func New(t *encode.Table, o encode.Options) *Layout {
	l := &Layout{table: t, names: tidy.NewNames()}
	d, labels := t.Vintage.Dataset, o.Labels
	l.add(Column{Name: tidy.Dataset, Texts: []string{t.Reference()}})
	for i := range d.Dimensions {
		l.addCodes(&d.Dimensions[i], labels, Column{from: ofDimension, dimension: i})
	}
	l.addCodes(&d.Geography, labels, Column{from: ofArea})
	l.add(Column{Name: tidy.GeoISO3, Texts: tidy.Alpha3Of(t.Vintage), IsOptional: true, from: ofArea})
	areas := Column{Name: tidy.GeoISO, IsOptional: true, from: ofArea}
	for i := range d.Geography.Codes {
		areas.Texts = append(areas.Texts, tidy.AreaOf(&d.Geography.Codes[i]))
	}
	l.add(areas)
	l.addPeriods(t.Extract.Periods)
	l.add(Column{Name: tidy.Value, Type: Number, IsOptional: true, from: ofValue})
	for name, from := range ofObservation {
		l.add(Column{Name: name, IsOptional: true, from: from, positions: map[string]int32{}})
	}
	if len(d.PeriodLabels) > 0 {
		texts := Column{Name: tidy.PeriodLabel, IsOptional: true, from: ofPeriod}
		for _, p := range t.Extract.Periods {
			texts.Texts = append(texts.Texts, d.PeriodLabels[p])
		}
		l.add(texts)
	}
	if o.ISOPeriods {
		texts := Column{Name: tidy.PeriodISO, from: ofPeriod}
		for _, p := range t.Extract.Periods {
			texts.Texts = append(texts.Texts, p.SDMX())
		}
		l.add(texts)
	}
	for _, f := range d.Fixed {
		l.addCodes(&stat.Dimension{ID: f.ID, Codes: []stat.Code{f.Code}}, labels, Column{})
	}
	if t.Transform != "" {
		l.add(Column{Name: tidy.Transform, Texts: []string{t.Transform}})
	}
	l.add(Column{Name: tidy.Version, Texts: []string{t.Vintage.Version}})
	l.add(Column{Name: tidy.Source, Texts: []string{d.Source.Name}})
	l.add(Column{Name: tidy.Licence, Texts: []string{tidy.LicenceOf(t)}, IsOptional: true})
	return l
}

// ofObservation yields the columns whose values are found while rows are read.
func ofObservation(yield func(name string, from origin) bool) {
	_ = yield(tidy.Unit, ofUnit) && yield(tidy.Status, ofFlags) && yield(tidy.Note, ofNote)
}

func (l *Layout) add(c Column) { l.Columns = append(l.Columns, c) }

func (l *Layout) addCodes(d *stat.Dimension, labels encode.Labels, c Column) {
	codes, texts := c, c
	codes.Name = l.names.Take(d.ID, d.ID+"_code")
	texts.Name = l.names.Take(d.ID+"_label", d.ID+"_label")
	for _, code := range d.Codes {
		codes.Texts = append(codes.Texts, code.ID)
		texts.Texts = append(texts.Texts, code.Label)
	}
	if tidy.HasCodes(labels) {
		l.add(codes)
	}
	if tidy.HasLabels(labels) {
		l.add(texts)
	}
}

func (l *Layout) addPeriods(periods []stat.Period) {
	names := Column{Name: tidy.Period, from: ofPeriod}
	starts := Column{Name: tidy.PeriodStart, Type: Date, from: ofPeriod}
	ends := Column{Name: tidy.PeriodEnd, Type: Date, from: ofPeriod}
	for _, p := range periods {
		names.Texts = append(names.Texts, p.String())
		starts.Days = append(starts.Days, p.StartDay())
		ends.Days = append(ends.Days, int32(p.End().Unix()/secondsOfDay))
	}
	l.add(names)
	l.add(starts)
	l.add(ends)
}

const secondsOfDay = 24 * 60 * 60

// Batch has successive rows.
type Batch struct {
	// Cells has for each column the position of the value of each row in its Texts or Days. It
	// is nil for the column of numbers.
	Cells  [][]int32
	Values []float64 // NaN if missing
}

// batchRows is about how many rows a batch has.
const batchRows = 8 << 10

// Batches reads the table and yields its rows. The batch is reused for the next one. It may be
// ranged over once.
func (l *Layout) Batches() iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		b := &Batch{Cells: make([][]int32, len(l.Columns))}
		for block, err := range l.table.Extract.Blocks {
			if err != nil {
				yield(nil, err)
				return
			}
			for row := 0; row < len(block.Periods); {
				row = l.fill(b, block, row)
				if len(b.Values) < batchRows {
					continue
				}
				if !yield(b, nil) {
					return
				}
				b.empty()
			}
		}
		if len(b.Values) > 0 {
			yield(b, nil)
		}
	}
}

func (b *Batch) empty() {
	b.Values = b.Values[:0]
	for i := range b.Cells {
		b.Cells[i] = b.Cells[i][:0]
	}
}

// fill appends rows of a block, from a row on, until the batch is full or the block ends. It
// returns the next row.
func (l *Layout) fill(b *Batch, block *stat.Block, row int) int {
	end, room := row, batchRows-len(b.Values)
	for end < len(block.Periods) && int(block.RowStart[end]-block.RowStart[row]) < room {
		end++
	}
	lo, hi := block.RowStart[row], block.RowStart[end]
	for _, v := range block.Value[lo:hi] {
		b.Values = append(b.Values, tidy.Finite(v))
	}
	unit := l.table.Vintage.Dataset.UnitOf(block.Key, block.Unit)
	for i := range l.Columns {
		c := &l.Columns[i]
		cells := b.Cells[i]
		switch c.from {
		case ofValue:
		case ofDataset:
			cells = appendRepeated(cells, 0, int(hi-lo))
		case ofDimension:
			cells = appendRepeated(cells, block.Key[c.dimension], int(hi-lo))
		case ofUnit:
			cells = appendRepeated(cells, c.position(unit), int(hi-lo))
		case ofPeriod:
			for r := row; r < end; r++ {
				cells = appendRepeated(cells, block.Periods[r], int(block.RowStart[r+1]-block.RowStart[r]))
			}
		case ofArea:
			for _, area := range block.Area[lo:hi] {
				cells = append(cells, block.Areas[area])
			}
		case ofFlags:
			for _, flags := range block.Flags[lo:hi] {
				cells = append(cells, c.position(string(flags)))
			}
		case ofNote:
			for _, note := range block.Note[lo:hi] {
				cells = append(cells, c.position(note))
			}
		}
		b.Cells[i] = cells
	}
	return end
}

func appendRepeated(list []int32, value int32, n int) []int32 {
	for range n {
		list = append(list, value)
	}
	return list
}

// position returns the position of a text, which may be new.
func (c *Column) position(text string) int32 {
	at, ok := c.positions[text]
	if !ok {
		at = int32(len(c.Texts))
		c.positions[text] = at
		c.Texts = append(c.Texts, text)
	}
	return at
}
