package hbar

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/scene"
)

// Measures of dumbbells, in units.
const (
	maxDot    = 5.5 // radius of a dot
	dotShare  = .3  // of a row, for the radius
	barOfDots = 2.0 // width of the line between two dots
	ringWidth = 2.0 // of a forecast, which is a ring
)

func (r *rows) dotRadius() float64 { return min(maxDot, r.row*dotShare) }

// ends returns the lowest and the highest value of a row.
func ends(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// drawDots draws a dot for each value, and a line from the first to the last of a row. Later
// series are on top. A forecast is a ring.
func (r *rows) drawDots() {
	radius := r.dotRadius()
	for i, g := range r.t.Groups {
		if low, high := ends(g.Values); low < high {
			r.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Leader}, X1: r.scale.At(low), Y1: r.middle(i), X2: r.scale.At(high), Y2: r.middle(i), Pen: scene.Pen{Colour: colour.Quiet, Width: barOfDots}})
		}
	}
	r.eachBar(func(b barMark) {
		if math.IsNaN(b.value) {
			return
		}
		fill := b.look.Fill
		if !fill.On {
			fill = scene.Solid(b.look.Edge.Colour)
		}
		dot := &scene.Circle{Tag: r.tag(b), X: r.scale.At(b.value), Y: r.middle(b.group), R: radius, Fill: fill, Pen: scene.Pen{Colour: r.Scene.Ground, Width: 1}}
		if r.t.Groups[b.group].Forecast[b.series] {
			dot.Fill, dot.Pen, dot.R = scene.Solid(r.Scene.Ground), scene.Pen{Colour: fill.Colour, Width: ringWidth}, radius-ringWidth/2
		}
		r.Scene.Add(dot)
	})
}

// reserveDotValues takes space for values beside the first and the last dot of a row, with
// smaller text if the axis would become too short. Nothing is taken if even that does not fit.
func (r *rows) reserveDotValues() {
	if !r.Spec.ShowValues {
		return
	}
	usual := r.t.Numbers
	r.t.Numbers = r.t.Exact()
	for _, size := range []float64{r.size, r.Smallest()} {
		left, right := r.dotPads(size)
		if r.right-r.left-left-right >= r.minBarsWidth() {
			r.figure, r.left, r.right = size, r.left+left, r.right-right
			return
		}
	}
	r.t.Numbers = usual
}

// dotPads returns the widths of the widest values on both sides of the dots.
func (r *rows) dotPads(size float64) (left, right float64) {
	for i, g := range r.t.Groups {
		low, high := ends(g.Values)
		if low <= high {
			right = max(right, font.Width(r.valueText(high), size, r.valueWeight(i)))
		}
		if low < high {
			left = max(left, font.Width(r.valueText(low), size, r.valueWeight(i)))
		}
	}
	pad := r.dotRadius() + valueGap
	return left + pad, right + pad
}

// drawDotValues writes the lowest value of a row before its first dot, and the highest one
// behind its last.
func (r *rows) drawDotValues() {
	if r.figure == 0 {
		return
	}
	write := func(row int, v, x float64, anchor scene.Anchor) {
		text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: r.t.Groups[row].Name}, X: x, Y: r.middle(row) + r.figure*bartable.Middle, Text: r.valueText(v), Size: r.figure, Weight: r.valueWeight(row), Anchor: anchor, Colour: colour.Dark}
		text.W = font.Width(text.Text, text.Size, text.Weight)
		r.Scene.Add(text)
	}
	pad := r.dotRadius() + valueGap
	for i, g := range r.t.Groups {
		low, high := ends(g.Values)
		if low < high {
			write(i, low, r.scale.At(low)-pad, scene.End)
		}
		if low <= high {
			write(i, high, r.scale.At(high)+pad, scene.Start)
		}
	}
}
