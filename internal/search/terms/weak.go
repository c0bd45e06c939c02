package terms

import (
	"fmt"
	"slices"
	"strings"
)

// Weakness tells how little a word says about which dataset is meant.
type Weakness int

// The kinds of words.
const (
	Strong   Weakness = iota
	General           // words of nearly all datasets or questions: "data", "statistics", "people"
	Function          // articles, prepositions, question words, auxiliary verbs: "the", "how"
)

// vocabulary has the words of the terms and the weak words.
type vocabulary struct {
	known map[string]bool                // words of terms
	weak  map[string]map[string]Weakness // by language, then folded word
	most  map[string]Weakness            // by folded word: the greatest of all languages
}

// Weak returns how little a word says in a language, or at least in one of all if the
// language is empty or not of the table. The word may be written in any way.
func (v *vocabulary) Weak(word, language string) Weakness {
	word = strings.Join(Words(word), " ")
	if words, ok := v.weak[language]; ok {
		return words[word]
	}
	return v.most[word]
}

// WeakWords returns the weak words of a language, sorted.
func (v *vocabulary) WeakWords(language string) []string {
	var words []string
	for w := range v.weak[language] {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}

// read reads lines such as "en function: the, of, how". A kind of a language may have
// several lines.
func (v *vocabulary) read(text string) error {
	v.known, v.weak, v.most = map[string]bool{}, map[string]map[string]Weakness{}, map[string]Weakness{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, list, _ := strings.Cut(line, ":")
		language, kind, _ := strings.Cut(head, " ")
		weakness, ok := map[string]Weakness{"general": General, "function": Function}[kind]
		if !ok || !slices.Contains(Languages, language) {
			return fmt.Errorf("weak.txt: %q is not a language and \"general\" or \"function\"", head)
		}
		if v.weak[language] == nil {
			v.weak[language] = map[string]Weakness{}
		}
		for word := range strings.SplitSeq(list, ",") {
			folded := strings.Join(Words(word), " ")
			if other := v.weak[language][folded]; folded == "" || other != Strong && other != weakness {
				return fmt.Errorf("weak.txt: %q is empty or of both kinds in %s", strings.TrimSpace(word), language)
			}
			v.weak[language][folded] = weakness
			v.most[folded] = max(v.most[folded], weakness)
		}
	}
	return nil
}
