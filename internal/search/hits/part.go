package hits

import (
	"cmp"
	"fmt"
	"slices"

	"almanac/internal/defaults"
	"almanac/internal/search"
)

// whyPart says why a value of the series is no answer: it is of a part of what is asked for, such as one age, as the dataset
// has no total. It is empty if the question names the part. Rates are published for ranges such as the ages of
// 15 to 64, which are no parts then. The value that the table of well-known datasets states is shown, and named, if the question
// is only for its measure: yield, but not crop production, which is more than wheat.
func (q *question) whyPart(s *series, rules []string, unit string) string {
	for axis, code := range s.key {
		d, rule := &s.dataset.Dimensions[axis], defaults.Rule(rules[axis])
		label := d.Codes[code].Label
		if s.named[axis] || !defaults.IsPart(d, code, rule) || rule == defaults.Range && !defaults.IsSingle(d.Codes[code]) && isRate(unit) || q.names(label) {
			continue
		}
		if rule == defaults.Table && q.asksForMeasure(s, axis) {
			if text := fmt.Sprintf("the question names no %s; the value is of %s", cmp.Or(d.Label, d.ID), label); !slices.Contains(s.readAs, text) {
				s.readAs = append(s.readAs, text)
			}
			continue
		}
		return fmt.Sprintf("no total over %s is known in this dataset, and the usual series (%s) is of %q only; choose a series by the dimensions of the dataset", cmp.Or(d.Label, d.ID), s.text(), label)
	}
	return ""
}

// asksForMeasure reports whether all that a question asks for is in the labels of a series besides that of one dimension.
func (q *question) asksForMeasure(s *series, besides int) bool {
	var labels []string
	for axis, code := range s.key {
		if axis != besides {
			labels = append(labels, s.dataset.Dimensions[axis].Codes[code].Label)
		}
	}
	words := search.WordsOf(labels...)
	return !slices.ContainsFunc(q.asked, func(a search.Asked) bool { return !isOfQualifier(&a) && !a.IsIn(words) })
}

// names reports whether the question names a value by its label, or by one of its words.
func (q *question) names(label string) bool {
	words := search.WordsOf(label)
	if slices.ContainsFunc(q.asked, func(a search.Asked) bool { return a.IsIn(words) }) {
		return true
	}
	asked := search.WordsOf(q.text)
	for word := range words {
		if !asked.Has(word) {
			return false
		}
	}
	return len(words) > 0
}
