package bartable

import (
	"math"
	"slices"

	"almanac/internal/chart/font"
)

// minForBothEnds is the number of groups from which both the largest and the smallest
// values are kept, if some are negative.
const minForBothEnds = 6

// Keep leaves out all but n groups. Of periods, it keeps the latest. Other groups are
// sorted: at most a third of n are groups of countries; of the rest, it keeps the largest,
// or the largest and the smallest if there are negative values. keep returns a sentence
// that says so, in a long and a short form.
func (t *Table) Keep(n int) []string {
	all := len(t.Groups)
	l, kept, counts := t.language, "", []any{all}
	by, names := t.sortedBy()
	t.hasSegments = false
	switch {
	case t.InTime:
		t.Groups = t.Groups[all-n:]
		t.Latest = max(t.Latest-(all-n), -1)
		kept, counts = "the latest %s", append(counts, n)
	case n >= minForBothEnds && slices.ContainsFunc(t.Groups, func(g Group) bool { return g.Values[0] < 0 }):
		high, low := t.keepEnds(n)
		kept = "the %s with the largest values" + by + " and the %s with the smallest"
		counts = append(append(append(counts, high), names...), low)
	default:
		apart := min(t.aside(), n/3)
		t.Groups = slices.Concat(t.Groups[:apart], t.Groups[t.aside():])
		t.Groups = t.Groups[:apart+countUntied(t.Groups[apart:], min(n, len(t.Groups))-apart)]
		kept, counts = "the %s with the largest values"+by, append(append(counts, len(t.Groups)), names...)
		if len(t.Groups) == 1 {
			kept, counts = "the one with the largest value"+by, append([]any{all}, names...)
		}
	}
	verb := "are"
	if len(t.Groups) == 1 {
		verb = "is"
	}
	return []string{
		l.Text("Of %s "+t.Kind()+", "+kept+" "+verb+" shown.", counts...),
		l.Text("%s of %s shown", len(t.Groups), all),
	}
}

// countUntied returns how many of the first n sorted groups to keep, so that groups with
// equal values are kept or left out together. It returns n if too many are equal.
func countUntied(ranked []Group, n int) int {
	if n >= len(ranked) || n < 1 {
		return n
	}
	kept := n
	for kept > 0 && ranked[kept-1].Values[0] == ranked[n].Values[0] {
		kept--
	}
	if kept <= n/2 {
		return n
	}
	return kept
}

// sortedBy names the series by which groups are sorted, if there are several series: the
// words of a note and what they stand for.
func (t *Table) sortedBy() (words string, names []any) {
	if name := font.Clean(t.Series[0].Name); len(t.Series) > 1 && !t.Stacked && name != "" {
		return " for “%s”", []any{name}
	}
	return "", nil
}

// keepEnds keeps the first and the last groups that have a value, and returns how many
// of each.
func (t *Table) keepEnds(n int) (high, low int) {
	apart := min(t.aside(), n/3)
	ranked := t.Groups[t.aside():]
	for len(ranked) > 0 && math.IsNaN(ranked[len(ranked)-1].Values[0]) {
		ranked = ranked[:len(ranked)-1]
	}
	high = min((n-apart+1)/2, len(ranked))
	low = min(n-apart-high, len(ranked)-high)
	least := slices.Clone(ranked)
	slices.Reverse(least)
	high, low = countUntied(ranked, high), countUntied(least, low)
	groups := slices.Concat(t.Groups[:apart], ranked[:high])
	t.Broken = len(groups)
	t.Groups = slices.Concat(groups, ranked[len(ranked)-low:])
	return apart + high, low
}

// aside returns the number of groups of countries, which come first.
func (t *Table) aside() int {
	n := 0
	for n < len(t.Groups) && t.Groups[n].Apart {
		n++
	}
	return n
}

// Kind returns a noun for the groups.
func (t *Table) Kind() string {
	switch {
	case t.InTime:
		return "periods"
	case t.Areas:
		return "areas"
	}
	return "categories"
}

// Missing returns the names of groups without any value.
func (t *Table) Missing() []string {
	var names []string
	for i := range t.Groups {
		if !t.Groups[i].Has() {
			names = append(names, t.Groups[i].Name)
		}
	}
	return names
}
