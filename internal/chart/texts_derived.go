package chart

import "almanac/internal/chart/words"

// derivedNotes says that the values are not the office's own, and how many could not be
// derived.
func (w *textInput) derivedNotes(l *words.Language) []string {
	if w.options.Derive.IsZero() {
		return nil
	}
	notes := []string{l.Text("Calculated from the values of the source.")}
	switch n := w.derived.Undefined; {
	case n == 1:
		notes = append(notes, l.Text("1 value is left out because it or the value it is compared with is zero or negative."))
	case n > 1:
		notes = append(notes, l.Text("%s values are left out because they or the values they are compared with are zero or negative.", n))
	}
	if n := w.derived.Unbased; n > 0 {
		notes = append(notes, l.Text("Series without values for all of %s: %s.", l.Period(w.options.Derive.Base), n))
	}
	return notes
}
