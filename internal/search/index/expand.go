package index

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Weights of words that stand for another.
const (
	stemWeight        = .95
	prefixWeight      = .9
	wholePrefixWeight = .7 // if it is a whole word too
	partWeight        = .75
	typoWeight        = .9 // less for each edit
)

// Limits of what a word is expanded to.
const (
	maxPrefixes = 60
	maxParts    = 40
	maxTypos    = 4
	maxScanned  = 5000
)

// Asked says what is known of a word of a question.
type Asked struct {
	Languages []string // it may be a word of these
	IsLast    bool     // it may be the beginning of a word that is being typed
	IsKnown   bool     // it is spelt correctly, even if it occurs nowhere
	IsStem    bool     // it is the beginning of the forms of a word
}

// Expand returns what a folded word of a question may stand for.
func (ix *Index) Expand(word string, a Asked) Term {
	v := ix.vocabulary
	t := Term{Text: word}
	if id, ok := v.Word(word); ok && ix.Frequency(id) > 0 {
		t.Words = append(t.Words, Word{id, 1, Exact})
	}
	t.add(v.sameStem(word, a.Languages), stemWeight, Stem)
	if a.IsStem {
		t.add(ix.frequent(v.withPrefix(word, maxScanned), maxPrefixes), stemWeight, Stem)
	}
	if len(t.Words) == 0 {
		for _, umlaut := range []string{"ae", "oe", "ue"} {
			if other := strings.ReplaceAll(word, umlaut, umlaut[:1]); other != word {
				if id, ok := v.Word(other); ok {
					t.add([]uint32{id}, stemWeight, Stem)
				}
				t.add(v.sameStem(other, []string{"de"}), stemWeight, Stem)
			}
		}
	}
	known := ix.count(t)
	if a.IsLast && len(word) >= 2 {
		weight := float32(prefixWeight)
		if known > rare {
			weight = wholePrefixWeight
		}
		t.add(ix.frequent(v.withPrefix(word, maxScanned), maxPrefixes), weight, Prefix)
	}
	t.add(ix.frequent(v.withPart(word, maxScanned), maxParts), partWeight, Compound)
	if !a.IsKnown && ix.count(t) <= rare {
		ix.addTypos(&t, word, known)
	}
	return t
}

// rare is in how few documents a word occurs that may be a mistake.
const rare = 40

func (t *Term) add(ids []uint32, weight float32, kind Kind) {
	for _, id := range ids {
		if !slices.ContainsFunc(t.Words, func(w Word) bool { return w.ID == id }) {
			t.Words = append(t.Words, Word{id, weight, kind})
		}
	}
}

func (ix *Index) count(t Term) int {
	n := 0
	for _, w := range t.Words {
		n += ix.Frequency(w.ID)
	}
	return n
}

// frequent returns the words that occur in most documents, at most limit.
func (ix *Index) frequent(ids []uint32, limit int) []uint32 {
	counts := make(map[uint32]int, len(ids))
	for _, id := range ids {
		counts[id] = ix.Frequency(id)
	}
	slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(counts[b], counts[a]) })
	return ids[:min(limit, len(ids))]
}

// addTypos adds the words that are spelt nearly as a word and are far more frequent:
// known is in how many documents the word itself occurs.
func (ix *Index) addTypos(t *Term, word string, known int) {
	most := maxEdits(word)
	if most == 0 {
		return
	}
	type candidate struct {
		id    uint32
		edits int
		count int
	}
	var near []candidate
	for id, edits := range ix.vocabulary.near(word, most) {
		if n := ix.Frequency(id); n > 20*known && n > 0 && isSlip(word, ix.vocabulary.text(id), edits) {
			near = append(near, candidate{id, edits, n})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.count, a.count), cmp.Compare(a.id, b.id))
	})
	for i, c := range near[:min(len(near), maxTypos)] {
		if c.edits > near[0].edits {
			break
		}
		weight := float32(typoWeight) - .1*float32(c.edits-1) - .1*float32(i)
		t.add([]uint32{c.id}, weight, Typo)
		t.add(ix.vocabulary.sameStem(ix.vocabulary.text(c.id), []string{"en", "de"}), weight-.05, Typo)
	}
}

// maxEdits returns how many letters may be wrong.
func maxEdits(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case strings.ContainsAny(word, "0123456789") || n < 4:
		return 0
	case n < longWord:
		return 1
	}
	return 2
}

// longWord is the number of letters from which a word may have two mistakes, or one in its first letter. Shorter words that are
// as near to one another are often two words: outdoor and outlook, weather and leather.
const longWord = 9

// isSlip reports whether other is likely to be meant: the first letter is hardly ever wrong, but it
// may be exchanged with the second.
func isSlip(word, other string, edits int) bool {
	a, size := utf8.DecodeRuneInString(word)
	b, otherSize := utf8.DecodeRuneInString(other)
	switch {
	case a == b:
		return true
	case strings.HasPrefix(word[size:], string(b)) && strings.HasPrefix(other[otherSize:], string(a)):
		return true
	}
	return edits == 1 && utf8.RuneCountInString(word) >= longWord
}
