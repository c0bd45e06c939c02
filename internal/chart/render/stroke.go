package render

import "math"

// nib is a pen in pixels.
type nib struct {
	half  float64   // half its width
	round bool      // round ends and joins, else butt ends and mitred joins
	dash  []float64 // lengths on, off, …; empty: solid
}

const (
	mitreLimit = 4   // the default of SVG
	minSmooth  = .97 // cosine of the largest turn that does not look like a corner
	maxMissing = .1  // pixels that may be missing at a corner
)

// stroke adds the contours of a stroked polyline to the raster. Each piece adds its two
// sides, and each corner and end adds what joins them: the order of edges does not
// matter to a raster.
func (r *raster) stroke(line polyline, n nib) {
	points := distinct(line.points)
	closed := line.closed && len(points) > 2
	if closed && points[0].minus(points[len(points)-1]).length() < nearest {
		points = points[:len(points)-1]
	}
	if len(points) < 2 {
		if n.round && len(points) == 1 {
			r.fill(circle(points[0], n.half, nil))
		}
		return
	}
	last := len(points) - 1
	first := side(points[0], points[1], n.half)
	before := first
	for i := range last {
		if i > 0 {
			next := side(points[i], points[i+1], n.half)
			r.join(points[i], before, next, n)
			before = next
		}
		r.piece(points[i], points[i+1], before)
	}
	if !closed {
		r.cap(points[last], before, n)
		r.cap(points[0], first.times(-1), n)
		return
	}
	around := side(points[last], points[0], n.half)
	r.join(points[last], before, around, n)
	r.piece(points[last], points[0], around)
	r.join(points[0], around, first, n)
}

// fill adds the contour of a polyline, and closes it if it is open.
func (r *raster) fill(line polyline) {
	if len(line.points) == 0 {
		return
	}
	from := line.points[len(line.points)-1]
	for _, to := range line.points {
		r.line(from, to)
		from = to
	}
}

// nearest is the distance in pixels below which two points count as one.
const nearest = 1.0 / 64

// distinct removes points that repeat the previous one, in place.
func distinct(points []point) []point {
	kept := points[:0]
	for _, p := range points {
		if len(kept) == 0 || !(p.minus(kept[len(kept)-1]).length() < nearest) {
			kept = append(kept, p)
		}
	}
	return kept
}

// side returns the vector from the centre line of the piece from a to b to its left
// side.
func side(a, b point, half float64) point {
	d := b.minus(a)
	f := half / d.length()
	return point{float64(d.y * f), float64(-d.x * f)}
}

// piece adds both sides of a straight piece.
func (r *raster) piece(a, b, side point) {
	r.line(a.plus(side), b.plus(side))
	r.line(b.minus(side), a.minus(side))
}

// join adds the corner between two pieces at p. before and after are their side
// vectors.
func (r *raster) join(p, before, after point, n nib) {
	square := n.half * n.half
	cos := (before.x*after.x + before.y*after.y) / square
	if cos > minSmooth || n.round && cos > 0 && n.half*(1-math.Sqrt((1+cos)/2)) < maxMissing {
		r.line(p.plus(before), p.plus(after))
		r.line(p.minus(after), p.minus(before))
		return
	}
	// On the inner side, end both pieces at p, so that all that they cover winds the
	// same way.
	turn := before.x*after.y - before.y*after.x
	if turn > 0 { // to the right: the left side is the outer one
		r.corner(p, before, after, n)
		r.line(p.minus(after), p)
		r.line(p, p.minus(before))
		return
	}
	r.line(p.plus(before), p)
	r.line(p, p.plus(after))
	r.corner(p, after.times(-1), before.times(-1), n)
}

// corner adds the outer side of a join.
func (r *raster) corner(p, from, to point, n nib) {
	if n.round {
		r.arc(p, from, to, n.half)
		return
	}
	middle := from.plus(to)
	// The tip of the mitre is half²/|middle/2| from p.
	reach := 2 * n.half * n.half / (middle.x*middle.x + middle.y*middle.y)
	if tip := middle.times(reach); tip.length() <= mitreLimit*n.half {
		r.line(p.plus(from), p.plus(tip))
		r.line(p.plus(tip), p.plus(to))
		return
	}
	r.line(p.plus(from), p.plus(to))
}

// arc adds a part of the circle around p, at most half of it, clockwise on the screen.
func (r *raster) arc(p, from, to point, radius float64) {
	begin := math.Atan2(from.y, from.x)
	angle := math.Atan2(to.y, to.x) - begin
	if angle < 0 {
		angle += 2 * math.Pi
	}
	pieces := arcPieces(radius, angle)
	at := from
	for i := 1; i < pieces; i++ {
		sin, cos := math.Sincos(begin + angle*float64(i)/float64(pieces))
		next := point{float64(radius * cos), float64(radius * sin)}
		r.line(p.plus(at), p.plus(next))
		at = next
	}
	r.line(p.plus(at), p.plus(to))
}

// cap adds the end of a line at p. side points to the left side of the line, looking
// towards its end.
func (r *raster) cap(p, side point, n nib) {
	if n.round {
		r.arc(p, side, side.times(-1), n.half)
		return
	}
	r.line(p.plus(side), p.minus(side))
}
