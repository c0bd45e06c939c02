package maps

import (
	"math"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/scene"
)

// layoutView returns the visible part in the map's box, except at its lower end.
func (c *choropleth) layoutView(t chart.Transform, low float64) *atlas.View {
	c.request = atlas.Request{
		Set: c.set, Region: c.region, Frame: c.extent, Box: c.box, Low: low, Pixels: c.Scene.Scale,
		X: t.X / c.Scene.Scale, Y: t.Y / c.Scene.Scale, Scale: t.Scale,
	}
	return atlas.Layout(c.request)
}

// coarser returns the outlines of the visible view with a share of their detail.
func (c *choropleth) coarser(detail float64) map[*scene.Outline]*scene.Outline {
	r := c.request
	r.Pixels *= detail
	v := atlas.Layout(r)
	of := make(map[*scene.Outline]*scene.Outline, len(c.view.Shapes)+4)
	of[c.view.Borders], of[c.view.Inner], of[c.view.Disputed], of[c.view.Coasts] = v.Borders, v.Inner, v.Disputed, v.Coasts
	others := v.Shapes // both are in the order of their areas
	for i := range c.view.Shapes {
		s := &c.view.Shapes[i]
		for len(others) > 0 && others[0].Area < s.Area {
			others = others[1:]
		}
		if len(others) > 0 && others[0].Area == s.Area {
			of[s.Outline] = others[0].Outline
			others = others[1:]
		}
	}
	return of
}

// place lays out the map above the given number of lines of notes. The size of its box is
// a multiple of a step, so that similar pictures share a view. The box is never much
// higher or wider than its content.
func (c *choropleth) place(notes int) {
	const step, above = 4, .45 // of the blank space, the share above the map
	low, high := c.proportions()
	below := c.notesHeight(notes)
	if c.key != nil {
		below += c.key.height()
	}
	room := scene.Box{X: c.Plot.X + c.side, Y: c.Plot.Y, W: max(c.Plot.W-c.side, step), H: max(c.Plot.H-below, step)}
	if !c.extent.Bare {
		high = max(high, min(c.widestShare()*room.W/room.H, maxMapAspect)) // more surroundings look better than blank space
	}
	if c.isFramed() {
		high = max(min(high, maxMapWidth/c.extent.Box.H), low)
	}
	w := max(math.Floor(min(room.W, room.H*high)/step), 1) * step
	h := max(math.Floor(min(room.H, room.W/low)*2/step), 1) * step / 2
	spare := room.W - w
	if c.left = c.Plot.X; spare > mapGap {
		spare /= 2
		if _, below := c.key.(*keyRow); !below { // a legend on the left moves with the map
			c.left += spare
		}
	}
	room.X += spare
	if column, ok := c.key.(*keyColumn); !ok || c.asideHeight()+column.fixed()+7*column.least() < h {
		room.Y += (room.H - h) * above
	}
	c.box = scene.Box{X: room.X, Y: room.Y, W: w, H: h}
	c.room = room.H
	c.base = c.layoutView(chart.Transform{}, 0)
	c.view = c.base
	if c.key != nil {
		c.keyBox = c.key.place()
	}
}

// proportions returns the smallest and largest ratio of a map's width to its height.
// The world has a fixed shape. Maps of regions can show some of their surroundings.
func (c *choropleth) proportions() (low, high float64) {
	if c.isFramed() {
		low = c.extent.Box.W / c.extent.Box.H
		if high = low; !c.extent.Bare {
			low, high = .9*low, 1.8*low
		}
		return low, high
	}
	switch c.region {
	case atlas.World:
		return worldAspect, math.Inf(1)
	case atlas.Europe:
		return .8, 2.2 // to the Caspian Sea
	case atlas.SouthAmerica:
		return .7, 1.3 // without Africa
	case atlas.NorthAmerica:
		return .8, 1.5
	case atlas.Africa:
		return .8, 1.9
	default:
		return .8, 2.2
	}
}

// widestShare returns the share of the picture's width that a map may take if its own shape
// is narrower.
func (c *choropleth) widestShare() float64 {
	if column, ok := c.key.(*keyColumn); ok && column.inside && (c.isFramed() || c.region == atlas.Europe) {
		return 1
	}
	return .65
}

// maxMapAspect is the ratio of width to height of a region's map in a very wide picture.
const maxMapAspect = 3

// maxMapWidth is the width on the plane of a map that stays within the hemisphere.
const maxMapWidth = 2.6

const worldAspect = 2.315 // of the world, width to height

// size returns the width of the whole region, including invisible parts.
func (c *choropleth) size() float64 {
	shape := 1.3
	switch {
	case c.isWorld():
		shape = worldAspect
	case c.isFramed():
		shape = c.extent.Box.W / c.extent.Box.H
	}
	size := min(c.box.W, shape*c.box.H)
	if s := c.Spec.Transform.Scale; s > 0 {
		size *= s
	}
	return size
}
