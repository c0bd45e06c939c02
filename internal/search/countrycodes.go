package search

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/search/terms"
)

// countryCode matches what may be a code of a country: of ISO 3166-1, or EL and UK of Eurostat.
var countryCode = regexp.MustCompile(`^[A-Z]{2,3}$`)

// shortMonths match codes of countries that are also short for a month.
var shortMonths = regexp.MustCompile(`^(MAR|AGO)$`)

// readCountryCodes takes words in capitals as the codes of countries: the last ones before a year in "Unemployment DE FR 2020", and in a
// question that is all in capitals also others: "DE GDP". There, a word of the language of the question is none inside the question, and
// it is unclear at one of its ends, if no other names a country: "GDP IT 2021".
func (s *Search) readCountryCodes(r *reading, text string) {
	fields, hasYear := codeFields(text), false
	for len(fields) > 0 && strings.ContainsAny(fields[len(fields)-1].text, "0123456789") {
		fields, hasYear = fields[:len(fields)-1], true
	}
	if len(fields) < 2 {
		return
	}
	var unclear []Unclear
	isLast, isAllCapital := true, text == strings.ToUpper(text)
	for i := len(fields) - 1; i >= 0; i-- {
		f := fields[i]
		id := r.countryOf(f)
		isLast = isLast && id != ""
		switch {
		case id == "" || !isLast && !isAllCapital:
		case !isAllCapital || !s.isOrdinary(r, f) && !(hasYear && shortMonths.MatchString(f.text)):
			r.addArea(id, f.text)
			r.used[f.first] = true
		case isLast || i == 0:
			unclear = append(unclear, Unclear{f.text, []string{id}})
		}
	}
	slices.Reverse(r.areas) // in the order of the question
	if len(r.areas) == 0 {
		r.unclear = append(r.unclear, unclear...)
	}
}

// betweenKeyWords are the words that say nothing and stand between key words: "CO2 per capita us", "gdp us vs china". Others make a sentence.
var betweenKeyWords = []string{"and", "between", "by", "for", "from", "in", "of", "or", "per", "since", "the", "to", "versus", "vs", "with"}

// readUS takes "us" as the United States behind "the", and beside words that are no sentence: "inflation us 2023", but not "tell us" or "how old
// are most of us". Beside "dollar" it is that of a currency.
func (s *Search) readUS(r *reading, text string) {
	fields := codeFields(text)
	for i, f := range fields {
		if f.text != "us" || f.first >= len(r.words) || r.words[f.first] != "us" || r.used[f.first] {
			continue
		}
		isDollar := i+1 < len(fields) && strings.HasPrefix(fields[i+1].text, "dollar")
		isNamed := i > 0 && fields[i-1].text == "the"
		if !isDollar && (isNamed || s.areKeyWords(r, slices.Delete(slices.Clone(fields), i, i+1))) {
			r.addArea("US", f.text)
			r.used[f.first] = true
			if i == 0 { // in the order of the question
				r.areas = slices.Insert(slices.DeleteFunc(r.areas, func(id string) bool { return id == "US" }), 0, "US")
			}
		}
	}
}

// areKeyWords reports whether words are no sentence.
func (s *Search) areKeyWords(r *reading, fields []codeField) bool {
	has := false
	for _, f := range fields {
		for _, word := range r.words[f.first:min(f.behind, len(r.words))] {
			isFunction := s.table.Weak(word, "") == terms.Function
			if isFunction && !slices.Contains(betweenKeyWords, word) || word == "all" {
				return false
			}
			has = has || !isFunction
		}
	}
	return has
}

// countryOf returns the ID of the country of which a word is the code in capitals; empty if it is none.
func (r *reading) countryOf(f codeField) string {
	if f.behind != f.first+1 || f.behind > len(r.words) || !countryCode.MatchString(f.text) || r.words[f.first] != strings.ToLower(f.text) || r.used[f.first] || r.inCode[f.first] {
		return ""
	}
	a, ok := geo.Find(f.text)
	if !ok {
		a, ok = geo.Resolve("eurostat", f.text)
	}
	if !ok || a.Kind != geo.Country {
		return ""
	}
	return a.ID
}

// isOrdinary reports whether a word is one of the language of the question, or of a term of the field.
func (s *Search) isOrdinary(r *reading, f codeField) bool {
	word, found := r.words[f.first], s.table.Find(strings.Join(r.words, " "), "")
	return s.table.Weak(word, s.languageOf(r, found)) != terms.Strong || len(s.table.Find(word, "")) > 0
}
