package atlas

import (
	"math"

	"almanac/internal/chart/scene"
)

// projection is an equal-area map from the globe of radius 1 to the plane: a square
// unit of the plane is a steradian everywhere. North is up: y grows upwards. Lines and
// rings are given in degrees; a ring does not repeat its first point at the end.
type projection interface {
	// ring cuts a ring at the edge of the map and projects the rest.
	ring(places []scene.Point) [][]scene.Point
	// line cuts and projects a line in the same way.
	line(places []scene.Point) [][]scene.Point
}

const degree = math.Pi / 180

// equalEarth is the projection of Šavrič, Patterson and Jenny (2018), for the whole
// world centred on one meridian.
type equalEarth struct {
	middle float64 // degrees east
	south  float64 // rings that lie completely south of it are left out
}

// Coefficients of the polynomial, from the projection's authors.
const (
	ee1 = 1.340264
	ee2 = -0.081106
	ee3 = 0.000893
	ee4 = 0.003796
)

// project returns the position of a point that is lon degrees east of the central
// meridian.
func (equalEarth) project(lon, lat float64) scene.Point {
	t := math.Asin(math.Sqrt(3) / 2 * math.Sin(lat*degree))
	t2 := t * t
	t6 := t2 * t2 * t2
	return scene.Point{
		X: 2 * math.Sqrt(3) * lon * degree * math.Cos(t) / (3 * (9*ee4*t6*t2 + 7*ee3*t6 + 3*ee2*t2 + ee1)),
		Y: t * (ee4*t6*t2 + ee3*t6 + ee2*t2 + ee1),
	}
}

// relative returns a longitude relative to the central meridian, in [-180, 180).
func (e equalEarth) relative(lon float64) float64 {
	return math.Mod(math.Mod(lon-e.middle+180, 360)+360, 360) - 180
}

func (e equalEarth) ring(places []scene.Point) [][]scene.Point {
	unrolled := make([]scene.Point, len(places))
	west, east, north := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, p := range places {
		lon := e.relative(p.X)
		if i > 0 {
			// Take the shorter way around the globe to the next point.
			lon += 360 * math.Round((unrolled[i-1].X-lon)/360)
		}
		unrolled[i] = scene.Point{X: lon, Y: p.Y}
		west, east, north = min(west, lon), max(east, lon), max(north, p.Y)
	}
	if north < e.south {
		return nil
	}
	if west >= -180 && east <= 180 {
		return [][]scene.Point{e.plane(unrolled)}
	}
	var pieces [][]scene.Point
	for turn := math.Floor((west + 180) / 360); turn <= math.Floor((east+180)/360); turn++ {
		piece := make([]scene.Point, len(unrolled))
		for i, p := range unrolled {
			piece[i] = scene.Point{X: p.X - 360*turn, Y: p.Y}
		}
		piece = edge{axis: vertical, sign: 1, at: -180}.cut(piece)
		piece = edge{axis: vertical, sign: -1, at: 180}.cut(piece)
		if len(piece) > 2 {
			pieces = append(pieces, e.plane(piece))
		}
	}
	return pieces
}

// plane projects points whose longitudes are already relative to the centre.
func (e equalEarth) plane(places []scene.Point) []scene.Point {
	out := make([]scene.Point, len(places))
	for i, p := range places {
		out[i] = e.project(p.X, p.Y)
	}
	return out
}

func (e equalEarth) line(places []scene.Point) [][]scene.Point {
	var lines [][]scene.Point
	var run []scene.Point
	last := 0.0
	for _, p := range places {
		lon := e.relative(p.X)
		if len(run) > 0 && math.Abs(lon-last) > 180 {
			lines = append(lines, run)
			run = nil
		}
		run = append(run, e.project(lon, p.Y))
		last = lon
	}
	return append(lines, run)
}

// azimuthal is Lambert's azimuthal equal-area projection of the hemisphere around a
// point.
type azimuthal struct {
	lon, lat       float64 // the centre, in degrees
	sinLat, cosLat float64 // of the centre
}

func newAzimuthal(lon, lat float64) azimuthal {
	return azimuthal{lon: lon, lat: lat, sinLat: math.Sin(lat * degree), cosLat: math.Cos(lat * degree)}
}

// horizon is the distance on the plane from the centre to the edge of the hemisphere.
const horizon = math.Sqrt2

// project returns the position of a point, and whether it is on the hemisphere around
// the centre. Any other point is moved to the horizon in its direction.
func (a azimuthal) project(p scene.Point) (q scene.Point, near bool) {
	sin, cos := math.Sincos(p.Y * degree)
	sinLon, cosLon := math.Sincos((p.X - a.lon) * degree)
	x, y := cos*sinLon, a.cosLat*sin-a.sinLat*cos*cosLon
	height := a.sinLat*sin + a.cosLat*cos*cosLon // cosine of the distance
	if height > 0 {
		k := math.Sqrt(2 / (1 + height))
		return scene.Point{X: k * x, Y: k * y}, true
	}
	if r := math.Hypot(x, y); r > 1e-9 {
		return scene.Point{X: horizon * x / r, Y: horizon * y / r}, false
	}
	return scene.Point{Y: horizon}, false // the antipode lies in every direction
}

func (a azimuthal) ring(places []scene.Point) [][]scene.Point {
	out := make([]scene.Point, 0, len(places))
	any, wasNear := false, true
	for i, p := range places {
		q, near := a.project(p)
		if !near && !wasNear && i > 0 {
			out = alongHorizon(out, q)
		}
		out = append(out, q)
		any, wasNear = any || near, near
	}
	if !any {
		return nil
	}
	return [][]scene.Point{out}
}

// alongHorizon adds points on the horizon between the last one and q, so that the line
// does not cut across the map.
func alongHorizon(out []scene.Point, q scene.Point) []scene.Point {
	const maxStep = 5 * degree
	last := out[len(out)-1]
	from := math.Atan2(last.Y, last.X)
	way := math.Remainder(math.Atan2(q.Y, q.X)-from, 2*math.Pi)
	steps := math.Ceil(math.Abs(way) / maxStep)
	for s := 1.0; s < steps; s++ {
		sin, cos := math.Sincos(from + way*s/steps)
		out = append(out, scene.Point{X: horizon * cos, Y: horizon * sin})
	}
	return out
}

func (a azimuthal) line(places []scene.Point) [][]scene.Point {
	var lines [][]scene.Point
	var run []scene.Point
	for _, p := range places {
		if q, near := a.project(p); near {
			run = append(run, q)
		} else if len(run) > 0 {
			lines = append(lines, run)
			run = nil
		}
	}
	return append(lines, run)
}
