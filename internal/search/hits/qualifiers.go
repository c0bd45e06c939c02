package hits

import (
	"fmt"
	"slices"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// chooseQualified chooses the values with the words of the question that tell measures of one subject apart: the yield of a
// crop and not its production. why says that neither the series nor the title has one of them.
func (q *question) chooseQualified(v *store.Vintage, s *series) (why string) {
	for _, qualifier := range search.Qualifiers(q.text) {
		if slices.ContainsFunc(append(s.labels(), s.concept, s.dataset.UnitOf(s.key, "")), qualifier.IsIn) || qualifier.Name == "average" && q.isAverage(s) {
			continue
		}
		at, ok := only(v, s.key, s.withLabel(qualifier.Is))
		if !ok {
			at, ok = only(v, s.key, q.ofKind(s.withLabel(qualifier.IsIn), s))
		}
		if ok {
			s.key[at.axis], s.named[at.axis], s.concept = at.code, true, ""
			continue
		}
		if !qualifier.IsIn(s.name) && !qualifier.IsIn(s.dataset.Name) {
			return fmt.Sprintf("the question is for a measure that is called %s, and neither the title nor the usual series%s is; choose a series by the dimensions of the dataset", qualifier.Name, s.inBrackets())
		}
	}
	return ""
}

// averages match what is an average by its nature.
var averages = lazyregexp.New(`(?i)\b(life expectancy|expectation of life|lebenserwartung|espérance de vie|esperanza de vida|speranza di vita|fertility|births per woman|fruchtbarkeit|geburtenziffer|fécondité|fecundidad|fecondità)\b`)

// isAverage reports whether a series is an average although it does not say so: a value per inhabitant, or the rate of a year as its annual average.
func (q *question) isAverage(s *series) bool {
	texts := append(s.texts(), s.dataset.UnitOf(s.key, ""))
	return slices.ContainsFunc(texts, func(text string) bool {
		return averages.MatchString(text) || saysCapita(text) || annualAverages.MatchString(q.text) && isRate(text)
	})
}

// withLabel returns the values of all dimensions with a label of a kind.
func (s *series) withLabel(isOfKind func(label string) bool) (found []axisCode) {
	for axis := range s.dataset.Dimensions {
		d := &s.dataset.Dimensions[axis]
		if d.Role == stat.RoleFrequency || len(d.Codes) > maxLabels {
			continue
		}
		for i := range d.Codes {
			if at := (axisCode{axis, int32(i)}); isOfKind(sourceLabel(s.dataset, at)) {
				found = append(found, at)
			}
		}
	}
	return found
}

// indexWords match labels of values relative to those of one period.
var indexWords = lazyregexp.New(`(?i)\bind(ex|ices|ice)\b|=\s?100\b`)

// ofKind returns the values without indices, shares and rates of change, if there are several and the question asks for no such. Of values
// per inhabitant, it returns those that are no shares.
func (q *question) ofKind(values []axisCode, s *series) []axisCode {
	if len(values) > 1 && saysCapita(q.text) {
		return slices.DeleteFunc(values, func(at axisCode) bool {
			label := sourceLabel(s.dataset, at)
			return !saysCapita(label) || rateWords.MatchString(label) || changes.MatchString(label)
		})
	}
	if len(values) < 2 || indexWords.MatchString(q.text) || mayAskChange(q.text) {
		return values
	}
	return slices.DeleteFunc(values, func(at axisCode) bool {
		label := sourceLabel(s.dataset, at)
		return indexWords.MatchString(label) || isRate(label) || changes.MatchString(label)
	})
}

// isQualified reports whether what is asked for is a word of a qualifier that the series has by another word.
func (q *question) isQualified(s *series, a *search.Asked) bool {
	if q.isOfBasis(a) && !q.namesBasis() {
		return false
	}
	return slices.ContainsFunc(search.Qualifiers(q.text), func(qualifier search.Qualifier) bool {
		return qualifier.AsksWith(q.text, a.Text) && slices.ContainsFunc(s.labels(), qualifier.IsIn)
	})
}

// isOfQualifier reports whether all words of what is asked for are qualifiers, which [question.chooseQualified] answers.
func isOfQualifier(a *search.Asked) bool {
	words := search.Telling(a.Text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !search.IsQualifier(word) })
}
