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

// numberer places the numbers of countries.
type numberer struct {
	*choropleth
	format  scale.Numbers
	land    *landGrid
	taken   []scene.Box // by markers and numbers
	leaders []*scene.Line
	letters []letters // on each class
}

// drawNumbers writes the values of countries: inside them where there is room,
// else beside them in the sea with a line to the country, else not at all. The
// largest countries come first.
func (c *choropleth) drawNumbers(occupied []scene.Box) {
	format := c.format
	format.Prefix, format.Suffix = "", "" // the unit is in the legend, "million" in a note
	n := &numberer{choropleth: c, format: format, taken: occupied}
	for _, fill := range c.fills {
		n.letters = append(n.letters, lettersOn(fill))
	}
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
	n.write(shapes)
}

// write places the numbers of shapes, those that matter more first.
func (n *numberer) write(shapes []*atlas.Shape) {
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
	n.land = newLandGrid(n.view, n.box)
	for _, s := range left {
		if t := n.outside(s); t != nil {
			texts = append(texts, t)
			n.taken = append(n.taken, t.Box())
		}
	}
	for _, l := range n.leaders {
		n.scene.Add(l)
	}
	for _, t := range texts {
		n.scene.Add(t)
	}
}

// inside returns the number in the country's own area, in the largest size that
// fits, or nil.
func (n *numberer) inside(s *atlas.Shape) *scene.Text {
	value := n.values[s.Area]
	text, look := n.format.Write(value), n.letters[n.class(value)]
	for size := largestNumber; size >= n.smallestNumber(); size -= .5 {
		t := n.numberText(s, text, size)
		t.X, t.Y, t.Anchor = s.X, s.Y+size*.36, scene.Middle
		t.Colour, t.Rim, t.Halo = look.colour, look.rim, look.halo
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

// letters is how a number on a fill is coloured.
type letters struct {
	colour, rim colour.RGB
	halo        float64
}

// lettersOn chooses the colour of numbers on a fill; on one of middling
// lightness the letters get a rim that is the fill's, but farther from them.
func lettersOn(fill colour.RGB) letters {
	l := letters{colour: colour.On(fill), rim: fill}
	away := colour.White
	if l.colour == colour.White {
		away = colour.RGB{}
	}
	for part := .1; part < 1 && colour.Contrast(l.colour, l.rim) < legible; part += .1 {
		l.halo, l.rim = 1.6, colour.Mix(fill, away, part)
	}
	return l
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
			if !box.Inside(n.box) || n.land.touches(box) || overlapsAny(box, n.taken) || n.crossesLeader(box) {
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
	const steps = 32
	for i := range steps + 1 {
		p := float64(i) / steps
		if there := n.land.at(l.X1+(l.X2-l.X1)*p, l.Y1+(l.Y2-l.Y1)*p); there != 0 && there != home {
			return true
		}
	}
	return false
}

func (n *numberer) crossesLeader(b scene.Box) bool {
	return slices.ContainsFunc(n.leaders, func(l *scene.Line) bool { return meets(l, b) })
}

// meets reports whether a line touches a box: whether a part of it lies between
// the box's sides and between its top and bottom at once.
func meets(l *scene.Line, b scene.Box) bool {
	from, to := 0.0, 1.0
	for _, side := range [2][4]float64{{l.X1, l.X2, b.X, b.X + b.W}, {l.Y1, l.Y2, b.Y, b.Y + b.H}} {
		start, way := side[0], side[1]-side[0]
		if way == 0 {
			if start < side[2] || start > side[3] {
				return false
			}
			continue
		}
		enter, leave := (side[2]-start)/way, (side[3]-start)/way
		from, to = max(from, min(enter, leave)), min(to, max(enter, leave))
	}
	return from <= to
}

func pad(b scene.Box, by float64) scene.Box {
	return scene.Box{X: b.X - by, Y: b.Y - by, W: b.W + 2*by, H: b.H + 2*by}
}
