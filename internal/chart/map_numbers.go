package chart

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Sizes of the numbers on a map.
const (
	largestNumber = 11.0
	outsideNumber = 8.0
	longestLeader = 34.0
	// Letters do not fill the corners of their box, so that it may stand out of
	// the ellipse a little.
	looseness = 1.2
)

// numbers says how values are written on the map: bare, what is left out is in
// the legend and the notes.
func (c *choropleth) numbers() scale.Numbers {
	var values []float64
	for _, it := range c.labels {
		values = append(values, it.value)
	}
	if len(values) == 0 {
		for _, g := range c.groups {
			values = append(values, g.value)
		}
	}
	if len(values) == 0 {
		return scale.Numbers{Divisor: 1}
	}
	return scale.NumbersFor(values, "")
}

// numberer places the numbers of countries.
type numberer struct {
	*choropleth
	format  scale.Numbers
	land    *landGrid
	taken   []scene.Box // by markers and numbers
	leaders []*scene.Line
}

// drawNumbers writes the values of countries: inside them where there is room,
// else beside them in the sea with a line to the country, else not at all. The
// largest countries come first.
func (c *choropleth) drawNumbers(occupied []scene.Box) {
	format := c.numbers()
	format.Suffix = "" // in a note
	n := &numberer{choropleth: c, format: format, taken: occupied}
	shapes := make([]*atlas.Shape, 0, len(c.view.Shapes))
	for i := range c.view.Shapes {
		s := &c.view.Shapes[i]
		if _, ok := c.valueOf(s); ok && c.inBox(s.X, s.Y) {
			shapes = append(shapes, s)
		}
	}
	slices.SortStableFunc(shapes, func(a, b *atlas.Shape) int {
		return cmp.Or(cmp.Compare(b.Extent, a.Extent), cmp.Compare(a.Area, b.Area))
	})
	var texts []*scene.Text
	var left []*atlas.Shape
	for _, s := range shapes {
		if t := n.inside(s); t != nil {
			texts = append(texts, t)
			n.taken = append(n.taken, t.Box())
		} else {
			left = append(left, s)
		}
	}
	n.land = newLandGrid(c.view, c.box)
	for _, s := range left {
		if t := n.outside(s); t != nil {
			texts = append(texts, t)
			n.taken = append(n.taken, t.Box())
		}
	}
	for _, l := range n.leaders {
		c.scene.Add(l)
	}
	for _, t := range texts {
		c.scene.Add(t)
	}
}

// inside returns the number in the country's own area, in the largest size that
// fits, or nil.
func (n *numberer) inside(s *atlas.Shape) *scene.Text {
	text := n.format.Write(n.values[s.Area])
	for size := largestNumber; size >= n.smallestNumber(); size -= .5 {
		t := n.numberText(s, text, size)
		t.X, t.Y, t.Anchor = s.X, s.Y+size*.36, scene.Middle
		n.contrast(t, n.fillOf(n.values[s.Area]))
		half, high := t.W/2, size*.36
		if s.RX <= 0 || s.RY <= 0 || (half/s.RX)*(half/s.RX)+(high/s.RY)*(high/s.RY) > looseness {
			continue
		}
		if b := t.Box(); b.Inside(n.box) && !overlapsAny(b, n.taken) {
			return t
		}
	}
	return nil
}

// contrast chooses the colour of a number on a fill; on one of middling
// lightness the letters get a rim that is the fill's, but farther from them.
func (n *numberer) contrast(t *scene.Text, fill colour.RGB) {
	t.Colour = colour.On(fill)
	away := colour.White
	if t.Colour == colour.White {
		away = colour.RGB{}
	}
	t.Rim = fill
	for part := .1; part < 1 && colour.Contrast(t.Colour, t.Rim) < legible; part += .1 {
		t.Halo, t.Rim = 1.6, colour.Mix(fill, away, part)
	}
}

// legible is the contrast that text needs.
const legible = 4.5

func (n *numberer) smallestNumber() float64 { return max(7.5, smallestText/n.scene.Scale) }

func (n *numberer) numberText(s *atlas.Shape, text string, size float64) *scene.Text {
	return &scene.Text{
		Tag: scene.Tag{Role: scene.Value, Name: s.Area}, Text: text, Size: size,
		Colour: colour.Ink, W: font.Width(text, size, scene.Regular),
	}
}

// outside returns the number at the nearest place in the sea, with a line to
// the country, or nil.
func (n *numberer) outside(s *atlas.Shape) *scene.Text {
	t := n.numberText(s, n.format.Write(n.values[s.Area]), max(outsideNumber, n.smallestNumber()))
	t.Anchor = scene.Middle
	for d := 4.0; d <= longestLeader; d += 3 {
		for turn := range 16 {
			sin, cos := math.Sincos(float64(turn) * math.Pi / 8)
			// The text's edge, not its middle, is d away.
			x := s.X + cos*(d+t.W/2)
			y := s.Y + sin*(d+t.Size/2)
			t.X, t.Y = x, y+t.Size*.36
			box := pad(t.Box(), 1)
			if !box.Inside(n.box) || overlapsAny(box, n.taken) || n.land.touches(box) || n.crossesLeader(box) {
				continue
			}
			l := n.leader(s, x, y, t)
			if n.crosses(l, s) {
				continue
			}
			n.leaders = append(n.leaders, l)
			return t
		}
	}
	return nil
}

// leader is a thin line from a country to the edge of its number.
func (n *numberer) leader(s *atlas.Shape, x, y float64, t *scene.Text) *scene.Line {
	dx, dy := s.X-x, s.Y-y
	// How much of the way from the text's middle lies under the text.
	part := 1.0
	if dx != 0 {
		part = min(part, (t.W/2+1)/math.Abs(dx))
	}
	if dy != 0 {
		part = min(part, (t.Size*.4+1)/math.Abs(dy))
	}
	if dx != 0 && dy != 0 {
		part = min((t.W/2+1)/math.Abs(dx), (t.Size*.4+1)/math.Abs(dy), 1)
	}
	return &scene.Line{
		Tag: scene.Tag{Role: scene.Leader, Name: s.Area}, X1: s.X, Y1: s.Y, X2: x + dx*part, Y2: y + dy*part,
		Pen: scene.Pen{Colour: colour.Muted, Width: max(.5, .6/n.scene.Scale)},
	}
}

// crosses reports whether a leader runs over another country, its number or its marker.
func (n *numberer) crosses(l *scene.Line, s *atlas.Shape) bool {
	for _, b := range n.taken {
		own := s.X >= b.X && s.X <= b.X+b.W && s.Y >= b.Y && s.Y <= b.Y+b.H
		if !own && meets(l, b) {
			return true
		}
	}
	home := n.land.at(s.X, s.Y)
	return along(l, func(x, y float64) bool {
		there := n.land.at(x, y)
		return there != 0 && there != home
	})
}

func (n *numberer) crossesLeader(b scene.Box) bool {
	return slices.ContainsFunc(n.leaders, func(l *scene.Line) bool { return meets(l, b) })
}

// meets reports whether a line touches a box.
func meets(l *scene.Line, b scene.Box) bool {
	return along(l, func(x, y float64) bool {
		return x >= b.X && x <= b.X+b.W && y >= b.Y && y <= b.Y+b.H
	})
}

// along reports whether something is so at any of many places on a line.
func along(l *scene.Line, is func(x, y float64) bool) bool {
	const steps = 32
	for i := range steps + 1 {
		p := float64(i) / steps
		if is(l.X1+(l.X2-l.X1)*p, l.Y1+(l.Y2-l.Y1)*p) {
			return true
		}
	}
	return false
}

func pad(b scene.Box, by float64) scene.Box {
	return scene.Box{X: b.X - by, Y: b.Y - by, W: b.W + 2*by, H: b.H + 2*by}
}
