package search

import (
	"cmp"
	"slices"

	"almanac/internal/stat"
)

// Order is an order of hits. Without By, those that answer the question best come first.
type Order struct {
	By           string // "areas" or "latest_period"
	IsDescending bool
}

// sort puts datasets in an order. Equal ones stay as they are. Those whose value is not known are last.
func (n *snapshot) sort(all []ranked, o Order) {
	switch o.By {
	case "areas":
		sortBy(all, o, func(doc uint32) int { return len(n.record(doc).have) }, cmp.Compare)
	case "latest_period":
		sortBy(all, o, func(doc uint32) stat.Period {
			p, _ := stat.ParsePeriod(n.record(doc).last) // zero if it is not known
			return p
		}, stat.Period.Compare)
	}
}

// sortBy sorts datasets by a value that is zero if it is not known.
func sortBy[T comparable](all []ranked, o Order, of func(doc uint32) T, compare func(a, b T) int) {
	values := make(map[uint32]T, len(all))
	for _, r := range all {
		values[r.doc] = of(r.doc)
	}
	var unknown T
	slices.SortStableFunc(all, func(a, b ranked) int {
		v, w := values[a.doc], values[b.doc]
		switch {
		case v == unknown || w == unknown:
			return cmp.Compare(isOne(v == unknown), isOne(w == unknown))
		case o.IsDescending:
			return compare(w, v)
		}
		return compare(v, w)
	})
}

func isOne(is bool) int {
	if is {
		return 1
	}
	return 0
}
