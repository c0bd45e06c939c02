package hbar

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// Measures of dumbbells, in units.
const (
	maxDot    = 5.5 // radius of a dot
	dotShare  = .3  // of a row, for the radius
	barOfDots = 2.0 // width of the line between two dots
	ringWidth = 2.0 // of a forecast, which is a ring
)

// drawDots draws a dot for each value, and a line from the first to the last of a row. Later
// series are on top. A forecast is a ring.
func (r *rows) drawDots() {
	radius := min(maxDot, r.row*dotShare)
	for i, g := range r.t.Groups {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range g.Values {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
		if low < high {
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
