package scale

import (
	"math"
	"sort"
)

// Classes are the classes of a map.
type Classes struct {
	// Edges are round numbers, ascending, one more than there are classes. Class
	// i holds Edges[i] ≤ v < Edges[i+1], the last one its upper edge too.
	Edges  []float64
	Labels []string // beside Edges
	// Diverging: zero is an edge and the classes below and above it differ in hue.
	Diverging bool
	// Method is how the edges were found, for people: "equal steps", "1-2-5 ladder", "quantiles".
	Method string
}

// Index returns the class of a value; the nearest one where no class holds it,
// -1 for NaN and where there are no classes.
func (c Classes) Index(v float64) int {
	if math.IsNaN(v) || len(c.Edges) < 2 {
		return -1
	}
	i := sort.Search(len(c.Edges), func(i int) bool { return c.Edges[i] > v }) - 1
	return min(max(i, 0), len(c.Edges)-2)
}

// ClassesFor chooses up to n classes for values, at least one of which is finite.
func ClassesFor(values []float64, n int, unit string) Classes {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	t := Nice(low, high, n+1, false, unit)
	return Classes{Edges: t.Values, Labels: t.Labels, Diverging: low < 0 && high > 0, Method: "equal steps"}
}
