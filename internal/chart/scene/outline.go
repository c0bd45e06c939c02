package scene

import (
	"slices"
	"sync/atomic"
)

// Op is one step of an outline.
type Op uint8

// The steps. The number says how many points each takes.
const (
	MoveTo  Op = iota // 1: begin a subpath
	LineTo            // 1
	QuadTo            // 2: control point, end
	CubicTo           // 3: two control points, end
	Close             // 0: back to the start of the subpath
)

// Point is a position in scene units.
type Point struct{ X, Y float64 }

// Outline is a sequence of subpaths made of lines and curves.
type Outline struct {
	Ops    []Op
	Points []Point

	// SVG is what was last written of an outline that many pictures share, such as that of a
	// country: it takes longer to simplify than the rest of a map to write.
	SVG atomic.Pointer[PathData]
}

// PathData is the data of an outline as an SVG path.
type PathData struct {
	Tolerance float64 // in units: see package render
	Decimals  int     // of coordinates
	Text      []byte
}

// Grow makes space for more steps and points.
func (o *Outline) Grow(steps, points int) {
	o.Ops, o.Points = slices.Grow(o.Ops, steps), slices.Grow(o.Points, points)
}

// MoveTo begins a subpath.
func (o *Outline) MoveTo(x, y float64) { o.add(MoveTo, Point{x, y}) }

// LineTo adds a straight line.
func (o *Outline) LineTo(x, y float64) { o.add(LineTo, Point{x, y}) }

// QuadTo adds a quadratic curve with control point b.
func (o *Outline) QuadTo(bx, by, x, y float64) { o.add(QuadTo, Point{bx, by}, Point{x, y}) }

// CubicTo adds a cubic curve with control points b and c.
func (o *Outline) CubicTo(b, c, to Point) { o.add(CubicTo, b, c, to) }

// Close closes the subpath.
func (o *Outline) Close() { o.add(Close) }

func (o *Outline) add(op Op, p ...Point) {
	o.Ops = append(o.Ops, op)
	o.Points = append(o.Points, p...)
}

// Contains reports whether a point lies within the outline, by nonzero winding. Curves
// count as the lines through their control points, which is accurate enough to find what
// lies under a text.
func (o *Outline) Contains(x, y float64) bool {
	winding, at := 0, 0
	var first, last Point
	edge := func(to Point) {
		side := (to.X-last.X)*(y-last.Y) - (x-last.X)*(to.Y-last.Y)
		switch {
		case last.Y <= y && to.Y > y && side > 0:
			winding++
		case last.Y > y && to.Y <= y && side < 0:
			winding--
		}
		last = to
	}
	for _, op := range o.Ops {
		n := 0
		switch op {
		case MoveTo:
			edge(first) // an open subpath is filled as if closed
			first, last = o.Points[at], o.Points[at]
			at++
		case LineTo:
			n = 1
		case QuadTo:
			n = 2
		case CubicTo:
			n = 3
		case Close:
			edge(first)
		}
		for range n {
			edge(o.Points[at])
			at++
		}
	}
	edge(first)
	return winding != 0
}

// Mirror returns the outline with left and right exchanged in a picture of that width.
func (o *Outline) Mirror(width float64) *Outline {
	m := &Outline{Ops: o.Ops, Points: make([]Point, len(o.Points))}
	for i, p := range o.Points {
		m.Points[i] = Point{width - p.X, p.Y}
	}
	return m
}
