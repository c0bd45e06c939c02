package atlas

import "almanac/internal/chart/scene"

// axis is the direction of an edge.
type axis uint8

const (
	vertical axis = iota
	horizontal
)

// edge is one side of a box. Points with sign × coordinate ≥ sign × at are inside.
type edge struct {
	axis axis
	sign float64
	at   float64
}

// edges returns the four sides of a box.
func edges(b scene.Box) [4]edge {
	return [4]edge{
		{vertical, 1, b.X}, {vertical, -1, b.X + b.W},
		{horizontal, 1, b.Y}, {horizontal, -1, b.Y + b.H},
	}
}

// inside returns how far a point lies inside the edge; a negative number means outside.
func (e edge) inside(p scene.Point) float64 {
	if e.axis == vertical {
		return e.sign * (p.X - e.at)
	}
	return e.sign * (p.Y - e.at)
}

// meet returns where the line from p to q crosses the edge.
func (e edge) meet(p, q scene.Point) scene.Point {
	d, f := e.inside(p), e.inside(q)
	t := d / (d - f)
	m := scene.Point{X: p.X + t*(q.X-p.X), Y: p.Y + t*(q.Y-p.Y)}
	if e.axis == vertical {
		m.X = e.at
	} else {
		m.Y = e.at
	}
	return m
}

// cut returns the part of a ring that lies inside, closed along the edge (Sutherland
// and Hodgman 1974). It returns a ring that lies completely inside unchanged.
func (e edge) cut(ring []scene.Point) []scene.Point {
	beyond := 0
	for _, p := range ring {
		if e.inside(p) < 0 {
			beyond++
		}
	}
	if beyond == 0 {
		return ring
	}
	if beyond == len(ring) {
		return nil
	}
	out := make([]scene.Point, 0, len(ring)-beyond+8)
	last := ring[len(ring)-1]
	for _, p := range ring {
		if (e.inside(last) < 0) != (e.inside(p) < 0) {
			out = append(out, e.meet(last, p))
		}
		if e.inside(p) >= 0 {
			out = append(out, p)
		}
		last = p
	}
	return out
}

// cutRing returns the part of a ring that lies in a box.
func cutRing(ring []scene.Point, b scene.Box) []scene.Point {
	for _, e := range edges(b) {
		if ring = e.cut(ring); len(ring) < 3 {
			return nil
		}
	}
	return ring
}

// cutLine calls yield with each piece of a line that lies in a box.
func cutLine(line []scene.Point, b scene.Box, yield func([]scene.Point)) {
	sides := edges(b)
	var run []scene.Point
	flush := func() {
		if len(run) > 1 {
			yield(run)
		}
		run = nil
	}
	for i := 1; i < len(line); i++ {
		p, q, ok := cutSegment(line[i-1], line[i], sides)
		if !ok {
			flush()
			continue
		}
		if len(run) == 0 || run[len(run)-1] != p {
			flush()
			run = append(run, p)
		}
		run = append(run, q)
	}
	flush()
}

// cutSegment returns the part of a straight line that lies inside all sides.
func cutSegment(p, q scene.Point, sides [4]edge) (scene.Point, scene.Point, bool) {
	for _, e := range sides {
		switch dp, dq := e.inside(p), e.inside(q); {
		case dp < 0 && dq < 0:
			return p, q, false
		case dp < 0:
			p = e.meet(p, q)
		case dq < 0:
			q = e.meet(p, q)
		}
	}
	return p, q, true
}
