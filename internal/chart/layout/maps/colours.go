package maps

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// shade returns the value that determines the colour of a shape, nil if there is none: its own, that of
// the group that it is a member of, or that of the country that it is part of. If the data list any part of the country separately,
// the country's value may exclude its parts and does not apply. It does not apply on a
// map of a region that the country is not in either, because readers would take it for
// the value of the part.
func (c *choropleth) shade(s *atlas.Shape) *scene.Datum {
	if d := c.ownOrShared(s); d != nil || s.Around {
		return d
	}
	whole, ok := atlas.Whole(s.Area)
	if !ok || !c.region.Has(whole) || c.apartFrom(whole) {
		return nil
	}
	return c.values[whole]
}

// addMembers gives the members of a group its value, if it is that of each of them.
func (c *choropleth) addMembers(group *chart.Category, d *scene.Datum, v float64) {
	d.Name, d.Area, d.Value = font.Clean(group.Label), group.Area, v
	for _, member := range group.Members {
		c.members[member] = d
	}
}

// ownOrShared returns the value of a country or, if that is the same, of its group.
func (c *choropleth) ownOrShared(s *atlas.Shape) *scene.Datum {
	if d := c.valueOf(s); d != nil || s.Around {
		return d
	}
	return c.members[s.Area]
}

// apartFrom reports whether a part of a country has a separate value.
func (c *choropleth) apartFrom(whole string) bool {
	for area := range c.values {
		if of, ok := atlas.Whole(area); ok && of == whole {
			return true
		}
	}
	return false
}

// classColours returns a colour for each class: from light to dark, or darker away from
// zero on both sides, towards the caller's colour if there is one.
func (c *choropleth) classColours() []colour.RGB {
	n, low := len(c.classes.Edges)-1, c.belowZero()
	own, given := colour.Parse(c.Spec.Series[0].Colour)
	switch {
	case given && low == n:
		fills := ramp(own, n)
		slices.Reverse(fills)
		return fills
	case given:
		return append(colour.Diverging(c.strengths(low))[:low:low], ramp(own, n-low)...)
	case low == 0:
		return colour.Sequential(n)
	default:
		return colour.Diverging(c.strengths(low))
	}
}

// belowZero returns the number of classes below zero.
func (c *choropleth) belowZero() int {
	low := 0
	for low < len(c.classes.Edges)-1 && c.classes.Edges[low+1] <= 0 {
		low++
	}
	return low
}

// maxStrengths is the number of shades of one side of a diverging map that can be told
// apart. One direction has more: its colours also differ in hue.
const maxStrengths = 5

// areDistinct reports whether the colours of the classes can be told apart.
func (c *choropleth) areDistinct() bool {
	low := c.belowZero()
	if low == 0 {
		return true
	}
	strengths, _ := c.strengths(low)
	return slices.Max(strengths) < maxStrengths
}

// maxEqualSizes is the factor up to which two classes on different sides of zero count as
// equally far from it.
const maxEqualSizes = 1.25

// strengths returns the colour strength of each class, from 0, and the number of classes
// below zero. The strength grows with the distance from zero on either side, so that the
// darker of two colours is that of the number farther from zero, whatever their hues.
func (c *choropleth) strengths(low int) (strengths []int, below int) {
	n := len(c.classes.Edges) - 1
	sizes := make([]float64, n)
	for i := range sizes {
		if c.classes.Values != nil {
			sizes[i] = math.Abs(c.classes.Values[i])
		} else {
			sizes[i] = math.Abs(c.classes.Edges[i]/2 + c.classes.Edges[i+1]/2)
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	strengths = make([]int, n)
	strength, first := -1, 0 // of the classes of one size, the first
	for at, i := range order {
		sameSide := at > 0 && slices.ContainsFunc(order[first:at], func(j int) bool { return (i < low) == (j < low) })
		if at == 0 || sameSide || sizes[i] > maxEqualSizes*sizes[order[first]] {
			strength, first = strength+1, at
		}
		strengths[i] = strength
	}
	return strengths, low
}

// minSeaContrast is the contrast between the palest class and the sea.
const minSeaContrast = 1.2

// ramp returns n colours from a light tint of a colour to the colour itself or, if it
// is too light for that, from the colour to a dark shade of it. If the colour is as
// light as the sea, the ramp starts a little darker.
func ramp(own colour.RGB, n int) []colour.RGB {
	darker := func(from, to colour.RGB) colour.RGB {
		const steps = 50
		for i := range steps {
			if c := colour.Mix(from, to, float64(i)/steps); colour.Contrast(c, colour.Sea) >= minSeaContrast && colour.Contrast(c, colour.White) >= minSeaContrast {
				return c
			}
		}
		return to
	}
	from, to := darker(colour.Mix(colour.White, own, .25), own), own
	if colour.Contrast(own, colour.White) < 3 {
		from, to = darker(own, colour.Dark), colour.Mix(own, colour.Dark, .8)
	}
	fills := make([]colour.RGB, n)
	for i := range fills {
		fills[i] = to
		if n > 1 {
			fills[i] = colour.Mix(from, to, float64(i)/float64(n-1))
		}
	}
	return fills
}
