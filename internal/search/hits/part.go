package hits

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/totals"
)

// whyPart says why a value of the series is no answer: it is of a part of what is asked for, such as one age, as the dataset
// has no total. It is empty if the question names the part. Rates are published for ranges such as the ages of
// 15 to 64, which are no parts then. The value that the table of well-known datasets states is shown, and named, if the question
// is only for its measure: yield, but not crop production, which is more than wheat.
func (q *question) whyPart(s *series, unit string) string {
	if class := classIn(s.name); class != "" && !q.speaksOf(class) {
		return fmt.Sprintf("the title says that the values are of %q only, which the question does not name", class)
	}
	for axis, code := range s.key {
		d, rule := &s.dataset.Dimensions[axis], defaults.Rule(s.rules[axis])
		label := d.Codes[code].Label
		if rule == defaults.Measure && len(d.Codes) > 1 && !s.named[axis] && s.concept == "" && !q.speaksOf(label) {
			return fmt.Sprintf("the dataset has %d values of %s, and the question names none of them: the usual series is of %q only; choose a series by the dimensions of the dataset", len(d.Codes), cmp.Or(d.Label, d.ID), label)
		}
		if total := s.totalBeside(axis, rule); total != "" && !s.named[axis] && !q.namesBeside(label, total) {
			return fmt.Sprintf("the usual series (%s) is of %q only, and %q has no value there; choose a series by the dimensions of the dataset", s.text(), label, total)
		}
		if rule == defaults.Root && s.hasInTitle(label) {
			continue // the dataset is of nothing else
		}
		if s.named[axis] || !defaults.IsPart(d, code, rule) || rule == defaults.Range && !defaults.IsSingle(d.Codes[code]) && isRate(unit) || q.names(label) {
			continue
		}
		if rule == defaults.Table && q.asksForMeasure(s, axis) {
			s.addReadAs(fmt.Sprintf("the question names no %s; the value is of %s", cmp.Or(d.Label, d.ID), label))
			continue
		}
		return fmt.Sprintf("no total over %s is known in this dataset, and the usual series (%s) is of %q only; choose a series by the dimensions of the dataset", cmp.Or(d.Label, d.ID), s.text(), label)
	}
	return ""
}

// hasInTitle reports whether a title has all words of a label that say something.
func (s *series) hasInTitle(label string) bool {
	telling := slices.DeleteFunc(search.Telling(label), func(word string) bool { return !letters.MatchString(word) })
	return len(telling) > 0 && slices.ContainsFunc(s.titles, func(title string) bool {
		words := search.WordsOf(title)
		return !slices.ContainsFunc(telling, func(word string) bool { return !words.Has(word) })
	})
}

// letters match words that are no numbers.
var letters = lazyregexp.New(`\pL`)

// totalBeside returns the label of a total that a dimension has beside the value of the series, if a rule chose that for another
// reason than being a total: the total has values of fewer areas. It is empty if there is none.
func (s *series) totalBeside(axis int, rule defaults.Rule) string {
	codes := s.dataset.Dimensions[axis].Codes
	if !slices.Contains(notTotals, rule) || defaults.IsTotal(codes[s.key[axis]]) {
		return ""
	}
	if i := slices.IndexFunc(codes, defaults.IsTotal); i >= 0 {
		return codes[i].Label
	}
	return ""
}

// namesBeside reports whether the question has a word of a label that another label does not have.
func (q *question) namesBeside(label, other string) bool {
	words, others := search.WordsOf(q.text), search.WordsOf(other)
	return slices.ContainsFunc(search.Telling(label), func(word string) bool { return words.Has(word) && !others.Has(word) })
}

// classifications match what titles say of the class of a classification that they are of: "(NAF rév. 2, niveau classe, poste 10.91)".
var classifications = lazyregexp.New(`(?i)\b(NAF|NACE|ISIC|CITI|CNAE|ATECO|WZ|NAICS|SCIAN|CPF|CPA|PRODCOM|COICOP|HS|SITC|CTCI)\b[^()]*\d`)

// classIn returns the part of a title that names a class of a classification, without its code; empty if there is none, or if the class is
// all of them: "Fabrication d'aliments pour animaux de ferme".
func classIn(title string) string {
	for _, part := range strings.Split(title, " - ") {
		if name, remark, ok := strings.Cut(part, " ("); ok && classifications.MatchString(remark) && part != title && !defaults.IsTotal(stat.Code{Label: name}) && !totals.Begins(strings.ToLower(name)) {
			return name
		}
	}
	return ""
}

// speaksOf reports whether the question has a word of a label, or of another name of it, that says something.
func (q *question) speaksOf(label string) bool {
	words := search.WordsOf(label)
	return len(q.asked) == 0 || slices.ContainsFunc(q.asked, func(a search.Asked) bool { return a.Begins(words) })
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
