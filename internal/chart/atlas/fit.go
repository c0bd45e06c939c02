package atlas

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/scene"
)

// newFittedRegion returns the map of outlines that lie anywhere: Lambert's azimuthal
// equal-area projection about their middle.
func newFittedRegion(o *outlines) *region {
	lon, lat := o.middle()
	r := &region{projection: newAzimuthal(lon, lat), west: .5}
	r.frame = o.bounds(r.projection, o.areas)
	return r
}

// middle returns the middle of the outlines, in degrees: that of the directions in which
// their areas lie, each with its size as weight.
func (o *outlines) middle() (lon, lat float64) {
	var x, y, z float64
	s := &sheet{outlines: o}
	for _, a := range o.areas {
		for _, p := range a.polygons {
			ring := trace(p[0], s.allPlaces)
			var cx, cy, cz float64
			for _, q := range ring {
				sin, cos := math.Sincos(q.Y * degree)
				sinLon, cosLon := math.Sincos(q.X * degree)
				cx, cy, cz = cx+cos*cosLon, cy+cos*sinLon, cz+sin
			}
			n := math.Sqrt(cx*cx + cy*cy + cz*cz)
			if n == 0 {
				continue
			}
			toward := newAzimuthal(math.Atan2(cy, cx)/degree, math.Asin(cz/n)/degree)
			size := 0.0
			for _, piece := range toward.ring(ring) {
				size += content(piece)
			}
			x, y, z = x+size*cx/n, y+size*cy/n, z+size*cz/n
		}
	}
	return math.Atan2(y, x) / degree, math.Atan2(z, math.Hypot(x, y)) / degree
}

// Share of the area of the outlines that a frame shows at least, and by which more it may
// grow for the rest. Islands far away, such as the Canary Islands on a map of Spain,
// would leave little space for the others.
const (
	framedShare = .985
	maxGrowth   = 1.08
	frameMargin = .03

	maxAreaGrowth = 1.35 // by which the frame may grow for a whole area, such as Corsica
)

// bounds returns the frame on the plane that shows the areas, without small parts that lie
// far away.
func (o *outlines) bounds(p projection, areas []area) scene.Box {
	type piece struct {
		box  scene.Box
		size float64
	}
	var pieces []piece
	total := 0.0
	s := &sheet{outlines: o}
	for _, a := range areas {
		for _, polygon := range a.polygons {
			for _, ring := range p.ring(trace(polygon[0], s.allPlaces)) {
				pieces = append(pieces, piece{around(ring), content(ring)})
				total += content(ring)
			}
		}
	}
	if pieces == nil {
		return scene.Box{X: -1, Y: -1, W: 2, H: 2}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.size, a.size) })
	frame, shown := pieces[0].box, 0.0
	for _, q := range pieces {
		wider := union(frame, q.box)
		if shown < framedShare*total || wider.W*wider.H <= maxGrowth*frame.W*frame.H {
			frame = wider
		}
		shown += q.size
	}
	margin := frameMargin * max(frame.W, frame.H)
	return scene.Box{X: frame.X - margin, Y: frame.Y - margin, W: frame.W + 2*margin, H: frame.H + 2*margin}
}

// grown returns a frame that also shows areas that lie near it, however small they are. boxes are the
// frames of the areas.
func grown(frame scene.Box, boxes []scene.Box) scene.Box {
	for _, box := range boxes {
		if wider := union(frame, box); wider.W*wider.H <= maxAreaGrowth*frame.W*frame.H {
			frame = wider
		}
	}
	return frame
}

func union(a, b scene.Box) scene.Box {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return scene.Box{X: x, Y: y, W: max(a.X+a.W, b.X+b.W) - x, H: max(a.Y+a.H, b.Y+b.H) - y}
}

// intersection returns what two boxes have in common; it has no area if that is nothing.
func intersection(a, b scene.Box) scene.Box {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	return scene.Box{X: x, Y: y, W: max(min(a.X+a.W, b.X+b.W)-x, 0), H: max(min(a.Y+a.H, b.Y+b.H)-y, 0)}
}

// covered returns the countries on the map of the world of which the outlines are parts:
// those whose middle lies in one of them.
func (o *outlines) covered() (countries []string) {
	type land struct {
		box  scene.Box
		ring []scene.Point
	}
	var lands []land
	s := &sheet{outlines: o}
	for _, a := range o.areas {
		for _, p := range a.polygons {
			ring := trace(p[0], s.allPlaces)
			lands = append(lands, land{around(ring), ring})
		}
	}
	for _, country := range theWorld().areas {
		at := theWorld().mainland(country)
		if slices.ContainsFunc(lands, func(l land) bool {
			return at.X > l.box.X && at.X < l.box.X+l.box.W && at.Y > l.box.Y && at.Y < l.box.Y+l.box.H && holds(l.ring, at)
		}) {
			countries = append(countries, country.id)
		}
	}
	return countries
}

// mainland returns a point in the largest part of an area, in degrees.
func (o *outlines) mainland(a area) scene.Point {
	s := &sheet{outlines: o}
	largest := []scene.Point{{}, {}, {}}
	for _, p := range a.polygons {
		if ring := trace(p[0], s.allPlaces); content(ring) > content(largest) {
			largest = ring
		}
	}
	e := widest([][]scene.Point{largest}, .1)
	return scene.Point{X: e.X, Y: e.Y}
}

// newSetRegion returns the map of a host's outlines. Parts of several countries, most of
// them in Europe, have the projection of Eurostat's maps. NUTS also has regions of France,
// Spain and Portugal on other continents.
func newSetRegion(o *outlines, covered []string) *region {
	europe, in := regionOf(Europe), 0
	for _, country := range covered {
		if europe.has(country) {
			in++
		}
	}
	if in > 1 && float64(in) >= mostOfEurope*float64(len(covered)) {
		return &region{projection: europe.projection, west: europe.west, frame: europe.frame}
	}
	return newFittedRegion(o)
}

// CountryAt returns the country at a place in degrees, by alpha-2 code; it is empty at sea.
func CountryAt(place scene.Point) string {
	w := theWorld()
	s := &sheet{outlines: w}
	for _, a := range w.areas {
		for _, p := range a.polygons {
			ring := trace(p[0], s.allPlaces)
			if box := around(ring); place.X >= box.X && place.X <= box.X+box.W && place.Y >= box.Y && place.Y <= box.Y+box.H && holds(ring, place) {
				return a.id
			}
		}
	}
	return ""
}
