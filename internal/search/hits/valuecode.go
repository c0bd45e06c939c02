package hits

import (
	"fmt"
	"strings"

	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// chooseValueCode chooses the value of which the question has the code, and for the other dimensions what is usual beside it. why says
// that the dataset has none, or several, unless the question has the code of the dataset.
func (q *question) chooseValueCode(v *store.Vintage, s *series, h *Hit) (why string) {
	if q.valueCode == "" || h.hasCode() {
		return ""
	}
	const choose = "choose a series by the dimensions of the dataset"
	found := s.withCode(q.valueCode)
	switch {
	case len(found) == 0 && q.isInTexts(s, q.valueCode):
		return ""
	case len(found) == 0:
		return fmt.Sprintf("%q is the code of a value in another dataset, and of none in this one; %s", q.valueCode, choose)
	case len(found) > 1:
		return fmt.Sprintf("%q is the code of several values; %s", q.valueCode, choose)
	}
	at, sel := found[0], make([][]int32, len(s.key)+1)
	sel[at.axis] = []int32{at.code}
	latest, err := v.LatestOf(sel, stat.LatestObserved)
	if err != nil {
		return fmt.Sprintf("the value with the code %q has no observed value; %s", q.valueCode, choose)
	}
	copy(s.key, latest.Key)
	s.rules, s.named[at.axis], s.concept = latest.Rules, true, ""
	if c := &s.dataset.Dimensions[at.axis].Codes[at.code]; c.Label != c.ID {
		s.addReadAs(readAsCode(q.valueCode, c))
	}
	return ""
}

// isInTexts reports whether the titles or labels of a series have a text.
func (q *question) isInTexts(s *series, text string) bool {
	a := search.AskedOf(text)
	return a.IsIn(search.WordsOf(q.affirmed(s.texts())...))
}

// withCode returns the values with a code: as it is written but for case, else with other marks.
func (s *series) withCode(asked string) (found []axisCode) {
	isExact := false
	for axis := range s.dataset.Dimensions {
		codes := s.dataset.Dimensions[axis].Codes
		for i := range codes {
			if !search.HasValueCode(codes[i].ID, asked) {
				continue
			}
			at, isSame := axisCode{axis, int32(i)}, strings.EqualFold(codes[i].ID, asked)
			switch {
			case isSame && !isExact:
				found, isExact = []axisCode{at}, true
			case isSame == isExact:
				found = append(found, at)
			}
		}
	}
	return found
}
