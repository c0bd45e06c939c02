package atlas

import (
	"math"
	"testing"

	"almanac/internal/chart/scene"
)

// onPlane projects one point.
func onPlane(t *testing.T, p projection, lon, lat float64) scene.Point {
	t.Helper()
	lines := p.line([]scene.Point{{X: lon, Y: lat}})
	if len(lines) != 1 || len(lines[0]) != 1 {
		t.Fatalf("%v, %v is not on the map: %v", lon, lat, lines)
	}
	return lines[0][0]
}

// The projections agree with PROJ 9 on a sphere of the same radius (+proj=eqearth,
// +proj=laea).
func TestKnownPlaces(t *testing.T) {
	world := equalEarth{middle: 11.5}
	europe, oceania := newAzimuthal(10, 52), newAzimuthal(170, -18)
	for _, c := range []struct {
		p        projection
		lon, lat float64
		x, y     float64 // km
	}{
		{world, 11.5, 0, 0, 0},
		{world, 100, 45, 7266.284, 5480.538},
		{world, -160, -55, -12981.340, -6484.664},
		{world, -60, 10, -6799.918, 1287.214},
		{world, 170, 70, 10304.240, 7692.883},
		{world, 11.5, 90, 0, 8392.928},
		{europe, 10, 52, 0, 0},
		{europe, 5, 50, -357.109, -210.176},
		{europe, -19, 65, -1324.787, 1724.486},
		{europe, 45, 40, 2877.462, -646.649},
		{europe, 33, 35, 2083.261, -1568.996},
		{europe, 10, 90, 0, 4148.394},
		{oceania, -150, -17, 4143.017, -348.350},
		{oceania, 115, -32, -4907.935, -2498.695},
	} {
		got := onPlane(t, c.p, c.lon, c.lat)
		if math.Abs(got.X*earthRadius-c.x) > 0.01 || math.Abs(got.Y*earthRadius-c.y) > 0.01 {
			t.Errorf("%+v: %v, %v is at %.3f, %.3f km, want %.3f, %.3f", c.p, c.lon, c.lat, got.X*earthRadius, got.Y*earthRadius, c.x, c.y)
		}
	}
}

// The EPSG registry's example for projection 3035 has 50° N 5° E at 3962799.45,
// 2999718.85 m, with the centre at 4321000, 3210000. It uses an ellipsoid, this package a
// sphere; they differ by less than 0.4 %.
func TestEuropeMatchesEurostat(t *testing.T) {
	got := onPlane(t, regionOf(Europe).projection, 5, 50)
	x, y := got.X*earthRadius+4321, got.Y*earthRadius+3210
	if far := math.Hypot(x-3962.79945, y-2999.71885); far > 0.004*416 {
		t.Errorf("50° N 5° E is %.2f km from its position in EPSG:3035", far)
	}
}

// As the authors of the projection state, the globe is 2.05458 times as wide as it is
// high, and a pole is 0.59247 times as wide as the equator.
func TestProportionsOfEqualEarth(t *testing.T) {
	var e equalEarth
	equator, pole := e.project(180, 0).X, e.project(180, 90)
	if got := equator / pole.Y; math.Abs(got-2.05458) > 1e-5 {
		t.Errorf("the ratio of width to height is %.5f, want 2.05458", got)
	}
	if got := pole.X / equator; math.Abs(got-0.59247) > 1e-5 {
		t.Errorf("the ratio of the pole to the equator is %.5f, want 0.59247", got)
	}
}

// Cells of one degree have the same area on the plane as on the globe, over the whole
// world and over the hemisphere of each region.
func TestAreasArePreserved(t *testing.T) {
	for _, r := range append([]*region{theWholeWorld}, regions...) {
		cells := 0
		for lat := -89.0; lat < 89; lat += 4 {
			for lon := -180.0; lon < 180; lon += 7 {
				on := r.projection.ring(cell(lon, lat))
				if len(on) != 1 || !inFrame(r, on[0]) {
					continue
				}
				want := degree * (math.Sin((lat+1)*degree) - math.Sin(lat*degree))
				cells++
				if got := content(on[0]); math.Abs(got/want-1) > 2e-5 {
					t.Fatalf("%q: the cell at %v, %v has %.6f of its area", r.name, lon, lat, got/want)
				}
			}
		}
		if cells < 30 {
			t.Errorf("%q: only %d cells were compared", r.name, cells)
		}
	}
}

// cell returns the outline of a cell of one degree, in small steps.
func cell(lon, lat float64) []scene.Point {
	const steps = 16
	var out []scene.Point
	for i := range 4 * steps {
		f := float64(i%steps) / steps
		at := [][2]float64{{f, 0}, {1, f}, {1 - f, 1}, {0, 1 - f}}[i/steps]
		out = append(out, scene.Point{X: lon + at[0], Y: lat + at[1]})
	}
	return out
}

func inFrame(r *region, ring []scene.Point) bool {
	in := cutRing(ring, r.frame)
	return len(in) == len(ring) && in[0] == ring[0]
}

// In an azimuthal projection, a point at an arc c from the centre is projected in its
// true direction, at the distance 2·sin(c/2).
func TestDistanceAndDirection(t *testing.T) {
	a := newAzimuthal(90, 28)
	for lon := -5.0; lon < 180; lon += 13 {
		for lat := -40.0; lat <= 85; lat += 9 {
			sin, cos := math.Sin, math.Cos
			Δ, φ0, φ := (lon-90)*degree, 28*degree, lat*degree
			haversine := sin((φ-φ0)/2)*sin((φ-φ0)/2) + cos(φ0)*cos(φ)*sin(Δ/2)*sin(Δ/2)
			bearing := math.Atan2(sin(Δ)*cos(φ), cos(φ0)*sin(φ)-sin(φ0)*cos(φ)*cos(Δ))
			got, near := a.project(scene.Point{X: lon, Y: lat})
			if !near {
				continue
			}
			if want := 2 * math.Sqrt(haversine); math.Abs(math.Hypot(got.X, got.Y)-want) > 1e-9 {
				t.Errorf("%v, %v: at a distance of %v, want %v", lon, lat, math.Hypot(got.X, got.Y), want)
			}
			if off := math.Remainder(math.Atan2(got.X, got.Y)-bearing, 2*math.Pi); math.Hypot(got.X, got.Y) > 1e-6 && math.Abs(off) > 1e-9 {
				t.Errorf("%v, %v: the direction is off by %v", lon, lat, off)
			}
		}
	}
}

// A ring that crosses the seam of the map becomes two pieces, one at each end, and
// keeps its area.
func TestRingsAcrossTheSeam(t *testing.T) {
	e := equalEarth{middle: 11.5, south: -90}
	pieces := e.ring(cell(-169, 10)) // the seam is at 168.5° W
	if len(pieces) != 2 {
		t.Fatalf("%d pieces, want 2", len(pieces))
	}
	sum := 0.0
	for _, p := range pieces {
		sum += content(p)
		if b := around(p); b.W > 0.02 {
			t.Errorf("a piece is %v wide, want at most 0.02", b.W)
		}
	}
	want := degree * (math.Sin(11*degree) - math.Sin(10*degree))
	if math.Abs(sum/want-1) > 5e-3 { // the cut is straight, but the globe's edge is not
		t.Errorf("the pieces have %.5f of the cell's area, want about 1", sum/want)
	}
}

// A ring that extends to the other hemisphere follows the horizon there. A ring that lies
// completely in the other hemisphere is not drawn.
func TestBeyondTheHorizon(t *testing.T) {
	a := newAzimuthal(10, 52)
	if got := a.ring(cell(-170, -52)); got != nil {
		t.Errorf("a cell in the other hemisphere is drawn: %v", got)
	}
	var band []scene.Point // around the globe, from 10° N to the south pole
	for lon := -180.0; lon < 180; lon += 5 {
		band = append(band, scene.Point{X: lon, Y: 10})
	}
	for _, ring := range a.ring(band) {
		for _, p := range ring {
			if math.Hypot(p.X, p.Y) > horizon+1e-9 {
				t.Errorf("%v is beyond the horizon", p)
			}
		}
	}
	quarter := []scene.Point{{X: 10, Y: 52}, {X: 10, Y: -60}, {X: 60, Y: -60}, {X: 110, Y: -60}, {X: 110, Y: 20}}
	ring := a.ring(quarter)[0]
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		mid := math.Hypot((p.X+q.X)/2, (p.Y+q.Y)/2)
		if far := math.Hypot(p.X, p.Y) > horizon-1e-9 && math.Hypot(q.X, q.Y) > horizon-1e-9; far && mid < 0.99*horizon {
			t.Errorf("the line along the horizon from %v to %v cuts across the map", p, q)
		}
	}
}
