package index

// Coverage tells how much of a title a question covers.
type Coverage struct {
	Covered  float32 // share of the words, by how rare they are, 0 to 1
	Head     float32 // the same of the title without its breakdowns
	InOrder  bool    // the covered words of the head follow one another
	Leading  bool    // the title begins with a covered word
	Position int     // which title of the document
}

// Cover returns how much of a document's best title is covered by words. weak says which
// words do not count.
func (ix *Index) Cover(doc uint32, covered, weak map[uint32]bool) Coverage {
	part, local := ix.Locate(doc)
	s := ix.parts[part].Segment
	best := Coverage{}
	for n, t := range s.titles[s.first[local]:s.first[local+1]] {
		got := ix.coverage(s.text[t.start:t.head], s.text[t.head:t.end], covered, weak)
		got.Position = n
		if n == 0 || got.Covered+got.Head > best.Covered+best.Head {
			best = got
		}
	}
	return best
}

const tailShare = float32(.5) // of a word in the tail

func (ix *Index) coverage(head, tail []uint32, covered, weak map[uint32]bool) (t Coverage) {
	var all, got, gotHead float32
	gaps, last := 0, -1
	for i, word := range head {
		if weak[word] {
			continue
		}
		w := ix.rarities[word]
		all += w
		if covered[word] {
			got += w
			if i == 0 {
				t.Leading = true
			}
			if last >= 0 && i > last+1 {
				gaps++
			}
			last = i
		}
	}
	gotHead = got
	if all > 0 {
		t.Head = gotHead / all
	}
	for _, word := range tail {
		if weak[word] {
			continue
		}
		w := ix.rarities[word]
		if covered[word] {
			got += w * tailShare
		}
		all += w * tailShare
	}
	if all > 0 {
		t.Covered = got / all
	}
	t.InOrder = last >= 0 && gaps == 0
	return t
}
