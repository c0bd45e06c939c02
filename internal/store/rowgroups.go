package store

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/parquet-go/parquet-go"

	"almanac/internal/stat"
)

// fileColumn is a column of a vintage's file.
type fileColumn struct {
	name string
	node parquet.Node
	// values are what the column may hold; positions returns the position there of the
	// value of each row of a window.
	values    []parquet.Value
	positions func(w *window) []int32
	// numbers, if values is nil, appends the values of all rows.
	numbers func(batch []parquet.Value, w *window, index int) []parquet.Value
}

// fileColumns returns the columns of the file of a dataset.
func fileColumns(d *stat.Dataset, o *observations) []fileColumn {
	encoded := func(node parquet.Node) parquet.Node { return parquet.Encoded(node, &parquet.RLEDictionary) }
	starts := make([]parquet.Value, len(o.periods))
	periods := make([]string, len(o.periods))
	for i, p := range o.periods {
		starts[i], periods[i] = parquet.Int32Value(p.StartDay()), p.SDMX()
	}
	ofPeriod := func(w *window) []int32 { return w.period }
	list := []fileColumn{
		{name: attributeColumn(d, columnStart), node: encoded(parquet.Date()), values: starts, positions: ofPeriod},
		{name: attributeColumn(d, columnValue), node: parquet.Optional(parquet.Leaf(parquet.DoubleType)), numbers: appendNumbers},
	}
	// add adds a column of texts; "" is null.
	add := func(name string, node parquet.Node, texts []string, positions func(w *window) []int32) {
		values := make([]parquet.Value, len(texts))
		for i, text := range texts {
			if text != "" {
				values[i] = parquet.ByteArrayValue([]byte(text))
			}
		}
		list = append(list, fileColumn{name: name, node: node, values: values, positions: positions})
	}
	required := encoded(parquet.String())
	optional := parquet.Optional(required)
	for axis, dim := range d.Axes() {
		add(dim.ID, required, idsOf(dim.Codes), func(w *window) []int32 { return w.keys[axis] })
	}
	add(attributeColumn(d, columnPeriod), required, periods, ofPeriod)
	if len(o.flagSet) > 1 {
		status, conf := make([]string, len(o.flagSet)), make([]string, len(o.flagSet))
		for i, f := range o.flagSet {
			status[i], conf[i] = f.Split()
		}
		ofFlag := func(w *window) []int32 { return w.flag }
		add(attributeColumn(d, columnStatus), optional, status, ofFlag)
		if strings.Join(conf, "") != "" {
			add(attributeColumn(d, columnConf), optional, conf, ofFlag)
		}
	}
	if len(o.noteSet) > 1 {
		add(attributeColumn(d, columnNote), optional, o.noteSet, func(w *window) []int32 { return w.note })
	}
	if len(o.units) > 1 {
		add(attributeColumn(d, columnUnit), optional, o.units, func(w *window) []int32 { return w.unit })
	}
	return list
}

func appendNumbers(batch []parquet.Value, w *window, index int) []parquet.Value {
	null := parquet.NullValue().Level(0, 0, index)
	for _, v := range w.value {
		if math.IsNaN(v) {
			batch = append(batch, null)
		} else {
			batch = append(batch, parquet.DoubleValue(v).Level(0, 1, index))
		}
	}
	return batch
}

// appendRows appends the values of the rows of a window for the column with an index in
// the file.
func (fc *fileColumn) appendRows(batch []parquet.Value, w *window, index int) []parquet.Value {
	if fc.values == nil {
		return fc.numbers(batch, w, index)
	}
	for _, at := range fc.positions(w) {
		batch = append(batch, fc.values[at])
	}
	return batch
}

// setLevels gives the values the levels of the column with an index in the file.
func (fc *fileColumn) setLevels(index int) {
	for i, v := range fc.values {
		level := 0
		if fc.node.Optional() && !v.IsNull() {
			level = 1
		}
		fc.values[i] = v.Level(0, level, index)
	}
}

// groupWriter writes the row groups of a vintage's file. Several are encoded at once,
// and they are written in order.
type groupWriter struct {
	*parquet.GenericWriter[any]
	observations *observations
	columns      []fileColumn
	indexes      map[string]int // of the columns in the file
}

// rowGroup is a row group that is being encoded.
type rowGroup struct {
	window
	writer *parquet.ConcurrentRowGroupWriter
	batch  []parquet.Value
	done   chan error
}

// maxGroupsAtOnce bounds the memory for row groups, which take about 20 MB each.
const maxGroupsAtOnce = 4

func (g *groupWriter) write() error {
	for i := range g.columns {
		g.columns[i].setLevels(g.indexes[g.columns[i].name])
	}
	most := min(runtime.GOMAXPROCS(0), maxGroupsAtOnce)
	var free, encoding []*rowGroup
	commit := func() error {
		next := encoding[0]
		encoding = encoding[1:]
		if err := <-next.done; err != nil {
			return err
		}
		free = append(free, next)
		if _, err := next.writer.Commit(); err != nil {
			return fmt.Errorf("writing a row group: %w", err)
		}
		return nil
	}
	err := g.observations.windows(rowGroupRows, func(w *window) (*window, error) {
		var next *rowGroup
		if len(free) > 0 {
			next, free = free[0], free[1:]
		} else {
			next = &rowGroup{writer: g.BeginRowGroup(), done: make(chan error, 1)}
		}
		next.window, *w = *w, next.window
		encoding = append(encoding, next)
		go func() { next.done <- g.encode(next) }()
		if len(encoding) < most {
			return w, nil
		}
		return w, commit()
	})
	for len(encoding) > 0 && err == nil {
		err = commit()
	}
	for _, unfinished := range encoding {
		<-unfinished.done
	}
	return err
}

// encode encodes the rows of a group's window.
func (g *groupWriter) encode(to *rowGroup) error {
	for i := range g.columns {
		column := &g.columns[i]
		index := g.indexes[column.name]
		to.batch = column.appendRows(to.batch[:0], &to.window, index)
		if _, err := to.writer.ColumnWriters()[index].WriteRowValues(to.batch); err != nil {
			return fmt.Errorf("writing column %s: %w", column.name, err)
		}
	}
	return nil
}
