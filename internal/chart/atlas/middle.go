package atlas

import (
	"math"

	"almanac/internal/chart/scene"
)

// ellipseAspect is about the ratio of a number's width to its height.
const ellipseAspect = 2.2

// ellipse has its centre at X, Y. R is half its height.
type ellipse struct{ X, Y, R float64 }

// widest returns a large ellipse inside a polygon, given with its outer ring first.
// With x coordinates divided by ellipseAspect, the ellipse is a circle, and the task is
// to find the point farthest from the outline (the pole of inaccessibility,
// García-Castellanos and Lombardo 2007). As in Agafonkin's polylabel, squares that may
// contain a better point are quartered until no point can be better by more than fine or
// by a fiftieth.
func widest(rings [][]scene.Point, fine float64) ellipse {
	box := around(rings[0])
	best := ellipse{X: box.X + box.W/2, Y: box.Y + box.H/2, R: 0}
	w, h := box.W/ellipseAspect, box.H
	side := min(w, h)
	if !(side > 0) {
		return best
	}
	side = max(side, max(w, h)/16) // cover a thin sliver with a few squares
	var squares []square
	for x := 0.0; x < w; x += side {
		for y := 0.0; y < h; y += side {
			squares = append(squares, square{X: box.X/ellipseAspect + x + side/2, Y: box.Y + y + side/2, half: side / 2})
		}
	}
	promising := func(s square) bool {
		return s.depth+s.half*math.Sqrt2 > best.R+max(fine, best.R/50)
	}
	for len(squares) > 0 {
		var next []square
		for _, s := range squares {
			if s.depth = depth(rings, s.X, s.Y); s.depth > best.R {
				best = ellipse{X: s.X * ellipseAspect, Y: s.Y, R: s.depth}
			}
			if promising(s) {
				next = append(next, s)
			}
		}
		squares = squares[:0]
		for _, s := range next {
			if promising(s) {
				squares = s.quarter(squares)
			}
		}
	}
	return best
}

// square lies in the plane whose x coordinates are divided by ellipseAspect.
type square struct{ X, Y, half, depth float64 }

func (s square) quarter(to []square) []square {
	q := s.half / 2
	return append(to,
		square{X: s.X - q, Y: s.Y - q, half: q}, square{X: s.X + q, Y: s.Y - q, half: q},
		square{X: s.X - q, Y: s.Y + q, half: q}, square{X: s.X + q, Y: s.Y + q, half: q})
}

// depth returns how far x, y lies inside a polygon, or a negative number if it lies
// outside, in the plane whose x coordinates are divided by ellipseAspect.
func depth(rings [][]scene.Point, x, y float64) float64 {
	inside, least := false, math.Inf(1)
	for _, ring := range rings {
		last := ring[len(ring)-1]
		ax, ay := last.X/ellipseAspect-x, last.Y-y
		for _, p := range ring {
			bx, by := p.X/ellipseAspect-x, p.Y-y
			if (ay > 0) != (by > 0) && bx-by*(bx-ax)/(by-ay) > 0 {
				inside = !inside
			}
			least = min(least, squareToSegment(ax, ay, bx, by))
			ax, ay = bx, by
		}
	}
	if inside {
		return math.Sqrt(least)
	}
	return -math.Sqrt(least)
}

// squareToSegment returns the squared distance from the origin to the line from a to b.
func squareToSegment(ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	if long := dx*dx + dy*dy; long > 0 {
		t := min(max(-(ax*dx+ay*dy)/long, 0), 1)
		ax, ay = ax+t*dx, ay+t*dy
	}
	return ax*ax + ay*ay
}

// around returns the bounding box of a ring.
func around(ring []scene.Point) scene.Box {
	x1, y1 := math.Inf(1), math.Inf(1)
	x2, y2 := math.Inf(-1), math.Inf(-1)
	for _, p := range ring {
		x1, x2 = min(x1, p.X), max(x2, p.X)
		y1, y2 = min(y1, p.Y), max(y2, p.Y)
	}
	return scene.Box{X: x1, Y: y1, W: x2 - x1, H: y2 - y1}
}

// content returns the area of a ring, positive in either direction.
func content(ring []scene.Point) float64 {
	sum := 0.0
	last := ring[len(ring)-1]
	for _, p := range ring {
		sum += (last.X - p.X) * (last.Y + p.Y)
		last = p
	}
	return math.Abs(sum) / 2
}
