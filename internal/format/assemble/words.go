package assemble

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed words.txt
var wordTable string

// wordLists are the words of words.txt by their kinds.
var wordLists = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(wordTable) {
		if kind, list, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			lists[kind] = append(lists[kind], strings.Split(list, ", ")...)
		}
	}
	return lists
})

// Words returns the words of a kind in their order; words.txt has the kinds. Headings are
// as [Fold] returns them.
func Words(kind string) []string {
	list, ok := wordLists()[kind]
	if !ok {
		panic("unknown kind of words: " + kind)
	}
	return list
}

// Means reports whether a folded heading is one of the words of a kind.
func Means(kind, folded string) bool { return slices.Contains(Words(kind), folded) }

// Fold returns a heading in lower case, with one space between words, which capital
// letters within a word begin too: "geoAreaCode" is "geo area code".
// "Year(s)" is "years".
func Fold(heading string) string {
	var words strings.Builder
	last := ' '
	for _, r := range strings.ReplaceAll(heading, "(s)", "s") {
		if unicode.IsSpace(r) || strings.ContainsRune("_-.\u00a0\ufeff", r) {
			r = ' '
		}
		if unicode.IsLower(last) && unicode.IsUpper(r) {
			words.WriteRune(' ')
		}
		if r != ' ' || last != ' ' {
			words.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	return strings.TrimSpace(words.String())
}
