package search

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// Asked is one thing that a question asks for: a word that says something, or a term of the field.
type Asked struct {
	Text  string // as typed
	names []name
}

// name is a name of what is asked for: of each of its words the forms that are accepted.
type name [][]string

// WordSet is the words of texts, folded.
type WordSet map[string]bool

// WordsOf returns the words of texts.
func WordsOf(texts ...string) WordSet {
	set := WordSet{}
	for _, text := range texts {
		for _, word := range terms.Words(text) {
			set[word] = true
		}
	}
	return set
}

// Telling returns the words of a text that say what it is about, in order, without words such as "of" and "rate".
func Telling(text string) []string {
	return slices.DeleteFunc(terms.Words(text), func(word string) bool { return terms.Load().Weak(word, "") != terms.Strong })
}

// LabelKey returns the form in which labels are compared with what is asked for: the words without
// articles and the like.
func LabelKey(label string) string {
	return strings.Join(slices.DeleteFunc(terms.Words(label), func(word string) bool { return terms.Load().Weak(word, "") == terms.Function }), " ")
}

// IsIn reports whether all words of one of the names are among those of texts.
func (a *Asked) IsIn(words WordSet) bool {
	return slices.ContainsFunc(a.names, func(n name) bool {
		return !slices.ContainsFunc(n, func(forms []string) bool {
			return !slices.ContainsFunc(forms, func(form string) bool { return words[form] })
		})
	})
}

// Begins reports whether texts have any word of one of the names that says something.
func (a *Asked) Begins(words WordSet) bool {
	return slices.ContainsFunc(a.names, func(n name) bool {
		return slices.ContainsFunc(n, func(forms []string) bool {
			return slices.ContainsFunc(forms, func(form string) bool {
				return words[form] && terms.Load().Weak(form, "") == terms.Strong
			})
		})
	})
}

// maxForms is how many forms of a word, and how many of a name, are compared with labels.
const maxForms, maxKeys = 4, 64

// Keys returns the names in the form of [LabelKey].
func (a *Asked) Keys() (keys []string) {
	for _, n := range a.names {
		own := []string{""}
		for _, forms := range n {
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

// asked returns what a question asks for, without the places, and without words that every dataset could have.
func (n *snapshot) asked(r *reading) (list []Asked) {
	has := map[string]bool{}
	add := func(a Asked) {
		if len(a.names) > 0 && len(Telling(a.Text)) > 0 && !slices.ContainsFunc(list, func(other Asked) bool { return other.Text == a.Text }) {
			list = append(list, a)
		}
		for word := range strings.FieldsSeq(a.Text) {
			has[word] = true
		}
	}
	for _, c := range r.clauses {
		if cmp.Or(c.Weight, 1) < aspectWeight {
			continue
		}
		a := Asked{Text: r.phrases[c.Phrases[0].ID].asked}
		for _, p := range c.Phrases {
			if from := r.phrases[p.ID]; from.kind != "broader" && strings.Contains(from.asked, a.Text) {
				a.names = append(a.names, n.nameOf(p))
			}
		}
		add(a)
	}
	for i, word := range r.words { // those that no dataset has
		if !r.used[i] && !r.inCode[i] && !r.isSpoken && !has[r.typed[i]] && terms.Load().Weak(word, "") == terms.Strong {
			add(Asked{r.typed[i], []name{{{word}}}})
		}
	}
	return list
}

// nameOf returns the words of a phrase with their other forms.
func (n *snapshot) nameOf(p index.Phrase) (words name) {
	for _, t := range p.Terms {
		forms := []string{t.Text}
		for _, w := range t.Words {
			isForm := w.Kind == index.Exact || w.Kind == index.Stem || w.Kind == index.Typo || w.Kind == index.Prefix && t.Words[0].Kind == index.Prefix
			if text := n.index.Text(w.ID); isForm && !slices.Contains(forms, text) {
				forms = append(forms, text)
			}
		}
		words = append(words, forms)
	}
	return words
}
