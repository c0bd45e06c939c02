package store

import "almanac/internal/stat"

// Summary tells what a writer holds.
type Summary struct {
	Series       int
	Observations int           // those with a value
	Periods      []stat.Period // that occur, in order
	Flags        map[string]int
	Notes        int // observations with a note
}

// Summary counts what would be published. To be called after Seal.
func (w *Writer) Summary() Summary {
	c := w.sealed
	s := Summary{Series: c.seriesCount(), Observations: c.values(), Periods: c.periods, Flags: map[string]int{}}
	counts := make([]int, len(c.flagSet))
	for _, f := range c.flag {
		counts[f]++
	}
	for f, n := range counts {
		for _, code := range c.flagSet[f].List() {
			s.Flags[code] += n
		}
	}
	for _, n := range c.note {
		if n != 0 {
			s.Notes++
		}
	}
	return s
}
