package tidy

import (
	"io"
	"math"
	"slices"

	"almanac/internal/stat"
)

// ChunkSize is the number of bytes that are written at once.
const ChunkSize = 64 << 10

// Rows writes a table with one observation a row.
type Rows struct {
	*Texts
	rowEnd string // in place of the last separator of a row
}

var valueColumn = Column{Value, Number}

// Columns returns the columns in the order of the cells of a row.
func (w *Rows) Columns() []Column {
	list := append(append(w.HeadColumns(), w.AreaColumns()...), w.PeriodColumns()...)
	list = append(list, valueColumn, Column{Unit, Text}, Column{Status, Flags}, Column{Note, Text})
	return append(append(list, w.LabelColumns()...), w.TailColumns()...)
}

// Write writes the rows after some first bytes. A row is begin, its cells, and end in place
// of the last separator. It may be called once.
func (w *Rows) Write(out io.Writer, first []byte, begin, end string) error {
	defer w.Release()
	m := w.memory
	m.buf = append(slices.Grow(m.buf[:0], ChunkSize+ChunkSize/8), first...)
	w.rowEnd = end
	for b, err := range w.table.Extract.Blocks {
		if err != nil {
			return err
		}
		w.begin(b, begin)
		for row := range b.Periods {
			m.buf = w.appendRows(m.buf, b, row)
			if len(m.buf) < ChunkSize {
				continue
			}
			if _, err := out.Write(m.buf); err != nil {
				return err
			}
			m.buf = m.buf[:0]
		}
	}
	_, err := out.Write(m.buf)
	return err
}

// begin prepares what the rows of a block share. Each row begins with a text.
func (w *Rows) begin(b *stat.Block, text string) {
	m := w.memory
	m.head = w.AppendHead(append(m.head[:0], text...), b.Key)
	for _, code := range b.Areas {
		w.Area(code) // prepared before the unit, as it stands before it: XLSX numbers texts in this order
	}
	m.unit = w.AppendUnit(m.unit[:0], b)
	m.common = w.append(append(m.common[:0], m.unit...), Status, Flags, "")
	m.common = w.append(m.common, Note, Text, "")
	m.before = m.before[:0]
	if !w.hasPeriodTexts() {
		w.prepareEnds(0)
		m.before = append(m.before, m.plain...)
	}
	m.starts, m.ends = m.starts[:0], m.ends[:0]
	for _, code := range b.Areas {
		m.starts = append(append(append(m.starts, m.before...), m.head...), w.Area(code)...)
		m.ends = append(m.ends, len(m.starts))
	}
}

// prepareEnds sets what the rows of a period end with.
func (w *Rows) prepareEnds(period int32) {
	m := w.memory
	m.end = append(w.AppendLabel(m.end[:0], period), m.tail...)
	m.end = append(m.end[:len(m.end)-1], w.rowEnd...)
	m.plain = append(append(m.plain[:0], m.common...), m.end...)
}

// appendRows appends the rows of a period of a block. The end of a plain row is appended with the
// start of the next, since copying them one by one takes most of the time.
func (w *Rows) appendRows(buf []byte, b *stat.Block, row int) []byte {
	m, period := w.memory, w.Period(b.Periods[row])
	if w.hasPeriodTexts() {
		w.prepareEnds(b.Periods[row])
	}
	isOpen := false // the row before has no end yet
	for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
		start := m.start(b.Area[i])
		if !isOpen {
			start = start[len(m.before):]
		}
		buf = append(append(buf, start...), period...)
		buf = w.cells.AppendNumber(buf, valueColumn, Finite(b.Value[i]), b.Decimals)
		isPlain := b.Flags == nil || b.Flags[i] == "" && b.Note[i] == ""
		if isOpen = isPlain && len(m.before) > 0; isOpen {
			continue
		}
		if isPlain {
			buf = append(buf, m.plain...)
			continue
		}
		buf = append(append(buf, m.unit...), w.Flags(b.Flags[i])...)
		buf = append(w.append(buf, Note, Text, b.Note[i]), m.end...)
	}
	if isOpen {
		buf = append(buf, m.before...)
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
