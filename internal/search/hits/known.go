package hits

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"almanac/internal/defaults"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// The table of well-known datasets says with which codes a dataset measures a concept: GDP at constant prices is NGDP_R of the World
// Economic Outlook. If all words of a question besides places, sources and periods are a name of the concept, that series answers it.

// conceptsByWords are the concepts by the words of their names in any order: "GDP real". A key of several concepts has nil.
var conceptsByWords = sync.OnceValue(func() map[string]*defaults.Concept {
	found := map[string]*defaults.Concept{}
	all := defaults.Concepts()
	for i := range all {
		c := &all[i]
		for _, name := range append([]string{c.Label}, c.Names...) {
			key := wordsKey(strings.Fields(search.LabelKey(name)))
			if other, ok := found[key]; ok && other != c {
				c = nil
			}
			found[key] = c
			c = &all[i]
		}
	}
	return found
})

// wordsKey returns words as a key that does not depend on their order.
func wordsKey(words []string) string {
	return strings.Join(slices.Sorted(slices.Values(words)), " ")
}

// measure is a concept that the words of a question name.
type measure struct {
	*defaults.Concept
	text string // the words
}

// measureOf returns the concept that all words of a question besides periods, words for now and for forecasts, and currencies name; nil if there is none.
func measureOf(text string, words []string) *measure {
	_, period, _ := periodIn(text)
	ofPeriod := search.Words(period)
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains(ofPeriod, word) || len(search.Currencies(word)) > 0 || nowWords.MatchString(word) || forecastWords.MatchString(word)
	})
	c := conceptsByWords()[wordsKey(words)]
	if c == nil {
		return nil
	}
	return &measure{c, strings.Join(words, " ")}
}

// conceptOf returns the concept of a measure; nil if there is none.
func conceptOf(m *measure) *Concept {
	if m == nil {
		return nil
	}
	return &Concept{m.ID, m.Label}
}

// knownSeries returns the series of a dataset that the table states for the concept that a question names. ok is false if there
// is none, or if the dataset has another one with the same label, such as GDP in another currency. Shares and rates must be asked
// for: exports are no exports in per cent of GDP.
func (q *question) knownSeries(v *store.Vintage) (key []int32, ok bool) {
	if q.measure == nil || q.measure.Unit == "percent" && !mayAskChange(q.text) {
		return nil, false
	}
	d := v.Dataset
	stated, ok := statedCodes(d, q.measure.Concept)
	if !ok {
		return nil, false
	}
	sel := make([][]int32, len(d.Dimensions)+1)
	for _, at := range stated {
		sel[at.axis] = []int32{at.code}
	}
	latest, err := v.LatestOf(sel, stat.LatestObserved)
	if err != nil || latest == nil || slices.ContainsFunc(stated, func(at axisCode) bool { return q.hasTwin(v, latest.Key, at) }) {
		return nil, false
	}
	return latest.Key, true
}

// hasTwin reports whether a dataset has a value with the same label as another one that may also be meant: of the same kind, and
// not in another currency than the question names.
func (q *question) hasTwin(v *store.Vintage, key []int32, at axisCode) bool {
	d, asked := v.Dataset, search.Currencies(q.text)
	for i := range d.Dimensions[at.axis].Codes {
		other := axisCode{at.axis, int32(i)}
		if other == at || sourceLabel(d, other) != sourceLabel(d, at) {
			continue
		}
		twin := slices.Clone(key)
		twin[at.axis] = other.code
		s := &series{dataset: d, key: twin}
		unit := d.UnitOf(twin, "")
		isMeant := len(asked) == 0 || slices.ContainsFunc(asked, s.isIn)
		if isMeant && isRate(unit) == isRate(d.UnitOf(key, "")) && isOfChange(unit, s.labels()) == isOfChange(d.UnitOf(key, ""), s.labels()) {
			return true
		}
	}
	return false
}

// useKnown makes a series the one that the table states for the concept of the question. It reports whether there is one.
func (q *question) useKnown(v *store.Vintage, s *series) bool {
	key, ok := q.knownSeries(v)
	if !ok {
		return false
	}
	for axis := range key {
		if key[axis] == s.key[axis] {
			continue
		}
		s.named[axis] = true
		s.addReadAs(readAsCode(q.measure.text, &v.Dataset.Dimensions[axis].Codes[key[axis]]))
	}
	s.key, s.concept, s.titles = key, q.measure.Label, []string{cmp.Or(s.name, v.Dataset.Name)}
	return true
}
