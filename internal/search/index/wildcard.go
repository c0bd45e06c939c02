package index

import (
	"path"
	"strings"
)

// Fitting returns the word that occurs most of those that fit a folded pattern, in which ? is one
// letter and * any number.
func (ix *Index) Fitting(pattern string) (word string, ok bool) {
	prefix := pattern[:strings.IndexAny(pattern+"*", "*?")]
	most := 0
	for _, id := range ix.vocabulary.withPrefix(prefix, len(ix.frequency)) {
		text := ix.vocabulary.text(id)
		if n := ix.Frequency(id); n > most {
			if fits, err := path.Match(pattern, text); err == nil && fits {
				word, most = text, n
			}
		}
	}
	return word, most > 0
}
