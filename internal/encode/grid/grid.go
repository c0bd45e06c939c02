// Package grid holds an extract in memory, for forms that must know all its areas and periods
// before they write the first number.
package grid

import (
	"slices"

	"almanac/internal/encode"
	"almanac/internal/stat"
)

// MaxObservations is the number of observations that a grid holds.
const MaxObservations = 1_000_000

// Grid is an extract in memory.
type Grid struct {
	Blocks       []*stat.Block
	Codes        [][]int32 // those that occur of each of [stat.Dataset.Axes], ascending
	Periods      []int32   // those that occur, as positions in Extract.Periods, ascending
	Observations int
}

// Read reads the extract of a table. form is what the caller asked for, such as wide=area. The
// error is [stat.Invalid] if there are more than [MaxObservations].
func Read(t *encode.Table, form string) (*Grid, error) {
	g := &Grid{}
	d := t.Vintage.Dataset
	occurs := make([][]bool, len(d.Dimensions)+2) // of the codes of each axis, then of the periods
	for i, axis := range d.Axes() {
		occurs[i] = make([]bool, len(axis.Codes))
	}
	periods := len(occurs) - 1
	occurs[periods] = make([]bool, len(t.Extract.Periods))
	for b, err := range t.Extract.Blocks {
		if err != nil {
			return nil, err
		}
		if g.Observations += len(b.Value); g.Observations > MaxObservations {
			return nil, stat.Errorf(stat.Invalid, "%s holds at most 1,000,000 observations, and this selection has more; select less, or use data.csv without wide, data.ndjson or data.parquet, which have no limit", form)
		}
		g.Blocks = append(g.Blocks, clone(b))
		for i, code := range b.Key {
			occurs[i][code] = true
		}
		for _, code := range b.Areas {
			occurs[periods-1][code] = true
		}
		for _, at := range b.Periods {
			occurs[periods][at] = true
		}
	}
	for _, axis := range occurs {
		g.Codes = append(g.Codes, positions(axis))
	}
	g.Codes, g.Periods = g.Codes[:periods], g.Codes[periods]
	return g, nil
}

// clone copies a block, which the iterator reuses. Flags and notes are left out if there are
// none.
func clone(b *stat.Block) *stat.Block {
	c := &stat.Block{
		Key: slices.Clone(b.Key), Unit: b.Unit, Areas: slices.Clone(b.Areas), Periods: slices.Clone(b.Periods), RowStart: slices.Clone(b.RowStart),
		Area: slices.Clone(b.Area), Value: slices.Clone(b.Value),
	}
	if slices.ContainsFunc(b.Flags, func(f stat.Flags) bool { return f != "" }) {
		c.Flags = slices.Clone(b.Flags)
	}
	if slices.ContainsFunc(b.Note, func(note string) bool { return note != "" }) {
		c.Note = slices.Clone(b.Note)
	}
	return c
}

func positions(occurs []bool) []int32 {
	var list []int32
	for i, ok := range occurs {
		if ok {
			list = append(list, int32(i))
		}
	}
	return list
}

// FlagsOf returns the flags of an observation of a block of a grid.
func FlagsOf(b *stat.Block, i int32) stat.Flags {
	if b.Flags == nil {
		return ""
	}
	return b.Flags[i]
}

// NoteOf returns the note on an observation of a block of a grid.
func NoteOf(b *stat.Block, i int32) string {
	if b.Note == nil {
		return ""
	}
	return b.Note[i]
}
