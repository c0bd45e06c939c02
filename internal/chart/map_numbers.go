package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Sizes of the numbers on a map, and the gaps between them.
const (
	largestNumber = 11.0
	middlingSize  = 9.5
	outsideNumber = 8.0
	// Letters do not fill the corners of their box, so that it may stand out of
	// the ellipse a little.
	looseness = 1.15
)

// reach is how far from its country a number may stand, and on what.
type reach struct {
	longest float64 // the leader, in units
	onLand  bool    // of countries without a value, and the leader across it
	across  bool    // the leader may cross countries with values
	most    int     // numbers that are tried: a reader cannot tell hundreds of leaders apart
}

// reaches are tried one after the other.
var reaches = []reach{
	{longest: 34, most: math.MaxInt},
	{longest: 60, onLand: true, most: 40},
	{longest: 84, onLand: true, across: true, most: 20},
}

// numberer places the numbers of countries.
type numberer struct {
	*choropleth
	format  scale.Numbers
	taken   []scene.Box // by markers and numbers
	texts   []*scene.Text
	leaders []*scene.Line
	letters []letters   // on each class
	left    []*labelled // what there is no room for, the most important first
}

// placeNumbers finds places for the values of countries: inside them where there
// is room, else beside them with a line to the country. The highest and the
// lowest value come first, then the largest countries.
func (c *choropleth) placeNumbers() *numberer {
	format := c.format
	format.Prefix, format.Suffix = "", "" // the unit is in the legend, "million" in a note
	n := &numberer{choropleth: c, format: format}
	c.landSeen()
	for i := range c.markers {
		n.taken = append(n.taken, c.markers[i].box())
	}
	for _, fill := range c.fills {
		n.letters = append(n.letters, lettersOn(fill))
	}
	shapes, extremes := n.wanted()
	rest := n.write(shapes[:extremes])
	rest = append(rest, n.write(shapes[extremes:])...)
	for _, s := range rest {
		for i := range c.labels {
			if c.labels[i].area == s.Area {
				n.left = append(n.left, &c.labels[i])
			}
		}
	}
	return n
}

// wanted returns the shapes with a number in the order of their importance, and
// how many of them have the highest or the lowest value.
func (n *numberer) wanted() (shapes []*atlas.Shape, extremes int) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range n.view.Shapes {
		s := &n.view.Shapes[i]
		if v, ok := n.valueOf(s); ok && n.inBox(s.X, s.Y) {
			shapes = append(shapes, s)
			low, high = min(low, v), max(high, v)
		}
	}
	slices.SortStableFunc(shapes, func(a, b *atlas.Shape) int {
		return cmp.Or(cmp.Compare(b.Extent, a.Extent), cmp.Compare(a.Area, b.Area))
	})
	for _, extreme := range []float64{low, high} {
		at := slices.IndexFunc(shapes, func(s *atlas.Shape) bool { return n.values[s.Area] == extreme })
		if at >= extremes {
			s := shapes[at]
			shapes = slices.Insert(slices.Delete(shapes, at, at+1), 0, s)
			extremes++
		}
	}
	return shapes, extremes
}

// write places the numbers of shapes, those that matter more first, and returns
// the shapes whose numbers have no place.
func (n *numberer) write(shapes []*atlas.Shape) (left []*atlas.Shape) {
	for _, s := range shapes {
		if t := n.inside(s); t != nil {
			n.put(t)
		} else {
			left = append(left, s)
		}
	}
	for _, r := range reaches {
		var still []*atlas.Shape
		for i, s := range left {
			var t *scene.Text
			if i < r.most {
				t = n.outside(s, r)
			}
			if t == nil {
				still = append(still, s)
				continue
			}
			n.put(t)
		}
		left = still
	}
	return left
}

func (n *numberer) put(t *scene.Text) {
	n.texts = append(n.texts, t)
	n.taken = append(n.taken, t.Box())
}

// draw draws the numbers above their lines.
func (n *numberer) draw() {
	for _, l := range n.leaders {
		casing := *l
		casing.Pen = scene.Pen{Colour: colour.White, Width: l.Pen.Width + 1.1}
		n.scene.Add(&casing)
	}
	for _, l := range n.leaders {
		n.scene.Add(l)
	}
	for _, t := range n.texts {
		n.scene.Add(t)
	}
}

// mostLeft is how many numbers a note gives that are not on the map.
const mostLeft = 8

// leftText is what the map has no room for, in words.
func (n *numberer) leftText() string {
	var list []string
	for _, it := range n.left[:min(len(n.left), mostLeft)] {
		list = append(list, it.label+" "+n.choropleth.format.Write(it.value))
	}
	text := strings.Join(list, "; ")
	if more := len(n.left) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// inside returns the number in the country's own area, in the largest size that
// fits, or nil.
func (n *numberer) inside(s *atlas.Shape) *scene.Text {
	value := n.values[s.Area]
	text, look := n.format.Write(value), n.letters[n.class(value)]
	for _, size := range []float64{largestNumber, middlingSize, n.smallestNumber()} {
		t := n.numberText(s, text, max(size, n.smallestNumber()))
		t.X, t.Y, t.Anchor = s.X, s.Y+t.Size*.36, scene.Middle
		t.Colour, t.Rim, t.Halo = look.colour, look.rim, look.halo
		half, high := t.W/2, t.Size*.36
		if s.RX <= 0 || s.RY <= 0 || (half/s.RX)*(half/s.RX)+(high/s.RY)*(high/s.RY) > looseness {
			continue
		}
		if b := t.Box(); b.Inside(n.box) && !overlapsAny(b, n.taken) && !n.crossesLeader(b) {
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

// outside returns the number at the nearest place within reach, with a line to
// the country, or nil.
func (n *numberer) outside(s *atlas.Shape, r reach) *scene.Text {
	const turns = 24
	t := n.numberText(s, n.format.Write(n.values[s.Area]), max(outsideNumber, n.smallestNumber()))
	t.Anchor = scene.Middle
	open := func(country int16) bool { return r.onLand && !n.hasValue(country) }
	for d := 4.0; d <= r.longest; d += 3 {
		for turn := range turns {
			sin, cos := math.Sincos(float64(turn) * 2 * math.Pi / turns)
			// The text's edge, not its middle, is d away.
			x := s.X + cos*(d+t.W/2)
			y := s.Y + sin*(d+t.Size/2)
			t.X, t.Y = x, y+t.Size*.36
			box := pad(t.Box(), 1)
			if !box.Inside(n.box) || n.land.touches(box, open) || overlapsAny(box, n.taken) || n.crossesLeader(box) {
				continue
			}
			l := n.leader(s, x, y, t)
			if n.crosses(l, s, r) {
				continue
			}
			if n.land.touches(box, func(int16) bool { return false }) {
				t.Halo, t.Rim = 1.6, blankColour
			}
			n.leaders = append(n.leaders, l)
			return t
		}
	}
	return nil
}

// hasValue reports whether the country of a number on the grid is coloured.
func (n *numberer) hasValue(country int16) bool {
	_, ok := n.valueOf(&n.view.Shapes[country-1])
	return ok
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

// crosses reports whether a leader runs over another leader, a number or a
// marker that is not its own, or over another country that it may not cross.
func (n *numberer) crosses(l *scene.Line, s *atlas.Shape, r reach) bool {
	for _, b := range n.taken {
		own := s.X >= b.X && s.X <= b.X+b.W && s.Y >= b.Y && s.Y <= b.Y+b.H
		if !own && meets(l, b) {
			return true
		}
	}
	for _, other := range n.leaders {
		if intersect(l, other) {
			return true
		}
	}
	if r.across {
		return false
	}
	home := n.land.at(s.X, s.Y)
	const steps = 48
	for i := range steps + 1 {
		p := float64(i) / steps
		there := n.land.at(l.X1+(l.X2-l.X1)*p, l.Y1+(l.Y2-l.Y1)*p)
		if there != 0 && there != home && !(r.onLand && !n.hasValue(there)) {
			return true
		}
	}
	return false
}

// intersect reports whether two lines cross.
func intersect(a, b *scene.Line) bool {
	side := func(l *scene.Line, x, y float64) bool {
		return (l.X2-l.X1)*(y-l.Y1) > (l.Y2-l.Y1)*(x-l.X1)
	}
	return side(a, b.X1, b.Y1) != side(a, b.X2, b.Y2) && side(b, a.X1, a.Y1) != side(b, a.X2, a.Y2)
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
