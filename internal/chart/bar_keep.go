package chart

import (
	"almanac/internal/chart/font"
	"fmt"
	"math"
	"slices"
)

// minForBothEnds is the number of groups from which both the largest and the smallest
// values are kept, if some are negative.
const minForBothEnds = 6

// keep leaves out all but n groups. Of periods, it keeps the latest. Other groups are
// sorted: at most a third of n are groups of countries; of the rest, it keeps the largest,
// or the largest and the smallest if there are negative values. keep returns a sentence
// that says so, in a long and a short form.
func (t *barTable) keep(n int) []string {
	all := len(t.groups)
	kept := ""
	switch {
	case t.inTime:
		t.groups = t.groups[all-n:]
		t.latest = max(t.latest-(all-n), -1)
		kept = fmt.Sprintf("the latest %d", n)
	case n >= minForBothEnds && slices.ContainsFunc(t.groups, func(g barGroup) bool { return g.values[0] < 0 }):
		high, low := t.keepEnds(n)
		kept = fmt.Sprintf("the %d with the largest values%s and the %d with the smallest", high, t.sortedBy(), low)
	default:
		apart := min(t.aside(), n/3)
		t.groups = slices.Concat(t.groups[:apart], t.groups[t.aside():])
		t.groups = t.groups[:apart+countUntied(t.groups[apart:], min(n, len(t.groups))-apart)]
		kept = fmt.Sprintf("the %d with the largest values%s", len(t.groups), t.sortedBy())
		if len(t.groups) == 1 {
			kept = "the one with the largest value" + t.sortedBy()
		}
	}
	verb := "are"
	if len(t.groups) == 1 {
		verb = "is"
	}
	return []string{
		fmt.Sprintf("Of %d %s, %s %s shown.", all, t.kind(), kept, verb),
		fmt.Sprintf("%d of %d shown", len(t.groups), all),
	}
}

// countUntied returns how many of the first n sorted groups to keep, so that groups with
// equal values are kept or left out together. It returns n if too many are equal.
func countUntied(ranked []barGroup, n int) int {
	if n >= len(ranked) || n < 1 {
		return n
	}
	kept := n
	for kept > 0 && ranked[kept-1].values[0] == ranked[n].values[0] {
		kept--
	}
	if kept <= n/2 {
		return n
	}
	return kept
}

// sortedBy names the series by which groups are sorted, if there are several series.
func (t *barTable) sortedBy() string {
	if name := font.Clean(t.series[0].name); len(t.series) > 1 && name != "" {
		return " for “" + name + "”"
	}
	return ""
}

// keepEnds keeps the first and the last groups that have a value, and returns how many
// of each.
func (t *barTable) keepEnds(n int) (high, low int) {
	apart := min(t.aside(), n/3)
	ranked := t.groups[t.aside():]
	for len(ranked) > 0 && math.IsNaN(ranked[len(ranked)-1].values[0]) {
		ranked = ranked[:len(ranked)-1]
	}
	high = min((n-apart+1)/2, len(ranked))
	low = min(n-apart-high, len(ranked)-high)
	least := slices.Clone(ranked)
	slices.Reverse(least)
	high, low = countUntied(ranked, high), countUntied(least, low)
	groups := slices.Concat(t.groups[:apart], ranked[:high])
	t.broken = len(groups)
	t.groups = slices.Concat(groups, ranked[len(ranked)-low:])
	return apart + high, low
}

// aside returns the number of groups of countries, which come first.
func (t *barTable) aside() int {
	n := 0
	for n < len(t.groups) && t.groups[n].apart {
		n++
	}
	return n
}

// kind returns a noun for the groups.
func (t *barTable) kind() string {
	switch {
	case t.inTime:
		return "periods"
	case t.areas:
		return "areas"
	}
	return "categories"
}

// missing returns the names of groups without any value.
func (t *barTable) missing() []string {
	var names []string
	for i := range t.groups {
		if !t.groups[i].has() {
			names = append(names, t.groups[i].name)
		}
	}
	return names
}
