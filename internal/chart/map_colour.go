package chart

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
)

// shade returns the value in whose colour a shape is drawn: its own, or that of
// the country that it is part of. Data that have any part of a country beside it
// count these apart, so that the country's value is not theirs; and on a map of
// a region that the country is not in, its value would be read as that of the
// place.
func (c *choropleth) shade(s *atlas.Shape) (v float64, ok bool) {
	if v, ok = c.valueOf(s); ok || s.Around {
		return v, ok
	}
	whole, ok := atlas.Whole(s.Area)
	if !ok || !c.region.Has(whole) || c.apartFrom(whole) {
		return 0, false
	}
	v, ok = c.values[whole]
	return v, ok
}

// apartFrom reports whether a part of a country has a value beside it.
func (c *choropleth) apartFrom(whole string) bool {
	for area := range c.values {
		if of, ok := atlas.Whole(area); ok && of == whole {
			return true
		}
	}
	return false
}

// classColours returns a colour for each class: from light to dark, or away
// from zero to both sides, towards the caller's colour if there is one.
func (c *choropleth) classColours() []colour.RGB {
	n := len(c.classes.Edges) - 1
	low := 0 // classes below zero
	for low < n && c.classes.Edges[low+1] <= 0 {
		low++
	}
	own, given := colour.Parse(c.spec.Series[0].Colour)
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

// alikeSizes is up to which factor two classes on different sides of zero are
// equally far from it.
const alikeSizes = 1.25

// strengths returns how strong the colour of each class is, from 0: how many
// sizes of classes there are nearer to zero, on either side, so that the darker of
// two colours is the number farther from zero whatever their hues.
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
		if at == 0 || sameSide || sizes[i] > alikeSizes*sizes[order[first]] {
			strength, first = strength+1, at
		}
		strengths[i] = strength
	}
	return strengths, low
}

// paleContrast is what the palest class has against the sea.
const paleContrast = 1.2

// ramp returns n colours from a light tint of a colour to the colour itself, or,
// where that is too light for it, from the colour to a dark shade of it. A
// colour as light as the sea begins a little darker.
func ramp(own colour.RGB, n int) []colour.RGB {
	darker := func(from, to colour.RGB) colour.RGB {
		const steps = 50
		for i := range steps {
			if c := colour.Mix(from, to, float64(i)/steps); colour.Contrast(c, seaColour) >= paleContrast && colour.Contrast(c, colour.White) >= paleContrast {
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
