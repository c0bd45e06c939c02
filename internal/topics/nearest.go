package topics

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/search/terms"
	"almanac/internal/stat"
)

// maxNearest is how many names Nearest returns at most.
const maxNearest = 3

// maxAsked is the longest text that may be a misspelt name, in bytes.
const maxAsked = 150

// minShared is how many letters the beginnings of two words share that count as one word,
// as Preis and Preise do.
const minShared = 5

// Nearest returns names that a text which is no topic may mean, in the language of the
// text, the most similar first, at most three: those with words of the text, in any form
// of the word, then those with typing mistakes, then those of the topics that the text
// speaks of. The text of a code that
// does not exist, such as 2.99, has the codes of the topics above it.
func Nearest(text string) []string {
	if len(text) > maxAsked {
		return nil
	}
	asked := terms.Words(text)
	var near []string
	add := func(name string) {
		if len(near) < maxNearest && !slices.Contains(near, name) {
			near = append(near, name)
		}
	}
	for above := strings.TrimSpace(text); strings.Contains(above, "."); {
		above = above[:strings.LastIndexByte(above, '.')]
		if t, ok := Find(above); ok && t.Code == above {
			add(t.Code)
		}
	}
	for _, s := range similar(asked) {
		add(s.name)
	}
	for _, name := range stat.Nearest(text, names()) {
		add(name)
	}
	for _, code := range Of("", text) {
		t, _ := Find(code)
		add(t.Name)
	}
	return near
}

// names returns the names of all topics in all languages.
func names() (all []string) {
	for _, t := range All() {
		all = append(all, t.Name)
		for _, language := range terms.Languages[1:] {
			all = append(all, t.Names[language])
		}
	}
	return all
}

// similarName is a name with how much it has in common with a text: 0 to 1.
type similarName struct {
	name string
	like float64
}

// similar returns the names that have words in common with a text, the most similar first:
// one for each topic.
func similar(asked []string) []similarName {
	var found []similarName
	for _, t := range All() {
		best := similarName{name: t.Name, like: likeness(asked, t.Name)}
		for _, language := range terms.Languages[1:] {
			if like := likeness(asked, t.Names[language]); like > best.like {
				best = similarName{t.Names[language], like}
			}
		}
		if best.like > 0 {
			found = append(found, best)
		}
	}
	slices.SortStableFunc(found, func(a, b similarName) int { return cmp.Compare(b.like, a.like) })
	return found
}

// likeness returns how much of a text and a name are in common words, in letters: twice
// what they share of what both have.
func likeness(asked []string, name string) float64 {
	own := terms.Words(name)
	shared := 0
	for _, a := range asked {
		most := 0
		for _, o := range own {
			most = max(most, sharedLetters(a, o))
		}
		shared += most
	}
	all := len(strings.Join(asked, "")) + len(strings.Join(own, ""))
	if all == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(all)
}

// sharedLetters returns how many letters two words have in common if they are forms of one
// word, or if one is the end of the other, as in German compounds; else 0.
func sharedLetters(a, b string) int {
	short, long := min(len(a), len(b)), max(len(a), len(b))
	begin := 0
	for begin < short && a[begin] == b[begin] {
		begin++
	}
	switch {
	case a == b:
		return short
	case short < minShared:
		return 0
	case begin >= minShared && long-begin <= 4: // Preis, Preise
		return begin
	case strings.HasSuffix(a, b), strings.HasSuffix(b, a): // volkswirtschaftlich, wirtschaftlich
		return short
	}
	return 0
}
