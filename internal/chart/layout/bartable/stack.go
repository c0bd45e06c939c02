package bartable

import "math"

// stack sets where the bars of a group begin: at zero, or at the end of the bar before.
// Positive bars stand above zero, and negative ones hang below it.
func (g *Group) stack(stacked bool) {
	g.Starts = make([]float64, len(g.Values))
	if !stacked {
		return
	}
	above, below := 0.0, 0.0
	for k, v := range g.Values {
		switch {
		case v > 0:
			g.Starts[k], above = above, above+v
		case v < 0:
			g.Starts[k], below = below, below+v
		}
	}
}

// total returns the sum of the values.
func (g *Group) total() float64 {
	sum := 0.0
	for _, v := range g.Values {
		if !math.IsNaN(v) {
			sum += v
		}
	}
	return sum
}

// Across returns the number of bars side by side in a group.
func (t *Table) Across() int {
	if t.Stacked || t.Dots {
		return 1
	}
	return len(t.Series)
}
