package maps

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// noDataFill is the fill of a country without a value. It is never the colour of a
// class.
var noDataFill = scene.Fill{Colour: colour.Blank, On: true, Hatch: &scene.Hatch{Colour: colour.Hatch, Width: .6, Spacing: 3.6}}

// drawLand draws sea, countries and borders.
func (c *choropleth) drawLand() {
	sea := scene.Tag{Role: scene.Sphere}
	if c.view.Sphere != nil {
		c.Scene.Add(&scene.Path{Tag: sea, Outline: c.view.Sphere, Fill: scene.Solid(colour.Sea)})
	} else if !c.extent.Bare {
		c.Scene.Add(&scene.Rect{Tag: sea, X: c.box.X, Y: c.box.Y, W: c.box.W, H: c.box.H, Fill: scene.Solid(colour.Sea)})
	}
	c.drawAreas()
	if c.Spec.ShowBorders {
		c.drawBorders()
	}
}

// drawAreas draws the areas. Those of one class follow one another: they are a group in SVG.
func (c *choropleth) drawAreas() {
	groups := make([][]scene.Mark, 2+2*len(c.fills))
	hatched := c.hatchedFills()
	paths := make([]scene.Path, len(c.view.Shapes))
	for i := range c.view.Shapes {
		s := &c.view.Shapes[i]
		p := &paths[i]
		*p = scene.Path{Tag: scene.Tag{Role: scene.NoData, Name: s.Area}, Outline: s.Outline, Fill: noDataFill}
		group := 1
		if d := c.shade(s); d != nil {
			class := c.class(d.Value)
			group = 2 + 2*class
			p.Role, p.Datum, p.Fill = scene.Area, d, scene.Solid(c.fills[class])
			if c.older[d] {
				group++
				p.Fill = hatched[class]
			}
			if c.set != atlas.Countries {
				p.Name = d.Area // census:01001, not US:01001
			}
		} else if c.isPlainLand(s) {
			group = 0
			p.Role, p.Fill = scene.Land, scene.Solid(colour.Land)
		}
		if !c.Spec.ShowBorders {
			// Neighbours in one class must look like one surface, without a seam where
			// both cover part of a pixel.
			p.Pen = scene.Pen{Colour: p.Fill.Colour, Width: .5, Round: true}
		}
		groups[group] = append(groups[group], p)
	}
	c.Scene.Add(slices.Concat(groups...)...)
}

// drawBorders draws coasts and borders.
func (c *choropleth) drawBorders() {
	width := c.borderWidth()
	if c.view.Coasts != nil {
		c.Scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Coast}, Outline: c.view.Coasts, Pen: scene.Pen{Colour: colour.Coast, Width: width * .8, Round: true}})
	}
	if c.view.Inner != nil {
		inner := min(.5*width, max(.03*c.meanSide(), .1))
		c.Scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Border}, Outline: c.view.Inner, Pen: scene.Pen{Colour: colour.White, Width: inner, Round: true}})
	}
	if c.view.Borders != nil {
		c.Scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Border}, Outline: c.view.Borders, Pen: scene.Pen{Colour: colour.White, Width: width, Round: true}})
	}
	if c.view.Insets != nil {
		c.Scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Inset}, Outline: c.view.Insets, Pen: scene.Pen{Colour: colour.Coast, Width: width * .8}})
	}
	if c.view.Disputed != nil {
		c.Scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Disputed}, Outline: c.view.Disputed, Pen: scene.Pen{Colour: colour.White, Width: width, Dash: []float64{3 * width, 2.5 * width}}})
	}
}

// hatchedFills returns the fills of the classes for values of earlier periods.
func (c *choropleth) hatchedFills() []scene.Fill {
	fills := make([]scene.Fill, len(c.fills))
	for i, fill := range c.fills {
		lines := colour.White
		if colour.Contrast(fill, lines) < minHatchContrast {
			lines = colour.Muted
		}
		fills[i] = scene.Fill{Colour: fill, On: true, Hatch: &scene.Hatch{Colour: lines, Width: .55, Spacing: 4.6}}
	}
	return fills
}

// minHatchContrast is the contrast to white from which white lines are visible on a class.
const minHatchContrast = 1.6

// borderWidth returns a smaller width if countries are smaller.
func (c *choropleth) borderWidth() float64 {
	return min(max(math.Sqrt(c.box.W*c.box.H)/800, .3), .7)
}

// meanSide returns the side of a square as large as the areas are on average.
func (c *choropleth) meanSide() float64 {
	sum, n := 0.0, 0
	for i := range c.view.Shapes {
		if s := &c.view.Shapes[i]; !s.Around {
			sum += s.Extent
			n++
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

// marker is a circle that represents a country too small to be visible.
type marker struct {
	area         string
	x, y, r      float64
	number       int16   // of its shape in the grid
	homeX, homeY float64 // position of the country, or the sea next to it
	fill         colour.RGB
}

// minVisibleArea is the area in square units below which a country with a value is marked
// by a circle: nine pixels in a picture of the usual size.
const minVisibleArea = 5.0

// maxMarkedShapes is the number of areas of a set up to which small ones are marked. Of
// thousands of counties many are small, and circles would hide others.
const maxMarkedShapes = 150

// markerRadius returns the largest radius that suits the map: the world has dozens of
// neighbouring small states, a region a few.
func (c *choropleth) markerRadius() float64 {
	part := 1.0 / 180
	if c.isWorld() {
		part = 1.0 / 330
	}
	return min(max(c.size()*part, c.smallestDot()), 3)
}

// smallestDot returns the radius of the smallest circle whose colour is visible.
func (c *choropleth) smallestDot() float64 { return 1.3 / c.Scene.Scale }

// placeMarkers finds the circles of small countries.
func (c *choropleth) placeMarkers() {
	if c.set != atlas.Countries && len(c.view.Shapes) > maxMarkedShapes {
		return
	}
	r := c.markerRadius()
	var all []marker
	for i := range c.view.Shapes {
		s := &c.view.Shapes[i]
		d := c.valueOf(s)
		if d == nil || s.Extent >= min(minVisibleArea, 2*r*r) || c.cut(s) {
			continue
		}
		m := marker{area: s.Area, number: int16(i + 1), x: s.X, y: s.Y, r: r, fill: c.fills[c.class(d.Value)]}
		c.towardSea(&m)
		m.homeX, m.homeY = m.x, m.y
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b marker) int { return cmp.Compare(a.area, b.area) })
	c.pushApart(all)
	for i := range all {
		c.uncover(&all[i])
	}
	c.markers = all
}

// towardSea moves a circle away from the land of other countries if the sea is near, as
// for islands off a coast. Circles far from the sea are not moved.
func (c *choropleth) towardSea(m *marker) {
	const turns = 16
	origin := *m
	best := 2.0 // more than any position costs
	for _, far := range []float64{0, .5, 1, 1.5, 2} {
		if .1*far >= best {
			break // nothing better can follow
		}
		for turn := range turns {
			sin, cos := math.Sincos(float64(turn) * 2 * math.Pi / turns)
			at := origin
			at.x, at.y = origin.x+cos*far*m.r, origin.y+sin*far*m.r
			most := int((best - .1*far) * discSamples)
			if cost := float64(c.foreignUnder(&at, most))/discSamples + .1*far; cost < best-1e-9 && c.inBox(at.x, at.y) {
				best, *m = cost, at
			}
			if far == 0 {
				break
			}
		}
	}
}

// foreignUnder counts the sample points in a circle that are land of other countries.
// It stops counting beyond most.
func (c *choropleth) foreignUnder(m *marker, most int) (foreign int) {
	grid := c.visibleLand()
	for _, p := range discPlaces {
		if at := grid.at(m.x+p.X*m.r, m.y+p.Y*m.r); at != 0 && at != m.number {
			if foreign++; foreign > most {
				break
			}
		}
	}
	return foreign
}

// uncover shrinks a circle that hides much of another country.
func (c *choropleth) uncover(m *marker) {
	const hidden = .25 // largest fraction of a country
	for range 8 {
		under := map[int16]float64{}
		c.landUnder(m, func(country int16, extent float64) { under[country] += extent })
		most := 0.0
		for country, extent := range under {
			if s := &c.view.Shapes[country-1]; country != m.number && s.Extent > minVisibleArea {
				most = max(most, extent/s.Extent)
			}
		}
		if most <= hidden || m.r <= c.smallestDot() {
			return
		}
		m.r = max(m.r*.85, c.smallestDot())
	}
}

const discSamples = 37

// landUnder calls f for each sample point in a circle that is land. All points
// represent the same area.
func (c *choropleth) landUnder(m *marker, f func(country int16, extent float64)) {
	grid := c.visibleLand()
	look := func(x, y float64) {
		if country := grid.at(x, y); country != 0 {
			f(country, math.Pi*m.r*m.r/discSamples)
		}
	}
	for _, p := range discPlaces {
		look(m.x+p.X*m.r, m.y+p.Y*m.r)
	}
}

// discPlaces are points spread evenly over a circle of radius 1: the centre and three
// rings.
var discPlaces = func() (places [discSamples]scene.Point) {
	n := 1
	for ring := 1; ring <= 3; ring++ {
		for i := range 6 * ring {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(6*ring))
			far := float64(ring) / 3.5
			places[n] = scene.Point{X: cos * far, Y: sin * far}
			n++
		}
	}
	return places
}()

// drawMarkers draws the circles of small countries.
func (c *choropleth) drawMarkers() {
	byClass := func(a, b marker) int {
		return cmp.Compare(slices.Index(c.fills, a.fill), slices.Index(c.fills, b.fill))
	}
	for _, m := range slices.SortedStableFunc(slices.Values(c.markers), byClass) {
		c.Scene.Add(&scene.Circle{
			Tag: scene.Tag{Role: scene.Area, Name: m.area, Datum: c.values[m.area]}, X: m.x, Y: m.y, R: m.r,
			Fill: scene.Solid(m.fill), Pen: scene.Pen{Colour: colour.Text, Width: min(.5, .2*m.r)},
		})
	}
}

func (m *marker) box() scene.Box {
	return scene.Box{X: m.x - m.r, Y: m.y - m.r, W: 2 * m.r, H: 2 * m.r}
}

// cut reports whether the map's edge cuts a country, so that its visible part is small
// only because of the edge.
func (c *choropleth) cut(s *atlas.Shape) bool {
	const near = .05
	for _, p := range s.Outline.Points {
		if p.X < c.box.X+near || p.X > c.box.X+c.box.W-near || p.Y < c.box.Y+near || p.Y > c.box.Y+c.box.H-near {
			return true
		}
	}
	return false
}

func (c *choropleth) inBox(x, y float64) bool {
	return x >= c.box.X && x <= c.box.X+c.box.W && y >= c.box.Y && y <= c.box.Y+c.box.H
}

// pushApart moves overlapping circles away from each other, none farther than twice its
// width from its country, and then shrinks those that still overlap.
func (c *choropleth) pushApart(all []marker) {
	for range 40 {
		moved := false
		for i := range all {
			for j := range i {
				moved = separate(&all[i], &all[j]) || moved
			}
		}
		for i := range all {
			c.keepNear(&all[i])
		}
		if !moved {
			return
		}
	}
	for i := range all {
		for j := range i {
			a, b := &all[i], &all[j]
			if d := math.Hypot(a.x-b.x, a.y-b.y); d < a.r+b.r {
				a.r = max(min(a.r, d/2), a.r*.6)
				b.r = max(min(b.r, d/2), b.r*.6)
			}
		}
	}
}

// separate moves two circles apart until they no longer touch.
func separate(a, b *marker) bool {
	const gap = .4
	dx, dy := a.x-b.x, a.y-b.y
	d := math.Hypot(dx, dy)
	lack := a.r + b.r + gap - d
	if lack <= 0.01 {
		return false
	}
	if d < 1e-6 {
		dx, dy, d = 1, 0, 1
	}
	shift := lack / 2 / d
	a.x, a.y = a.x+dx*shift, a.y+dy*shift
	b.x, b.y = b.x-dx*shift, b.y-dy*shift
	return true
}

// keepNear keeps a circle near its country and inside the map.
func (c *choropleth) keepNear(m *marker) {
	if d, far := math.Hypot(m.x-m.homeX, m.y-m.homeY), 4*m.r; d > far {
		m.x = m.homeX + (m.x-m.homeX)*far/d
		m.y = m.homeY + (m.y-m.homeY)*far/d
	}
	m.x = min(max(m.x, c.box.X+m.r), c.box.X+c.box.W-m.r)
	m.y = min(max(m.y, c.box.Y+m.r), c.box.Y+c.box.H-m.r)
}
