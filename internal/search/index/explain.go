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
	Field  Field  // of the words
	Text   string // the words that the document has in this field
	Kind   Kind   // of the word of the phrase that differs most from what was asked
}

// Explain returns the best phrase of a clause that a document has: one explanation if a field has
// all its words, else one for each field that has some. It is empty if the document has none.
func (ix *Index) Explain(doc uint32, c Clause) (best []Explanation) {
	part, local := ix.Locate(doc)
	top := float32(0)
	for _, p := range c.Phrases {
		value, least, kind := p.Weight, float32(1), Exact
		words, sets := make([]Word, len(p.Terms)), make([]uint8, len(p.Terms))
		for i, t := range p.Terms {
			if words[i], sets[i] = ix.bestWord(part, local, t); sets[i] == 0 {
				value = 0
				break
			}
			if words[i].Weight < least {
				least, kind = words[i].Weight, words[i].Kind
			}
			value *= words[i].Weight * weightOf[sets[i]]
		}
		if value > top {
			best, top = ix.byField(words, sets), value
			for i := range best {
				best[i].Phrase, best[i].Kind = p.ID, kind
			}
		}
	}
	return best
}

// byField returns the words of a phrase by the fields that have them, as few as possible. The title
// and its tail are one.
func (ix *Index) byField(words []Word, sets []uint8) (list []Explanation) {
	const titles = 1<<Title | 1<<Tail
	for left := len(words); left > 0; {
		most, field := 0, uint8(0)
		for f := Title; f < numFields; f++ {
			bit := uint8(1) << f
			if bit&titles != 0 {
				bit = titles
			}
			count := 0
			for _, set := range sets {
				if set&bit != 0 {
					count++
				}
			}
			if count > most {
				most, field = count, bit
			}
		}
		e := Explanation{Field: Field(bits.TrailingZeros8(field))}
		var texts []string
		for i, set := range sets {
			if set&field != 0 {
				texts = append(texts, ix.Text(words[i].ID))
				sets[i] = 0
				left--
			}
		}
		e.Text = strings.Join(texts, " ")
		list = append(list, e)
	}
	return list
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
