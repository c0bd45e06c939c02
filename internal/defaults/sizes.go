package defaults

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// minParts is the least number of codes from which one may be the sum of the others, or
// the largest of parts.
const minParts = 3

// sumTolerance is how far the rounded parts of a sum may be from it, as a share of it.
const sumTolerance = 0.005

// preferSum prefers the code whose values are the sums of those of the others, whatever its
// label: "3" beside "1" and "2". Codes that are a part of another candidate by their ID, such
// as 01.1 of 01, are not added again.
func preferSum(c *chooser) []int32 {
	if len(c.codes) < minParts || !c.areComparable() {
		return nil
	}
	roots, sum := c.roots(), 0.0
	for _, i := range roots {
		sum += c.tallies[i].Typical
	}
	for _, i := range roots {
		whole := c.tallies[i].Typical
		if others := sum - whole; whole > 0 && math.Abs(others-whole) <= sumTolerance*whole {
			return []int32{i}
		}
	}
	return nil
}

// roots returns the candidates whose ID does not begin with that of another one, in the order
// of the code list.
func (c *chooser) roots() []int32 {
	sorted := slices.SortedFunc(slices.Values(c.codes), func(a, b int32) int { return strings.Compare(c.code(a).ID, c.code(b).ID) })
	var roots []int32
	for _, i := range sorted { // what begins with an ID follows it
		if n := len(roots); n == 0 || !strings.HasPrefix(c.code(i).ID, c.code(roots[n-1]).ID) {
			roots = append(roots, i)
		}
	}
	slices.Sort(roots)
	return roots
}

// areComparable reports whether the values of the candidates are in one unit, for the same
// areas and about as many periods, and none is negative.
func (c *chooser) areComparable() bool {
	if hasOwnUnits(c.dimension) || c.hasSeveralUnits() {
		return false
	}
	first := c.tallies[c.codes[0]]
	return !slices.ContainsFunc(c.codes, func(i int32) bool {
		t := c.tallies[i]
		return t.Areas != first.Areas || 10*t.Values < 9*first.Values || 10*first.Values < 9*t.Values || t.Typical < 0
	})
}

// hasSeveralUnits reports whether the unit is still to be chosen.
func (c *chooser) hasSeveralUnits() bool {
	return slices.ContainsFunc(c.dataset.Dimensions, func(d stat.Dimension) bool { return d.Role == stat.RoleUnit && len(d.Codes) > 1 })
}

// areShares reports whether title, measure, unit or what else all values have in common
// speak of rates, indices, changes or means, of which the largest is only an extreme.
func (c *chooser) areShares() bool {
	text := c.title() + " " + c.measure + " " + strings.ToLower(c.dataset.Unit)
	for _, d := range c.dataset.Dimensions {
		if len(d.Codes) == 1 {
			text += " " + labelOf(d.Codes[0])
		}
	}
	for _, f := range c.dataset.Fixed {
		text += " " + labelOf(f.Code)
	}
	if slices.ContainsFunc([]string{"average", "mean", "median", "price"}, func(word string) bool { return wordAt(text, word) >= 0 }) {
		return true
	}
	kinds := hintsOf(text)
	return slices.ContainsFunc(kinds, func(k unitKind) bool { return k != amount && k != count })
}

// skew is the ratio of the largest to the middle value from which codes are parts of very
// different size, such as products or causes. Rates and indices differ less.
const skew = 5

// preferLargest prefers the largest of parts of very different size, the one that readers
// know: of citizenships in Norway the Norwegian.
func preferLargest(c *chooser) []int32 {
	if len(c.codes) < minParts || c.hasSeveralUnits() || c.areShares() || slices.ContainsFunc(c.codes, func(i int32) bool { return c.tallies[i].Typical < 0 }) {
		return nil
	}
	sizes := make([]float64, 0, len(c.codes))
	for _, i := range c.codes {
		sizes = append(sizes, c.tallies[i].Typical)
	}
	slices.Sort(sizes)
	if last := len(sizes) - 1; sizes[last] < skew*sizes[last/2] || sizes[last] == 0 {
		return nil
	}
	return c.largest(c.codes)
}
