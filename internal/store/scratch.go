package store

import (
	"slices"
	"sync"

	"almanac/internal/stat"
)

// scratch is the working memory of a Select, reused by the next one.
type scratch struct {
	block  stat.Block
	blocks []int32 // candidates
	series []int32 // of the current block
	runs   []run   // of the current block, by area
	next   []int32 // for each period the position of its next cell
	cells  []cell  // of a block with few cells over many periods
	flags  []stat.Flags
	notes  []string
	// Never written, for datasets that have neither flags nor notes:
	noFlags []stat.Flags
	noNotes []string
}

// cell is a selected observation of a block.
type cell struct{ period, area, obs int32 }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// resize makes room for the cells of w.block. hasRemarks says that some may have flags or notes.
func (w *scratch) resize(n int, flags, hasRemarks bool) {
	blk := &w.block
	blk.Area, blk.Value = slices.Grow(blk.Area[:0], n)[:n], slices.Grow(blk.Value[:0], n)[:n]
	blk.Flags, blk.Note = nil, nil
	switch {
	case flags && hasRemarks:
		w.flags, w.notes = slices.Grow(w.flags[:0], n)[:n], slices.Grow(w.notes[:0], n)[:n]
		blk.Flags, blk.Note = w.flags, w.notes
	case flags:
		if cap(w.noFlags) < n {
			w.noFlags, w.noNotes = make([]stat.Flags, n), make([]string, n)
		}
		blk.Flags, blk.Note = w.noFlags[:n:n], w.noNotes[:n:n]
	}
}
