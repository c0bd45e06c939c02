package tidy

import (
	"io"
	"math"
	"slices"
	"sync"

	"almanac/internal/stat"
)

// ChunkSize is the number of bytes that are written at once.
const ChunkSize = 64 << 10

// chunks are buffers to reuse.
var chunks = sync.Pool{New: func() any {
	buf := make([]byte, 0, ChunkSize+ChunkSize/8)
	return &buf
}}

// Rows writes a table with one observation a row.
type Rows struct {
	*Texts

	// Of the current block:
	head   []byte   // the cells before those of the area
	area   [][]byte // of each area
	unit   []byte
	end    []byte // of a row of the current period: the cells after the note
	common []byte // the unit, no flags and no note
}

// Columns returns the columns in the order of the cells of a row.
func (w *Rows) Columns() []Column {
	list := slices.Concat(w.HeadColumns(), w.AreaColumns(), w.PeriodColumns())
	list = append(list, Column{Value, Number}, Column{Unit, Text}, Column{Status, Flags}, Column{Note, Text})
	return slices.Concat(list, w.LabelColumns(), w.TailColumns())
}

// Write writes the rows after some first bytes. A row is begin, its cells, and end in place
// of the last separator.
func (w *Rows) Write(out io.Writer, first []byte, begin, end string) error {
	memory := chunks.Get().(*[]byte)
	buf := append((*memory)[:0], first...)
	defer func() {
		*memory = buf
		chunks.Put(memory)
	}()
	for b, err := range w.table.Extract.Blocks {
		if err != nil {
			return err
		}
		w.begin(b)
		for row, at := range b.Periods {
			period := w.Period(at)
			w.end = w.appendEnd(w.end[:0], at, end)
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				buf = append(append(buf, begin...), w.head...)
				buf = append(append(buf, w.area[b.Area[i]]...), period...)
				buf = append(w.appendValue(buf, b, i), w.end...)
			}
			if len(buf) < ChunkSize {
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

// appendEnd appends the cells after the note, and the end of the row in place of the last
// separator.
func (w *Rows) appendEnd(buf []byte, period int32, end string) []byte {
	buf = append(w.AppendLabel(buf, period), w.tail...)
	return append(buf[:len(buf)-1], end...)
}

// begin prepares what the rows of a block share.
func (w *Rows) begin(b *stat.Block) {
	w.head = w.AppendHead(w.head[:0], b.Key)
	w.area = w.area[:0]
	for _, code := range b.Areas {
		w.area = append(w.area, w.Area(code))
	}
	w.unit = w.AppendUnit(w.unit[:0], b)
	w.common = append(append(w.common[:0], w.unit...), w.Flags("")...)
	w.common = w.append(w.common, Note, Text, "")
}

// appendValue appends the value of an observation, its unit, flags and note.
func (w *Rows) appendValue(buf []byte, b *stat.Block, i int32) []byte {
	buf = w.cells.AppendNumber(buf, Column{Value, Number}, Finite(b.Value[i]))
	if b.Flags == nil || b.Flags[i] == "" && b.Note[i] == "" {
		return append(buf, w.common...)
	}
	buf = append(append(buf, w.unit...), w.Flags(b.Flags[i])...)
	return w.append(buf, Note, Text, b.Note[i])
}

// Finite returns v, or NaN if it is infinite: that is a missing value, as in JSON.
func Finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}
