package store

import (
	"fmt"
	"math"
	"slices"

	"almanac/internal/stat"
)

// Sample returns up to n observations, spread over all in the order in which they are
// stored: the first, the last and some in between. The same draft gives the same sample.
func (d *Draft) Sample(n int) (sample []stat.Observation, err error) {
	positions, before := samplePositions(n, d.observations.rows), 0
	for c, err := range d.observations.segments() {
		if err != nil {
			return nil, fmt.Errorf("reading a sample: %w", err)
		}
		for len(positions) > 0 && positions[0] < before+len(c.value) {
			sample = append(sample, c.observation(positions[0]-before))
			positions = positions[1:]
		}
		before += len(c.value)
	}
	return sample, nil
}

// samplePositions returns up to n of the positions below rows, ascending. Multiples of the
// golden ratio spread evenly without a period, so that they do not meet the same code
// again and again.
func samplePositions(n, rows int) []int {
	if rows <= n {
		n = rows
	}
	var positions []int
	for i := range n {
		at := i
		switch {
		case rows == n:
		case i == n-1:
			at = rows - 1
		case i > 0:
			_, part := math.Modf(float64(i) * math.Phi)
			at = int(part * float64(rows))
		}
		for slices.Contains(positions, at) {
			at = (at + 1) % rows
		}
		positions = append(positions, at)
	}
	slices.Sort(positions)
	return positions
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
