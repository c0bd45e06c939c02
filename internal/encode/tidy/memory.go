package tidy

import (
	"sync"

	"almanac/internal/stat"
)

// memory is what a table needs while it is written. It is reused, because most of the time for a
// short table would be spent on new memory.
type memory struct {
	dimensions []prepared // without the fixed ones
	areas      prepared   // by code of the geography
	periods    prepared   // by position in Extract.Periods
	name       []byte     // the cell of the dataset
	tail       []byte
	buf        []byte // what is not written yet

	// Of the current block:
	head   []byte // how its rows begin: the cells before those of the area
	starts []byte // of the rows of its areas, one after another: before, and the cells before the period
	ends   []int  // of those of each area in starts
	before []byte // the end of a row without flags and note, if it is the same for all periods
	unit   []byte
	common []byte // the unit, no flags and no note

	// Of the current period:
	end   []byte // the cells after the note
	plain []byte // the cells after the value, without flags and note
}

var memories = sync.Pool{New: func() any { return &memory{} }}

// maxPooled is the number of bytes of texts of a dimension up to which memory is reused.
const maxPooled = 1 << 20

// newMemory returns memory for a dataset, with the number of its periods.
func newMemory(d *stat.Dataset, periods int) *memory {
	m := memories.Get().(*memory)
	for len(m.dimensions) < len(d.Dimensions) {
		m.dimensions = append(m.dimensions, prepared{})
	}
	for i := range d.Dimensions {
		m.dimensions[i].reset(len(d.Dimensions[i].Codes))
	}
	m.areas.reset(len(d.Geography.Codes))
	m.periods.reset(periods)
	m.name, m.tail = m.name[:0], m.tail[:0]
	return m
}

// Release allows others to use the memory of the texts, which must not be used again.
func (x *Texts) Release() {
	m := x.memory
	size := cap(m.areas.text) + cap(m.periods.text) + cap(m.starts)
	for i := range m.dimensions {
		size += cap(m.dimensions[i].text)
	}
	if size <= maxPooled {
		memories.Put(m)
	}
	x.memory = nil
}

// start returns the start of the rows of an area of the block.
func (m *memory) start(area int32) []byte {
	first := 0
	if area > 0 {
		first = m.ends[area-1]
	}
	return m.starts[first:m.ends[area]]
}

// prepared has the cells of the codes or periods that occur, one after another in one text, so
// that they need no memory each.
type prepared struct {
	at    []int32 // by code: the position in ends, plus one; 0 if it did not occur
	codes []int32 // those that occurred
	ends  []int   // of the cells in text
	text  []byte
}

// reset removes all cells and makes place for those of n codes.
func (p *prepared) reset(n int) {
	for _, code := range p.codes {
		p.at[code] = 0
	}
	if cap(p.at) < n {
		p.at = make([]int32, n)
	}
	p.at = p.at[:n]
	p.codes, p.ends, p.text = p.codes[:0], p.ends[:0], p.text[:0]
}

func (p *prepared) has(code int32) bool { return p.at[code] > 0 }

// add says that text, which begins with p.text, ends with the cells of a code.
func (p *prepared) add(code int32, text []byte) {
	p.text, p.codes, p.ends = text, append(p.codes, code), append(p.ends, len(text))
	p.at[code] = int32(len(p.ends))
}

// of returns the cells of a code that occurred. They stay as they are when others are added.
func (p *prepared) of(code int32) []byte {
	at, start := p.at[code]-1, 0
	if at > 0 {
		start = p.ends[at-1]
	}
	end := p.ends[at]
	return p.text[start:end:end]
}
