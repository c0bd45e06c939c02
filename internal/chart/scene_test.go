package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// failer is what the checks of a scene need of *testing.T and *rapid.T.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkScene fails the test where a picture is not fit to be printed: texts
// that leave the canvas, overlap or cannot be read, marks that leave the canvas,
// and marks of series that cannot be seen.
func checkScene(t failer, sc *scene.Scene) {
	t.Helper()
	checkTexts(t, sc)
	checkPlaces(t, sc)
	checkSeen(t, sc)
}

// checkTexts fails where a text is empty, wider than it says, outside the
// canvas, over another text, or of less contrast than 4.5:1.
func checkTexts(t failer, sc *scene.Scene) {
	t.Helper()
	canvas := scene.Box{W: sc.Width, H: sc.Height}
	var texts []*scene.Text
	for i, m := range sc.Marks {
		text, ok := m.(*scene.Text)
		if !ok {
			continue
		}
		if text.Text == "" || strings.ContainsFunc(text.Text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%s is empty or not clean", describe(text))
		}
		if w := font.Width(text.Text, text.Size, text.Weight); math.Abs(w-text.W) > .01 {
			t.Errorf("%s says it is %.2f wide and is %.2f", describe(text), text.W, w)
		}
		if px := text.Size * sc.Scale; px < smallestText-.01 {
			t.Errorf("%s is %.1f pixels high; the least is %v", describe(text), px, smallestText)
		}
		box := text.Box()
		if !box.Inside(canvas) {
			t.Errorf("%s leaves the canvas of %.1f × %.1f", describe(text), sc.Width, sc.Height)
		}
		for _, other := range texts {
			if box.Overlaps(other.Box()) {
				t.Errorf("%s overlaps %s", describe(text), describe(other))
			}
		}
		texts = append(texts, text)
		ground := groundUnder(sc, i, text)
		if c := colour.Contrast(text.Colour, ground); c < 4.5 {
			t.Errorf("%s: contrast %.2f of %s on %s; 4.5 is the least", describe(text), c, text.Colour, ground)
		}
	}
}

// groundUnder is the colour that a text stands on: its halo, or the topmost
// fill below its centre among the marks drawn before it.
func groundUnder(sc *scene.Scene, before int, text *scene.Text) colour.RGB {
	if text.Halo > 0 {
		return text.Rim
	}
	box := text.Box()
	x, y := box.X+box.W/2, box.Y+box.H/2
	for i := before - 1; i >= 0; i-- {
		if c, ok := fillAt(sc.Marks[i], x, y); ok {
			return c
		}
	}
	return sc.Ground
}

// fillAt is the colour with which a mark covers a place.
func fillAt(m scene.Mark, x, y float64) (colour.RGB, bool) {
	switch m := m.(type) {
	case *scene.Rect:
		return m.Fill.Colour, m.Fill.On && x >= m.X && x <= m.X+m.W && y >= m.Y && y <= m.Y+m.H
	case *scene.Circle:
		return m.Fill.Colour, m.Fill.On && math.Hypot(x-m.X, y-m.Y) <= m.R
	case *scene.Path:
		return m.Fill.Colour, m.Fill.On && winding(m.Outline, x, y) != 0
	}
	return colour.RGB{}, false
}

// winding is how often an outline goes around a place.
func winding(o *scene.Outline, x, y float64) int {
	n := 0
	for _, sub := range flatten(o) {
		for i := range sub {
			a, b := sub[i], sub[(i+1)%len(sub)]
			if (a.Y <= y) == (b.Y <= y) || a.X+(y-a.Y)/(b.Y-a.Y)*(b.X-a.X) < x {
				continue
			}
			if a.Y < b.Y {
				n++
			} else {
				n--
			}
		}
	}
	return n
}

// flatten returns the subpaths of an outline as corners, each curve as sixteen
// steps.
func flatten(o *scene.Outline) [][]scene.Point {
	var subs [][]scene.Point
	p := o.Points
	add := func(q scene.Point) { subs[len(subs)-1] = append(subs[len(subs)-1], q) }
	for _, op := range o.Ops {
		switch op {
		case scene.MoveTo:
			subs = append(subs, []scene.Point{p[0]})
			p = p[1:]
		case scene.LineTo:
			add(p[0])
			p = p[1:]
		case scene.QuadTo, scene.CubicTo:
			n := 2
			if op == scene.CubicTo {
				n = 3
			}
			sub := subs[len(subs)-1]
			curve := append([]scene.Point{sub[len(sub)-1]}, p[:n]...)
			for i := 1; i <= 16; i++ {
				add(bezier(curve, float64(i)/16))
			}
			p = p[n:]
		}
	}
	return subs
}

// bezier is the place at u, 0 to 1, of the curve with the control points.
func bezier(points []scene.Point, u float64) scene.Point {
	if len(points) == 1 {
		return points[0]
	}
	a, b := bezier(points[:len(points)-1], u), bezier(points[1:], u)
	return scene.Point{X: a.X + u*(b.X-a.X), Y: a.Y + u*(b.Y-a.Y)}
}

// checkPlaces fails where a mark that is no part of a map leaves the canvas, or
// has a place that is no number.
func checkPlaces(t failer, sc *scene.Scene) {
	t.Helper()
	const eps = .01
	for _, m := range sc.Marks {
		box, ok := extent(m)
		if math.IsNaN(box.X+box.Y+box.W+box.H) || math.IsInf(box.X+box.Y+box.W+box.H, 0) {
			t.Errorf("%s stands at %v", describe(m), box)
			continue
		}
		if ok && !box.Inside(scene.Box{X: -eps, Y: -eps, W: sc.Width + 2*eps, H: sc.Height + 2*eps}) {
			t.Errorf("%s at %v leaves the canvas of %.1f × %.1f", describe(m), box, sc.Width, sc.Height)
		}
	}
}

// extent is the box of a mark; bound is false for those that may be cut off at
// the canvas: outlines of maps.
func extent(m scene.Mark) (box scene.Box, bound bool) {
	around := func(points ...scene.Point) scene.Box {
		low, high := scene.Point{X: math.Inf(1), Y: math.Inf(1)}, scene.Point{X: math.Inf(-1), Y: math.Inf(-1)}
		for _, p := range points {
			low = scene.Point{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
			high = scene.Point{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
		}
		return scene.Box{X: low.X, Y: low.Y, W: high.X - low.X, H: high.Y - low.Y}
	}
	switch m := m.(type) {
	case *scene.Rect:
		return scene.Box{X: m.X, Y: m.Y, W: m.W, H: m.H}, m.Role != scene.Sphere
	case *scene.Line:
		return around(scene.Point{X: m.X1, Y: m.Y1}, scene.Point{X: m.X2, Y: m.Y2}), true
	case *scene.Circle:
		return scene.Box{X: m.X - m.R, Y: m.Y - m.R, W: 2 * m.R, H: 2 * m.R}, m.Role != scene.Area && m.Role != scene.NoData
	case *scene.Path:
		if len(m.Outline.Points) == 0 {
			return scene.Box{}, false
		}
		var all []scene.Point
		for _, sub := range flatten(m.Outline) {
			all = append(all, sub...)
		}
		return around(all...), m.Role == scene.Series || m.Role == scene.Leader
	case *scene.Text:
		return m.Box(), false // checkTexts says more
	}
	return scene.Box{}, false
}

// checkSeen fails where a mark of a series has less contrast than 3:1 to the
// ground. Not for pictures whose colours a caller chose.
func checkSeen(t failer, sc *scene.Scene) {
	t.Helper()
	for _, m := range sc.Marks {
		role := m.Tags().Role
		if role != scene.Series && role != scene.Highlight {
			continue
		}
		var c colour.RGB
		switch m := m.(type) {
		case *scene.Rect:
			c = visible(m.Fill, m.Pen)
		case *scene.Circle:
			c = visible(m.Fill, m.Pen)
		case *scene.Path:
			c = visible(m.Fill, m.Pen)
		case *scene.Line:
			c = m.Pen.Colour
		default:
			continue
		}
		if ratio := colour.Contrast(c, sc.Ground); ratio < 3 {
			t.Errorf("%s: contrast %.2f of %s on the ground; 3 is the least", describe(m), ratio, c)
		}
	}
}

// visible is the colour by which a shape is seen: of its fill, or of the rim
// where it is a white ring.
func visible(f scene.Fill, p scene.Pen) colour.RGB {
	if f.On && (f.Colour != colour.White || p.Width == 0) {
		return f.Colour
	}
	return p.Colour
}

func describe(m scene.Mark) string {
	tag := m.Tags()
	if text, ok := m.(*scene.Text); ok {
		b := text.Box()
		return fmt.Sprintf("%s %.60q at %.1f,%.1f to %.1f,%.1f", tag.Role, text.Text, b.X, b.Y, b.X+b.W, b.Y+b.H)
	}
	return fmt.Sprintf("%T of %s %.60q", m, tag.Role, tag.Name)
}

// marksOf returns the marks of a role in a scene, in drawing order.
func marksOf(sc *scene.Scene, role string) []scene.Mark {
	var found []scene.Mark
	for _, m := range sc.Marks {
		if m.Tags().Role == role {
			found = append(found, m)
		}
	}
	return found
}

// textsOf returns the texts of a role in a scene, in drawing order.
func textsOf(sc *scene.Scene, role string) []string {
	var found []string
	for _, m := range marksOf(sc, role) {
		if text, ok := m.(*scene.Text); ok {
			found = append(found, text.Text)
		}
	}
	return found
}

// A check that lets everything pass would prove nothing: each fault is seen.
func TestCheckSceneSeesFaults(t *testing.T) {
	text := func(x, y float64, c colour.RGB) *scene.Text {
		return &scene.Text{Tag: scene.Tag{Role: scene.Value}, X: x, Y: y, Text: "12", Size: 12, Colour: c, W: font.Width("12", 12, scene.Regular)}
	}
	nan := math.NaN()
	for name, marks := range map[string][]scene.Mark{
		"outside":  {text(95, 50, colour.Ink)},
		"overlap":  {text(10, 50, colour.Ink), text(12, 50, colour.Ink)},
		"faint":    {text(10, 50, colour.Rule)},
		"on fill":  {&scene.Rect{X: 0, Y: 30, W: 60, H: 40, Fill: scene.Solid(colour.Ink)}, text(10, 50, colour.Ink)},
		"on path":  {&scene.Path{Outline: slopingSide(), Fill: scene.Solid(colour.Ink)}, text(10, 50, colour.Ink)},
		"nowhere":  {&scene.Line{X1: nan}},
		"line out": {&scene.Line{X1: 10, Y1: 10, X2: 10, Y2: 101}},
		"unseen":   {&scene.Circle{Tag: scene.Tag{Role: scene.Series}, X: 10, Y: 10, R: 2, Fill: scene.Solid(colour.Rule)}},
	} {
		var seen faults
		checkScene(&seen, &scene.Scene{Width: 100, Height: 100, Scale: 1, Ground: colour.White, Marks: marks})
		if seen == 0 {
			t.Errorf("%s: no fault was seen", name)
		}
	}
}

func slopingSide() *scene.Outline {
	var o scene.Outline
	o.MoveTo(0, 90)
	o.LineTo(90, 90)
	o.QuadTo(10, 0, 0, 0)
	o.Close()
	return &o
}

// faults counts what a check finds.
type faults int

func (*faults) Helper()                 {}
func (f *faults) Errorf(string, ...any) { *f++ }
