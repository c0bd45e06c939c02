package store

import (
	"cmp"
	"encoding/binary"
	"io"
	"runtime"
	"slices"
	"strings"

	layout "github.com/parquet-go/parquet-go/format"

	"almanac/internal/stat"
)

// fileColumns returns the columns of the file of a dataset, by name.
func fileColumns(d *stat.Dataset, o *observations) []fileColumn {
	var list []fileColumn
	add := func(name string, as layout.SchemaElement, texts []string, positions func(w *window) []int32) {
		as.Name = name
		values := make([][]byte, len(texts))
		for i, text := range texts {
			if text != "" || as.RepetitionType.V == layout.Required {
				values[i] = append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
			}
		}
		list = append(list, fileColumn{as, values, positions})
	}
	starts, periods := make([][]byte, len(o.periods)), make([]string, len(o.periods))
	for i, p := range o.periods {
		starts[i], periods[i] = binary.LittleEndian.AppendUint32(nil, uint32(p.StartDay())), p.SDMX()
	}
	ofPeriod := func(w *window) []int32 { return w.period }
	add(attributeColumn(d, columnValue), numbers, nil, nil)
	add(attributeColumn(d, columnStart), dates, nil, ofPeriod)
	list[1].values = starts
	add(attributeColumn(d, columnPeriod), texts, periods, ofPeriod)
	for axis, dim := range d.Axes() {
		add(dim.ID, texts, idsOf(dim.Codes), func(w *window) []int32 { return w.keys[axis] })
	}
	if len(o.flagSet) > 1 {
		status, conf := make([]string, len(o.flagSet)), make([]string, len(o.flagSet))
		for i, f := range o.flagSet {
			status[i], conf[i] = f.Split()
		}
		ofFlag := func(w *window) []int32 { return w.flag }
		add(attributeColumn(d, columnStatus), optionalTexts, status, ofFlag)
		if strings.Join(conf, "") != "" {
			add(attributeColumn(d, columnConf), optionalTexts, conf, ofFlag)
		}
	}
	if len(o.noteSet) > 1 {
		add(attributeColumn(d, columnNote), optionalTexts, o.noteSet, func(w *window) []int32 { return w.note })
	}
	if len(o.units) > 1 {
		add(attributeColumn(d, columnUnit), optionalTexts, o.units, func(w *window) []int32 { return w.unit })
	}
	slices.SortFunc(list, func(a, b fileColumn) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// groupWriter writes the row groups of a vintage's file. Several are encoded at once,
// and they are written in order.
type groupWriter struct {
	to      io.Writer
	size    int64 // of what was written
	columns []fileColumn
	groups  []layout.RowGroup // that were written
}

// maxGroupsAtOnce bounds the memory for row groups, which take about 10 MB each.
const maxGroupsAtOnce = 4

func (w *groupWriter) writeGroups(o *observations) error {
	most := min(runtime.GOMAXPROCS(0), maxGroupsAtOnce)
	var free, encoding []*rowGroup
	commit := func() error {
		next := encoding[0]
		encoding = encoding[1:]
		if err := <-next.done; err != nil {
			return err
		}
		free = append(free, next)
		return w.commit(next)
	}
	err := o.windows(rowGroupRows, func(rows *window) (*window, error) {
		var next *rowGroup
		if len(free) > 0 {
			next, free = free[0], free[1:]
		} else {
			next = &rowGroup{done: make(chan error, 1)}
		}
		next.window, *rows = *rows, next.window
		encoding = append(encoding, next)
		go func() { next.done <- next.encode(w.columns) }()
		if len(encoding) < most {
			return rows, nil
		}
		return rows, commit()
	})
	for len(encoding) > 0 && err == nil {
		err = commit()
	}
	for _, unfinished := range encoding {
		<-unfinished.done
	}
	return err
}

// commit writes an encoded row group.
func (w *groupWriter) commit(g *rowGroup) error {
	written := layout.RowGroup{NumRows: int64(len(g.value)), FileOffset: w.size, TotalCompressedSize: int64(len(g.data)), Ordinal: int16(len(w.groups))}
	at := w.size
	for i, chunk := range g.chunks {
		written.Columns = append(written.Columns, w.columns[i].describe(chunk, written.NumRows, at))
		written.TotalByteSize += chunk.raw
		at += chunk.dictionary + chunk.data
	}
	w.groups = append(w.groups, written)
	return w.write(g.data)
}

func (w *groupWriter) write(data []byte) error {
	n, err := w.to.Write(data)
	w.size += int64(n)
	return err
}
