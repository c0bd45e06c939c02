package render

import (
	"math"

	"almanac/internal/chart/scene"
)

// point is a position in pixels.
type point struct{ x, y float64 }

func (p point) plus(q point) point        { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point       { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point     { return point{float64(p.x * f), float64(p.y * f)} }
func (p point) length() float64           { return math.Sqrt(float64(p.x*p.x) + float64(p.y*p.y)) }
func between(a, b point, t float64) point { return a.plus(b.minus(a).times(t)) }

// placement maps the points of an outline to pixels: scaled, then moved.
type placement struct {
	scale float64
	at    point
}

func (p placement) of(q scene.Point) point {
	return point{float64(q.X*p.scale) + p.at.x, float64(q.Y*p.scale) + p.at.y}
}

// flatness is the largest distance in pixels between a curve and its chords.
const flatness = .05

// polyline is a subpath without curves.
type polyline struct {
	points []point
	closed bool
}

// walk calls visit with each subpath of an outline, in pixels and with curves cut into
// chords. visit must not keep the subpath. walk returns the buffer for the next call.
// It stops at an unknown step or when points run out.
func walk(o *scene.Outline, place placement, buffer []point, visit func(polyline)) []point {
	line := polyline{points: buffer[:0]}
	var start point
	end := func() {
		if len(line.points) > 0 {
			visit(line)
		}
		line.points, line.closed = line.points[:0], false
	}
	rest := o.Points
	for _, op := range o.Ops {
		n := pointsOf(op)
		if n < 0 || len(rest) < n {
			break
		}
		if op == scene.Close {
			line.closed = true
			end()
			continue
		}
		to := place.of(rest[n-1])
		if op == scene.MoveTo {
			end()
			start = to
			line.points = append(line.points, to)
			rest = rest[n:]
			continue
		}
		if len(line.points) == 0 {
			line.points = append(line.points, start)
		}
		line.points = curve(line.points, op, rest, place)
		rest = rest[n:]
	}
	end()
	return line.points
}

// pointsOf returns how many points a step takes, or -1 if the step is unknown.
func pointsOf(op scene.Op) int {
	switch op {
	case scene.MoveTo, scene.LineTo:
		return 1
	case scene.QuadTo:
		return 2
	case scene.CubicTo:
		return 3
	case scene.Close:
		return 0
	}
	return -1
}

// curve appends the chords of one step, starting at the last of points.
func curve(points []point, op scene.Op, p []scene.Point, place placement) []point {
	a := points[len(points)-1]
	switch op {
	case scene.LineTo:
		return append(points, place.of(p[0]))
	case scene.QuadTo:
		b, c := place.of(p[0]), place.of(p[1])
		bend := a.minus(b.times(2)).plus(c).length()
		n := chords(.25 * bend)
		for i := 1; i < n; i++ {
			t := float64(i) / float64(n)
			points = append(points, between(between(a, b, t), between(b, c, t), t))
		}
		return append(points, c)
	case scene.CubicTo:
		b, c, d := place.of(p[0]), place.of(p[1]), place.of(p[2])
		bend := max(a.minus(b.times(2)).plus(c).length(), b.minus(c.times(2)).plus(d).length())
		n := chords(.75 * bend)
		for i := 1; i < n; i++ {
			t := float64(i) / float64(n)
			ab, bc, cd := between(a, b, t), between(b, c, t), between(c, d, t)
			points = append(points, between(between(ab, bc, t), between(bc, cd, t), t))
		}
		return append(points, d)
	}
	return points
}

// chords returns the number of pieces that a curve is cut into (Wang's bound). bend is
// the factor of its degree times its largest second difference.
func chords(bend float64) int {
	const most = 256
	n := math.Ceil(math.Sqrt(bend / flatness))
	if !(n < most) {
		return most
	}
	return max(1, int(n))
}

// circle returns a closed polyline around a centre.
func circle(centre point, radius float64, buffer []point) polyline {
	n := arcPieces(radius, 2*math.Pi)
	points := buffer[:0]
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		points = append(points, point{centre.x + float64(radius*cos), centre.y + float64(radius*sin)})
	}
	return polyline{points, true}
}

// arcPieces returns the number of chords that an arc is cut into.
func arcPieces(radius, angle float64) int {
	const most = 512
	if !(radius > flatness) {
		return 4
	}
	n := math.Ceil(math.Abs(angle) / (2 * math.Acos(1-flatness/max(radius, 1))))
	return min(max(int(n), 2), most)
}

// roundedBox returns a closed polyline of the box from a to b with round corners.
func roundedBox(a, b point, radius float64, buffer []point) polyline {
	radius = max(0, min(radius, (b.x-a.x)/2, (b.y-a.y)/2))
	if !(radius > flatness) {
		return polyline{append(buffer[:0], a, point{b.x, a.y}, b, point{a.x, b.y}), true}
	}
	points := buffer[:0]
	n := arcPieces(radius, math.Pi/2)
	centres := [4]point{{b.x - radius, a.y + radius}, {b.x - radius, b.y - radius}, {a.x + radius, b.y - radius}, {a.x + radius, a.y + radius}}
	for quarter, c := range centres {
		for i := 0; i <= n; i++ {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(quarter-1) + float64(i)/float64(n)))
			points = append(points, point{c.x + float64(radius*cos), c.y + float64(radius*sin)})
		}
	}
	return polyline{points, true}
}
