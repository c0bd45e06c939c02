package store

import (
	"math"
	"slices"

	"almanac/internal/store/spill"
)

// move is an observation that has another unit in the newer version: the series of its codes and its
// period have one value in each version, in different units. An office may state a multiplier for
// some periods only.
type move struct {
	from, to      int // the series in the older and the newer version
	before, after spill.Observation
}

// takeMoves returns the observations that moved to another unit, in the order of the newer series
// and their periods, and removes them from the series. The series of each version have the same codes.
func takeMoves(old, now []spill.Series) []move {
	left, come := alone(old, now), alone(now, old)
	var moves []move
	for to := range now {
		now[to].Observations = slices.DeleteFunc(now[to].Observations, func(after spill.Observation) bool {
			from, ok := left[after.Period]
			if !ok || from < 0 || come[after.Period] != to || math.IsNaN(after.Value) {
				return false
			}
			moves = append(moves, move{from: from, to: to, after: after})
			return true
		})
	}
	for i := range moves {
		m := &moves[i]
		list := &old[m.from].Observations
		at := slices.IndexFunc(*list, func(o spill.Observation) bool { return o.Period == m.after.Period })
		m.before = (*list)[at]
		*list = slices.Delete(*list, at, at+1)
	}
	return moves
}

// severalSeries stands for more than one series.
const severalSeries = -1

// alone returns, by period, which of the series has a value in it that the series of the other version with
// the same unit has no observation for.
func alone(list, other []spill.Series) map[int32]int {
	found := map[int32]int{}
	for i := range list {
		has := map[int32]bool{}
		for j := range other {
			if unitOfKey(other[j].Key) == unitOfKey(list[i].Key) {
				for k := range other[j].Observations {
					has[other[j].Observations[k].Period] = true
				}
			}
		}
		for k := range list[i].Observations {
			o := &list[i].Observations[k]
			if has[o.Period] || math.IsNaN(o.Value) {
				continue
			}
			if _, ok := found[o.Period]; ok {
				found[o.Period] = severalSeries
			} else {
				found[o.Period] = i
			}
		}
	}
	return found
}
