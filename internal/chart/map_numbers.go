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
	onLand  bool    // of countries around, that the map is not about; and the leader across those and countries without a value
	most    int     // numbers that are tried: a reader cannot tell hundreds of leaders apart
}

// reaches are tried one after the other.
var reaches = []reach{
	{longest: 34, most: math.MaxInt},
	{longest: 56, onLand: true, most: 40},
}

// beside is for the numbers of the whole world: with dozens of leaders side by
// side nobody finds the country that one is of.
var beside = []reach{{longest: 16, most: math.MaxInt}}

// numberer places the numbers of countries.
type numberer struct {
	*choropleth
	format  scale.Numbers
	taken   []scene.Box // by markers and numbers
	texts   []*scene.Text
	leaders []*scene.Line
	letters []colour.RGB // on each class
	left    []*labelled  // what there is no room for, the most important first
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
		n.letters = append(n.letters, colour.On(fill))
	}
	shapes, extremes := n.wanted()
	others := reaches
	if n.region == atlas.World && len(shapes) > neverAll {
		others = beside
	}
	rest := n.write(shapes[:extremes], reaches)
	rest = append(rest, n.write(shapes[extremes:], others)...)
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
func (n *numberer) write(shapes []*atlas.Shape, reaches []reach) (left []*atlas.Shape) {
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
	text, number := n.format.Write(value), int16(0)
	for _, size := range []float64{largestNumber, middlingSize, n.smallestNumber()} {
		t := n.numberText(s, text, max(size, n.smallestNumber()))
		t.Anchor, t.Colour = scene.Middle, n.letters[n.class(value)]
		t.Halo, t.Rim = 1.2, n.fills[n.class(value)] // where it reaches over the border
		half, high := t.W/2, t.Size*.36
		fits := func(x, y float64) bool {
			t.X, t.Y = x, y+high
			b := t.Box()
			return b.Inside(n.box) && !overlapsAny(b, n.taken) && !n.crossesLeader(b)
		}
		if s.RX > 0 && s.RY > 0 && (half/s.RX)*(half/s.RX)+(high/s.RY)*(high/s.RY) <= looseness && fits(s.X, s.Y) {
			return t
		}
		if number == 0 {
			number = n.numberOf(s)
		}
		for _, off := range nearby {
			x, y := s.X+off.X, s.Y+off.Y
			if n.land.within(scene.Box{X: x - half - edgeGap, Y: y - high - edgeGap, W: 2 * (half + edgeGap), H: 2 * (high + edgeGap)}, number) && fits(x, y) {
				return t
			}
		}
	}
	return nil
}

// edgeGap is what a number keeps from the border of its country.
const edgeGap = .5

// nearby are places about the middle of a country, the nearest first, where a
// number may stand whose corners the ellipse of the country does not hold: in
// Portugal it is too narrow and in Slovakia too bent.
var nearby = func() (places []scene.Point) {
	for x := -8.0; x <= 8; x += 2 {
		for y := -8.0; y <= 8; y += 2 {
			places = append(places, scene.Point{X: x, Y: y})
		}
	}
	slices.SortStableFunc(places, func(a, b scene.Point) int {
		return cmp.Compare(math.Hypot(a.X, a.Y), math.Hypot(b.X, b.Y))
	})
	return places
}()

// numberOf is the number of a shape on the grid.
func (n *numberer) numberOf(s *atlas.Shape) int16 {
	for i := range n.view.Shapes {
		if &n.view.Shapes[i] == s {
			return int16(i + 1)
		}
	}
	return 0
}

func (n *numberer) smallestNumber() float64 { return max(7.5, smallestText/n.scene.Scale) }

func (n *numberer) numberText(s *atlas.Shape, text string, size float64) *scene.Text {
	return &scene.Text{
		Tag: scene.Tag{Role: scene.Value, Name: s.Area}, Text: text, Size: size,
		Colour: colour.Ink, W: font.Width(text, size, scene.Regular),
	}
}

// ways are the directions in which a number may stand from its country.
var ways = func() (ways [24]scene.Point) {
	for i := range ways {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(ways)))
		ways[i] = scene.Point{X: cos, Y: sin}
	}
	return ways
}()

// outside returns the number at the nearest place within reach, with a line to
// the country, or nil.
func (n *numberer) outside(s *atlas.Shape, r reach) *scene.Text {
	t := n.numberText(s, n.format.Write(n.values[s.Area]), max(outsideNumber, n.smallestNumber()))
	t.Anchor = scene.Middle
	home := n.home(s)
	closed := n.land.any
	if r.onLand {
		closed = n.land.member
	}
	for d := 4.0 - home.r/2; d <= r.longest; d += 3 {
		for _, way := range ways {
			// The text's edge, not its middle, is d away.
			x := home.x + way.X*(d+home.r+t.W/2)
			y := home.y + way.Y*(d+home.r+t.Size/2)
			t.X, t.Y = x, y+t.Size*.36
			box := pad(t.Box(), 1)
			if !box.Inside(n.box) || n.land.touches(box, closed) || overlapsAny(box, n.taken) || n.crossesLeader(box) {
				continue
			}
			l := n.leader(home, x, y, t)
			if n.crosses(l, home, r) {
				continue
			}
			if n.land.touches(box, n.land.any) {
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

// home is where the number of a shape belongs: at its circle if it has one.
func (n *numberer) home(s *atlas.Shape) *marker {
	for i := range n.markers {
		if n.markers[i].area == s.Area {
			return &n.markers[i]
		}
	}
	return &marker{area: s.Area, x: s.X, y: s.Y, number: n.land.at(s.X, s.Y)}
}

// leader is a thin line from a country, or the edge of its circle, to the edge
// of its number.
func (n *numberer) leader(home *marker, x, y float64, t *scene.Text) *scene.Line {
	dx, dy := home.x-x, home.y-y
	// How much of the way from the text's middle lies under the text.
	part := 1.0
	if dx != 0 {
		part = min(part, (t.W/2+1)/math.Abs(dx))
	}
	if dy != 0 {
		part = min(part, (t.Size*.4+1)/math.Abs(dy))
	}
	whole := max(1-home.r/max(math.Hypot(dx, dy), home.r, 1e-9), part)
	return &scene.Line{
		Tag: scene.Tag{Role: scene.Leader, Name: home.area}, X1: x + dx*whole, Y1: y + dy*whole, X2: x + dx*part, Y2: y + dy*part,
		Pen: scene.Pen{Colour: colour.Muted, Width: max(.5, .6/n.scene.Scale)},
	}
}

// crosses reports whether a leader runs over another leader, a number or a
// marker that is not its own, or over another country that it may not cross.
func (n *numberer) crosses(l *scene.Line, home *marker, r reach) bool {
	for _, b := range n.taken {
		own := home.x >= b.X && home.x <= b.X+b.W && home.y >= b.Y && home.y <= b.Y+b.H
		if !own && meets(l, b) {
			return true
		}
	}
	for _, other := range n.leaders {
		if intersect(l, other) {
			return true
		}
	}
	const steps = 48
	for i := range steps + 1 {
		p := float64(i) / steps
		there := n.land.at(l.X1+(l.X2-l.X1)*p, l.Y1+(l.Y2-l.Y1)*p)
		if there != 0 && there != home.number && !(r.onLand && !n.hasValue(there)) {
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
	if min(l.X1, l.X2) > b.X+b.W || max(l.X1, l.X2) < b.X || min(l.Y1, l.Y2) > b.Y+b.H || max(l.Y1, l.Y2) < b.Y {
		return false // nearly always
	}
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
