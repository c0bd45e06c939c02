package hits

import (
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/search"
)

// nothing returns a notice that says why a question finds nothing.
func nothing(q *search.Query, found *search.Result) []Notice {
	if q.Text == "" || found.Total > 0 {
		return nil
	}
	message := whyNothing(q, found)
	switch {
	case search.ShortPattern(q.Text) != "":
		message = fmt.Sprintf("%q has too few letters; a word with * or ? needs at least %d", search.ShortPattern(q.Text), search.MinWildcard)
	case found.Weak:
		message = "the question has only words that say nothing about a dataset, such as articles; name what you look for"
	case found.IsForeign && found.Elsewhere == 0:
		message = "no dataset has these words; questions are understood in English, German, French, Spanish and Italian"
	}
	return []Notice{{"q", q.Text, message, []string{}}}
}

// whyNothing says what holds with the filters of a query, and what without them.
func whyNothing(q *search.Query, found *search.Result) string {
	words, filters := wordsInVain(q.Text, found, found.Unmatched), filtersOf(q)
	switch {
	case len(filters) > 0 && found.Unfiltered > 0:
		return fmt.Sprintf("no dataset that the question finds passes the filters (%s); without them it finds %d", strings.Join(filters, ", "), found.Unfiltered)
	case q.Here == "here" && found.Elsewhere > 0:
		return fmt.Sprintf("no dataset here has what the question asks for; of those that offices offer, it finds %d", found.Elsewhere)
	case q.Here == "offered" && found.Elsewhere > 0:
		return fmt.Sprintf("no dataset that is only offered has what the question asks for; of those here, it finds %d", found.Elsewhere)
	case words == "":
		return "no dataset has these words; other words, a single one, or the code of a dataset may find it"
	case len(filters) > 0:
		return "no dataset has " + words + " in a title, a description or a label that is searched, with or without the filters; other words, a single one, or the code of a dataset may find it"
	case q.Here == "here":
		words = "here has " + words
	default:
		words = "has " + words
	}
	return "no dataset " + words + " in a title, a description or a label that is searched; other words, a single one, or the code of a dataset may find it"
}

// filtersOf returns the names of the filters that a query has, besides that for the datasets that are here.
func filtersOf(q *search.Query) (names []string) {
	for _, f := range []struct {
		name  string
		isSet bool
	}{
		{"source", len(q.Source) > 0}, {"topic", len(q.Topic) > 0}, {"frequency", len(q.Frequency) > 0}, {"area", len(q.Area) > 0},
		{"last_period_from", q.LastPeriodFrom != ""}, {"updated_since", !q.UpdatedSince.IsZero()},
	} {
		if f.isSet {
			names = append(names, f.name)
		}
	}
	return names
}

// wordsInVain lists folded words of a question that no hit has, as they are typed, without those which values answer and not titles.
func wordsInVain(question string, found *search.Result, words []string) string {
	var quoted []string
	for _, word := range words {
		if !forecastWords.MatchString(word) {
			quoted = append(quoted, strconv.Quote(written(word, typedTexts(question, found.Compounds))))
		}
	}
	return strings.Join(quoted, ", ")
}
