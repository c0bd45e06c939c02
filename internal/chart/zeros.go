package chart

import (
	"math"
	"slices"

	"almanac/internal/chart/caption"
	"almanac/internal/chart/words"
)

// Limits from which zeros may stand for missing values.
const (
	maxZeros   = .05 // of all values
	minNonZero = .05 // of the middle value: the lowest of the others
	minValues  = 30  // in all
	minLeap    = .5  // of the middle value: the first value after zeros
)

// areZerosOdd reports whether zeros may stand for missing values: they are few, and all other
// values are far above them. The lowest income per inhabitant is not 0.
func areZerosOdd(all []float64) bool {
	if !slices.Contains(all, 0) {
		return false
	}
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

// firstZeros are zeros before all other values of a series.
type firstZeros struct{ label, span string }

// dropFirstZeros leaves out zeros that may stand for missing values before all other values of a
// series, with a note: a line would leap from them.
func (t *selection) dropFirstZeros() {
	var all []float64
	for _, st := range t.series {
		all = append(all, st.values...)
	}
	if !areZerosOdd(all) {
		return
	}
	middle := quantile(slices.Sorted(slices.Values(all)), .5)
	for _, st := range t.series {
		first := slices.IndexFunc(st.values, func(v float64) bool { return v != 0 })
		if first <= 0 || st.values[first] < minLeap*middle {
			continue
		}
		from, to := t.periods[st.periods[0]], t.periods[st.periods[first-1]]
		t.firstZeros = append(t.firstZeros, firstZeros{t.label(st, t.shown()), t.language.Span(from, to)})
		st.deleteValues(func(i int) bool { return i < first })
	}
}

// zeroNotes names zeros that may stand for missing values, by the values of all series or of their
// own. They are drawn as published.
func (s *Spec) zeroNotes() []string {
	var all []float64
	odd := make([]bool, len(s.Series)) // by the other values of the series
	for i := range s.Series {
		values := slices.DeleteFunc(slices.Clone(s.Series[i].Values), math.IsNaN)
		all = append(all, values...)
		odd[i] = areZerosOdd(values)
	}
	isAllOdd := areZerosOdd(all)
	var names []string
	for i := range s.Series {
		if !isAllOdd && !odd[i] {
			continue
		}
		for _, r := range s.runs(&s.Series[i], func(series *Series, at int) bool { return series.Values[at] == 0 }) {
			names = append(names, s.place(&s.Series[i], r))
		}
	}
	if names == nil {
		return nil
	}
	w := s.Words()
	return []string{w.Text("Zero as published: %s.", w.List(names))}
}

// minBesideZero is the least value beside a zero that is not the rounding of a small number.
const minBesideZero = 1

// dropIndexZeros leaves out zeros between values of an index: some offices write them for periods
// without a value, and an index that is at 12 before and 14 after was not at zero. A note
// counts them.
func (t *selection) dropIndexZeros(w *words.Language) {
	count := 0
	for _, st := range t.series {
		if slices.Min(st.values) == 0 && caption.IsIndex(st.unit) && !slices.ContainsFunc(st.values, func(v float64) bool { return v > 0 && v < minBesideZero }) {
			count += st.dropZeros()
		}
	}
	if count > 0 {
		t.notes = append(t.notes, w.Text("Zeros between other values of an index are not drawn (%s).", count))
	}
}

// dropZeros removes the zeros between other values and returns their number.
func (s *dataSeries) dropZeros() int {
	first := slices.IndexFunc(s.values, func(v float64) bool { return v != 0 })
	if first < 0 {
		return 0
	}
	last := len(s.values) - 1
	for s.values[last] == 0 {
		last--
	}
	return s.deleteValues(func(i int) bool { return s.values[i] == 0 && i > first && i < last })
}
