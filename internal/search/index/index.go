// Package index finds documents by words. It does no I/O and knows nothing of stores.
//
// A [Segment] holds documents and never changes; an [Index] is several segments with the
// documents that are hidden in them. So a change of few documents builds a small segment
// and leaves the others alone.
//
// Words are kept as they are written, but for case and accents. What a word of a question
// may stand for is decided when it is asked ([Index.Expand]): the same word, one with
// the same stem in any language, one that begins with it, a compound, or a word that is
// spelt nearly so.
//
// A question is a list of [Clause]s, each with alternatives. A document's score is the
// weighted mean of its best alternative for each clause (score.go), and then how much of
// its title the question covers (title.go).
package index

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// Index is an immutable set of documents. A document's number counts through the
// segments in order.
type Index struct {
	vocabulary *Vocabulary
	parts      []Subset
	base       []uint32  // number of the first document of each part, and of all
	documents  int       // that are not hidden
	frequency  []uint32  // in how many documents each word occurs
	rarities   []float32 // see rarity
	scratch    sync.Pool
}

// Subset is a segment with the documents that are not shown.
type Subset struct {
	*Segment
	Hidden []bool // by document; nil: none
}

// New returns an index of parts, whose segments were built with the vocabulary.
func New(v *Vocabulary, parts []Subset) *Index {
	v.sort()
	ix := &Index{vocabulary: v, parts: slices.Clone(parts), base: []uint32{0}}
	for _, p := range parts {
		ix.base = append(ix.base, ix.base[len(ix.base)-1]+uint32(p.count))
		ix.documents += p.count
		for _, hidden := range p.Hidden {
			if hidden {
				ix.documents--
			}
		}
	}
	ix.countWords()
	ix.scratch.New = func() any { return newScratch(int(ix.base[len(parts)])) }
	return ix
}

// Len returns the number of documents that are not hidden.
func (ix *Index) Len() int { return ix.documents }

// Locate returns the part of a document and its number there.
func (ix *Index) Locate(doc uint32) (part, local int) {
	part, ok := slices.BinarySearch(ix.base, doc)
	if !ok {
		part--
	}
	for ix.base[part+1] == doc { // empty parts
		part++
	}
	return part, int(doc - ix.base[part])
}

// Frequency returns in how many documents a word occurs.
func (ix *Index) Frequency(word uint32) int {
	if int(word) >= len(ix.frequency) {
		return 0
	}
	return int(ix.frequency[word])
}

func (ix *Index) countWords() {
	for _, p := range ix.parts {
		if n := len(p.words); n > 0 && int(p.words[n-1]) >= len(ix.frequency) {
			ix.frequency = slices.Grow(ix.frequency, int(p.words[n-1])+1-len(ix.frequency))[:p.words[n-1]+1]
		}
		for i, word := range p.words {
			ix.frequency[word] += p.starts[i+1] - p.starts[i]
		}
	}
	ix.rarities = make([]float32, len(ix.frequency))
	for word, n := range ix.frequency {
		ix.rarities[word] = ix.rarity(int(n))
	}
}

// rarity returns the weight of a word that occurs in n documents, from about 0.3 to 1.
func (ix *Index) rarity(n int) float32 {
	all := float64(ix.base[len(ix.base)-1]) + 1
	return float32(math.Log(1+all/(float64(n)+1)) / math.Log(1+all))
}

// Code returns the documents with a code, as [FoldCode] folds it.
func (ix *Index) Code(folded string) []uint32 { return ix.codes(folded, false, math.MaxInt) }

// CodePrefix returns the documents whose codes begin with a text that is folded as
// [FoldCode] does it, at most limit, in the order of the codes in each segment.
func (ix *Index) CodePrefix(folded string, limit int) []uint32 { return ix.codes(folded, true, limit) }

func (ix *Index) codes(folded string, isPrefix bool, limit int) []uint32 {
	var docs []uint32
	for i, p := range ix.parts {
		at, _ := slices.BinarySearchFunc(p.Segment.codes, folded, func(c code, text string) int {
			switch {
			case c.folded < text:
				return -1
			case c.folded > text:
				return 1
			}
			return 0
		})
		for ; at < len(p.Segment.codes) && len(docs) < limit; at++ {
			c := p.Segment.codes[at]
			if c.folded != folded && (!isPrefix || len(c.folded) < len(folded) || c.folded[:len(folded)] != folded) {
				break
			}
			if p.Hidden == nil || !p.Hidden[c.doc] {
				docs = append(docs, ix.base[i]+c.doc)
			}
		}
	}
	return docs
}

// CodeSuffix returns the documents whose codes end with a folded text, at most limit. It visits
// all codes.
func (ix *Index) CodeSuffix(folded string, limit int) (docs []uint32) {
	for i, p := range ix.parts {
		for _, c := range p.Segment.codes {
			if len(docs) < limit && strings.HasSuffix(c.folded, folded) && (p.Hidden == nil || !p.Hidden[c.doc]) {
				docs = append(docs, ix.base[i]+c.doc)
			}
		}
	}
	return docs
}
