package hits

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// chooseKind chooses the only unit of the kind of measure that the question asks for, such as a number of cases, if the series is of
// another kind; else the only value of this kind that the question names by its whole label, such as deaths.
func (q *question) chooseKind(v *store.Vintage, s *series) {
	if otherKind(q.text, s.dataset.UnitOf(s.key, ""), []string{s.text()}) == "" {
		return
	}
	var found []axisCode
	for axis := range s.dataset.Dimensions {
		d := &s.dataset.Dimensions[axis]
		for i := range d.Codes {
			label := d.Codes[i].Label
			if d.Role == stat.RoleUnit && otherKind(q.text, label, []string{label}) == "" && (saysCapita(q.text) || isRate(label) || counted.MatchString(label)) {
				found = append(found, axisCode{axis, int32(i)})
			}
		}
	}
	at, ok := only(v, s.key, found)
	for i := range q.asked {
		a := &q.asked[i]
		if named, isOne := only(v, s.key, valuesWith(v, a, a.TypedKeys())); !ok && isOne && named.axis < len(s.key) {
			label := sourceLabel(s.dataset, named)
			at, ok = named, otherKind(q.text, label, []string{label}) == ""
		}
	}
	if index, isOne := q.indexOf(v, s); !ok && isOne {
		at, ok = index, true
		text := indexAsks.FindString(q.text)
		if named := slices.IndexFunc(q.asked, func(a search.Asked) bool { return indexAsks.MatchString(a.Text) }); named >= 0 {
			text = q.typed(q.asked[named].Text) // price index
		}
		s.readAs = slices.DeleteFunc(s.readAs, func(other string) bool { return strings.HasPrefix(other, strconv.Quote(text)+" is read as ") })
		s.addReadAs(readAsCode(text, &s.dataset.Dimensions[at.axis].Codes[at.code]))
	}
	if ok {
		s.key[at.axis], s.named[at.axis], s.concept = at.code, true, ""
	}
}

// indexOf returns the only value that is an index of what the usual series has as a rate of change, if the question asks for an index: "Index Numbers ;
// All groups CPI ; Australia", beside "Percentage Change from Previous Period ; All groups CPI ; Australia".
func (q *question) indexOf(v *store.Vintage, s *series) (at axisCode, ok bool) {
	if !indexAsks.MatchString(q.text) {
		return at, false
	}
	var found []axisCode
	for axis, code := range s.key {
		usual := partsOf(sourceLabel(s.dataset, axisCode{axis, code}), changes)
		for i := range s.dataset.Dimensions[axis].Codes {
			other := axisCode{axis, int32(i)}
			label := sourceLabel(s.dataset, other)
			if usual != nil && indexWords.MatchString(label) && !changes.MatchString(label) && slices.Equal(partsOf(label, indexWords), usual) {
				found = append(found, other)
			}
		}
	}
	return only(v, s.key, found)
}

// partsOf returns the parts of a label without those that have a word of a kind; nil if none has.
func partsOf(label string, kind *lazyregexp.Regexp) []string {
	rest := []string{}
	for part := range strings.SplitSeq(label, ";") {
		if part = strings.TrimSpace(part); part != "" && !kind.MatchString(part) {
			rest = append(rest, part)
		}
	}
	if !kind.MatchString(label) {
		return nil
	}
	return rest
}

// chooseCodes chooses the values of which the question has the codes in capitals, as words that are no others: LO, if that is a union.
// why says that the dataset has none.
func (q *question) chooseCodes(s *series) (why string) {
	for _, id := range q.codes {
		var found []axisCode
		for axis := range s.dataset.Dimensions {
			for i, c := range s.dataset.Dimensions[axis].Codes {
				if c.ID == id && s.dataset.Dimensions[axis].Role == stat.RoleOther {
					found = append(found, axisCode{axis, int32(i)})
				}
			}
		}
		if len(found) != 1 {
			return fmt.Sprintf("%q is neither in the title nor the code of one value; choose a series by the dimensions of the dataset", id)
		}
		at := found[0]
		s.key[at.axis], s.named[at.axis], s.concept = at.code, true, ""
		s.addReadAs(readAsCode(id, &s.dataset.Dimensions[at.axis].Codes[at.code]))
	}
	return ""
}

// capitals match words of capitals.
var capitals = lazyregexp.New(`^[A-Z]{2,}$`)

// codesIn returns the words of a question in capitals that would be articles and the like in small letters, and are neither places
// nor sources. A question that is all in capitals has none.
func codesIn(found *search.Result, text string) (ids []string) {
	if text == strings.ToUpper(text) {
		return nil
	}
	var named []string
	for _, name := range found.AreaNames {
		named = append(named, name)
	}
	has := search.WordsOf(append(named, found.Sources...)...)
	words := strings.Fields(text)
	for i, word := range words {
		isCurrency := i+1 < len(words) && len(search.Currencies(word+" "+words[i+1])) > 0 // US dollar
		if small := strings.ToLower(word); capitals.MatchString(word) && search.LabelKey(small) == "" && !has.Has(small) && !isCurrency {
			ids = append(ids, word)
		}
	}
	return ids
}

// chooseNominal chooses amounts at current prices, if the usual series is at constant prices and the question does not say at which.
func (q *question) chooseNominal(v *store.Vintage, s *series) {
	nominal, real := search.QualifierNamed("nominal"), search.QualifierNamed("real")
	if slices.ContainsFunc(search.Qualifiers(q.text), func(asked search.Qualifier) bool { return asked.Name == nominal.Name || asked.Name == real.Name }) {
		return
	}
	for axis, code := range s.key {
		codes := s.dataset.Dimensions[axis].Codes
		if label := codes[code].Label; s.named[axis] || !real.IsIn(label) || len(search.Currencies(label)) == 0 {
			continue
		}
		var found []axisCode
		for i := range codes {
			if nominal.IsIn(codes[i].Label) {
				found = append(found, axisCode{axis, int32(i)})
			}
		}
		if at, ok := only(v, s.key, q.ofKind(found, s)); ok {
			s.key[axis], s.named[axis], s.concept = at.code, true, ""
		}
	}
}

// chooseTotals chooses the totals that the dataset has of an area, in place of what it has of the most areas: the national total of
// prices, in place of those of large customers.
func (s *series) chooseTotals(v *store.Vintage, area int32) {
	sel := make([][]int32, len(s.key)+1)
	sel[len(s.key)] = []int32{area}
	isUsual := false
	for axis, code := range s.key {
		if !s.named[axis] && slices.Contains(notTotals, defaults.Rule(s.rules[axis])) {
			isUsual = true
			continue
		}
		sel[axis] = []int32{code}
	}
	if !isUsual {
		return
	}
	latest, err := v.LatestOf(sel, stat.LatestObserved)
	if err != nil {
		return // the usual series has no value there either
	}
	for axis, code := range latest.Key {
		if codes := s.dataset.Dimensions[axis].Codes; sel[axis] == nil && defaults.IsTotal(codes[code]) {
			s.key[axis], s.named[axis] = code, true
		}
	}
}

// notTotals are the rules for values that need not be all of something.
var notTotals = []defaults.Rule{defaults.Measure, defaults.Largest, defaults.MostAreas, defaults.MostValues, defaults.Middle}

// frequencyWords match the labels of values that say of which frequency a series is.
var frequencyWords = map[stat.Frequency]*lazyregexp.Regexp{
	stat.Annual:  lazyregexp.New(`(?i)^(A|annual|yearly|jährlich|jahreswerte?|annuel(le)?|anual|annuale)\b`),
	stat.Quarter: lazyregexp.New(`(?i)^(Q|quarterly|vierteljährlich|quartalswerte?|trimestriel(le)?|trimestral|trimestrale)\b`),
	stat.Month:   lazyregexp.New(`(?i)^(M|monthly|monatlich|monatswerte?|mensuel(le)?|mensual|mensile)\b`),
}

// valueOf returns the value of a period itself that a series of its frequency has, which is the series but for its frequency; nil if
// there is none.
func (s *series) valueOf(ctx context.Context, v *store.Vintage, area int32, p stat.Period) (*Latest, error) {
	words := frequencyWords[p.Frequency()]
	if words == nil {
		return nil, nil
	}
	for axis := range s.key {
		codes := s.dataset.Dimensions[axis].Codes
		isOther := func(c stat.Code) bool { return words.MatchString(c.Label) }
		at := slices.IndexFunc(codes, isOther)
		if at < 0 || !isFrequency(codes[s.key[axis]].Label) || int32(at) == s.key[axis] || slices.ContainsFunc(codes[at+1:], isOther) {
			continue
		}
		key := slices.Clone(s.key)
		key[axis] = int32(at)
		if found, err := latestIn(ctx, v, key, area, p); err != nil || found != nil && found.period == p {
			return found, err
		}
	}
	return nil, nil
}

// isFrequency reports whether a label says of which frequency a series is.
func isFrequency(label string) bool {
	for _, words := range frequencyWords {
		if words.MatchString(label) {
			return true
		}
	}
	return false
}

// hectares matches the words of questions for values of a hectare, and areaUnits what offices write for it: a yield is of an area.
var (
	hectares  = lazyregexp.New(`^(hectares?|hektar|hectárea|ettaro)$`)
	areaUnits = lazyregexp.New(`(?i)\bha\b|\bhectares?\b|yield|ertrag|erträge|rendement|rendimiento`)
)

// isOfUnit reports whether what is asked for is the unit of the series.
func (s *series) isOfUnit(a *search.Asked) bool {
	return hectares.MatchString(a.Text) && slices.ContainsFunc(append(s.labels(), s.dataset.UnitOf(s.key, "")), areaUnits.MatchString)
}

// superlatives match words of questions for a comparison of areas or periods.
var superlatives = lazyregexp.New(`(?i)\b(highest|lowest|largest|smallest|biggest|greatest|fewest|richest|wealthiest|poorest|oldest|youngest|safest|hottest|coldest|most (populous|populated)|fastest|slowest|top \d+|` +
	`höchste[nrs]?|niedrigste[nrs]?|größte[nrs]?|kleinste[nrs]?|reichste[nrs]?|ärmste[nrs]?|älteste[nrs]?|jüngste[nrs]?|(le|la|les) plus (élevée?|haute?|bas|basse|faible|grande?|petite?|riche|pauvre)s?|` +
	`(más|menos) (alt|baj|grande|pequeñ|ric|pobre|poblad)\pL*|(più|meno) (alt|bass|grand|piccol|ricc|pover|popolos)\pL*)\b`)

// whyComparison says that the question is for a comparison of values, which no single one answers. It is empty if it is not, or if
// the title or the series has the word, as in "highest level of education".
func (q *question) whyComparison(s *series, h *Hit) string {
	word := superlatives.FindString(q.text)
	if word == "" || search.WordsOf(append(s.texts(), s.concept)...).Has(strings.ToLower(word)) {
		return ""
	}
	return fmt.Sprintf("%q asks for a comparison, which no single value answers; /api/datasets/%d/latest has the values of all areas", word, h.ID)
}
