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
	rowEnd string // in place of the last separator of a row

	// Of the current block:
	starts []byte // of the rows of its areas, one after another: the cells before the period
	ends   []int  // of those of each area in starts
	unit   []byte
	common []byte // the unit, no flags and no note

	// Of the current period:
	end   []byte // the cells after the note
	plain []byte // the cells after the value, without flags and note
}

var valueColumn = Column{Value, Number}

// Columns returns the columns in the order of the cells of a row.
func (w *Rows) Columns() []Column {
	list := slices.Concat(w.HeadColumns(), w.AreaColumns(), w.PeriodColumns())
	list = append(list, valueColumn, Column{Unit, Text}, Column{Status, Flags}, Column{Note, Text})
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
	w.rowEnd = end
	for b, err := range w.table.Extract.Blocks {
		if err != nil {
			return err
		}
		w.begin(b, begin)
		for row := range b.Periods {
			buf = w.appendRows(buf, b, row)
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

// begin prepares what the rows of a block share. Each row begins with a text.
func (w *Rows) begin(b *stat.Block, text string) {
	w.starts, w.ends = append(w.starts[:0], text...), w.ends[:0]
	w.starts = w.AppendHead(w.starts, b.Key)
	head := len(w.starts)
	for i, code := range b.Areas {
		if i > 0 {
			w.starts = append(w.starts, w.starts[:head]...)
		}
		w.starts = append(w.starts, w.Area(code)...)
		w.ends = append(w.ends, len(w.starts))
	}
	w.unit = w.AppendUnit(w.unit[:0], b)
	w.common = append(append(w.common[:0], w.unit...), w.Flags("")...)
	w.common = w.append(w.common, Note, Text, "")
	if !w.hasPeriodTexts() {
		w.prepareEnds(0)
	}
}

// prepareEnds sets what the rows of a period end with.
func (w *Rows) prepareEnds(period int32) {
	w.end = append(w.AppendLabel(w.end[:0], period), w.tail...)
	w.end = append(w.end[:len(w.end)-1], w.rowEnd...)
	w.plain = append(append(w.plain[:0], w.common...), w.end...)
}

// start returns the cells of an area of the block before the period.
func (w *Rows) start(area int32) []byte {
	first := 0
	if area > 0 {
		first = w.ends[area-1]
	}
	return w.starts[first:w.ends[area]]
}

// appendRows appends the rows of a period of a block.
func (w *Rows) appendRows(buf []byte, b *stat.Block, row int) []byte {
	period := w.Period(b.Periods[row])
	if w.hasPeriodTexts() {
		w.prepareEnds(b.Periods[row])
	}
	for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
		buf = append(append(buf, w.start(b.Area[i])...), period...)
		buf = w.cells.AppendNumber(buf, valueColumn, Finite(b.Value[i]))
		if b.Flags == nil || b.Flags[i] == "" && b.Note[i] == "" {
			buf = append(buf, w.plain...)
			continue
		}
		buf = append(append(buf, w.unit...), w.Flags(b.Flags[i])...)
		buf = append(w.append(buf, Note, Text, b.Note[i]), w.end...)
	}
	return buf
}

// Finite returns v, or NaN if it is infinite: that is a missing value, as in JSON.
func Finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}
