package line

import (
	"math"
	"slices"

	"almanac/internal/chart/scene"
)

// Measures of bands, in units.
const (
	bandEdge    = .9
	maxBandEdge = 300 // values from which the edges of a band are straight
)

// bounds returns the bounds of a value; ok is false if it has none.
func (t *track) bounds(at int) (low, high float64, ok bool) {
	if t.series.Low == nil {
		return 0, 0, false
	}
	low, high = t.series.Low[at], t.series.High[at]
	return low, high, !math.IsNaN(low) && !math.IsNaN(high)
}

// drawBands shades the space between the bounds of the lines in colour, behind all lines. The
// edges are on top of all bands, so that one on another can be seen.
func (c *lineChart) drawBands() {
	var edges []scene.Mark
	for _, t := range slices.Backward(c.tracks) {
		if !t.lead || t.series.Low == nil {
			continue
		}
		for _, p := range t.curves {
			for start := 0; start < len(p.stretch); {
				end := start
				for end < len(p.stretch) {
					if _, _, ok := t.bounds(p.stretch[end].at); !ok {
						break
					}
					end++
				}
				if end > start {
					edges = append(edges, c.drawBand(t, p, start, end))
				}
				start = end + 1
			}
		}
	}
	c.Scene.Add(edges...)
}

// drawBand shades a part of a line, whose values all have bounds, and returns the edges, which
// run as the line does. A single value has a vertical stroke.
func (c *lineChart) drawBand(t *track, p curve, from, to int) scene.Mark {
	tag := scene.Tag{Role: scene.Band, Name: t.name}
	upper, lower := slices.Clone(p.stretch[from:to]), slices.Clone(p.stretch[from:to])
	for i := range upper {
		low, high, _ := t.bounds(upper[i].at)
		upper[i].Y, lower[i].Y = c.y(high), c.y(low)
	}
	if len(upper) == 1 {
		at := upper[0]
		return &scene.Line{Tag: tag, X1: at.X, Y1: at.Y, X2: at.X, Y2: lower[0].Y, Pen: scene.Pen{Colour: t.colour, Width: 2 * t.width}}
	}
	points := slices.Concat(edge(upper, p), edge(lower, p))
	slices.Reverse(points[len(points)/2:])
	o := &scene.Outline{}
	o.MoveTo(points[0].X, points[0].Y)
	for _, at := range points[1:] {
		o.LineTo(at.X, at.Y)
	}
	o.Close()
	c.Scene.Add(&scene.Path{Tag: tag, Outline: o, Fill: scene.Solid(t.colour)})
	return &scene.Path{Tag: tag, Outline: o, Pen: scene.Pen{Colour: t.colour, Width: bandEdge}}
}

// edge returns the points of the edge of a band.
func edge(s stretch, like curve) []scene.Point {
	if len(s) > maxBandEdge {
		var points []scene.Point
		for _, at := range s {
			points = append(points, at.Point)
		}
		return points
	}
	c := curveOf(s, like.kind)
	points := []scene.Point{s[0].Point}
	for i := range len(s) - 1 {
		points = append(points, c.points(i)...)
	}
	return points
}
