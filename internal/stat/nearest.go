package stat

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxNearest is the number of candidates that Nearest returns at most.
const maxNearest = 3

// maxEdits bounds the number of different letters. More is not a typing mistake, and
// would cost too much in long lists of long labels.
const maxEdits = 6

// Nearest returns up to three candidates similar to text, the most similar first:
// those that differ in case only, then by the number of letters to change, up to a
// third of the text, then those that begin with it. What stands in brackets behind a candidate
// does not count against it. Equally similar candidates keep their order.
func Nearest(text string, candidates []string) []string {
	type near struct {
		candidate string
		distance  int
	}
	lowerText := strings.ToLower(text)
	target := []rune(lowerText)
	limit := min(1+len(target)/3, maxEdits)
	var found []near
	var rows [3][]int
	for _, c := range candidates {
		lower := strings.ToLower(c)
		distance := limit + 1
		if utf8.RuneCountInString(lower) <= len(target)+limit {
			distance = editDistance(target, []rune(lower), limit, &rows)
		}
		if name, _, hasMore := strings.Cut(lower, " ("); hasMore && distance > limit { // Germany (until 1990 …)
			distance = editDistance(target, []rune(name), limit, &rows)
		}
		if distance > limit && len(target) >= 3 && strings.HasPrefix(lower, lowerText) {
			distance = limit
		}
		if distance <= limit && !slices.ContainsFunc(found, func(n near) bool { return n.candidate == c }) {
			found = append(found, near{c, distance})
			slices.SortStableFunc(found, func(a, b near) int { return a.distance - b.distance })
			found = found[:min(len(found), maxNearest)]
		}
	}
	texts := make([]string, len(found))
	for i, n := range found {
		texts[i] = n.candidate
	}
	return texts
}

// editDistance returns the number of letters to insert, delete, change or swap with
// the next one to turn a into b, or limit+1 if that is more than limit. So only cells
// within limit of the diagonal are computed. The rows are memory to reuse.
func editDistance(a, b []rune, limit int, rows *[3][]int) int {
	if len(a) > len(b)+limit || len(b) > len(a)+limit {
		return limit + 1
	}
	for i := range rows {
		rows[i] = slices.Grow(rows[i][:0], len(b)+1)[:len(b)+1]
		for j := range rows[i] {
			rows[i][j] = limit + 1
		}
	}
	before, last, current := rows[0], rows[1], rows[2]
	for j := range min(len(b), limit) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		first, end := max(1, i-limit), min(len(b), i+limit)
		current[first-1] = limit + 1
		if first == 1 {
			current[0] = i
		}
		least := current[first-1]
		for j := first; j <= end; j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(last[j-1]+change, last[j]+1, current[j-1]+1, limit+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			current[j] = d
			least = min(least, d)
		}
		if end < len(b) {
			current[end+1] = limit + 1 // left over from another row
		}
		if least > limit {
			return limit + 1
		}
		before, last, current = last, current, before
	}
	return min(last[len(b)], limit+1)
}
