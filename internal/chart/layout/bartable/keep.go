package bartable

import (
	"fmt"
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
	kept := ""
	switch {
	case t.InTime:
		t.Groups = t.Groups[all-n:]
		t.Latest = max(t.Latest-(all-n), -1)
		kept = fmt.Sprintf("the latest %d", n)
	case n >= minForBothEnds && slices.ContainsFunc(t.Groups, func(g Group) bool { return g.Values[0] < 0 }):
		high, low := t.keepEnds(n)
		kept = fmt.Sprintf("the %d with the largest values%s and the %d with the smallest", high, t.sortedBy(), low)
	default:
		apart := min(t.aside(), n/3)
		t.Groups = slices.Concat(t.Groups[:apart], t.Groups[t.aside():])
		t.Groups = t.Groups[:apart+countUntied(t.Groups[apart:], min(n, len(t.Groups))-apart)]
		kept = fmt.Sprintf("the %d with the largest values%s", len(t.Groups), t.sortedBy())
		if len(t.Groups) == 1 {
			kept = "the one with the largest value" + t.sortedBy()
		}
	}
	verb := "are"
	if len(t.Groups) == 1 {
		verb = "is"
	}
	return []string{
		fmt.Sprintf("Of %d %s, %s %s shown.", all, t.Kind(), kept, verb),
		fmt.Sprintf("%d of %d shown", len(t.Groups), all),
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

// sortedBy names the series by which groups are sorted, if there are several series.
func (t *Table) sortedBy() string {
	if name := font.Clean(t.Series[0].Name); len(t.Series) > 1 && name != "" {
		return " for “" + name + "”"
	}
	return ""
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
