package chart

import (
	"math"
	"slices"
)

// Limits from which zeros may stand for missing values.
const (
	maxZeros   = .05 // of all values
	minNonZero = .05 // of the middle value: the lowest of the others
	minValues  = 30  // in all
)

// areZerosOdd reports whether zeros may stand for missing values: they are few, and all other
// values are far above them. The lowest income per inhabitant is not 0.
func areZerosOdd(all []float64) bool {
	sorted := slices.Sorted(slices.Values(all))
	zeros, _ := slices.BinarySearch(sorted, math.SmallestNonzeroFloat64)
	n := float64(len(sorted))
	if len(sorted) < minValues || zeros == 0 || sorted[0] < 0 || float64(zeros) > maxZeros*n {
		return false
	}
	return sorted[zeros] >= minNonZero*quantile(sorted, .5)
}

// withoutOddZeros returns the series, by their indexes, without those that have zeros which
// may stand for missing values: such a zero is no lowest value.
func (t *selection) withoutOddZeros(plain []int) []int {
	var all []float64
	for _, st := range t.series {
		all = append(all, st.values...)
	}
	if !areZerosOdd(all) {
		return plain
	}
	return slices.DeleteFunc(slices.Clone(plain), func(i int) bool { return slices.Contains(t.series[i].values, 0) })
}

// zeroNotes names zeros that may stand for missing values. They are drawn as published.
func (s *Spec) zeroNotes() []string {
	var all []float64
	for i := range s.Series {
		for _, v := range s.Series[i].Values {
			if !math.IsNaN(v) {
				all = append(all, v)
			}
		}
	}
	if !areZerosOdd(all) {
		return nil
	}
	var names []string
	for i := range s.Series {
		for _, r := range s.runsOf(&s.Series[i], func(at int) bool { return s.Series[i].Values[at] == 0 }) {
			names = append(names, s.place(&s.Series[i], r))
		}
	}
	w := s.Words()
	return []string{w.Text("Zero as published: %s.", w.List(names))}
}
