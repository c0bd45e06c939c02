package atlas

import (
	"math"

	"almanac/internal/chart/scene"
)

// conic is Albers' equal-area conic projection of the sphere, with the point at the given
// latitude on the central meridian at the origin of the plane.
type conic struct {
	lon          float64 // the central meridian, in degrees
	n, c, rhoMid float64
}

// newConic returns the projection with two standard parallels, about a point; all in
// degrees.
func newConic(south, north, lon, lat float64) conic {
	p := conic{lon: lon, n: (math.Sin(south*degree) + math.Sin(north*degree)) / 2}
	p.c = math.Pow(math.Cos(south*degree), 2) + 2*p.n*math.Sin(south*degree)
	p.rhoMid = p.rho(lat)
	return p
}

func (p conic) rho(lat float64) float64 {
	return math.Sqrt(max(p.c-2*p.n*math.Sin(lat*degree), 0)) / p.n
}

func (p conic) project(q scene.Point) scene.Point {
	rho := p.rho(q.Y)
	sin, cos := math.Sincos(p.n * math.Remainder(q.X-p.lon, 360) * degree)
	return scene.Point{X: rho * sin, Y: p.rhoMid - rho*cos}
}

func (p conic) ring(places []scene.Point) [][]scene.Point { return p.line(places) }

func (p conic) line(places []scene.Point) [][]scene.Point {
	out := make([]scene.Point, len(places))
	for i, q := range places {
		out[i] = p.project(q)
	}
	return [][]scene.Point{out}
}

// inset is a part of a country that is drawn in a frame of its own, because it lies far
// from the rest.
type inset struct {
	west, south, east, north float64 // the part, in degrees
	projection               conic
	scale                    float64   // of lengths, relative to the rest
	at                       scene.Box // the frame on the plane, y upwards
	middle                   scene.Point
}

// has reports whether a place is in the part. Alaska reaches across the 180th meridian.
func (i *inset) has(p scene.Point) bool {
	lon := p.X
	if lon > 0 {
		lon -= 360
	}
	return lon >= i.west && lon <= i.east && p.Y >= i.south && p.Y <= i.north
}

// withInsets is the map of a country of which parts are drawn in insets. A ring lies in one
// of them or in none.
type withInsets struct {
	conic
	insets []inset
}

func (w withInsets) ring(places []scene.Point) [][]scene.Point { return w.line(places) }

func (w withInsets) line(places []scene.Point) [][]scene.Point {
	if len(places) == 0 {
		return nil
	}
	for k := range w.insets {
		if i := &w.insets[k]; i.has(places[0]) {
			lines := i.projection.line(places)
			for j, p := range lines[0] {
				lines[0][j] = scene.Point{X: i.middle.X + i.scale*p.X, Y: i.middle.Y + i.scale*p.Y}
			}
			return lines
		}
	}
	return w.conic.line(places)
}

// unitedStates is the map of the United States: the contiguous states in the projection of
// the US Census Bureau's maps, Alaska, Hawaii and Puerto Rico below them in their own.
// Alaska has three tenths of the scale; the other insets have that of the contiguous
// states.
var unitedStates = &region{
	projection: withInsets{
		conic: newConic(29.5, 45.5, -96, 38.5),
		insets: []inset{
			{west: -190, south: 50, east: -129, north: 72, projection: newConic(55, 65, -154, 62.5), scale: .3,
				middle: scene.Point{X: -.302, Y: -.182}, at: scene.Box{X: -.38, Y: -.245, W: .155, H: .12}},
			{west: -161, south: 18, east: -154, north: 23, projection: newConic(8, 18, -157.5, 20.6), scale: 1,
				middle: scene.Point{X: -.17, Y: -.211}, at: scene.Box{X: -.219, Y: -.245, W: .122, H: .073}},
			{west: -68, south: 17.5, east: -65, north: 19, projection: newConic(8, 18, -66.4, 18.2), scale: 1,
				middle: scene.Point{X: .315, Y: -.225}, at: scene.Box{X: .286, Y: -.245, W: .076, H: .04}},
		},
	},
	frame: scene.Box{X: -.382, Y: -.249, W: .744, H: .486},
	west:  .5,
	note:  "Alaska is drawn at 30% of the scale of the other states.",
	bare:  true,
}
