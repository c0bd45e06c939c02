package terms

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed qualifiers.txt
var qualifiersText string

// Qualifier says which of several measures of one subject is meant: the nominal exchange rate and not the real one.
type Qualifier struct {
	Name string

	asks, has, not [][]string // the words of names; "*" at the end of a word stands for any ending
}

// loadQualifiers reads the table at the first call, which panics if a line is wrong; a test reads it.
var loadQualifiers = sync.OnceValue(func() []Qualifier {
	list, err := readQualifiers(qualifiersText)
	if err != nil {
		panic(err)
	}
	return list
})

// readQualifiers reads lines of the form "name: asks | has | not".
func readQualifiers(text string) (list []Qualifier, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		parts := append(strings.Split(rest, "|"), "", "")
		q := Qualifier{name, namesOf(parts[0]), namesOf(parts[1]), namesOf(parts[2])}
		if !ok || len(parts) > 5 || q.asks == nil {
			return nil, fmt.Errorf("qualifiers.txt: line %q is not of the form \"name: words | words | words\"", line)
		}
		list = append(list, q)
	}
	return list, nil
}

func namesOf(list string) (names [][]string) {
	for name := range strings.SplitSeq(list, ",") {
		var words []string
		for word := range strings.FieldsSeq(name) {
			folded, isBegin := Words(word), strings.HasSuffix(word, "*")
			if words = append(words, folded...); isBegin {
				words[len(words)-1] += "*"
			}
		}
		if words != nil {
			names = append(names, words)
		}
	}
	return names
}

// Qualifiers returns those that a text asks for.
func Qualifiers(text string) (list []Qualifier) {
	words := Words(text)
	for _, q := range loadQualifiers() {
		if hasAny(words, q.asks) && !hasAny(words, q.not) {
			list = append(list, q)
		}
	}
	return list
}

// QualifierNamed returns the one with a name of the table. It panics if there is none.
func QualifierNamed(name string) Qualifier {
	list := loadQualifiers()
	return list[slices.IndexFunc(list, func(q Qualifier) bool { return q.Name == name })]
}

// AsksWith reports whether a word is one of those with which a text asks for the qualifier: bound, of "lower bound".
func (q *Qualifier) AsksWith(text, word string) bool {
	words := Words(text)
	for _, name := range q.asks {
		for i := range len(words) - len(name) + 1 {
			if asks := words[i : i+len(name)]; slices.EqualFunc(asks, name, isWord) && slices.Contains(asks, word) {
				return true
			}
		}
	}
	return false
}

// IsIn reports whether a title or label has the qualifier.
func (q *Qualifier) IsIn(text string) bool {
	words := Words(text)
	return hasAny(words, q.asks) || hasAny(words, q.has)
}

// Is reports whether a label has only the words of the qualifier: Yield, but not Yield/Carcass Weight.
func (q *Qualifier) Is(label string) bool {
	words := Words(label)
	return slices.ContainsFunc(slices.Concat(q.asks, q.has), func(name []string) bool { return slices.EqualFunc(words, name, isWord) })
}

// hasAny reports whether words have all words of a name side by side.
func hasAny(words []string, names [][]string) bool {
	return slices.ContainsFunc(names, func(name []string) bool {
		for i := range len(words) - len(name) + 1 {
			if slices.EqualFunc(words[i:i+len(name)], name, isWord) {
				return true
			}
		}
		return false
	})
}

func isWord(word, pattern string) bool {
	begin, isBegin := strings.CutSuffix(pattern, "*")
	return word == begin || isBegin && strings.HasPrefix(word, begin)
}

// IsQualifier reports whether a folded word alone asks for a qualifier, so that it is no misspelt one: "maximum".
func IsQualifier(word string) bool {
	return slices.ContainsFunc(loadQualifiers(), func(q Qualifier) bool { return hasAny([]string{word}, q.asks) })
}
