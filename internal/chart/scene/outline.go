package scene

// Op is a step of an outline.
type Op uint8

// The steps, with how many points each takes.
const (
	MoveTo  Op = iota // 1: begin a subpath
	LineTo            // 1
	QuadTo            // 2: control point, end
	CubicTo           // 3: two control points, end
	Close             // 0: back to the subpath's beginning
)

// Point is a place in units of the scene.
type Point struct{ X, Y float64 }

// Outline is a sequence of subpaths of lines and curves.
type Outline struct {
	Ops    []Op
	Points []Point
}

// MoveTo begins a subpath.
func (o *Outline) MoveTo(x, y float64) { o.add(MoveTo, Point{x, y}) }

// LineTo goes straight on.
func (o *Outline) LineTo(x, y float64) { o.add(LineTo, Point{x, y}) }

// QuadTo goes on in a quadratic curve with control point b.
func (o *Outline) QuadTo(bx, by, x, y float64) { o.add(QuadTo, Point{bx, by}, Point{x, y}) }

// CubicTo goes on in a cubic curve with control points b and c.
func (o *Outline) CubicTo(b, c, to Point) { o.add(CubicTo, b, c, to) }

// Close goes back to where the subpath began.
func (o *Outline) Close() { o.add(Close) }

func (o *Outline) add(op Op, p ...Point) {
	o.Ops = append(o.Ops, op)
	o.Points = append(o.Points, p...)
}

// Contains reports whether a place lies within an outline, by nonzero winding.
// Curves count as the lines between their points and control points, which is
// near enough for asking what lies under a text.
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
		n := map[Op]int{LineTo: 1, QuadTo: 2, CubicTo: 3}[op]
		switch op {
		case MoveTo:
			edge(first) // an open subpath is filled as if closed
			first, last = o.Points[at], o.Points[at]
			at++
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
