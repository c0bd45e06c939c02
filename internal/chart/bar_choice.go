package chart

import (
	"fmt"
	"math"
	"slices"

	"almanac/internal/chart/font"
)

// endsFrom is from how many groups on those with the largest values and those
// with the smallest may share the room, where some are negative.
const endsFrom = 6

// keep leaves out all but n of the groups, which are sorted unless they are
// periods. Of groups of countries no more than a third of n stay; of the others
// the largest, or the largest and the smallest where there are negative values;
// of periods the latest. It returns the sentence that says so, in a long form
// and a short one.
func (t *barTable) keep(n int) []string {
	all := len(t.groups)
	kept := ""
	switch {
	case t.inTime:
		t.groups = t.groups[all-n:]
		t.latest = max(t.latest-(all-n), -1)
		kept = fmt.Sprintf("the latest %d", n)
	case n >= endsFrom && slices.ContainsFunc(t.groups, func(g barGroup) bool { return g.values[0] < 0 }):
		high, low := t.keepEnds(n)
		kept = fmt.Sprintf("the %d with the largest values%s and the %d with the smallest", high, t.ofFirst(), low)
	default:
		apart := min(t.aside(), n/3)
		t.groups = slices.Concat(t.groups[:apart], t.groups[t.aside():])
		t.groups = t.groups[:min(n, len(t.groups))]
		kept = fmt.Sprintf("the %d with the largest values%s", len(t.groups), t.ofFirst())
		if len(t.groups) == 1 {
			kept = "the one with the largest value" + t.ofFirst()
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

// ofFirst names the series by which groups are sorted, where there are several.
func (t *barTable) ofFirst() string {
	if len(t.series) < 2 {
		return ""
	}
	return " of " + font.Clean(t.series[0].name)
}

// keepEnds keeps the first and the last of the groups that have a value, and
// returns how many of each.
func (t *barTable) keepEnds(n int) (high, low int) {
	apart := min(t.aside(), n/3)
	ranked := t.groups[t.aside():]
	for len(ranked) > 0 && math.IsNaN(ranked[len(ranked)-1].values[0]) {
		ranked = ranked[:len(ranked)-1]
	}
	high = min((n-apart+1)/2, len(ranked))
	low = min(n-apart-high, len(ranked)-high)
	groups := slices.Concat(t.groups[:apart], ranked[:high])
	t.broken = len(groups)
	t.groups = slices.Concat(groups, ranked[len(ranked)-low:])
	return apart + high, low
}

// aside is how many groups of countries are set apart.
func (t *barTable) aside() int {
	n := 0
	for n < len(t.groups) && t.groups[n].apart {
		n++
	}
	return n
}

// kind is what the groups are, for a sentence.
func (t *barTable) kind() string {
	switch {
	case t.inTime:
		return "periods"
	case t.areas:
		return "areas"
	}
	return "categories"
}

// missing names the groups without any value.
func (t *barTable) missing() []string {
	var names []string
	for i := range t.groups {
		if !t.groups[i].has() {
			names = append(names, t.groups[i].name)
		}
	}
	return names
}
