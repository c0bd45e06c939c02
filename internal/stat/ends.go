package stat

import (
	"iter"
	"math"
)

// KeepEnds narrows each series of a block, the cells of one area, to its first and last
// values, as many as given; 0 and 0 are no bound. A cell without a value is kept up to the
// last of the first values, and from the first of the last ones on. Of a series without a value
// nothing is kept, nor the area in the block. The slices of the block are changed in place.
func (b *Block) KeepEnds(first, last int) {
	if first == 0 && last == 0 {
		return
	}
	values := make([]int, len(b.Areas)) // of each area
	for i, area := range b.Area {
		if !math.IsNaN(b.Value[i]) {
			values[area]++
		}
	}
	before := make([]int, len(b.Areas)) // values in the cells so far
	rows, cells, start := 0, int32(0), int32(0)
	for row, period := range b.Periods {
		begin, end := cells, b.RowStart[row+1]
		for i := start; i < end; i++ {
			area := b.Area[i]
			if values[area] == 0 {
				continue
			}
			isFirst := before[area] < min(first, values[area])
			if !math.IsNaN(b.Value[i]) {
				before[area]++
			}
			isLast := last > 0 && before[area] > max(0, values[area]-last)
			if isFirst || isLast {
				b.moveCell(i, cells)
				cells++
			}
		}
		start = end
		if cells > begin {
			b.Periods[rows] = period
			rows++
			b.RowStart[rows] = cells
		}
	}
	b.cut(rows, cells)
}

// DropEmptyAreas removes the areas of a block that have no cells. The slices of the block are changed in
// place.
func (b *Block) DropEmptyAreas() {
	isUsed := make([]bool, len(b.Areas))
	for _, area := range b.Area {
		isUsed[area] = true
	}
	to := make([]int32, len(b.Areas)) // the new position of each area
	used := b.Areas[:0]
	for i, area := range b.Areas {
		if to[i] = int32(len(used)); isUsed[i] {
			used = append(used, area)
		}
	}
	if b.Areas = used; len(used) == len(to) {
		return
	}
	for i, area := range b.Area {
		b.Area[i] = to[area]
	}
}

// KeepPeriods narrows a block to some periods, which keep marks by their position in
// [Extract.Periods]. The slices of the block are changed in place.
func (b *Block) KeepPeriods(keep []bool) {
	rows, cells, start := 0, int32(0), int32(0)
	for row, period := range b.Periods {
		end := b.RowStart[row+1]
		if keep[period] {
			for i := start; i < end; i++ {
				b.moveCell(i, cells)
				cells++
			}
			b.Periods[rows] = period
			rows++
			b.RowStart[rows] = cells
		}
		start = end
	}
	b.cut(rows, cells)
}

// KeepAreas narrows a block to some areas, by their positions in the geography. The slices of the block are
// changed in place.
func (b *Block) KeepAreas(keep func(area int32) bool) {
	rows, cells, start := 0, int32(0), int32(0)
	for row, period := range b.Periods {
		end, first := b.RowStart[row+1], cells
		for i := start; i < end; i++ {
			if keep(b.Areas[b.Area[i]]) {
				b.moveCell(i, cells)
				cells++
			}
		}
		if cells > first {
			b.Periods[rows] = period
			rows++
			b.RowStart[rows] = cells
		}
		start = end
	}
	b.cut(rows, cells)
}

// cut leaves the first rows and cells, and the areas that these have.
func (b *Block) cut(rows int, cells int32) {
	b.Periods, b.RowStart = b.Periods[:rows], b.RowStart[:rows+1]
	b.Area, b.Value = b.Area[:cells], b.Value[:cells]
	if b.Flags != nil {
		b.Flags, b.Note = b.Flags[:cells], b.Note[:cells]
	}
	b.DropEmptyAreas()
}

// moveCell copies a cell to an earlier place.
func (b *Block) moveCell(from, to int32) {
	b.Area[to], b.Value[to] = b.Area[from], b.Value[from]
	if b.Flags != nil {
		b.Flags[to], b.Note[to] = b.Flags[from], b.Note[from]
	}
}

// withEnds yields blocks narrowed by [Block.KeepEnds], without those of which nothing is left.
func withEnds(blocks iter.Seq2[*Block, error], first, last int) iter.Seq2[*Block, error] {
	return func(yield func(*Block, error) bool) {
		for b, err := range blocks {
			if err == nil {
				if b.KeepEnds(first, last); len(b.Value) == 0 {
					continue
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// KeepEnds narrows the blocks of an extract to the first and last values that a query selects.
func (x *Extract) KeepEnds(q *Query) {
	if q.FirstN > 0 || q.LastN > 0 {
		x.Blocks = withEnds(x.Blocks, q.FirstN, q.LastN)
	}
}
