package index

import (
	"cmp"
	"hash/maphash"
	"slices"
)

// valueCode is the code of a value of a dimension that a document has. There are many of them, so only a number is kept: two codes with
// the same one are as good as impossible, and whoever shows the value compares the codes.
type valueCode struct {
	number uint64
	doc    uint32
}

var valueSeed = maphash.MakeSeed()

// addValues adds the codes of the values of the last document.
func (s *Segment) addValues(codes []string) {
	for _, c := range codes {
		if folded := FoldCode(c); folded != "" {
			s.values = append(s.values, valueCode{maphash.String(valueSeed, folded), uint32(s.count)})
		}
	}
}

func (s *Segment) sortValues() {
	slices.SortFunc(s.values, compareValues)
	s.values = slices.Clip(slices.Compact(s.values))
}

func compareValues(a, b valueCode) int {
	return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.doc, b.doc))
}

// Value returns the documents of which a dimension has a value with a code, as [FoldCode] folds it.
func (ix *Index) Value(folded string) (docs []uint32) {
	number := maphash.String(valueSeed, folded)
	for i, p := range ix.parts {
		at, _ := slices.BinarySearchFunc(p.values, valueCode{number, 0}, compareValues)
		for ; at < len(p.values) && p.values[at].number == number; at++ {
			if doc := p.values[at].doc; p.Hidden == nil || !p.Hidden[doc] {
				docs = append(docs, ix.base[i]+doc)
			}
		}
	}
	return docs
}
