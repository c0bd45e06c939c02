package index

import (
	"cmp"
	"slices"
)

// Merge returns a segment with the documents of several, without the hidden ones, in
// order. They share a vocabulary.
func Merge(parts []Subset) *Segment {
	m := &Segment{first: []uint32{0}}
	numbers := make([][]int32, len(parts)) // new numbers of the documents; -1: hidden
	for i, p := range parts {
		numbers[i] = make([]int32, p.count)
		for doc := range p.count {
			if numbers[i][doc] = -1; p.Hidden == nil || !p.Hidden[doc] {
				numbers[i][doc] = int32(m.count)
				m.copyTitles(p.Segment, doc)
				m.count++
			}
		}
		for _, c := range p.codes {
			if to := numbers[i][c.doc]; to >= 0 {
				m.codes = append(m.codes, code{c.folded, uint32(to)})
			}
		}
		for _, c := range p.values {
			if to := numbers[i][c.doc]; to >= 0 {
				m.values = append(m.values, valueCode{c.number, uint32(to)})
			}
		}
	}
	m.mergePostings(parts, numbers)
	m.sortCodes()
	m.sortValues()
	return m
}

func (s *Segment) copyTitles(from *Segment, doc int) {
	for _, t := range from.titles[from.first[doc]:from.first[doc+1]] {
		at := uint32(len(s.text))
		s.titles = append(s.titles, title{at, at + t.head - t.start, at + t.end - t.start})
		s.text = append(s.text, from.text[t.start:t.end]...)
	}
	s.first = append(s.first, uint32(len(s.titles)))
}

// mergePostings joins the lists of each word. They stay in order, because the documents of
// one part have lower numbers than those of the next.
func (s *Segment) mergePostings(parts []Subset, numbers [][]int32) {
	var words []uint32
	for _, p := range parts {
		words = append(words, p.words...)
	}
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		start := uint32(len(s.posts))
		for i, p := range parts {
			for _, post := range p.postings(word) {
				if to := numbers[i][post>>8]; to >= 0 {
					s.posts = append(s.posts, uint32(to)<<8|post&255)
				}
			}
		}
		if uint32(len(s.posts)) > start {
			s.words, s.starts = append(s.words, word), append(s.starts, start)
		}
	}
	s.starts = append(s.starts, uint32(len(s.posts)))
}

func (s *Segment) sortCodes() {
	slices.SortFunc(s.codes, func(a, b code) int { return cmp.Or(cmp.Compare(a.folded, b.folded), cmp.Compare(a.doc, b.doc)) })
}
