package maps

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Sizes of the numbers on a map, and the gaps between them.
const (
	largestNumber = 11.0
	mediumNumber  = 9.5
	outsideNumber = 8.0
	// Letters do not fill the corners of their box, so the box may extend a little
	// beyond the ellipse.
	ellipseSlack = 1.15
)

// reach limits how far from its country a number may be, and on what.
type reach struct {
	longest float64 // length of the leader from the coast or border, in units
	onLand  bool    // on land of surrounding countries that the map is not about; the leader may cross those and countries without a value
	across  float64 // length of the leader on other countries with a value
	anchors int     // points in the country where a leader may begin
	most    int     // numbers to try: readers cannot tell hundreds of leaders apart
}

// reaches are tried one after the other.
var reaches = []reach{
	{longest: 22, anchors: 1, most: math.MaxInt},
	{longest: 22, anchors: maxAnchors, most: 40},
	{longest: 28, anchors: 1, most: 40},
	{longest: 30, onLand: true, anchors: 5, most: 40},
}

// forExtremes are for the highest and the lowest value, which readers look for.
var forExtremes = append(slices.Clone(reaches), reach{longest: 56, onLand: true, across: 10, anchors: maxAnchors, most: math.MaxInt})

// worldReaches is for maps of all countries of the world. Their leaders are short, because
// readers cannot follow dozens of leaders side by side.
var worldReaches = []reach{{longest: 12, anchors: 1, most: math.MaxInt}, {longest: 16, anchors: maxAnchors, most: 10}}

// numberLayout places the numbers of countries.
type numberLayout struct {
	*choropleth
	format  scale.Numbers
	taken   []scene.Box // by markers and numbers
	texts   []*scene.Text
	leaders []*scene.Line
	letters []colour.RGB // on each class
	left    []*labelled  // numbers that do not fit, the most important first
}

// placeNumbers finds positions for the values of countries: inside the country if the
// number fits, else next to it with a line. The highest and the lowest value have
// priority, then the largest countries.
func (c *choropleth) placeNumbers() *numberLayout {
	format := c.format
	format.Prefix, format.Suffix = "", "" // the unit is in the legend, "million" in a note
	n := &numberLayout{choropleth: c, format: format}
	c.visibleLand()
	for i := range c.markers {
		n.taken = append(n.taken, c.markers[i].box())
	}
	if column, ok := c.key.(*keyColumn); ok && column.inside {
		n.taken = append(n.taken, frame.Pad(c.keyBox, panelMargin))
	}
	for _, fill := range c.fills {
		n.letters = append(n.letters, colour.On(fill))
	}
	shapes, extremes := n.candidates()
	others := reaches
	if n.isWorld() && len(shapes) > maxWorldNumbers {
		others = worldReaches
	}
	rest := n.write(shapes[:extremes], forExtremes)
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

// candidates returns the shapes with a number in order of importance, and how many of them
// have the highest or the lowest value.
func (n *numberLayout) candidates() (shapes []*atlas.Shape, extremes int) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range n.view.Shapes {
		s := &n.view.Shapes[i]
		if d := n.valueOf(s); d != nil && n.inBox(s.X, s.Y) {
			shapes = append(shapes, s)
			low, high = min(low, d.Value), max(high, d.Value)
		}
	}
	slices.SortStableFunc(shapes, func(a, b *atlas.Shape) int {
		return cmp.Or(cmp.Compare(b.Extent, a.Extent), cmp.Compare(a.Area, b.Area))
	})
	for _, extreme := range []float64{low, high} {
		at := slices.IndexFunc(shapes, func(s *atlas.Shape) bool { return n.values[s.Area].Value == extreme })
		if at >= extremes {
			s := shapes[at]
			shapes = slices.Insert(slices.Delete(shapes, at, at+1), 0, s)
			extremes++
		}
	}
	return shapes, extremes
}

// write places the numbers of shapes, the most important first, and returns the shapes
// whose numbers do not fit.
func (n *numberLayout) write(shapes []*atlas.Shape, reaches []reach) (left []*atlas.Shape) {
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

func (n *numberLayout) put(t *scene.Text) {
	n.texts = append(n.texts, t)
	n.taken = append(n.taken, t.Box())
}

// draw draws the numbers above their lines.
func (n *numberLayout) draw() {
	for _, l := range n.leaders {
		casing := *l
		casing.Pen = scene.Pen{Colour: colour.White, Width: l.Pen.Width + 1.1}
		n.Scene.Add(&casing)
	}
	for _, l := range n.leaders {
		n.Scene.Add(l)
	}
	for _, t := range n.texts {
		n.Scene.Add(t)
	}
}

// leftNote names the countries whose numbers do not fit, as many as fit on one line, so
// that the note does not take the space of more numbers.
func (n *numberLayout) leftNote() string {
	l := n.Spec.Words()
	var list []string
	for _, it := range n.left {
		list = append(list, it.label+" "+n.choropleth.format.Write(it.value))
	}
	note := l.Text("No room on the map for: %s.", strings.Join(list, "; "))
	for named := len(list) - 1; named >= 0 && font.Width(note, frame.SmallSize, scene.Regular) > n.Plot.W; named-- {
		note = l.Text("No room on the map for: %s and %s more.", strings.Join(list[:named], "; "), len(list)-named)
		if named == 0 {
			note = l.Text("No room on the map for %s countries.", len(list))
		}
	}
	return note
}

// inside returns the number inside the country's own area, in the largest size that
// fits, or nil.
func (n *numberLayout) inside(s *atlas.Shape) *scene.Text {
	value := n.values[s.Area].Value
	text, number := n.bare(value), int16(0)
	for _, size := range []float64{largestNumber, mediumNumber, n.smallestNumber()} {
		t := n.numberText(s, text, max(size, n.smallestNumber()))
		t.Anchor, t.Colour = scene.Middle, n.letters[n.class(value)]
		t.Halo, t.Rim = 1.2, n.fills[n.class(value)] // where it extends over the border
		half, high := t.W/2, t.Size*.36
		fits := func(x, y float64) bool {
			t.X, t.Y = x, y+high
			b := t.Box()
			return b.Inside(n.box) && !frame.OverlapsAny(b, n.taken) && !n.crossesLeader(b)
		}
		if s.RX > 0 && s.RY > 0 && (half/s.RX)*(half/s.RX)+(high/s.RY)*(high/s.RY) <= ellipseSlack && fits(s.X, s.Y) {
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
	return n.acrossBorder(s)
}

// minOwnShare is the share of a number's box that must lie in the country, if no position
// lies in it completely.
const minOwnShare = .8

// acrossBorder returns the number of a country that is a little too small for it, in the
// smallest size, or nil.
func (n *numberLayout) acrossBorder(s *atlas.Shape) *scene.Text {
	value := n.values[s.Area].Value
	t := n.numberText(s, n.bare(value), n.smallestNumber())
	t.Anchor, t.Colour = scene.Middle, n.letters[n.class(value)]
	t.Halo, t.Rim = 1.2, n.fills[n.class(value)]
	high := t.Size * .36
	if s.Extent < minOwnShare*t.W*2*high {
		return nil
	}
	number, best := n.numberOf(s), minOwnShare
	var at scene.Point
	for _, off := range nearby {
		x, y := s.X+off.X, s.Y+off.Y
		share := n.land.share(scene.Box{X: x - t.W/2, Y: y - high, W: t.W, H: 2 * high}, number)
		t.X, t.Y = x, y+high
		if b := t.Box(); share > best && b.Inside(n.box) && !frame.OverlapsAny(b, n.taken) && !n.crossesLeader(b) {
			best, at = share, scene.Point{X: t.X, Y: t.Y}
		}
	}
	if best == minOwnShare {
		return nil
	}
	t.X, t.Y = at.X, at.Y
	return t
}

// edgeGap is the distance from a number to the border of its country.
const edgeGap = .5

// nearby lists positions around the centre of a country, the nearest first, to try if the
// number does not fit into the country's ellipse: that of Portugal is too narrow, and
// Slovakia is too bent.
var nearby = func() (places []scene.Point) {
	for x := -14.0; x <= 14; x += 2 {
		for y := -14.0; y <= 14; y += 2 {
			places = append(places, scene.Point{X: x, Y: y})
		}
	}
	slices.SortStableFunc(places, func(a, b scene.Point) int {
		return cmp.Compare(math.Hypot(a.X, a.Y), math.Hypot(b.X, b.Y))
	})
	return places
}()

// bare formats a value without the unit.
func (n *numberLayout) bare(v float64) string {
	if v == 0 {
		return "0"
	}
	return n.format.Write(v)
}

// numberOf returns the number of a shape in the grid.
func (n *numberLayout) numberOf(s *atlas.Shape) int16 {
	for i := range n.view.Shapes {
		if &n.view.Shapes[i] == s {
			return int16(i + 1)
		}
	}
	return 0
}

func (n *numberLayout) smallestNumber() float64 { return max(7.5, chart.SmallestText/n.Scene.Scale) }

func (n *numberLayout) numberText(s *atlas.Shape, text string, size float64) *scene.Text {
	return &scene.Text{
		Tag: scene.Tag{Role: scene.Value, Name: s.Area, Datum: n.shade(s)}, Text: text, Size: size,
		Colour: colour.Dark, W: font.Width(text, size, scene.Regular),
	}
}
