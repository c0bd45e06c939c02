package store

import (
	"math"
	"slices"

	"almanac/internal/stat"
)

// Sample returns up to n observations, evenly spread over all in the order in which they
// are stored, from the first to the last. The same draft gives the same sample.
func (d *Draft) Sample(n int) []stat.Observation {
	c := d.columns
	rows := len(c.value)
	n = min(n, rows)
	sample := make([]stat.Observation, 0, n)
	for i := range n {
		at := i
		if n > 1 {
			at = int(math.Round(float64(i) * float64(rows-1) / float64(n-1)))
		}
		sample = append(sample, c.observation(at))
	}
	return sample
}

// observation returns an observation by its position.
func (c *columns) observation(at int) stat.Observation {
	series, isFirst := slices.BinarySearch(c.start, int32(at))
	if !isFirst {
		series--
	}
	for int(c.start[series+1]) == at { // a series without observations
		series++
	}
	key := make([]int32, len(c.keys))
	for axis := range key {
		key[axis] = c.keys[axis][series]
	}
	return stat.Observation{
		Key: key, Period: c.periods[c.period[at]], Value: c.value[at],
		Flags: c.flagsOf(int32(at)), Note: c.noteOf(int32(at)), Unit: c.unitOf(int32(series)),
	}
}
