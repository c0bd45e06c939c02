package search

import (
	"slices"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// Weights of the phrases that stand for a term of the field.
const (
	typedWeight   = float32(1.2)  // above all synonyms: wheat before cereals
	usualWeight   = float32(.96)  // the usual name in the language of the question
	otherWeight   = float32(.93)  // the other names, and
	laterWeight   = float32(.015) // how much less each is worth than the one before
	leastWeight   = float32(.7)
	englishWeight = float32(.7)  // of names in English if the question is in another language
	foreignWeight = float32(.6)  // of names in other languages
	subsetWeight  = float32(.6)  // of a name that is a part of what was typed
	broaderWeight = float32(.45) // of the usual names of broader concepts
	singleWeight  = float32(.4)  // of a single word of a term
	conceptWeight = float32(1.5) // of a clause
	aspectWeight  = float32(.5)  // of a clause of what datasets of all topics have: per capita
	detailWeight  = float32(.2)  // of a clause for each of the typed words
)

// maxTranslated is how many terms of a question are searched for in all languages. It bounds
// the time that a list of many terms takes.
const maxTranslated = 5

// findTerms finds the terms of the field in what is left. A word that is in none of them, but is
// spelt nearly as a word of a term with its neighbours, is corrected: "gros domestic product".
func (s *Search) findTerms(r *reading) []terms.Match {
	found := s.table.Find(strings.Join(r.words, " "), "")
	for i, word := range r.words {
		if r.used[i] || r.inCode[i] || s.isFunction(r, word) || len(word) < 4 || isNumber(word) || terms.IsPlaceWord(word) {
			continue
		}
		at := slices.IndexFunc(found, func(m terms.Match) bool { return slices.Contains(m.Places, i) })
		if at < 0 && s.known[word] || at >= 0 && !isDoubtful(found[at]) {
			continue
		}
		for _, other := range s.near[word[:1]] {
			if !index.IsOneEdit(word, other) {
				continue
			}
			words := slices.Clone(r.words)
			words[i] = other
			matches := s.table.Find(strings.Join(words, " "), "")
			if slices.ContainsFunc(matches, func(m terms.Match) bool { return len(m.Places) > 1 && slices.Contains(m.Places, i) }) {
				r.corrections = append(r.corrections, Correction{word, other})
				r.words, found = words, matches
				break
			}
		}
	}
	return found
}

// isDoubtful reports whether a match is a single word that people use in another language than English,
// so that it may rather be a misspelt word: "gros" in "gros domestic product".
func isDoubtful(m terms.Match) bool { return m.Everyday && len(m.Places) == 1 && m.Language != "en" }

// readConcepts adds a clause for each term of the field. It notes the words that are left and that another term of one of these concepts has with words
// of the question.
func (s *Search) readConcepts(n *snapshot, r *reading, found []terms.Match) {
	var read []terms.Match
	var clauses []int // of these
	for _, m := range found {
		if slices.ContainsFunc(m.Places, func(i int) bool { return r.used[i] }) {
			continue
		}
		read = append(read, m)
		r.concepts = append(r.concepts, m.Concept.ID)
		r.isSpoken = r.isSpoken || m.Everyday && len(m.Places) > 1
		var c index.Clause
		asked := joined(r.words, m.Places)
		if !m.Everyday {
			typed := phrase{r.asked(m.Places), asked, "exact", ""}
			if isFurther(m.Language) {
				typed.language = m.Language
			}
			c.Phrases = append(c.Phrases, r.phrase(n, typed, r.languages(), typedWeight))
		}
		c.Phrases = append(append(c.Phrases, s.synonyms(n, r, m)...), s.projections(n, r, m)...)
		if !m.Everyday && len(m.Places) > 1 {
			for _, i := range m.Places {
				if s.table.Weak(r.words[i], "") == terms.Strong {
					single := r.phrase(n, phrase{r.typed[i], r.words[i], "exact", ""}, r.languages(), singleWeight)
					c.Phrases = append(c.Phrases, single)
					single.Weight = 1
					r.clauses = append(r.clauses, index.Clause{Phrases: []index.Phrase{single}, Weight: detailWeight})
				}
			}
		}
		c.Weight = conceptWeight
		if m.Concept.Topic == terms.NoTopic {
			c.Weight = aspectWeight
		}
		clauses = append(clauses, len(r.clauses))
		r.addClause(c, m.Places)
	}
	for k, m := range read {
		for _, i := range m.Also {
			if !r.used[i] && !r.inCode[i] {
				r.also[i] = clauses[k]
			}
		}
	}
}

// addClause adds a clause for the words at some places.
func (r *reading) addClause(c index.Clause, places []int) {
	r.clauses = append(r.clauses, c)
	for _, i := range places {
		r.used[i] = true
	}
}

// asked returns the words at some places as they were typed.
func (r *reading) asked(places []int) string { return joined(r.typed, places) }

func joined(all []string, places []int) string {
	words := make([]string, len(places))
	for k, i := range places {
		words[k] = all[i]
	}
	return strings.Join(words, " ")
}

// synonyms returns the terms of a concept in all languages as phrases, and the usual names
// of broader ones.
func (s *Search) synonyms(n *snapshot, r *reading, m terms.Match) (phrases []index.Phrase) {
	typed := strings.Fields(joined(r.words, m.Places))
	for _, language := range terms.Languages {
		if len(r.concepts) > maxTranslated && !slices.Contains(r.languages(), language) {
			continue
		}
		for i, term := range m.Concept.Terms[language] {
			weight := max(otherWeight-laterWeight*float32(i), leastWeight)
			if i == 0 {
				weight = usualWeight
			}
			weight *= r.languageWeight(language)
			if isFurther(m.Language) {
				weight *= englishWeight
			}
			if !m.Everyday && isSubset(s.strongWords(term), typed) {
				weight *= subsetWeight
			}
			kind := "synonym"
			if m.Part {
				kind = "broader" // a value of it is none of the part
			}
			phrases = append(phrases, r.phrase(n, phrase{r.asked(m.Places), term, kind, language}, []string{language}, weight))
		}
	}
	if len(r.concepts) <= maxTranslated {
		phrases = append(phrases, s.furtherNames(n, r, m)...)
	}
	for _, id := range m.Concept.Broader {
		for _, language := range terms.Languages {
			for i, name := range s.table.Concept(id).Terms[language] {
				isShort := language == "en" && i == 1 && name == strings.ToUpper(name) // CPI, by which English titles have it
				if i == 0 || isShort {
					phrases = append(phrases, r.phrase(n, phrase{r.asked(m.Places), name, "broader", language}, []string{language}, broaderWeight*r.languageWeight(language)))
				}
			}
		}
	}
	return phrases
}

// projections returns the terms for projections of a concept, or of a broader one, as phrases, if the question names a year to come:
// "population 2050".
func (s *Search) projections(n *snapshot, r *reading, m terms.Match) (phrases []index.Phrase) {
	isAhead := func(word string) bool { return isYear(word) && int(yearOf(word)) > s.opts.Now().Year() }
	if !slices.ContainsFunc(r.words, isAhead) {
		return nil
	}
	for _, id := range append([]string{m.Concept.ID}, m.Concept.Broader...) {
		c := s.table.Concept(id + "_projection")
		if c == nil {
			continue
		}
		for _, language := range terms.Languages {
			for _, term := range c.Terms[language] {
				phrases = append(phrases, r.phrase(n, phrase{r.asked(m.Places), term, "synonym", language}, []string{language}, usualWeight*r.languageWeight(language)))
			}
		}
	}
	return phrases
}

// languages returns the languages in which the words of the question are understood.
func (r *reading) languages() []string { return []string{r.language, "en"} }

func (r *reading) languageWeight(language string) float32 {
	switch language {
	case r.language:
		return 1
	case "en":
		return englishWeight
	}
	return foreignWeight
}

// strongWords returns the words of a term without those that say little.
func (s *Search) strongWords(term string) []string {
	return slices.DeleteFunc(terms.Words(term), func(word string) bool { return s.table.Weak(word, "") == terms.Function })
}

// isSubset reports whether all words, but not as many, are in a list.
func isSubset(words, list []string) bool {
	return len(words) < len(list) && !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(list, word) })
}

// languageOf guesses the language of a question by its terms and by words such as articles.
// English is the most likely one.
func (s *Search) languageOf(r *reading, found []terms.Match) string {
	best, most := "en", 1
	for _, language := range terms.Languages {
		votes := 0
		for _, word := range r.typed {
			if s.table.Weak(word, language) == terms.Function {
				votes++
			}
		}
		for _, m := range found {
			if m.Language == language {
				votes += 2 * len(m.Places)
			}
		}
		if language == "en" {
			votes++
		}
		if votes > most {
			best, most = language, votes
		}
	}
	return best
}
