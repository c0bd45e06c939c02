package index

import (
	"iter"
	"math/bits"
)

// near yields the words at most most edits from a word, with their number of edits. An
// edit inserts, deletes or changes a letter, or swaps two neighbours.
func (v *Vocabulary) near(word string, most int) iter.Seq2[uint32, int] {
	return func(yield func(uint32, int) bool) {
		v.mu.RLock()
		words, sets := v.words, v.letters
		v.mu.RUnlock()
		asked := []rune(word)
		letters := lettersOf(word)
		var rows editRows
		for id, other := range words {
			if bits.OnesCount32(letters^sets[id]) > 2*most || len(other) < len(word)-4*most || len(other) > len(word)+4*most {
				continue
			}
			if edits := rows.edits(asked, []rune(other), most); edits <= most {
				if !yield(uint32(id), edits) {
					return
				}
			}
		}
	}
}

// lettersOf returns a set of the letters of a word; letters beyond a to z share bits.
func lettersOf(word string) uint32 {
	var set uint32
	for i := range len(word) {
		set |= 1 << (word[i] & 31)
	}
	return set
}

// editRows are the last three rows of the table of distances.
type editRows [3][]int

// edits returns the number of edits between two words, or more than most: the distance of
// optimal string alignment.
func (r *editRows) edits(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	for i := range r {
		if len(r[i]) <= len(b) {
			r[i] = make([]int, len(b)+8)
		}
	}
	before, last, row := r[0], r[1], r[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j-1]+change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// IsOneEdit reports whether two words differ by one edit.
func IsOneEdit(a, b string) bool {
	if d := len(a) - len(b); a == b || d > 4 || d < -4 || bits.OnesCount32(lettersOf(a)^lettersOf(b)) > 2 {
		return false
	}
	var rows editRows
	return rows.edits([]rune(a), []rune(b), 1) == 1
}
