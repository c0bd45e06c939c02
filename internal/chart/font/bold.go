package font

import (
	"math"

	"almanac/internal/chart/scene"
)

// boldness is the distance by which the outlines of fonts without a bold weight move
// outwards in bold text, at size 1. It makes strokes as much thicker as Inter's semibold
// weight is than its regular one, and browsers thicken fonts by as much.
const boldness = .018

// bolder returns an outline whose edges are moved outwards by boldness. Advances stay the
// same, so that letters of connected scripts still meet.
func bolder(o *scene.Outline) *scene.Outline {
	points := append([]scene.Point(nil), o.Points...)
	distance := boldness
	if area(o) < 0 {
		distance = -distance
	}
	start, end := 0, 0
	for _, op := range o.Ops {
		switch op {
		case scene.MoveTo:
			moveEdges(points[start:end], o.Points[start:end], distance)
			start = end
			end++
		case scene.LineTo:
			end++
		case scene.QuadTo:
			end += 2
		case scene.CubicTo:
			end += 3
		}
	}
	moveEdges(points[start:end], o.Points[start:end], distance)
	return &scene.Outline{Ops: o.Ops, Points: points}
}

// area returns twice the area within the lines through all points. Its sign says in which
// direction outer edges run.
func area(o *scene.Outline) float64 {
	sum, at := 0.0, 0
	var first, last scene.Point
	edge := func(to scene.Point) {
		sum += last.X*to.Y - to.X*last.Y
		last = to
	}
	counts := [...]int{scene.MoveTo: 1, scene.LineTo: 1, scene.QuadTo: 2, scene.CubicTo: 3, scene.Close: 0}
	for _, op := range o.Ops {
		if op == scene.MoveTo {
			edge(first)
			first, last = o.Points[at], o.Points[at]
		}
		for range counts[op] {
			edge(o.Points[at])
			at++
		}
	}
	edge(first)
	return sum
}

// moveEdges moves the points of a closed contour, including control points, to the left
// of its direction with y pointing up.
func moveEdges(to, from []scene.Point, distance float64) {
	n := len(from)
	for i, p := range from {
		in, inLength := direction(p, from, i, n-1)
		out, outLength := direction(p, from, i, 1)
		in = scene.Point{X: -in.X, Y: -in.Y}
		turn := 1 + in.X*out.X + in.Y*out.Y
		const sharpest = 1.0 / 16 // a point that turns back has no outside
		if inLength == 0 || outLength == 0 || turn < sharpest {
			continue
		}
		// The new corner is where the two moved edges meet, but not beyond the ends of
		// short edges.
		by := distance / turn
		if sine := (out.X*in.Y - out.Y*in.X) * math.Copysign(1, distance); math.Abs(distance)*sine > min(inLength, outLength)*turn {
			by = math.Copysign(min(inLength, outLength), distance) / sine
		}
		to[i] = scene.Point{X: p.X + by*(in.Y+out.Y), Y: p.Y - by*(in.X+out.X)}
	}
}

// direction returns the unit vector from a point of a contour to the next different one
// in steps of the given size, and their distance; 0 if all are the same.
func direction(p scene.Point, contour []scene.Point, i, step int) (scene.Point, float64) {
	n := len(contour)
	for k := 1; k < n; k++ {
		q := contour[(i+k*step)%n]
		if d := math.Hypot(q.X-p.X, q.Y-p.Y); d > 1e-9 {
			return scene.Point{X: (q.X - p.X) / d, Y: (q.Y - p.Y) / d}, d
		}
	}
	return scene.Point{}, 0
}
