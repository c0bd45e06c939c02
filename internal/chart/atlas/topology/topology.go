// Package topology turns polygons, as files of GeoJSON and TopoJSON have them, into arcs
// that neighbours share: a border between two areas is one line, and stays one line when
// it is simplified.
//
// [Parse] reads a file, [Build] finds the arcs, and [Rank] says how much the outline would
// lose without each of their points. The embedded outlines and those of a host's folder
// are made in the same way.
package topology

import (
	"math"

	"almanac/internal/chart/scene"
)

// Shape is an area with its outline. Polygons of the same ID are one area.
type Shape struct {
	ID       string
	Polygons []Polygon
}

// Polygon is an outer ring and its holes: longitudes (X) and latitudes (Y) in degrees. The
// last point of a ring may repeat the first.
type Polygon [][]scene.Point

// Topology is a set of areas and the arcs of their outlines.
type Topology struct {
	Arcs  []Arc
	Areas []Area // in the order in which their IDs first occur
}

// Arc is a complete ring, or a line between two points where three areas, or areas and
// the sea, meet.
type Arc struct {
	Points []scene.Point
	Ranks  []byte // of the points, see [Rank]
}

// Area is an area. Its rings are lists of arc numbers, ^number if the arc runs backwards.
type Area struct {
	ID       string
	Polygons [][][]int
}

// grid is the distance in degrees below which points are the same: a tenth of a metre.
const grid = 1e-6

// vertex is the number of a point among all different points.
type vertex = int32

// builder finds the arcs of rings.
type builder struct {
	points  []scene.Point
	numbers map[[2]int64]vertex
	around  [][2]vertex // the neighbours of a vertex at its first visit
	visited []bool
	ends    []bool // an arc ends at the vertex
	arcs    [][]vertex
	byEnds  map[[3]vertex][]int // arcs by their ends and length
}

// Build finds the arcs of shapes. Rings of fewer than three different points are left out.
func Build(shapes []Shape) *Topology {
	b := &builder{numbers: map[[2]int64]vertex{}, byEnds: map[[3]vertex][]int{}}
	t := &Topology{}
	at := map[string]int{}
	rings := make([][][][]vertex, 0, len(shapes)) // of the polygons of each area
	for _, s := range shapes {
		i, known := at[s.ID]
		if !known {
			i = len(t.Areas)
			at[s.ID] = i
			t.Areas, rings = append(t.Areas, Area{ID: s.ID}), append(rings, nil)
		}
		for _, p := range s.Polygons {
			if polygon := b.polygon(p); polygon != nil {
				rings[i] = append(rings[i], polygon)
			}
		}
	}
	for _, polygons := range rings {
		for _, p := range polygons {
			for _, ring := range p {
				b.markEnds(ring)
			}
		}
	}
	for i, polygons := range rings {
		for _, p := range polygons {
			var refs [][]int
			for _, ring := range p {
				refs = append(refs, b.cut(ring))
			}
			t.Areas[i].Polygons = append(t.Areas[i].Polygons, refs)
		}
		b.dissolve(&t.Areas[i])
	}
	b.number(t)
	return t
}

// number gives the topology the arcs that its areas use.
func (b *builder) number(t *Topology) {
	numbers := make([]int, len(b.arcs)) // plus one, zero if not used
	for _, a := range t.Areas {
		for _, p := range a.Polygons {
			for _, ring := range p {
				for i, ref := range ring {
					old := max(ref, ^ref)
					if numbers[old] == 0 {
						t.Arcs = append(t.Arcs, b.arcOf(old))
						numbers[old] = len(t.Arcs)
					}
					if ring[i] = numbers[old] - 1; ref < 0 {
						ring[i] = ^ring[i]
					}
				}
			}
		}
	}
}

// arcOf returns the points of an arc.
func (b *builder) arcOf(number int) Arc {
	arc := Arc{Points: make([]scene.Point, len(b.arcs[number]))}
	for i, v := range b.arcs[number] {
		arc.Points[i] = b.points[v]
	}
	return arc
}

// polygon returns the vertices of a polygon's rings, or nil if the outer one is too small.
func (b *builder) polygon(p Polygon) (rings [][]vertex) {
	for i, points := range p {
		ring := b.ring(points)
		switch {
		case len(ring) > 2:
			rings = append(rings, ring)
		case i == 0:
			return nil
		}
	}
	return rings
}

// ring returns the vertices of a ring without repetitions and without spikes: lines there
// and back, which coarse grids produce.
func (b *builder) ring(points []scene.Point) []vertex {
	ring := make([]vertex, 0, len(points))
	for _, p := range points {
		v := b.vertex(p)
		switch n := len(ring); {
		case n > 0 && ring[n-1] == v:
		case n > 1 && ring[n-2] == v:
			ring = ring[:n-1]
		default:
			ring = append(ring, v)
		}
	}
	for n := len(ring); n > 1; n = len(ring) {
		switch {
		case ring[0] == ring[n-1]:
			ring = ring[:n-1]
		case n > 2 && ring[1] == ring[n-1]:
			ring = ring[1 : n-1]
		case n > 2 && ring[0] == ring[n-2]:
			ring = ring[:n-2]
		default:
			return ring
		}
	}
	return ring
}

func (b *builder) vertex(p scene.Point) vertex {
	key := [2]int64{int64(math.Round(p.X / grid)), int64(math.Round(p.Y / grid))}
	if key[0] == -180/grid { // files cut Russia and Fiji there
		key[0] = 180 / grid
	}
	v, known := b.numbers[key]
	if !known {
		v = vertex(len(b.points))
		b.numbers[key] = v
		b.points = append(b.points, p)
		b.around, b.visited, b.ends = append(b.around, [2]vertex{}), append(b.visited, false), append(b.ends, false)
	}
	return v
}

// markEnds marks the vertices of a ring at which another ring goes another way.
func (b *builder) markEnds(ring []vertex) {
	for i, v := range ring {
		before, after := ring[(i+len(ring)-1)%len(ring)], ring[(i+1)%len(ring)]
		pair := [2]vertex{min(before, after), max(before, after)}
		if !b.visited[v] {
			b.visited[v], b.around[v] = true, pair
		} else if b.around[v] != pair {
			b.ends[v] = true
		}
	}
}

// cut divides a ring into arcs.
func (b *builder) cut(ring []vertex) (refs []int) {
	start, isWhole := 0, true
	for i, v := range ring {
		if b.ends[v] {
			start, isWhole = i, false
			break
		}
		if v < ring[start] { // a ring without ends begins at its lowest vertex
			start = i
		}
	}
	turned := append(append(make([]vertex, 0, len(ring)+1), ring[start:]...), ring[:start]...)
	turned = append(turned, turned[0])
	if isWhole {
		return []int{b.arc(turned)}
	}
	from := 0
	for i := 1; i < len(turned); i++ {
		if b.ends[turned[i]] {
			refs = append(refs, b.arc(turned[from:i+1]))
			from = i
		}
	}
	return refs
}

// arc returns the number of an arc, ^number if it is known in the other direction.
func (b *builder) arc(points []vertex) int {
	first, last := points[0], points[len(points)-1]
	key := [3]vertex{min(first, last), max(first, last), vertex(len(points))}
	for _, number := range b.byEnds[key] {
		switch known := b.arcs[number]; {
		case equal(known, points, false):
			return number
		case equal(known, points, true):
			return ^number
		}
	}
	b.arcs = append(b.arcs, points)
	b.byEnds[key] = append(b.byEnds[key], len(b.arcs)-1)
	return len(b.arcs) - 1
}

// equal reports whether b has the points of a, of equal length, perhaps backwards.
func equal(a, b []vertex, backwards bool) bool {
	for i, v := range a {
		j := i
		if backwards {
			j = len(b) - 1 - i
		}
		if b[j] != v {
			return false
		}
	}
	return true
}

// Refine inserts points between those more than a degree apart. Long lines, such as the
// border along the 49th parallel, are straight in degrees; on most maps they are curves.
func (t *Topology) Refine() {
	const maxStep = 1.0 // degrees
	for i := range t.Arcs {
		old := t.Arcs[i].Points
		points := old[:1:1]
		for j, q := range old[1:] {
			p := old[j]
			far := math.Max(math.Abs(q.X-p.X), math.Abs(q.Y-p.Y))
			if far > 180 {
				far = 0 // crosses the 180th meridian: no such edge is long
			}
			steps := math.Ceil(far / maxStep)
			for s := 1.0; s < steps; s++ {
				points = append(points, scene.Point{X: p.X + (q.X-p.X)*s/steps, Y: p.Y + (q.Y-p.Y)*s/steps})
			}
			points = append(points, q)
		}
		t.Arcs[i].Points = points
	}
}
