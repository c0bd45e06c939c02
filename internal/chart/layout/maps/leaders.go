package maps

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// ways are the directions from a country to its number.
var ways = func() (ways [32]scene.Point) {
	for i := range ways {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(ways)))
		ways[i] = scene.Point{X: cos, Y: sin}
	}
	return ways
}()

// outside returns the number at the nearest position within reach, with a line to the
// country, or nil.
func (n *numberLayout) outside(s *atlas.Shape, r reach) *scene.Text {
	t := n.numberText(s, n.bare(n.values[s.Area].Value), max(outsideNumber, n.smallestNumber()))
	t.Anchor = scene.Middle
	origin := n.origin(s)
	anchors := n.anchors(origin, r.anchors)
	for d := 3.0 - origin.r/3; d <= r.longest; d += 2 {
		for i := range anchors {
			for w := range ways {
				if l := n.tryPlace(t, &anchors[i], w, d, r); l != nil {
					n.leaders = append(n.leaders, l)
					return t
				}
			}
		}
	}
	return nil
}

// tryPlace moves a number to the end of a leader that goes from an anchor in direction
// w to d beyond the border. The leader is nil if it is not allowed there.
func (n *numberLayout) tryPlace(t *scene.Text, from *anchor, w int, d float64, r reach) *scene.Line {
	closed := n.land.any
	if r.onLand {
		closed = n.land.member
	}
	// The distance d is to the text's edge, not to its centre.
	way, far := ways[w], d+from.out[w]
	x, y := from.x+way.X*(far+t.W/2), from.y+way.Y*(far+t.Size/2)
	t.X, t.Y = x, y+t.Size*.36
	box := frame.Pad(t.Box(), 1)
	// Two numbers on one line must not look like one.
	side := t.Size * .2
	apart := scene.Box{X: box.X - side, Y: box.Y, W: box.W + 2*side, H: box.H}
	if !box.Inside(n.box) || n.land.touches(box, closed) || frame.OverlapsAny(apart, n.taken) || n.crossesLeader(box) {
		return nil
	}
	start := from.marker
	if inward := from.out[w] - maxInCountry; start.r == 0 && inward > 0 {
		start.x, start.y = start.x+way.X*inward, start.y+way.Y*inward
	}
	l := n.leader(&start, x, y, t)
	if n.crosses(l, &start, r) || n.nearOther(t.Box(), &from.marker, min(d+1, r.apart())) {
		return nil
	}
	t.Halo, t.Rim = 0, colour.RGB{}
	if n.land.touches(box, n.land.any) {
		t.Halo, t.Rim = 1.6, colour.Blank
	}
	return l
}

// hasValue reports whether the country with that number in the grid is coloured.
func (n *numberLayout) hasValue(country int16) bool {
	return n.shade(&n.view.Shapes[country-1]) != nil
}

// origin returns the circle of a shape or, if it has none, its centre.
func (n *numberLayout) origin(s *atlas.Shape) *marker {
	for i := range n.markers {
		if n.markers[i].area == s.Area {
			return &n.markers[i]
		}
	}
	return &marker{area: s.Area, x: s.X, y: s.Y, number: n.land.at(s.X, s.Y)}
}

// leader returns a thin line from a country, or the edge of its circle, to the edge of
// its number.
func (n *numberLayout) leader(origin *marker, x, y float64, t *scene.Text) *scene.Line {
	dx, dy := origin.x-x, origin.y-y
	// Fraction of the line, from the text's centre, that lies under the text.
	part := 1.0
	if dx != 0 {
		part = min(part, (t.W/2+1)/math.Abs(dx))
	}
	if dy != 0 {
		part = min(part, (t.Size*.4+1)/math.Abs(dy))
	}
	whole := max(1-origin.r/max(math.Hypot(dx, dy), origin.r, 1e-9), part)
	return &scene.Line{
		Tag: scene.Tag{Role: scene.Leader, Name: origin.area}, X1: x + dx*whole, Y1: y + dy*whole, X2: x + dx*part, Y2: y + dy*part,
		Pen: scene.Pen{Colour: colour.Muted, Width: max(.5, .6/n.Scene.Scale)},
	}
}

// crosses reports whether a leader crosses another leader, a number, the marker of
// another country, or a country that it must not cross.
func (n *numberLayout) crosses(l *scene.Line, origin *marker, r reach) bool {
	for _, b := range n.taken {
		own := origin.x >= b.X && origin.x <= b.X+b.W && origin.y >= b.Y && origin.y <= b.Y+b.H
		if !own && frame.Meets(l, frame.Pad(b, .8)) {
			return true
		}
	}
	for _, other := range n.leaders {
		if intersect(l, other) {
			return true
		}
	}
	const steps = 48
	over := 0.0
	for i := range steps + 1 {
		p := float64(i) / steps
		there := n.land.at(l.X1+(l.X2-l.X1)*p, l.Y1+(l.Y2-l.Y1)*p)
		if there != 0 && there != origin.number && !(r.onLand && !n.hasValue(there)) {
			if over += math.Hypot(l.X2-l.X1, l.Y2-l.Y1) / steps; over > r.across {
				return true
			}
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

func (n *numberLayout) crossesLeader(b scene.Box) bool {
	return slices.ContainsFunc(n.leaders, func(l *scene.Line) bool { return frame.Meets(l, b) })
}

// anchor is a point in a country where a leader may begin.
type anchor struct {
	marker
	out [len(ways)]float64 // how far the country or its circle extends in each of the ways
}

const (
	maxAnchors    = 24
	enoughAnchors = 4
	maxOwnLeader  = 48.0 // distance from an anchor to the border
	maxInCountry  = 5.0  // length of a leader within its own country
	maxSoundWidth = 5.0  // width of water between a country and its islands that a leader may cross
)

// anchors returns up to most points where the leader of a country may begin: its
// centre, and points around it, the nearest first. In a small country they are close
// together.
func (n *numberLayout) anchors(origin *marker, most int) []anchor {
	list := []anchor{{marker: *origin}}
	for _, spacing := range []float64{4, 1.5} {
		for _, off := range around {
			x, y := origin.x+off.X*spacing, origin.y+off.Y*spacing
			if len(list) >= most || origin.r > 0 || origin.number == 0 {
				break
			}
			if n.land.within(scene.Box{X: x - 1, Y: y - 1, W: 2, H: 2}, origin.number) {
				at := *origin
				at.x, at.y = x, y
				list = append(list, anchor{marker: at})
			}
		}
		if len(list) > enoughAnchors {
			break
		}
	}
	for i := range list {
		a := &list[i]
		for w, way := range ways {
			a.out[w] = a.r
			for d := 1.0; a.r == 0 && d <= min(maxOwnLeader, a.out[w]+maxSoundWidth); d++ {
				if n.land.at(a.x+way.X*d, a.y+way.Y*d) == a.number {
					a.out[w] = d
				}
			}
		}
	}
	return list
}

// around lists points around the centre of a country, in steps, the nearest first.
var around = func() (places []scene.Point) {
	for x := -4.0; x <= 4; x++ {
		for y := -4.0; y <= 4; y++ {
			if x != 0 || y != 0 {
				places = append(places, scene.Point{X: x, Y: y})
			}
		}
	}
	slices.SortStableFunc(places, func(a, b scene.Point) int {
		return cmp.Compare(math.Hypot(a.X, a.Y), math.Hypot(b.X, b.Y))
	})
	return places
}()

// nearest is the smallest distance from a number to other small countries, unless its own
// country is closer.
const nearest = 9.0

// maxSmallCountry is the area in square units up to which readers may take a country for
// the one that an adjacent number belongs to.
const maxSmallCountry = 60.0

// apart returns the smallest distance from a number to other countries, regardless of its
// own. Numbers that readers look for may be closer to others.
func (r reach) apart() float64 {
	if r.across > 0 {
		return nearest / 2
	}
	return nearest
}

// nearOther reports whether a number is too near to the circle of another country, or
// to another small country.
func (n *numberLayout) nearOther(b scene.Box, origin *marker, least float64) bool {
	for i := range n.markers {
		if m := &n.markers[i]; m.number != origin.number && distance(b, m.x, m.y)-m.r < least {
			return true
		}
	}
	for i := range n.view.Shapes {
		s := &n.view.Shapes[i]
		if int16(i+1) == origin.number || s.Extent > maxSmallCountry || s.Extent < minVisibleArea || !n.hasValue(int16(i+1)) {
			continue
		}
		if distance(b, s.X, s.Y)-math.Sqrt(s.Extent/math.Pi) < least {
			return true
		}
	}
	return false
}

// distance returns the distance from a point to a box.
func distance(b scene.Box, x, y float64) float64 {
	return math.Hypot(max(b.X-x, x-b.X-b.W, 0), max(b.Y-y, y-b.Y-b.H, 0))
}
