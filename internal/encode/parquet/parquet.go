// Package parquet writes tables as Apache Parquet files: one observation per row, with the
// columns of package csv. Texts are dictionary-coded strings and null if missing, days are
// dates, and values are doubles. The metadata of the file say which dataset and version it
// has, from which source and under which licence, and where it can be read again.
package parquet

import (
	"io"
	"math"

	lib "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"almanac/internal/encode"
	"almanac/internal/encode/columnar"
)

// rowGroupRows is the number of rows in a row group. The compressed columns of one are in
// memory while the table is written.
const rowGroupRows = 128 << 10

// compression is shared by all files, because an encoder has megabytes of tables that are
// expensive to create.
var compression = &zstd.Codec{Level: zstd.SpeedFastest}

// Write writes a table.
func Write(to io.Writer, t *encode.Table, o encode.Options) error {
	layout := columnar.New(t, o)
	file := lib.NewGenericWriter[any](to, schemaOf(layout), lib.Compression(compression), lib.CreatedBy("almanac", "", ""))
	w := &writer{file: file, layout: layout}
	for i := range layout.Columns {
		w.columns = append(w.columns, column{definitionLevel: definitionLevel(&layout.Columns[i]), index: i})
	}
	isEmpty := true
	for batch, err := range layout.Batches() {
		if err != nil {
			return err
		}
		isEmpty = false
		if err := w.write(batch); err != nil {
			return err
		}
	}
	for _, f := range t.Facts(isEmpty) {
		file.SetKeyValueMetadata("almanac."+f.Name, f.Text)
	}
	return file.Close()
}

// schemaOf returns the schema of a layout.
func schemaOf(l *columnar.Layout) *lib.Schema {
	nodes := lib.Group{}
	order := map[string]int{}
	for i := range l.Columns {
		c := &l.Columns[i]
		node := lib.Encoded(lib.String(), &lib.RLEDictionary)
		switch c.Type {
		case columnar.Date:
			node = lib.Encoded(lib.Date(), &lib.RLEDictionary)
		case columnar.Number:
			node = lib.Leaf(lib.DoubleType)
		}
		if definitionLevel(c) > 0 {
			node = lib.Optional(node)
		}
		nodes[c.Name], order[c.Name] = node, i
	}
	return lib.NewSchema("data", &ordered{nodes, order})
}

// definitionLevel returns 1 for a column whose values may be missing, else 0.
func definitionLevel(c *columnar.Column) int {
	if c.IsOptional {
		return 1
	}
	return 0
}

// ordered is a group of columns in an order of its own; that of the library is by name.
type ordered struct {
	lib.Group
	order map[string]int
}

// Fields returns the columns in order.
func (g *ordered) Fields() []lib.Field {
	fields := make([]lib.Field, len(g.order))
	for _, f := range g.Group.Fields() {
		fields[g.order[f.Name()]] = f
	}
	return fields
}

// writer writes the rows of one table.
type writer struct {
	file    *lib.GenericWriter[any]
	layout  *columnar.Layout
	columns []column
	rows    int         // in the current row group
	cells   []lib.Value // of the current batch and column
}

// column has the values of a column by their position.
type column struct {
	index           int
	definitionLevel int
	values          []lib.Value
}

func (w *writer) write(b *columnar.Batch) error {
	for i, to := range w.file.ColumnWriters() {
		w.cells = w.columns[i].appendCells(w.cells[:0], &w.layout.Columns[i], b)
		if _, err := to.WriteRowValues(w.cells); err != nil {
			return err
		}
	}
	if w.rows += len(b.Values); w.rows < rowGroupRows {
		return nil
	}
	w.rows = 0
	return w.file.Flush()
}

// appendCells appends the cells of a batch.
func (c *column) appendCells(cells []lib.Value, from *columnar.Column, b *columnar.Batch) []lib.Value {
	if from.Type == columnar.Number {
		for _, v := range b.Values {
			value, level := lib.DoubleValue(v), c.definitionLevel
			if math.IsNaN(v) {
				value, level = lib.NullValue(), 0
			}
			cells = append(cells, value.Level(0, level, c.index))
		}
		return cells
	}
	c.prepare(from)
	for _, at := range b.Cells[c.index] {
		cells = append(cells, c.values[at])
	}
	return cells
}

// prepare makes the values of texts and days that have none yet.
func (c *column) prepare(from *columnar.Column) {
	for _, day := range from.Days[min(len(c.values), len(from.Days)):] {
		c.values = append(c.values, lib.Int32Value(day).Level(0, c.definitionLevel, c.index))
	}
	if from.Type != columnar.Text {
		return
	}
	for _, text := range from.Texts[len(c.values):] {
		value, level := lib.ByteArrayValue([]byte(text)), c.definitionLevel
		if text == "" && level > 0 {
			value, level = lib.NullValue(), 0
		}
		c.values = append(c.values, value.Level(0, level, c.index))
	}
}
