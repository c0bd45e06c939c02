package hits

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/geo"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/topics"
)

// Corrections returns a notice on the words of a question that were read as others, which are written as titles have them.
func Corrections(question string, corrected []search.Correction, titles []string) []Notice {
	if len(corrected) == 0 {
		return nil
	}
	text := question
	var words []string
	for _, c := range corrected {
		typed := written(c.Word, []string{question})
		text = replaceWord(text, typed, correctedAs(typed, c.ReadAs, titles))
		if word := strconv.Quote(typed); !slices.Contains(words, word) { // one word can be misspelt for a place and for a word of titles
			words = append(words, word)
		}
	}
	if text == strings.Join(strings.Fields(question), " ") { // the words do not stand alone in it
		text = corrected[0].ReadAs
	}
	message := fmt.Sprintf("no dataset has %s; showing results for %q", strings.Join(words, ", "), text)
	return []Notice{{"q", question, message, []string{text}}}
}

// withCorrections returns a question with its words as they were read.
func withCorrections(question string, corrected []search.Correction) string {
	for _, c := range corrected {
		question = replaceWord(question, written(c.Word, []string{question}), c.ReadAs)
	}
	return question
}

// withEnd returns a question with its last word as it was read, if that is only begun: inflation for "infl". words are those of the question as read.
func withEnd(question string, words []string) string {
	typed := search.Words(question)
	if len(typed) == 0 || len(words) == 0 {
		return question
	}
	begun, read := typed[len(typed)-1], words[len(words)-1]
	if before, ok := strings.CutSuffix(question, written(begun, []string{question})); ok && read != begun && strings.HasPrefix(read, begun) {
		return before + read
	}
	return question
}

// correctedAs returns a folded word as one of the titles has it, but for capitals: it begins with one if the word does in whose place it is.
func correctedAs(typed, readAs string, titles []string) string {
	text := written(readAs, titles)
	if strings.EqualFold(text, readAs) {
		text = readAs
	}
	if first := []rune(typed)[:1]; unicode.IsUpper(first[0]) && len(text) > 0 {
		letters := []rune(text)
		letters[0] = unicode.ToUpper(letters[0])
		text = string(letters)
	}
	return text
}

// titlesOf returns the titles of the hits.
func titlesOf(found *search.Result) (titles []string) {
	for i := range found.Hits {
		titles = append(titles, found.Hits[i].Name)
	}
	return titles
}

// unmatched returns a notice on the words of a question that the hits do not have, besides those that were found present in their values.
// Of large datasets not all labels are searched.
func unmatched(q *search.Query, found *search.Result, present []string) []Notice {
	if len(found.Unmatched) == 0 || found.Total == 0 {
		return nil
	}
	words := wordsInVain(q.Text, found, slices.DeleteFunc(slices.Clone(found.Unmatched), func(word string) bool { return slices.Contains(present, word) }))
	if words == "" {
		return nil
	}
	return []Notice{{"q", q.Text, "the datasets found do not have " + words + " in a title, a description or a label that is searched; they match the other words", []string{}}}
}

// replaceWord replaces a word of a question, whatever its case.
func replaceWord(text, word, by string) string {
	fields := strings.Fields(text)
	for i, field := range fields {
		if strings.EqualFold(strings.Trim(field, ".,;:!?\"'()"), word) {
			fields[i] = by
		}
	}
	return strings.Join(fields, " ")
}

// filterCheck collects the notices on the values of filters.
type filterCheck struct {
	notices      []Notice
	isImpossible bool // all values of a filter are unknown, so that nothing is found
}

// check checks the values of a filter. similar returns values that an unknown one may mean.
func (f *filterCheck) check(parameter string, values []string, what string, isKnown func(string) bool, similar func(value string) []string) {
	unknown := 0
	for _, value := range values {
		if isKnown(value) {
			continue
		}
		unknown++
		n := Notice{parameter, value, fmt.Sprintf("%.100q is not %s", value, what), []string{}}
		if len(f.notices) < maxSuggested && len(value) <= maxNearest {
			n.Nearest = append(n.Nearest, similar(value)...)
		}
		f.notices = append(f.notices, n)
	}
	f.isImpossible = f.isImpossible || unknown > 0 && unknown == len(values)
}

// check looks for values of filters that no dataset can have. isImpossible is true if
// a filter has no other, so that the query finds nothing.
func (r *Reader) check(s *search.Search, q *search.Query) (list []Notice, isImpossible bool) {
	var f filterCheck
	if len(q.Source) > 0 {
		sources := s.Sources()
		f.check("source", q.Source, "the ID of a source", among(sources), nearest(sources))
	}
	f.check("topic", q.Topic, "the code or name of a topic; /api/topics lists them", func(v string) bool { _, ok := topics.Find(v); return ok }, topics.Nearest)
	codes := []string{"A", "S", "Q", "M", "W", "D"}
	known := append(slices.Collect(maps.Values(search.FrequencyNames)), codes...)
	f.check("frequency", q.Frequency, "a frequency; it may be "+strings.Join(codes, ", "), among(known), nearest(known))
	f.check("area", q.Area, "a code or name of an area", func(text string) bool { return r.isArea(text) || s.HasCity(text) }, nearest(nil))
	return f.notices, f.isImpossible
}

func among(known []string) func(string) bool {
	return func(value string) bool {
		return slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, value) })
	}
}

func nearest(known []string) func(string) []string {
	return func(value string) []string { return stat.Nearest(value, known) }
}

// areaIDs returns the IDs of the areas that the values of a filter mean. An unknown text may be
// a source's own code.
func areaIDs(texts []string) (ids []string) {
	for _, text := range texts {
		if found := geo.Lookup(text); len(found) > 0 {
			ids = append(ids, found[0].ID)
		} else {
			ids = append(ids, geo.Match(text)...)
		}
	}
	return ids
}

// isArea reports whether a text is a code or name of an area, or a code of a source here.
func (r *Reader) isArea(text string) bool {
	return len(geo.Lookup(text)) > 0 || r.Store != nil && len(r.Store.Catalog().With(text)) > 0
}

// Similar values are suggested for the first unknown ones that are not too long.
const (
	maxSuggested = 5
	maxNearest   = 100 // bytes
)
