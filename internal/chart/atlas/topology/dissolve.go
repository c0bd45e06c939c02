package topology

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/scene"
)

// dissolve removes the lines inside an area, between polygons that files cut apart: at the
// 180th meridian, or into several features of one code.
func (b *builder) dissolve(a *Area) {
	uses := map[int]int{}
	for _, p := range a.Polygons {
		for _, ring := range p {
			for _, ref := range ring {
				uses[ref]++
			}
		}
	}
	isInner := func(ref int) bool { return uses[^ref] > 0 }
	var apart [][][]int
	from := map[vertex][]int{} // the arcs of the others that begin at a vertex
	var order []vertex
	for _, p := range a.Polygons {
		if !slices.ContainsFunc(p, func(ring []int) bool { return slices.ContainsFunc(ring, isInner) }) {
			apart = append(apart, p)
			continue
		}
		for _, ref := range slices.Concat(p...) {
			if uses[ref] > uses[^ref] {
				start, _ := b.endsOf(ref)
				from[start] = append(from[start], ref)
				order = append(order, start)
			}
		}
	}
	if order == nil && len(apart) == len(a.Polygons) {
		return
	}
	a.Polygons = append(apart, b.polygonsOf(b.join(from, order))...)
}

// endsOf returns the first and the last vertex of an arc.
func (b *builder) endsOf(ref int) (first, last vertex) {
	arc := b.arcs[max(ref, ^ref)]
	first, last = arc[0], arc[len(arc)-1]
	if ref < 0 {
		return last, first
	}
	return first, last
}

// join joins arcs to rings. Arcs that do not close are left out.
func (b *builder) join(from map[vertex][]int, order []vertex) (rings [][]int) {
	for _, start := range order {
		var ring []int
		for at := start; len(from[at]) > 0; {
			ref := from[at][0]
			from[at] = from[at][1:]
			ring = append(ring, ref)
			if _, at = b.endsOf(ref); at == start {
				rings = append(rings, ring)
				break
			}
		}
	}
	return rings
}

// polygonsOf sorts rings into polygons: a ring within a larger one is its hole.
func (b *builder) polygonsOf(rings [][]int) (polygons [][][]int) {
	points := map[*int][]scene.Point{} // of a ring, by the address of its first arc
	for _, ring := range rings {
		points[&ring[0]] = b.trace(ring)
	}
	slices.SortStableFunc(rings, func(x, y []int) int {
		return cmp.Compare(content(points[&y[0]]), content(points[&x[0]]))
	})
	for _, ring := range rings {
		inside := slices.IndexFunc(polygons, func(p [][]int) bool { return holds(points[&p[0][0]], points[&ring[0]][0]) })
		if inside >= 0 {
			polygons[inside] = append(polygons[inside], ring)
		} else {
			polygons = append(polygons, [][]int{ring})
		}
	}
	return polygons
}

// trace returns the points of a ring; none is more than half a turn from the one before.
func (b *builder) trace(ring []int) (points []scene.Point) {
	for _, ref := range ring {
		arc := slices.Clone(b.arcs[max(ref, ^ref)])
		if ref < 0 {
			slices.Reverse(arc)
		}
		for _, v := range arc[:len(arc)-1] {
			p := b.points[v]
			if n := len(points); n > 0 {
				p.X += 360 * math.Round((points[n-1].X-p.X)/360)
			}
			points = append(points, p)
		}
	}
	return points
}

// content returns the area of a ring, positive in either direction.
func content(ring []scene.Point) float64 {
	sum := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return math.Abs(sum) / 2
}

// holds reports whether a ring contains a point.
func holds(ring []scene.Point, at scene.Point) bool {
	inside := false
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		if (p.Y > at.Y) != (q.Y > at.Y) && at.X < p.X+(at.Y-p.Y)/(q.Y-p.Y)*(q.X-p.X) {
			inside = !inside
		}
	}
	return inside
}
