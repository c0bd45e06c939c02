package maps

import (
	"math"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// Distances of a legend on the map.
const (
	insideMargin = 10.0 // to the edge of the map
	insideStep   = 12.0 // between the positions that are tried
	panelMargin  = 6.0  // from the legend to the edge of its ground, and to countries of the map
)

// mayBeInside reports whether the legend may be on the map. A map without surroundings has
// no space for it.
func (c *choropleth) mayBeInside() bool {
	return !c.outsideOnly && !c.extent.Bare && c.side == 0
}

// settleKey moves a legend on the map to its final position. If there is none, it sets
// outsideOnly.
func (c *choropleth) settleKey() {
	if column, ok := c.key.(*keyColumn); ok && column.inside && !c.outsideOnly {
		c.outsideOnly = !column.settle()
		column.panel = landIn(landOf(c.view), frame.Pad(c.keyBox, panelMargin), false)
	}
}

// settle moves a legend on the map to its left or right edge, as low as possible: into the
// sea, else into a corner without countries that the map is about. It returns false if there
// is no space. A caller's transform moves the map under it.
func (k *keyColumn) settle() bool {
	k.keyBox = k.place()
	k.fits() // sets the cell height for the chosen classes
	w, h := k.marksWidth(k.marked)+k.own, k.usedHeight()
	left, right := k.box.X+insideMargin, k.box.X+k.box.W-insideMargin-w
	top, bottom := k.box.Y+insideMargin, k.box.Y+k.box.H-insideMargin-h
	if right < left || bottom < top {
		return false
	}
	all := landOf(k.base)
	try := func(x, y float64, onLand bool) bool {
		box := scene.Box{X: x, Y: y, W: w, H: h}
		if landIn(all, frame.Pad(box, panelMargin), onLand) {
			return false
		}
		k.keyBox = box
		return true
	}
	for _, x := range []float64{left, right} {
		for y := bottom; y >= top; y -= insideStep {
			if try(x, y, false) {
				return true
			}
		}
	}
	return try(left, bottom, true) || try(left, top, true) || try(right, bottom, true) || try(right, top, true)
}

// usedHeight returns the height of the legend with the chosen classes.
func (k *keyColumn) usedHeight() float64 {
	h := k.fixed() + k.cell*float64(len(k.fills))
	if !k.missing {
		h -= keyBar + keyLine
	}
	return h
}

// landOf returns the shapes of a view with their extents.
func landOf(v *atlas.View) (all []land) {
	for i := range v.Shapes {
		l := land{Shape: &v.Shapes[i], left: math.Inf(1), right: math.Inf(-1), top: math.Inf(1), bottom: math.Inf(-1)}
		if l.Outline == nil {
			continue
		}
		for _, p := range l.Outline.Points {
			l.left, l.right, l.top, l.bottom = min(l.left, p.X), max(l.right, p.X), min(l.top, p.Y), max(l.bottom, p.Y)
		}
		all = append(all, l)
	}
	return all
}

// land is a shape and its extent.
type land struct {
	*atlas.Shape
	left, right, top, bottom float64
}

// landIn reports whether there is land in a box: any, or of countries that the map is about.
func landIn(all []land, b scene.Box, membersOnly bool) bool {
	for _, l := range all {
		if l.right < b.X || l.left > b.X+b.W || l.bottom < b.Y || l.top > b.Y+b.H || membersOnly && l.Around {
			continue
		}
		if meetsOutline(l.Outline, b) {
			return true
		}
	}
	return false
}

// meetsOutline reports whether an outline of straight lines and a box have a point in
// common.
func meetsOutline(o *scene.Outline, b scene.Box) bool {
	x, y := b.X+b.W/2, b.Y+b.H/2
	inside := false
	var start, at scene.Point
	p := 0
	for _, op := range o.Ops {
		to := start
		switch op {
		case scene.MoveTo:
			start, at = o.Points[p], o.Points[p]
			p++
			continue
		case scene.LineTo:
			to = o.Points[p]
			p++
		}
		if frame.Meets(&scene.Line{X1: at.X, Y1: at.Y, X2: to.X, Y2: to.Y}, b) {
			return true
		}
		if (at.Y > y) != (to.Y > y) && x < at.X+(y-at.Y)/(to.Y-at.Y)*(to.X-at.X) {
			inside = !inside
		}
		at = to
	}
	return inside
}

// drawPanel draws the ground of a legend on land, beyond the edges of the map that are near, so
// that no coast shows between.
func (k *keyColumn) drawPanel() {
	const over = .6 // half of a coast, at least
	b := frame.Pad(k.keyBox, panelMargin)
	left, top, right, bottom := b.X, b.Y, b.X+b.W, b.Y+b.H
	if left < k.box.X+insideStep {
		left = k.box.X - over
	}
	if top < k.box.Y+insideStep {
		top = k.box.Y - over
	}
	if end := k.box.X + k.box.W; right > end-insideStep {
		right = end + over
	}
	if end := k.box.Y + k.box.H; bottom > end-insideStep {
		bottom = end + over
	}
	k.Scene.Add(&scene.Rect{
		Tag: scene.Tag{Role: scene.Sphere, Name: "legend"}, X: left, Y: top, W: right - left, H: bottom - top,
		Fill: scene.Solid(colour.Sea), Pen: scene.Pen{Colour: colour.White, Width: .8},
	})
}
