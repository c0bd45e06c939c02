package maps

import (
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

// Rows of bits give the same answers as rows of bools.
func TestBitRows(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		const rows = 3
		cols := rapid.IntRange(1, 200).Draw(t, "columns")
		bits, plain := newBitRows(cols, rows), make([]bool, cols*rows)
		stretch := func(name string) (row, first, last int) {
			row = rapid.IntRange(0, rows-1).Draw(t, "row "+name)
			first = rapid.IntRange(0, cols-1).Draw(t, "first "+name)
			return row, first, rapid.IntRange(first, cols-1).Draw(t, "last "+name)
		}
		for range rapid.IntRange(0, 4).Draw(t, "stretches") {
			row, first, last := stretch("set")
			bits.set(row, first, last)
			for c := first; c <= last; c++ {
				plain[row*cols+c] = true
			}
		}
		row, first, last := stretch("query")
		want := false
		for c := first; c <= last; c++ {
			want = want || plain[row*cols+c]
		}
		if got := bits.has(row, first, last); got != want {
			t.Fatalf("has(row %d, %d to %d) = %t, want %t", row, first, last, got, want)
		}
	})
}
