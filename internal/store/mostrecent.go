package store

import (
	"slices"

	"almanac/internal/stat"
)

// minLag is the number of days from which the values of an area are out of date beside those of another.
const minLag = 365

// MostRecent returns the first of several areas whose last value in a selection is not a year or more older than that of
// another. They are positions in the geography, of which the selection has none (see [stat.Query.Select]).
func (v *Vintage) MostRecent(sel [][]int32, areas []int32) (int32, error) {
	ends := make([]int32, len(areas))
	for i, area := range areas {
		q := stat.Query{Latest: stat.LatestObserved, Select: append(slices.Clone(sel), []int32{area})}
		last, err := v.LatestPeriod(q)
		if err != nil {
			return 0, err
		}
		if !last.IsZero() {
			ends[i] = last.EndDay()
		}
	}
	at := slices.IndexFunc(ends, func(end int32) bool { return end > slices.Max(ends)-minLag })
	return areas[at], nil
}
