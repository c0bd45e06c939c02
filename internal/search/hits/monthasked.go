package hits

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
)

// A month without a year may be one of several, so that no value is shown for it. The search takes the English "may" for a word that says nothing.

var (
	// months matches the names of the months, in the form of [foldMarks], of which the short ones may be other words.
	months = lazyregexp.New(`^(?:` + strings.Join(monthNames[:], "|") + `)$`)
	// beforeMay matches words directly before the month May.
	beforeMay = lazyregexp.New(`^(in|of|since|for|during|by|until|till|before|after|from|to|last|this|next|every|each|early|mid|late|end)$`)
	// afterMayVerb matches words directly after a "may" with which a question begins and which is a verb.
	afterMayVerb = lazyregexp.New(`^(i|we|you|one|it|he|she|they|there|the)$`)
	// daysOfMonths match titles of a day of each year: "Population on 1 January".
	daysOfMonths = lazyregexp.New(`\b(?:\d{1,2}(?:st|nd|rd|th|er)? (?:de )?(?:` + strings.Join(monthNames[:], "|") + `)|(?:` + strings.Join(monthNames[:], "|") + `) \d{1,2}(?:st|nd|rd|th)?)\b`)
)

// monthWithoutYear returns the name of a month in a question that has no year beside it, as typed; empty if there is none. names are those of
// places in the question.
func monthWithoutYear(question string, names []string) string {
	_, period, _ := periodIn(question)
	ofPeriod := strings.Fields(period)
	var typed, words []string
	for field := range strings.FieldsSeq(question) {
		field = strings.Trim(field, ".,;:!?()\"'")
		if word := strings.Join(search.Words(field), " "); word != "" {
			typed, words = append(typed, field), append(words, word)
		}
	}
	isOfPlace := func(word string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(search.Words(name), word) })
	}
	for i, word := range words {
		if !months.MatchString(word) || slices.Contains(ofPeriod, word) || isOfPlace(word) {
			continue
		}
		before, after := words[max(i-1, 0)], words[min(i+1, len(words)-1)]
		hasYear := years.MatchString(before) || years.MatchString(after)
		isLong := len(word) > 3 || word == "mai"
		if !hasYear && (isLong || word == "may" && isMay(typed, words, i)) {
			return typed[i]
		}
	}
	return ""
}

// isMay reports whether the word "may" at a place of a question is the month.
func isMay(typed, words []string, i int) bool {
	switch {
	case len(words) == 1:
		return false
	case i == 0:
		return !afterMayVerb.MatchString(words[1])
	}
	return i == len(words)-1 || typed[i] == "May" || beforeMay.MatchString(words[i-1])
}

// whyMonth says why a value is no answer: the question names a month without a year. It is empty if it names none, or one that a label of
// the series has, or the title as a day of each year.
func (q *question) whyMonth(s *series) string {
	if q.month == "" {
		return ""
	}
	has := func(text string) bool {
		return slices.Contains(search.Words(text), strings.Join(search.Words(q.month), " "))
	}
	isDay := func(title string) bool {
		return has(strings.Join(daysOfMonths.FindAllString(foldMarks(title), -1), " "))
	}
	if slices.ContainsFunc(s.labels(), has) || slices.ContainsFunc(append(s.titles[:len(s.titles):len(s.titles)], s.name), isDay) {
		return ""
	}
	return fmt.Sprintf("the question names %q without a year beside it; write both, such as %q", q.month, q.month+" 2020")
}
