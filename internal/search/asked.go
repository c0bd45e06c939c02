package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// Asked is one thing that a question asks for: a word that says something, or a term of the field.
type Asked struct {
	Text     string // as typed
	names    []name
	typed    int      // how many of the names, the first ones, are Text
	language string   // in which Text is, if it is a term of the field
	numbers  []string // of Text, besides years
	concepts []string // the IDs of the terms of the field in Text
	labels   []string // names that count only as whole labels, in the form of [RawLabel]
}

// name is a name of what is asked for.
type name struct {
	words    [][]string // of each word the forms that are accepted
	language string     // empty if unknown
}

// AskedOf returns what a text asks for: a term of the field with all its names, if the text is one, else its words.
func AskedOf(text string) Asked {
	var typed name
	for _, word := range Telling(text) {
		typed.words = append(typed.words, []string{word})
	}
	a := Asked{Text: text, names: []name{typed}, typed: 1}
	found := terms.Load().Find(text, "")
	if len(found) == 1 && len(found[0].Places) == len(terms.Words(text)) {
		of := askedOf(found[0].Concept.ID)
		a.names, a.concepts = append(a.names, of.names...), of.concepts
	}
	return a
}

// Concepts returns the IDs of the terms of the field in the text. The caller must not change them.
func (a *Asked) Concepts() []string { return a.concepts }

// WordSet is the words of texts, folded.
type WordSet map[string]within

// within is the term of the field that a word is a part of in a text: "birth" in "life expectancy at birth". It is
// empty for a word that stands by itself.
type within struct {
	concept string
	term    string   // as the table of terms has it
	others  []string // the other words of the term that say something
}

// PlainWordsOf is [WordsOf] of many texts, without the terms that the words are parts of.
func PlainWordsOf(texts []string) WordSet {
	set := WordSet{}
	for _, text := range texts {
		for _, word := range terms.Words(text) {
			set[word] = within{}
		}
	}
	return set
}

// Has reports whether the words are there.
func (s WordSet) Has(word string) bool { _, ok := s[word]; return ok }

// TermAround returns a longer term of the field in which texts have a word of what is asked for, and which is something
// else; empty if there is none.
func (a *Asked) TermAround(words WordSet) string {
	for _, word := range Telling(a.Text) {
		if of := words[word]; of.term != "" && !slices.Contains(a.concepts, of.concept) {
			return of.term
		}
	}
	return ""
}

// Telling returns the words of a text that say what it is about, in order, without words such as "of" and "rate".
func Telling(text string) []string {
	return slices.DeleteFunc(terms.Words(text), func(word string) bool { return terms.Load().Weak(word, "") != terms.Strong })
}

// LabelKey returns the form in which labels are compared with what is asked for: the words without
// articles and the like. Such a word in capitals is none: US in "Natural gas, US".
func LabelKey(label string) string {
	hasSmall := label != strings.ToUpper(label)
	var words []string
	for field := range strings.FieldsSeq(label) {
		isName := hasSmall && len(field) > 1 && field == strings.ToUpper(field)
		for _, word := range terms.Words(field) {
			if isName || terms.Load().Weak(word, "") != terms.Function {
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, " ")
}

// IsIn reports whether all words of one of the names are among those of texts, and all numbers. A word does not count
// in a longer term that is something else: births are not in "life expectancy at birth".
func (a *Asked) IsIn(words WordSet) bool {
	if slices.ContainsFunc(a.numbers, func(number string) bool { return !words.Has(number) }) {
		return false
	}
	return a.nameIn(words) >= 0
}

// nameIn returns which name is among words, -1 if none is.
func (a *Asked) nameIn(words WordSet) int {
	return slices.IndexFunc(a.names, func(n name) bool {
		isForm := func(word string) bool {
			return slices.ContainsFunc(n.words, func(forms []string) bool { return slices.Contains(forms, word) })
		}
		return !slices.ContainsFunc(n.words, func(forms []string) bool {
			return !slices.ContainsFunc(forms, func(form string) bool {
				of, ok := words[form]
				return ok && (slices.Contains(a.concepts, of.concept) || !slices.ContainsFunc(of.others, func(other string) bool { return !isForm(other) }))
			})
		})
	})
}

// Synonym returns the other name, in the language of the text, by which words have what is asked for: "base rate" if "bank rate" is
// asked for. It is empty if they have a word of the text, or letters of which the text is the short form, as GDP.
func (a *Asked) Synonym(words WordSet) string {
	at := a.nameIn(words)
	if at < a.typed || a.names[at].language != a.language {
		return ""
	}
	text, letters := "", ""
	for _, forms := range a.names[at].words {
		text, letters = text+" "+forms[0], letters+forms[0][:1]
	}
	typed := terms.Words(a.Text)
	if letters == strings.Join(typed, "") || slices.ContainsFunc(Telling(a.Text), func(word string) bool { return slices.Contains(strings.Fields(text), word) }) {
		return ""
	}
	return strings.TrimSpace(text)
}

// AsTerm returns a folded name as the table of terms has it: "Bevölkerung" for "bevolkerung".
func (a *Asked) AsTerm(name string) string {
	for _, id := range a.concepts {
		for _, language := range terms.Languages {
			for _, term := range terms.Load().Concept(id).Terms[language] {
				if strings.Join(terms.Words(term), " ") == name {
					return term
				}
			}
		}
	}
	return name
}

// Besides returns what is asked for besides the words of texts: gold of "price of gold", if the title is "Monthly prices". It is nil
// if that is nothing, or all of it.
func (a *Asked) Besides(words WordSet) *Asked {
	stems := map[string]bool{}
	for word := range words {
		stems[terms.Stem(word, "en")] = true
	}
	typed := Telling(a.Text)
	rest := slices.DeleteFunc(slices.Clone(typed), func(word string) bool { return words.Has(word) || stems[terms.Stem(word, "en")] })
	if len(rest) == 0 || len(rest) == len(typed) {
		return nil
	}
	of := AskedOf(strings.Join(rest, " "))
	return &of
}

// AreIn reports whether a label has all of some things, and besides them only what is asked for, too: "Life expectancy at birth, female"
// has life expectancy and female. There must be one thing at least.
func AreIn(label string, things []*Asked, asked []Asked) bool {
	return areBeside(nil, label, things, asked)
}

// areBeside is [AreIn] for a label that has a part of each thing, if titles have the rest: gas, of the price of gas, in a table of prices.
func areBeside(titles []string, label string, things []*Asked, asked []Asked) bool {
	own := terms.Words(label)
	if !things[0].hasWord(own) { // most labels
		return false
	}
	words, all := WordsOf(label), WordsOf(append(titles[:len(titles):len(titles)], label)...)
	if slices.ContainsFunc(things, func(a *Asked) bool { return !a.hasWord(own) || !a.IsIn(all) }) {
		return false
	}
	for word, of := range words {
		isOf := func(a Asked) bool {
			return slices.Contains(a.concepts, of.concept) || slices.ContainsFunc(a.names, func(n name) bool {
				return slices.ContainsFunc(n.words, func(forms []string) bool { return slices.Contains(forms, word) })
			})
		}
		if terms.Load().Weak(word, "") != terms.Function && !slices.ContainsFunc(asked, isOf) {
			return false
		}
	}
	return true
}

// hasWord reports whether one of the names has one of some words.
func (a *Asked) hasWord(words []string) bool {
	return slices.ContainsFunc(a.names, func(n name) bool {
		return slices.ContainsFunc(n.words, func(forms []string) bool {
			return slices.ContainsFunc(forms, func(form string) bool { return slices.Contains(words, form) })
		})
	})
}

// Begins reports whether texts have any word of one of the names that says something.
func (a *Asked) Begins(words WordSet) bool {
	return slices.ContainsFunc(a.names, func(n name) bool {
		return slices.ContainsFunc(n.words, func(forms []string) bool {
			return slices.ContainsFunc(forms, func(form string) bool {
				return words.Has(form) && terms.Load().Weak(form, "") == terms.Strong
			})
		})
	})
}

// IsNarrower reports whether one of the names has all words that say something of a measure, and another one: urban
// population is narrower than population.
func (a *Asked) IsNarrower(measure WordSet) bool {
	return slices.ContainsFunc(a.names, func(n name) bool {
		shared := map[string]bool{}
		hasOther := false
		for _, forms := range n.words {
			at := slices.IndexFunc(forms, measure.Has)
			if at >= 0 {
				shared[forms[at]] = true
			}
			hasOther = hasOther || at < 0 && terms.Load().Weak(forms[0], "") == terms.Strong
		}
		for word := range measure {
			if !shared[word] && terms.Load().Weak(word, "") == terms.Strong {
				return false
			}
		}
		return hasOther && len(shared) > 0
	})
}

// maxForms is how many forms of a word, and how many of a name, are compared with labels.
const maxForms, maxKeys = 4, 64

// TypedKeys returns the name as typed, and its other forms, in the form of [LabelKey].
func (a *Asked) TypedKeys() []string { return keysOf(a.names[:a.typed]) }

// Keys returns all names in the form of [LabelKey].
func (a *Asked) Keys() []string { return append(keysOf(a.names), a.labels...) }

// IsSameTerm reports whether two texts are names of one concept of the field.
func IsSameTerm(a, b string) bool {
	first, second := terms.Load().Find(a, ""), terms.Load().Find(b, "")
	return len(first) == 1 && len(second) == 1 && first[0].Concept == second[0].Concept
}

func keysOf(names []name) (keys []string) {
	for _, n := range names {
		own := []string{""}
		for _, forms := range n.words {
			var longer []string
			for _, begin := range own {
				for _, form := range forms[:min(len(forms), maxForms)] {
					longer = append(longer, strings.TrimSpace(begin+" "+form))
				}
			}
			own = longer[:min(len(longer), maxKeys)]
		}
		keys = append(keys, own...)
	}
	return keys
}

// asked returns what a question asks for, without places and codes, and without words that every dataset could have.
func (n *snapshot) asked(r *reading) (list []Asked) {
	has := map[string]bool{}
	add := func(a Asked) {
		a.names = append(a.names, n.alsoNames(r, a.Text)...)
		a.complete()
		if !slices.ContainsFunc(strings.Fields(a.Text), func(word string) bool { return !r.isOfCode(word) }) {
			return
		}
		if len(a.names) > 0 && a.saysSomething() && !slices.ContainsFunc(list, func(other Asked) bool { return other.Text == a.Text }) {
			list = append(list, a)
		}
		for word := range strings.FieldsSeq(a.Text) {
			has[word] = true
		}
	}
	for _, c := range r.clauses {
		if w := cmp.Or(c.Weight, 1); w < aspectWeight && w != besideWeight {
			continue
		}
		a := Asked{Text: r.phrases[c.Phrases[0].ID].asked, language: r.language}
		for _, p := range c.Phrases {
			if from := r.phrases[p.ID]; from.kind != "broader" && strings.Contains(from.asked, a.Text) {
				named := n.nameOf(p)
				named.language = from.language
				a.names = append(a.names, named)
				if from.kind == "exact" && a.typed == len(a.names)-1 {
					a.typed++
				}
			}
		}
		if len(a.names) == 0 { // only broader terms are known
			typed := AskedOf(a.Text)
			a.names, a.typed = typed.names[:1], 1
		}
		add(a)
	}
	for i, word := range r.words { // those that no dataset has
		if !r.used[i] && !r.inCode[i] && !has[r.typed[i]] && terms.Load().Weak(word, "") == terms.Strong {
			add(Asked{Text: r.typed[i], names: []name{{words: [][]string{{word}}}}, typed: 1})
		}
	}
	return list
}

// alsoNames returns the names of the concept of which a word is a part of another term that the question has: those of hotel nights, for the guests of
// "guest nights".
func (n *snapshot) alsoNames(r *reading, word string) (names []name) {
	clause, ok := r.also[slices.Index(r.typed, word)]
	if !ok {
		return nil
	}
	phrases := r.clauses[clause].Phrases
	for _, p := range phrases {
		if from := r.phrases[p.ID]; from.kind != "broader" && from.asked == r.phrases[phrases[0].ID].asked {
			named := n.nameOf(p)
			named.language = from.language
			names = append(names, named)
		}
	}
	return names
}

// isOfCode reports whether a word as typed is a part of the code of a dataset.
func (r *reading) isOfCode(word string) bool {
	i := slices.Index(r.typed, word)
	return i >= 0 && r.inCode[i]
}

// nameOf returns the words of a phrase with their other forms. A year is no part of a longer name: it is asked of the value.
func (n *snapshot) nameOf(p index.Phrase) (words name) {
	for _, t := range p.Terms {
		if isYear(t.Text) && len(p.Terms) > 1 {
			continue
		}
		forms := []string{t.Text}
		for _, w := range t.Words {
			isForm := w.Kind == index.Exact || w.Kind == index.Stem || w.Kind == index.Typo || w.Kind == index.Prefix && t.Words[0].Kind == index.Prefix
			if text := n.index.Text(w.ID); isForm && !slices.Contains(forms, text) {
				forms = append(forms, text)
			}
		}
		words.words = append(words.words, forms)
	}
	return words
}

// complete finds the numbers and terms in the text, and adds other words for a sex.
func (a *Asked) complete() {
	if of := a.sex(); of >= 0 {
		for _, word := range terms.Sexes[of] {
			var same name
			for _, part := range terms.Words(word) {
				same.words = append(same.words, []string{part})
			}
			a.names = append(a.names, same)
		}
		a.addFurtherSex(of)
	}
	for _, word := range terms.Words(a.Text) {
		if isNumber(word) && !isYear(word) {
			a.numbers = append(a.numbers, word)
		}
	}
	for _, m := range terms.Load().Find(a.Text, "") {
		a.concepts = append(a.concepts, m.Concept.ID)
	}
}

// saysSomething reports whether the text has more than years and words that every dataset could have, or is a term of offices of these:
// part-time, but not "number of people".
func (a *Asked) saysSomething() bool {
	return a.typed > 0 && len(a.concepts) > 0 && strings.Contains(a.Text, " ") || slices.ContainsFunc(Telling(a.Text), func(word string) bool { return !isYear(word) })
}

func isNumber(word string) bool {
	_, err := strconv.Atoi(word)
	return err == nil
}

func isYear(word string) bool {
	return len(word) == 4 && isNumber(word) && word[0] >= '1' && word[0] <= '2'
}
