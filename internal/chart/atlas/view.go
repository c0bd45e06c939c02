package atlas

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/scene"
)

// Limits of detail.
const (
	minPointArea  = 0.25 // square pixels that an outline must lose without a point to keep it
	minIslandArea = 0.5  // square pixels of the smallest island or enclave
	centreError   = 0.5  // pixels by which the position for a number may be off
	maxSteps      = 8192 // steps of that size across the box, at most
)

func (o *outlines) find(id string) (*area, bool) {
	o.indexed.Do(func() {
		o.index = make(map[string]int, len(o.areas))
		for i := range o.areas {
			o.index[o.areas[i].id] = i
		}
	})
	i, ok := o.index[id]
	if !ok {
		return nil, false
	}
	return &o.areas[i], true
}

// sheet lays out a view: it moves, scales and flips the region's plane (y points down in
// a scene) and cuts it at the box.
type sheet struct {
	outlines *outlines
	region   *region
	box      scene.Box
	x, y     float64 // position of the plane's origin
	units    float64 // units per unit of the plane
	pixel    float64 // size of a pixel in units
	least    byte    // lowest rank of the points that are kept
	thin     [][]scene.Point
}

func newSheet(a Request) *sheet {
	r, o := a.regionFor(), a.Set.load().outlines
	if a.Frame.isPart(a.Set.load()) {
		o = o.partOf(a.Frame.Of)
	}
	s := &sheet{outlines: o, region: r, box: a.Box, pixel: 1 / a.Pixels}
	fit := min(a.Box.W/r.frame.W, a.Box.H/r.frame.H)
	s.units = fit * a.Scale
	s.box.H -= a.Low
	beside := a.Box.W/fit - r.frame.W
	s.x = a.Box.X + a.Box.W/2 + a.X - s.units*(r.frame.X+r.frame.W/2-(r.west-.5)*beside)
	s.y = a.Box.Y + a.Box.H/2 + a.Y + s.units*(r.frame.Y+r.frame.H/2)
	s.least = rankOf(minPointArea * s.pixel * s.pixel / (s.units * s.units))
	s.thin = make([][]scene.Point, len(o.arcs))
	return s
}

// rankOf returns the rank in world.bin of an area on the sphere of radius 1.
func rankOf(steradians float64) byte {
	return byte(min(max(math.Round(4*(math.Log2(steradians)+44)), 0), 254))
}

// layout lays out the view of a normalized Request.
func layout(a Request) *View {
	v := &View{Borders: &scene.Outline{}, Disputed: &scene.Outline{}, Coasts: &scene.Outline{}}
	if a.Box.W == 0 || a.Box.H <= a.Low {
		return v
	}
	s := newSheet(a)
	if v.Note = s.region.note; a.Set.load().hasLargerAreas() && !a.Frame.isPart(a.Set.load()) {
		v.Inner = &scene.Outline{}
	}
	if a.Set != Countries && !s.region.bare {
		s.surround(v, a.Set.load())
	}
	for i := range s.outlines.areas {
		if shape, ok := s.shape(&s.outlines.areas[i]); ok {
			shape.Around = shape.Around || !a.Frame.has(shape.Area)
			v.Shapes = append(v.Shapes, shape)
		}
	}
	slices.SortStableFunc(v.Shapes, func(a, b Shape) int { return cmp.Compare(a.Area, b.Area) })
	s.lines(v, nil)
	s.frames(v)
	if globe := s.region.sphere(); globe != nil {
		v.Sphere = &scene.Outline{}
		addRing(v.Sphere, cutRing(s.onSheet(globe), s.box))
	}
	return v
}

// surround adds the countries around a set, and the disputed borders of the countries that
// it covers. Of embedded sets, whose outlines are those of the countries, the covered
// country lies below its parts: the Siachen Glacier belongs to no part of India.
func (s *sheet) surround(v *View, set *regional) {
	world := *s
	world.outlines, world.thin = theWorld(), make([][]scene.Point, len(theWorld().arcs))
	isCovered := func(number int) bool { return slices.Contains(set.covered, world.outlines.areas[number].id) }
	for i := range world.outlines.areas {
		if shape, ok := world.shape(&world.outlines.areas[i]); ok && !(set.isOther && isCovered(i)) {
			shape.Around = true
			v.Shapes = append(v.Shapes, shape)
		}
	}
	world.lines(v, func(a *arc) bool { return a.disputed || !slices.ContainsFunc(a.owners, isCovered) })
}

// frames adds the frames of insets.
func (s *sheet) frames(v *View) {
	p, ok := s.region.projection.(withInsets)
	if !ok {
		return
	}
	v.Insets = &scene.Outline{}
	for _, i := range p.insets {
		b := i.at
		corners := []scene.Point{{X: b.X, Y: b.Y}, {X: b.X, Y: b.Y + b.H}, {X: b.X + b.W, Y: b.Y + b.H}, {X: b.X + b.W, Y: b.Y}}
		addRing(v.Insets, cutRing(s.onSheet(corners), s.box))
	}
}

// lines adds the borders, which two areas share, and the coasts: those of the arcs for
// which isPart returns true; nil: of all.
func (s *sheet) lines(v *View, isPart func(*arc) bool) {
	for number := range s.outlines.arcs {
		arc := &s.outlines.arcs[number]
		if len(arc.owners) == 0 || isPart != nil && !isPart(arc) {
			continue
		}
		to := v.Borders
		switch {
		case len(arc.owners) < 2:
			to = v.Coasts
		case v.Inner != nil && isPart == nil && s.isInner(arc):
			to = v.Inner
		case arc.disputed:
			to = v.Disputed
		}
		places := s.places(number)
		closed := places[0] == places[len(places)-1]
		for _, line := range s.region.projection.line(places) {
			s.onSheet(line)
			if closed && len(line) > 0 && content(line) < minIslandArea*s.pixel*s.pixel {
				continue // shape leaves out the island
			}
			cutLine(line, s.box, func(piece []scene.Point) { addLine(to, piece) })
		}
	}
}

// isInner reports whether a border lies within one larger area.
func (s *sheet) isInner(a *arc) bool {
	return LargerArea(s.outlines.areas[a.owners[0]].id) == LargerArea(s.outlines.areas[a.owners[1]].id)
}

// places returns the points of an arc that are needed at this size.
func (s *sheet) places(number int) []scene.Point {
	if s.thin[number] == nil {
		a := s.outlines.arcs[number]
		thin := make([]scene.Point, 0, len(a.places))
		for i, p := range a.places {
			if a.ranks[i] >= s.least {
				thin = append(thin, p)
			}
		}
		s.thin[number] = slices.Clip(thin)
	}
	return s.thin[number]
}

// allPlaces returns every point of an arc.
func (s *sheet) allPlaces(number int) []scene.Point { return s.outlines.arcs[number].places }

// trace returns the points of a ring without repeating the first one.
func trace(ring []int, places func(int) []scene.Point) []scene.Point {
	var out []scene.Point
	for _, ref := range ring {
		if ref >= 0 {
			p := places(ref)
			out = append(out, p[:len(p)-1]...)
			continue
		}
		p := places(^ref)
		for i := len(p) - 1; i > 0; i-- {
			out = append(out, p[i])
		}
	}
	return out
}

// onSheet converts points of the plane to scene units, in place.
func (s *sheet) onSheet(points []scene.Point) []scene.Point {
	for i, p := range points {
		points[i] = scene.Point{X: s.x + s.units*p.X, Y: s.y - s.units*p.Y}
	}
	return points
}

// part is a visible part of an island or of the mainland: its outer ring and its holes.
type part struct {
	rings  [][]scene.Point
	extent float64
}

// parts returns the visible parts of a polygon. There are several if the edge of the map
// or of the box divides it.
func (s *sheet) parts(p polygon, places func(int) []scene.Point) []part {
	var parts []part
	for _, outer := range s.cut(trace(p[0], places)) {
		parts = append(parts, part{rings: [][]scene.Point{outer}, extent: content(outer)})
	}
	for _, ring := range p[1:] {
		for _, hole := range s.cut(trace(ring, places)) {
			size := content(hole)
			if size < minIslandArea*s.pixel*s.pixel {
				continue
			}
			for i := range parts {
				if len(parts) == 1 || holds(parts[i].rings[0], hole[0]) {
					parts[i].rings = append(parts[i].rings, hole)
					parts[i].extent -= size
				}
			}
		}
	}
	return parts
}

// cut projects a ring to the sheet and keeps what lies in the box.
func (s *sheet) cut(places []scene.Point) [][]scene.Point {
	var kept [][]scene.Point
	for _, ring := range s.region.projection.ring(places) {
		if ring = cutRing(s.onSheet(ring), s.box); len(ring) > 2 {
			kept = append(kept, ring)
		}
	}
	return kept
}

// holds reports whether a ring contains a point.
func holds(ring []scene.Point, p scene.Point) bool {
	return depth([][]scene.Point{ring}, p.X/ellipseAspect, p.Y) > 0
}

// shape returns the visible part of an area; ok is false if nothing is visible.
func (s *sheet) shape(a *area) (shape Shape, ok bool) {
	var parts []part
	for _, p := range a.polygons {
		visible := s.parts(p, s.places)
		if len(visible) == 0 || visible[0].extent == 0 {
			// Too few points are left to enclose an area. The whole outline is small,
			// so use all of it.
			visible = s.parts(p, s.allPlaces)
		}
		parts = append(parts, visible...)
	}
	largest := -1
	for i, p := range parts {
		if p.extent > 0 && (largest < 0 || p.extent > parts[largest].extent) {
			largest = i
		}
	}
	if largest < 0 {
		return Shape{}, false
	}
	shape = Shape{Area: a.id, Outline: &scene.Outline{}, Around: !s.region.has(a.id)}
	for i, p := range parts {
		if i != largest && p.extent < minIslandArea*s.pixel*s.pixel {
			continue
		}
		shape.Extent += p.extent
		for _, ring := range p.rings {
			addRing(shape.Outline, ring)
		}
	}
	e := widest(parts[largest].rings, max(centreError*s.pixel, s.box.W/maxSteps, s.box.H/maxSteps))
	shape.X, shape.Y, shape.RX, shape.RY = e.X, e.Y, e.R*ellipseAspect, e.R
	return shape, true
}

// addRing adds a closed subpath.
func addRing(to *scene.Outline, ring []scene.Point) {
	if len(ring) > 2 {
		addLine(to, ring)
		to.Close()
	}
}

// addLine adds an open subpath.
func addLine(to *scene.Outline, line []scene.Point) {
	to.Grow(len(line)+1, len(line))
	for i, p := range line {
		if i == 0 {
			to.MoveTo(p.X, p.Y)
		} else {
			to.LineTo(p.X, p.Y)
		}
	}
}
