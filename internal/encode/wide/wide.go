// Package wide lays out a table with a column for each area or each period, for forms that are
// written row by row. It holds the table in memory, because the columns stand before the rows.
package wide

import (
	"io"
	"math"
	"slices"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/encode/grid"
	"almanac/internal/encode/tidy"
	"almanac/internal/stat"
)

// maxCells is the number of cells of a wide table, empty ones included.
const maxCells = 50_000_000

// Table writes a table with a column for each area or each period.
type Table struct {
	*tidy.Texts
	*grid.Grid
	cells   tidy.Cells
	byArea  bool
	columns []column
	at      []int // of a code of the geography or a position of a period, its column
	row     []int32
}

// column has the names of the columns of an area or a period. Those for flags and notes are
// empty if none of its observations has any.
type column struct{ value, flags, note string }

// Read reads a table that is to be written in some cells. The error is [stat.Invalid] if it is
// too large.
func Read(t *encode.Table, o encode.Options, c tidy.Cells) (*Table, error) {
	g, err := grid.Read(t, "wide="+string(o.Wide))
	if err != nil {
		return nil, err
	}
	x := &Table{Texts: tidy.NewTexts(t, o, c), Grid: g, cells: c, byArea: o.Wide == encode.WideArea}
	if n := x.Rows() * len(x.items()); n > maxCells {
		return nil, stat.Errorf(stat.Invalid, "wide=%s would have %d cells, of which most are empty; at most 50,000,000 are written: select less, or leave wide out", o.Wide, n)
	}
	x.prepare(t, o)
	return x, nil
}

// items returns the codes of the areas or the positions of the periods that have columns.
func (x *Table) items() []int32 {
	if x.byArea {
		return x.Codes[len(x.Codes)-1]
	}
	return x.Periods
}

// Rows returns the number of rows.
func (x *Table) Rows() int {
	n := 0
	for _, b := range x.Blocks {
		if x.byArea {
			n += len(b.Periods)
		} else {
			n += len(b.Areas)
		}
	}
	return n
}

// prepare finds the columns and their names.
func (x *Table) prepare(t *encode.Table, o encode.Options) {
	d := t.Vintage.Dataset
	names := tidy.NewNames()
	for _, c := range x.HeadColumns() {
		names.Take(c.Name, c.Name)
	}
	items := x.items()
	x.columns, x.row = make([]column, len(items)), make([]int32, len(items))
	x.at = make([]int, max(len(d.Geography.Codes), len(t.Extract.Periods)))
	for i, item := range items {
		x.at[item] = i
		name := columnName(t, item, x.byArea, o)
		x.columns[i].value = names.Take(name, name)
	}
	for _, b := range x.Blocks {
		for at := range x.eachCell(b) {
			c := &x.columns[x.at[at.item]]
			if c.flags == "" && grid.FlagsOf(b, at.cell) != "" {
				c.flags = names.Take(c.value+"_"+tidy.Status, c.value+"_"+tidy.Status)
			}
			if c.note == "" && grid.NoteOf(b, at.cell) != "" {
				c.note = names.Take(c.value+"_"+tidy.Note, c.value+"_"+tidy.Note)
			}
		}
	}
}

// columnName returns the name of the column of an area or period, as labels chooses: "DE",
// "Germany" or "DE: Germany".
func columnName(t *encode.Table, item int32, isArea bool, o encode.Options) string {
	d := t.Vintage.Dataset
	var code, label string
	if isArea {
		code, label = d.Geography.Codes[item].ID, d.Geography.Codes[item].Label
	} else {
		p := t.Extract.Periods[item]
		code, label = p.String(), d.PeriodLabels[p]
		if o.ISOPeriods {
			code = p.SDMX()
		}
	}
	switch {
	case label == "" || label == strings.Join(strings.Fields(code), " ") || !tidy.HasLabels(o.Labels):
		return code
	case !tidy.HasCodes(o.Labels):
		return label
	}
	return code + ": " + label
}

// place is a cell of a block and the area or period that has its column.
type place struct{ cell, item int32 }

// eachCell yields the cells of a block.
func (x *Table) eachCell(b *stat.Block) func(yield func(place) bool) {
	return func(yield func(place) bool) {
		for row, period := range b.Periods {
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				at := place{i, period}
				if x.byArea {
					at.item = b.Areas[b.Area[i]]
				}
				if !yield(at) {
					return
				}
			}
		}
	}
}

// Columns returns the columns in the order of the cells of a row.
func (x *Table) Columns() []tidy.Column {
	list := x.HeadColumns()
	if x.byArea {
		list = slices.Concat(list, x.PeriodColumns(), x.LabelColumns())
	} else {
		list = append(list, x.AreaColumns()...)
	}
	list = append(list, tidy.Column{Name: tidy.Unit})
	for _, c := range x.columns {
		list = append(list, tidy.Column{Name: c.value, Kind: tidy.Number})
		if c.flags != "" {
			list = append(list, tidy.Column{Name: c.flags, Kind: tidy.Flags})
		}
		if c.note != "" {
			list = append(list, tidy.Column{Name: c.note, Kind: tidy.Text})
		}
	}
	return slices.Concat(list, x.TailColumns())
}

// Write writes the rows after some first bytes. A row is begin, its cells, and end in place
// of the last separator. It may be called once.
func (x *Table) Write(out io.Writer, first []byte, begin, end string) error {
	defer x.Release()
	buf := append(make([]byte, 0, tidy.ChunkSize+tidy.ChunkSize/8), first...)
	for _, b := range x.Blocks {
		n := len(b.Periods)
		if !x.byArea {
			n = len(b.Areas)
		}
		byArea := x.cellsByArea(b)
		for row := range n {
			buf = x.AppendHead(append(buf, begin...), b.Key)
			for i := range x.row {
				x.row[i] = -1
			}
			if x.byArea {
				buf = x.AppendLabel(append(buf, x.Period(b.Periods[row])...), b.Periods[row])
				for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
					x.row[x.at[b.Areas[b.Area[i]]]] = i
				}
			} else {
				buf = append(buf, x.Area(b.Areas[row])...)
				for _, at := range byArea[row] {
					x.row[x.at[at.item]] = at.cell
				}
			}
			buf = append(x.appendCells(x.AppendUnit(buf, b), b), x.Tail()...)
			buf = append(buf[:len(buf)-1], end...)
			if len(buf) < tidy.ChunkSize {
				continue
			}
			if _, err := out.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := out.Write(buf)
	return err
}

// cellsByArea returns the cells of each area of a block, nil if areas have columns.
func (x *Table) cellsByArea(b *stat.Block) [][]place {
	if x.byArea {
		return nil
	}
	byArea := make([][]place, len(b.Areas))
	for at := range x.eachCell(b) {
		area := b.Area[at.cell]
		byArea[area] = append(byArea[area], at)
	}
	return byArea
}

// appendCells appends the cells of the columns for the row that is prepared.
func (x *Table) appendCells(buf []byte, b *stat.Block) []byte {
	for i, c := range x.columns {
		cell := x.row[i]
		value, flags, note := math.NaN(), stat.Flags(""), ""
		if cell >= 0 {
			value, flags, note = tidy.Finite(b.Value[cell]), grid.FlagsOf(b, cell), grid.NoteOf(b, cell)
		}
		buf = x.cells.AppendNumber(buf, tidy.Column{Name: c.value, Kind: tidy.Number}, value, b.Decimals)
		if c.flags != "" {
			buf = append(buf, x.Flags(flags)...)
		}
		if c.note != "" {
			buf = x.cells.AppendText(buf, tidy.Column{Name: c.note, Kind: tidy.Text}, note)
		}
	}
	return buf
}
