package request

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxNear is how many similar values are offered.
const maxNear = 3

// nearest returns up to three candidates that are most like text, the most
// similar first: those that differ in capitals only, then by the number of
// letters to change, up to a third of the text; then those that begin with it.
// Candidates that are equally similar keep their order.
func nearest(text string, candidates []string) []string {
	type near struct {
		candidate string
		distance  int
	}
	wanted := []rune(strings.ToLower(text))
	limit := 1 + len(wanted)/3
	var found []near
	var row []int
	for _, c := range candidates {
		// Bytes and letters differ by a factor of four at most.
		if len(c) < len(wanted)-limit {
			continue
		}
		lower := strings.ToLower(c)
		distance := limit + 1
		if utf8.RuneCountInString(lower) <= len(wanted)+limit {
			distance, row = editDistance(wanted, []rune(lower), row)
		}
		if distance > limit && len(wanted) >= 3 && strings.HasPrefix(lower, string(wanted)) {
			distance = limit
		}
		if distance <= limit && !slices.ContainsFunc(found, func(n near) bool { return n.candidate == c }) {
			found = append(found, near{c, distance})
			slices.SortStableFunc(found, func(a, b near) int { return a.distance - b.distance })
			found = found[:min(len(found), maxNear)]
		}
	}
	texts := make([]string, len(found))
	for i, n := range found {
		texts[i] = n.candidate
	}
	return texts
}

// editDistance is the number of letters to insert, delete, change or swap with
// the neighbour to come from a to b. The row is memory to reuse.
func editDistance(a, b []rune, row []int) (int, []int) {
	width := len(b) + 1
	row = slices.Grow(row[:0], 3*width)[:3*width]
	before, last, now := row[:width], row[width:2*width], row[2*width:]
	for j := range last {
		last[j] = j
	}
	for i, x := range a {
		now[0] = i + 1
		for j, y := range b {
			change := 1
			if x == y {
				change = 0
			}
			now[j+1] = min(last[j]+change, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)], row
}
