package search_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
	"almanac/internal/search/terms"
)

// formsPerTest is how many forms one is asked of.
const formsPerTest = 25

// endings are what forms of a word end with instead of, or behind, another ending.
var endings = map[string][]string{
	"en": {"s", "es"}, "de": {"e", "en", "n", "s", "er"}, "fr": {"s", "x", "e", "es"}, "es": {"s", "a", "as", "os"}, "it": {"i", "e", "a", "o"},
}

// formsOf returns texts with the same stem as a word in a language.
func formsOf(word, language string) (forms []string) {
	stem := terms.Stem(word, language)
	bodies := []string{word}
	for _, e := range endings[language] {
		if body, ok := strings.CutSuffix(word, e); ok {
			bodies = append(bodies, body)
		}
	}
	for _, body := range bodies {
		for _, e := range append(endings[language], "") {
			if form := body + e; len(form) > 4 && form != word && !slices.Contains(forms, form) && terms.Stem(form, language) == stem {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// TestFormsOfTerms asks for other forms of the terms of one word, and for single words of the others,
// where all datasets have titles in English.
func TestFormsOfTerms(t *testing.T) {
	w := newWorld(t)
	var offers []offer.Offer
	for i, c := range terms.Load().Concepts() {
		if len(c.Terms["en"]) > 0 {
			offers = append(offers, offer.Offer{Code: "x" + strconv.Itoa(i), Title: c.Terms["en"][0], Language: "en"})
		}
	}
	w.offer("made", offers...)
	if err := w.search.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	has := func(text string) bool {
		found, err := w.search.Find(t.Context(), search.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return found.Total > 0
	}
	asked, missed := 0, 0
	seen := map[string]bool{}
	for _, c := range terms.Load().Concepts() {
		for language, list := range c.Terms {
			for _, term := range list {
				for _, word := range terms.Words(term) {
					if len(word) < 5 || terms.Load().Weak(word, "") != terms.Strong {
						continue
					}
					for _, form := range append(formsOf(word, language), word) {
						if seen[form] {
							continue
						}
						seen[form] = true
						if asked++; asked%formsPerTest == 0 && !has(form) {
							missed++
							t.Logf("%s, %q: nothing for %q", language, term, form)
						}
					}
				}
			}
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d forms find nothing", missed, asked)
	}
}

// TestFormsInQuestions lists words that people type and the offices do not.
func TestFormsInQuestions(t *testing.T) {
	w := newWorld(t)
	w.offer("made", offer.Offer{Code: "a", Title: "Exchange rates", Language: "en"}, offer.Offer{Code: "b", Title: "Government debt", Language: "en"},
		offer.Offer{Code: "c", Title: "Students in tertiary education", Language: "en"}, offer.Offer{Code: "d", Title: "Greenhouse gas emissions", Language: "en"},
		offer.Offer{Code: "e", Title: "Wechsel der Arbeit", Language: "de"}, offer.Offer{Code: "f", Title: "Kurs der Aktien", Language: "de"})
	if err := w.search.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Wechselkurs": "a", "Wechselkurs Israel": "a", "Schulden": "b", "deuda": "b", "debito": "b", "emissioni": "d", "studenti": "c", "estudiantes": "c",
		"shekel": "a", "Norwegian krone": "a", "Schweizer Franken": "a", "livre sterling": "a", "US dollar euro": "a",
	} {
		found, err := w.search.Find(t.Context(), search.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Hits) == 0 || found.Hits[0].Code != want {
			t.Errorf("%q: %d hits %v, want %s first", text, found.Total, found.Hits, want)
		}
	}
}
