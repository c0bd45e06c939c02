package chart

import (
	"regexp"
	"slices"

	"almanac/internal/chart/words"
)

// isIndex matches the units of indices, which have a base.
var isIndex = regexp.MustCompile(`(?i)\b(index|índice|indice|indeks)\b|= ?100\b`)

// minBesideZero is the least value beside a zero that is not the rounding of a small number.
const minBesideZero = 1

// dropZeros leaves out zeros between values of an index: some offices write them for periods
// without a value, and an index that is at 12 before and 14 after was not at zero. A note
// counts them.
func (t *selection) dropZeros(w *words.Language) {
	count := 0
	for _, st := range t.series {
		if isIndex.MatchString(st.unit) && slices.Min(st.values) == 0 && !slices.ContainsFunc(st.values, func(v float64) bool { return v > 0 && v < minBesideZero }) {
			count += st.dropZeros()
		}
	}
	if count > 0 {
		t.notes = append(t.notes, w.Text("Zeros between other values of an index are not drawn (%s).", count))
	}
}

// dropZeros removes the zeros between other values and returns their number.
func (st *dataSeries) dropZeros() int {
	isValue := func(v float64) bool { return v != 0 }
	first := slices.IndexFunc(st.values, isValue)
	if first < 0 {
		return 0
	}
	last := len(st.values) - 1
	for st.values[last] == 0 {
		last--
	}
	n := first
	for i := first; i < len(st.values); i++ {
		if st.values[i] == 0 && i < last {
			continue
		}
		st.values[n], st.periods[n] = st.values[i], st.periods[i]
		if st.flags != nil {
			st.flags[n] = st.flags[i]
		}
		n++
	}
	dropped := len(st.values) - n
	st.values, st.periods = st.values[:n], st.periods[:n]
	if st.flags != nil {
		st.flags = st.flags[:n]
	}
	return dropped
}
