package hits

import (
	"cmp"
	"fmt"
	"slices"

	"almanac/internal/defaults"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// isMain is [series.isMain] for what a question asks for, or for that of which it asks for a group of people: unemployment, if it
// asks for youth unemployment.
func (q *question) isMain(s *series, a *search.Asked) bool {
	if q.isOfCurrency(s, a) || s.isMain(*a) {
		return true
	}
	group, ok := a.AgeGroup()
	return ok && group.Rest != nil && s.isMain(*group.Rest)
}

// chooseAges chooses the ages of a group of people that a question asks for, such as 15 to 24 years for youth. It reports whether
// the dataset has just one value of them, and is of what the question asks of the group.
func (q *question) chooseAges(s *series, a *search.Asked) bool {
	group, ok := a.AgeGroup()
	if !ok || group.Rest != nil && !q.isOf(s, group.Rest) {
		return false
	}
	at, ok := s.withAges(group.Ages)
	if !ok || s.named[at.axis] {
		return false
	}
	s.key[at.axis], s.named[at.axis], s.concept = at.code, true, ""
	s.addReadAs(readAsCode(q.typed(a.Text), &s.dataset.Dimensions[at.axis].Codes[at.code]))
	return true
}

// readAsCode says which value a text stands for.
func readAsCode(text string, c *stat.Code) string {
	label := cmp.Or(c.SourceLabel, c.Label)
	if label == c.ID {
		return fmt.Sprintf("%q is read as %s", text, label)
	}
	return fmt.Sprintf("%q is read as %s [%s]", text, label, c.ID)
}

// childWords match what titles and labels of values about children have.
var childWords = lazyregexp.New(`(?i)\b(child(ren|hood)?|infants?|neonatal|newborns?|under[- ]?(five|5|18|15)|pupils?|adolescents?|juveniles?|youths?|primary (education|school)|secondary (education|school)|` +
	`kind(er|es)?\pL*|säuglings?\pL*|jugend\pL*|schüler\pL*|enfants?|nourrissons?|élèves|jeunes|adolescentes?|niñ[oa]s|infantil|alumnos|jóvenes|bambini|infantile|alunni|giovani)\b`)

// isOfChildren reports whether the title or the labels say that the values are of children, so that its females are girls.
func (s *series) isOfChildren() bool { return slices.ContainsFunc(s.texts(), childWords.MatchString) }

// chooseTogether chooses the only value whose label has all that is missing, and no more than what is asked for: "Life expectancy at
// birth, female". It returns what is still missing.
func (q *question) chooseTogether(v *store.Vintage, s *series, missing []*search.Asked) []*search.Asked {
	if len(missing) == 0 {
		return nil
	}
	found := s.withLabel(func(label string) bool { return search.AreIn(label, missing, q.asked) })
	at, ok := only(v, s.key, found)
	if !ok {
		return missing
	}
	s.key[at.axis], s.named[at.axis], s.concept = at.code, true, ""
	return nil
}

// ageWords are the words by which a dimension is known as that of ages.
var ageWords = []string{"age", "ages", "agegroup", "alter", "altersgruppe", "altersgruppen", "altersklasse", "altersklassen", "edad", "eta", "alder", "ika"}

// withAges returns the only value of the dimension of ages that is one of several ranges. ok is false if there is none, or several.
func (s *series) withAges(ages []search.Ages) (at axisCode, ok bool) {
	found := s.agesAmong(ages)
	if len(found) != 1 {
		return at, false
	}
	return found[0], true
}

// agesAmong returns the values of the dimension of ages that are one of several ranges.
func (s *series) agesAmong(ages []search.Ages) (found []axisCode) {
	for axis := range s.dataset.Dimensions {
		d := &s.dataset.Dimensions[axis]
		words := search.WordsOf(d.ID, d.Label)
		if !slices.ContainsFunc(ageWords, words.Has) {
			continue
		}
		for i, c := range d.Codes {
			if from, to, ok := defaults.RangeOf(c); ok && slices.Contains(ages, search.Ages{From: from, To: to}) {
				found = append(found, axisCode{axis, int32(i)})
			}
		}
	}
	return found
}
