package index

import (
	"slices"
	"strings"
)

// links are the letters that join the parts of a German compound.
var links = []string{"", "s", "n", "en", "es", "e"}

// Split returns the two words of which a compound consists that occur most; ok is false if
// it is none: wasserverbrauch is wasser and verbrauch.
func (ix *Index) Split(word string, known map[string]bool) (first, second string, ok bool) {
	most := rare / 10
	for i := minPart - 1; i <= len(word)-minPart+1; i++ {
		left, right := word[:i], word[i:]
		n := ix.partCount(right, known)
		if n <= most {
			continue
		}
		for _, link := range links {
			part, hasLink := strings.CutSuffix(left, link)
			if !hasLink || len(part) < minPart-1 {
				continue
			}
			if n := min(n, ix.partCount(part, known)); n > most {
				first, second, ok, most = part, right, true, n
			}
		}
	}
	return first, second, ok
}

// Join returns two words written as one if that occurs.
func (ix *Index) Join(first, second string) (word string, ok bool) {
	return first + second, len(first) >= minPart-1 && len(second) >= minPart-1 && ix.Occurrences(first+second) > 0
}

// Occurrences returns in how many documents a folded word occurs.
func (ix *Index) Occurrences(word string) int {
	id, ok := ix.vocabulary.Word(word)
	if !ok {
		return 0
	}
	return ix.Frequency(id)
}

// Begins reports whether a folded text is the beginning of a longer word that occurs.
func (ix *Index) Begins(text string) bool {
	return slices.ContainsFunc(ix.vocabulary.withPrefix(text, maxScanned), func(id uint32) bool { return ix.vocabulary.text(id) != text && ix.Frequency(id) > 0 })
}

// partCount returns in how many documents a part of a compound occurs, and a few for a known word.
func (ix *Index) partCount(part string, known map[string]bool) int {
	n := ix.Occurrences(part)
	if known[part] {
		n = max(n, rare)
	}
	return n
}
