package index

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// Explanation is why a document matches a clause.
type Explanation struct {
	Phrase int    // ID of the best phrase
	Field  Field  // of its first word
	Text   string // the words that the document has
	Kind   Kind   // of the word that differs most from what was asked
}

// Explain returns the best phrase of a clause that a document has.
func (ix *Index) Explain(doc uint32, c Clause) (best Explanation, ok bool) {
	part, local := ix.Locate(doc)
	top := float32(0)
	for _, p := range c.Phrases {
		value := p.Weight
		e := Explanation{Phrase: p.ID, Kind: Exact}
		var words []string
		least := float32(1)
		for i, t := range p.Terms {
			w, fields := ix.bestWord(part, local, t)
			if fields == 0 {
				value = 0
				break
			}
			if i == 0 {
				e.Field = Field(bits.TrailingZeros8(fields))
			}
			if w.Weight < least {
				least, e.Kind = w.Weight, w.Kind
			}
			words = append(words, ix.Text(w.ID))
			value *= w.Weight * weightOf[fields]
		}
		if e.Text = strings.Join(words, " "); value > top {
			best, top = e, value
		}
	}
	return best, top > 0
}

// bestWord returns the best word of a term that a document has, and its fields.
func (ix *Index) bestWord(part, local int, t Term) (best Word, fields uint8) {
	top := float32(0)
	for _, w := range t.Words {
		posts := ix.parts[part].postings(w.ID)
		at, ok := slices.BinarySearchFunc(posts, uint32(local), func(post, local uint32) int { return int(post>>8) - int(local) })
		if !ok {
			continue
		}
		set := uint8(posts[at])
		if value := w.Weight * weightOf[set]; value > top {
			best, fields, top = w, set, value
		}
	}
	return best, fields
}

// Text returns a word of the vocabulary.
func (ix *Index) Text(word uint32) string { return ix.vocabulary.text(word) }

// All yields the documents that are not hidden.
func (ix *Index) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, p := range ix.parts {
			for doc := range p.count {
				if (p.Hidden == nil || !p.Hidden[doc]) && !yield(ix.base[i]+uint32(doc)) {
					return
				}
			}
		}
	}
}
