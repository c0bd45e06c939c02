package chart

import (
	"slices"

	"almanac/internal/chart/caption"
	"almanac/internal/chart/words"
)

// ShowsIndex reports whether the values are those of an index, which readers compare with its
// base and not with zero.
func (s *Spec) ShowsIndex() bool { return caption.IsIndex(s.Unit) || caption.IsIndex(s.Subtitle) }

// minBesideZero is the least value beside a zero that is not the rounding of a small number.
const minBesideZero = 1

// dropZeros leaves out zeros between values of an index: some offices write them for periods
// without a value, and an index that is at 12 before and 14 after was not at zero. A note
// counts them.
func (t *selection) dropZeros(w *words.Language) {
	count := 0
	for _, st := range t.series {
		if caption.IsIndex(st.unit) && slices.Min(st.values) == 0 && !slices.ContainsFunc(st.values, func(v float64) bool { return v > 0 && v < minBesideZero }) {
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
