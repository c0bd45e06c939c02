package api

import (
	"math"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// blockWriter writes series blocks as JSON. It is the innermost loop of the
// interface: everything that does not depend on the cell is prepared before.
type blockWriter struct {
	dataset *stat.Dataset
	rows    []rowText
	flags   bool
	numbers numbers

	// The members' names of the block at hand: names[ends[i-1]:ends[i]] is
	// `,"Germany":` for the i-th area.
	names []byte
	ends  []int
	unit  []byte // `,"unit":"…"`, or empty
}

// rowText is what a row of a period begins and ends with.
type rowText struct {
	head  string // `{"period":"2020","values":{`
	label string // `,"period_label":"1950-1955"`, mostly empty
}

type rowTextsKey struct{}

// rowTexts are the texts of the vintage's periods, made once. The heads lie
// one behind the other: an answer takes many of them in order, and those of a
// dataset that was not asked for of late come from far memory.
func rowTexts(v *store.Vintage) []rowText {
	return v.Memo(rowTextsKey{}, func() any {
		texts := make([]rowText, len(v.Periods))
		var all strings.Builder
		ends := make([]int, len(v.Periods))
		for i, p := range v.Periods {
			all.WriteString(`{"period":"` + p.String() + `","values":{`)
			ends[i] = all.Len()
		}
		from := 0
		for i, p := range v.Periods {
			texts[i].head = all.String()[from:ends[i]]
			from = ends[i]
			if label := v.Dataset.PeriodLabels[p]; label != "" {
				texts[i].label = string(appendText([]byte{'{'}, "period_label", label)[1:])
				texts[i].label = "," + texts[i].label
			}
		}
		return texts
	}).([]rowText)
}

// prepare makes the writer ready for the blocks of a vintage.
func (b *blockWriter) prepare(v *store.Vintage, flags bool) {
	b.dataset, b.rows, b.flags = v.Dataset, rowTexts(v), flags
}

// writeBlocks writes the blocks of an extract as an array. empty says that
// there was none.
func writeBlocks(s *stream, blocks *stat.Extract) (empty bool, err error) {
	s.buf = append(s.buf, '[')
	empty = true
	for block, err := range blocks.Blocks {
		if err != nil {
			return false, err
		}
		if !empty {
			s.buf = append(s.buf, ',')
		}
		empty = false
		if err := s.blocks.write(s, block); err != nil {
			return false, err
		}
	}
	s.buf = append(s.buf, ']')
	return empty, nil
}

// write writes one block.
func (b *blockWriter) write(s *stream, block *stat.Block) error {
	b.nameAreas(block)
	b.unit = appendUnit(b.unit[:0], b.dataset.UnitOf(block.Key, block.Unit))
	s.buf = b.appendHead(s.buf, block)
	for row := range block.Periods {
		if row > 0 {
			s.buf = append(s.buf, ',')
		}
		s.buf = b.appendRow(s.buf, block, row)
		if err := s.pass(); err != nil {
			return err
		}
	}
	s.buf = append(s.buf, ']', '}')
	return nil
}

// nameAreas prepares the names of the block's areas.
func (b *blockWriter) nameAreas(block *stat.Block) {
	b.names, b.ends = b.names[:0], b.ends[:0]
	for _, area := range block.Areas {
		b.names = append(b.names, ',')
		b.names = appendString(b.names, b.dataset.Geography.Codes[area].Label)
		b.names = append(b.names, ':')
		b.ends = append(b.ends, len(b.names))
	}
}

// name is `,"Germany":` for an area of the block.
func (b *blockWriter) name(area int32) []byte {
	start := 0
	if area > 0 {
		start = b.ends[area-1]
	}
	return b.names[start:b.ends[area]]
}

// appendHead appends a block up to its first row.
func (b *blockWriter) appendHead(buf []byte, block *stat.Block) []byte {
	buf = append(buf, `{"series_key":{`...)
	buf = appendKey(buf, b.dataset, block.Key)
	buf = append(buf, `},"countries":[`...)
	for i := range block.Areas {
		name := b.name(int32(i))
		if i == 0 {
			name = name[1:]
		}
		buf = append(buf, name[:len(name)-1]...)
	}
	return append(buf, `],"rows":[`...)
}

// appendKey appends the members dim1_value … of a series' key.
func appendKey(buf []byte, d *stat.Dataset, key []int32) []byte {
	for i, code := range key {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, `"dim`...)
		buf = append(buf, byte('1'+i))
		buf = append(buf, `_value":`...)
		buf = appendString(buf, d.Dimensions[i].Codes[code].Label)
	}
	return buf
}

// appendRow appends one row: its values, unit and label, and with flags wanted
// also those and the notes.
func (b *blockWriter) appendRow(buf []byte, block *stat.Block, row int) []byte {
	text := &b.rows[block.Periods[row]]
	buf = append(buf, text.head...)
	from, to := block.RowStart[row], block.RowStart[row+1]
	first := true
	for cell := from; cell < to; cell++ {
		value := block.Value[cell]
		if math.IsNaN(value) || math.IsInf(value, 0) {
			continue // absent is not zero, and JSON has no name for it
		}
		name := b.name(block.Area[cell])
		if first {
			name, first = name[1:], false
		}
		buf = append(buf, name...)
		buf = b.numbers.appendNumber(buf, value)
	}
	buf = append(buf, '}')
	buf = append(buf, b.unit...)
	buf = append(buf, text.label...)
	if b.flags {
		buf = b.appendFlags(buf, block, from, to)
		buf = b.appendNotes(buf, block, from, to)
	}
	return append(buf, '}')
}

// appendFlags appends the flags of a row's cells.
func (b *blockWriter) appendFlags(buf []byte, block *stat.Block, from, to int32) []byte {
	buf = append(buf, `,"flags":{`...)
	for cell := from; cell < to; cell++ {
		if block.Flags[cell] == "" {
			continue
		}
		buf = append(appendComma(buf), b.name(block.Area[cell])[1:]...)
		buf = appendTexts(buf, block.Flags[cell].List())
	}
	return append(buf, '}')
}

// appendNotes appends the texts on a row's cells, if there are any.
func (b *blockWriter) appendNotes(buf []byte, block *stat.Block, from, to int32) []byte {
	any := false
	for cell := from; cell < to; cell++ {
		if block.Note[cell] == "" {
			continue
		}
		if !any {
			buf = append(buf, `,"notes":{`...)
			any = true
		}
		buf = append(appendComma(buf), b.name(block.Area[cell])[1:]...)
		buf = appendTexts(buf, []string{block.Note[cell]})
	}
	if any {
		buf = append(buf, '}')
	}
	return buf
}

func appendUnit(buf []byte, unit string) []byte {
	if unit == "" {
		return buf
	}
	return appendString(append(buf, `,"unit":`...), unit)
}
