package atlas_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/scene"
	"almanac/internal/stattest/property"
)

var allRegions = []atlas.Region{
	atlas.World, atlas.Europe, atlas.Asia, atlas.Africa, atlas.NorthAmerica, atlas.SouthAmerica, atlas.Oceania,
}

// requestOf returns a request for a map of a region in a picture of 1200 × 675 pixels.
func requestOf(r atlas.Region) atlas.Request {
	return atlas.Request{Region: r, Box: scene.Box{X: 20, Y: 60, W: 860, H: 400}, Pixels: 4. / 3}
}

// shapeOf returns an area's shape.
func shapeOf(t testing.TB, v *atlas.View, area string) atlas.Shape {
	t.Helper()
	i := slices.IndexFunc(v.Shapes, func(s atlas.Shape) bool { return s.Area == area })
	if i < 0 {
		t.Fatalf("%s is not in view", area)
	}
	return v.Shapes[i]
}

func hasShape(v *atlas.View, area string) bool {
	return slices.ContainsFunc(v.Shapes, func(s atlas.Shape) bool { return s.Area == area })
}

// subpaths splits an outline of straight lines.
func subpaths(o *scene.Outline) [][]scene.Point {
	var out [][]scene.Point
	i := 0
	for _, op := range o.Ops {
		switch op {
		case scene.MoveTo:
			out = append(out, nil)
			fallthrough
		case scene.LineTo:
			out[len(out)-1] = append(out[len(out)-1], o.Points[i])
			i++
		}
	}
	return out
}

// The map of the world shows every country except Antarctica, even on a small map.
func TestWorldShowsEveryCountry(t *testing.T) {
	large := atlas.Layout(requestOf(atlas.World))
	small := atlas.Layout(atlas.Request{Box: scene.Box{W: 80, H: 40}, Pixels: 1})
	if len(large.Shapes) != 245 || len(small.Shapes) != 245 {
		t.Errorf("%d shapes on a large map, %d on a small one, want 245", len(large.Shapes), len(small.Shapes))
	}
	for _, id := range []string{"MT", "LU", "SG", "MV", "MC", "VA", "TV", "NR", "SM", "LI", "XK", "KI"} {
		for _, v := range []*atlas.View{large, small} {
			if s := shapeOf(t, v, id); !(s.Extent > 0) || len(s.Outline.Ops) == 0 {
				t.Errorf("%s is not drawn: %+v", id, s)
			}
		}
	}
	if hasShape(large, "AQ") {
		t.Error("Antarctica is on the map of the world")
	}
}

// Extent is the area of the outline without its holes.
func TestShapesFillTheirExtent(t *testing.T) {
	for _, r := range allRegions {
		for _, s := range atlas.Layout(requestOf(r)).Shapes {
			signed := 0.0
			for _, ring := range subpaths(s.Outline) {
				signed += signedArea(ring)
			}
			if math.Abs(math.Abs(signed)-s.Extent) > 1e-6*(1+s.Extent) {
				t.Errorf("%s on %q: the outline has an area of %v, Extent is %v", s.Area, r, math.Abs(signed), s.Extent)
			}
		}
	}
}

// signedArea returns the area of a ring, with a sign that depends on its direction.
func signedArea(ring []scene.Point) float64 {
	sum := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum / 2
}

// No outline extends across the map because its country crosses the 180th meridian. Only
// Russia is wider than a quarter of the map.
func TestNoStreaks(t *testing.T) {
	world := atlas.Layout(requestOf(atlas.World))
	_, east := span(subpaths(world.Sphere)[0])
	west, _ := span(subpaths(world.Sphere)[0])
	for _, s := range world.Shapes {
		for _, ring := range subpaths(s.Outline) {
			from, to := span(ring)
			if wide := (to - from) / (east - west); wide > 0.45 || wide > 0.25 && s.Area != "RU" {
				t.Errorf("a part of %s is %.2f of the map wide", s.Area, wide)
			}
		}
	}
	for _, area := range []string{"FJ", "RU"} {
		for _, region := range []atlas.Region{atlas.Oceania, atlas.Asia, atlas.NorthAmerica} {
			v := atlas.Layout(requestOf(region))
			if !hasShape(v, area) {
				continue
			}
			for _, ring := range subpaths(shapeOf(t, v, area).Outline) {
				for i, p := range ring[1:] {
					if long := math.Hypot(p.X-ring[i].X, p.Y-ring[i].Y); long > 40 && !onEdge(requestOf(region).Box, p, ring[i]) {
						t.Errorf("%s on %s: a line of %.0f units from %v to %v", area, region, long, ring[i], p)
					}
				}
			}
		}
	}
}

func span(ring []scene.Point) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, p := range ring {
		from, to = min(from, p.X), max(to, p.X)
	}
	return from, to
}

// onEdge reports whether both points lie on the same side of a box.
func onEdge(b scene.Box, p, q scene.Point) bool {
	return p.X == q.X && (p.X == b.X || p.X == b.X+b.W) || p.Y == q.Y && (p.Y == b.Y || p.Y == b.Y+b.H)
}

// Every point of a border is a point of two outlines, because they are simplified in
// the same way.
func TestNeighboursFit(t *testing.T) {
	for _, pixels := range []float64{0.2, 4. / 3, 4} {
		a := requestOf(atlas.World)
		a.Pixels = pixels
		v := atlas.Layout(a)
		owners := map[scene.Point]map[string]bool{}
		for _, s := range v.Shapes {
			for _, p := range s.Outline.Points {
				if owners[p] == nil {
					owners[p] = map[string]bool{}
				}
				owners[p][s.Area] = true
			}
		}
		alone, all := 0, 0
		for _, borders := range []*scene.Outline{v.Borders, v.Disputed} {
			for _, p := range borders.Points {
				all++
				if len(owners[p]) < 2 {
					alone++
				}
			}
		}
		// Parts below half a pixel are left out, and so is their side of a border if it
		// is not a separate ring.
		if all < 300 || alone > all*3/100 {
			t.Errorf("at %v pixels per unit, %d of %d points of borders do not belong to two countries", pixels, alone, all)
		}
	}
}

// Islands have no borders, and the edge of the box is not a border.
func TestBordersExcludeCoasts(t *testing.T) {
	for _, r := range allRegions {
		v, box := atlas.Layout(requestOf(r)), requestOf(r).Box
		for _, line := range append(subpaths(v.Borders), subpaths(v.Disputed)...) {
			for i, p := range line[1:] {
				if onEdge(box, line[i], p) && p != line[i] {
					t.Errorf("%q: a border runs along the box from %v to %v", r, line[i], p)
				}
			}
		}
	}
	v := atlas.Layout(requestOf(atlas.World))
	border := map[scene.Point]bool{}
	for _, p := range v.Borders.Points {
		border[p] = true
	}
	for _, id := range []string{"IS", "AU", "JP", "MG", "LK"} {
		for _, p := range shapeOf(t, v, id).Outline.Points {
			if border[p] {
				t.Errorf("%s has a border at %v", id, p)
			}
		}
	}
}

// The ellipse around X, Y lies in the country.
func TestSpaceForNumbers(t *testing.T) {
	for _, r := range allRegions {
		a := requestOf(r)
		a.X, a.Y, a.Scale = 30, -20, 1.7 // cuts off some countries
		for _, s := range atlas.Layout(a).Shapes {
			if s.RY == 0 && s.Extent > 4 {
				t.Errorf("%s on %q has no ellipse although its extent is %v square units", s.Area, r, s.Extent)
			}
			for turn := 0.0; turn < 2*math.Pi && s.RY > 0; turn += math.Pi / 8 {
				x, y := s.X+.999*s.RX*math.Cos(turn), s.Y+.999*s.RY*math.Sin(turn)
				if !covers(s.Outline, x, y) {
					t.Errorf("%s on %q: %v, %v on its ellipse is outside the country", s.Area, r, x, y)
					break
				}
			}
		}
	}
	for id, least := range map[string]float64{"RU": 45, "BR": 35, "US": 45, "DE": 5, "PL": 5} {
		if s := shapeOf(t, atlas.Layout(requestOf(atlas.World)), id); s.RX < least {
			t.Errorf("%s: RX is %v units, want at least %v", id, s.RX, least)
		}
	}
}

// covers reports whether an outline contains a point (nonzero winding).
func covers(o *scene.Outline, x, y float64) bool {
	winding := 0
	for _, ring := range subpaths(o) {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			if (p.Y > y) == (q.Y > y) {
				continue
			}
			if p.X+(y-p.Y)*(q.X-p.X)/(q.Y-p.Y) > x {
				if q.Y > p.Y {
					winding++
				} else {
					winding--
				}
			}
		}
	}
	return winding != 0
}

// Cities are in the countries in which the maps of the United Nations show them.
func TestCitiesAreInTheirCountries(t *testing.T) {
	world := atlas.Layout(atlas.Request{Box: scene.Box{W: 4000, H: 1800}, Pixels: 1})
	sphere := subpaths(world.Sphere)[0]
	west, east := span(sphere)
	for _, c := range []struct {
		place    string
		lon, lat float64
		area     string
	}{
		{"Berlin", 13.4, 52.5, "DE"}, {"Madrid", -3.7, 40.4, "ES"}, {"Lima", -76.9, -12, "PE"}, {"Canberra", 149.1, -35.3, "AU"},
		{"Simferopol", 34.1, 45.0, "UA"}, {"Hargeisa", 44.1, 9.6, "SO"}, {"Famagusta", 33.8, 35.2, "CY"}, {"Pristina", 21.1, 42.6, "XK"},
		{"Ramallah", 35.2, 31.9, "PS"}, {"Taichung", 120.9, 24.1, "TW"}, {"Smara", -11.7, 26.7, "EH"}, {"Chukotka, east of 180°", -175, 66.5, "RU"},
		{"Cayenne", -53, 4, "GF"}, {"Longyearbyen", 17, 78.2, "SJ"}, {"Maseru", 28, -29.5, "LS"}, {"Nuuk", -50.5, 64.5, "GL"},
	} {
		x, y := equalEarth(math.Remainder(c.lon-11.5, 360), c.lat)
		// The sphere is as wide as the equator: 180° are 2.70663 on each side.
		k := (east - west) / 2 / 2.7066299836
		_, north := equalEarth(0, 83.7)
		px, py := (west+east)/2+k*x, k*(north-y)+(1800-k*frameHeight())/2
		var in []string
		for _, s := range world.Shapes {
			if covers(s.Outline, px, py) {
				in = append(in, s.Area)
			}
		}
		if !slices.Equal(in, []string{c.area}) {
			t.Errorf("%s is in %v, want %s", c.place, in, c.area)
		}
	}
}

func frameHeight() float64 {
	_, north := equalEarth(0, 83.7)
	_, south := equalEarth(0, -56)
	return north - south
}

// equalEarth implements the projection independently, from its authors' paper.
func equalEarth(lon, lat float64) (x, y float64) {
	theta := math.Asin(math.Sqrt(3) / 2 * math.Sin(lat*math.Pi/180))
	derivative := 0.0
	for i, a := range map[int]float64{0: 1.340264, 2: -0.081106, 6: 0.000893, 8: 0.003796} {
		derivative += float64(i+1) * a * math.Pow(theta, float64(i))
		y += a * math.Pow(theta, float64(i+1))
	}
	return 2 * math.Sqrt(3) * lon * math.Pi / 180 * math.Cos(theta) / (3 * derivative), y
}

// X and Y move the map, and Scale enlarges it about the centre of the box.
func TestTransform(t *testing.T) {
	plain := atlas.Layout(requestOf(atlas.World))
	moved := requestOf(atlas.World)
	moved.X, moved.Y = 30, -12
	enlarged := requestOf(atlas.World)
	enlarged.Scale = 1.5
	box := requestOf(atlas.World).Box
	cx, cy := box.X+box.W/2, box.Y+box.H/2
	for _, id := range []string{"CH", "RW", "LU"} {
		s := shapeOf(t, plain, id)
		if m := shapeOf(t, atlas.Layout(moved), id); math.Hypot(m.X-s.X-30, m.Y-s.Y+12) > 1e-6 {
			t.Errorf("%s moved from %v, %v to %v, %v", id, s.X, s.Y, m.X, m.Y)
		}
		e := shapeOf(t, atlas.Layout(enlarged), id)
		if math.Hypot(e.X-cx-1.5*(s.X-cx), e.Y-cy-1.5*(s.Y-cy)) > 2 {
			t.Errorf("%s moved from %v, %v to %v, %v when enlarged about %v, %v", id, s.X, s.Y, e.X, e.Y, cx, cy)
		}
		if math.Abs(e.Extent/s.Extent-2.25) > 0.06 {
			t.Errorf("the extent of %s grew by a factor of %v, want 2.25", id, e.Extent/s.Extent)
		}
	}
	moved.X = 10_000
	if v := atlas.Layout(moved); len(v.Shapes) != 0 || len(v.Borders.Ops) != 0 || len(v.Sphere.Ops) != 0 {
		t.Errorf("a map moved far away shows %d shapes", len(v.Shapes))
	}
}

// Around marks countries that are not part of a region. The world has none.
func TestAround(t *testing.T) {
	europe := atlas.Layout(requestOf(atlas.Europe))
	for id, want := range map[string]bool{"DE": false, "TR": false, "RU": false, "CY": false, "IS": false, "DZ": true, "SY": true, "KZ": true} {
		if s := shapeOf(t, europe, id); s.Around != want {
			t.Errorf("%s: Around is %t, want %t", id, s.Around, want)
		}
	}
	for _, s := range atlas.Layout(requestOf(atlas.World)).Shapes {
		if s.Around {
			t.Errorf("%s: Around is true on the map of the world", s.Area)
		}
	}
	if europe.Sphere != nil || atlas.Layout(requestOf(atlas.World)).Sphere == nil {
		t.Error("Sphere is set for Europe, or not set for the world")
	}
}

// Low cuts the map at the lower end of the box without moving it.
func TestLowerEndIsCut(t *testing.T) {
	full, a := atlas.Layout(requestOf(atlas.Africa)), requestOf(atlas.Africa)
	a.Low = 100
	cut := atlas.Layout(a)
	if one, other := shapeOf(t, full, "DZ"), shapeOf(t, cut, "DZ"); !slices.Equal(one.Outline.Points, other.Outline.Points) {
		t.Error("Low moves Algeria")
	}
	for _, s := range cut.Shapes {
		for _, p := range s.Outline.Points {
			if p.Y > a.Box.Y+a.Box.H-100 {
				t.Fatalf("%s has a point at %v, below the cut", s.Area, p)
			}
		}
	}
}

// A wide map of Europe shows more sea in the west than land in the east.
func TestWideMapOfEurope(t *testing.T) {
	v, box := atlas.Layout(requestOf(atlas.Europe)), requestOf(atlas.Europe).Box
	iberia, caucasus := shapeOf(t, v, "PT"), shapeOf(t, v, "AZ")
	if west, east := iberia.X-box.X, box.X+box.W-caucasus.X; west < 2*east {
		t.Errorf("%.0f units west of Portugal, want at least twice the %.0f units east of Azerbaijan", west, east)
	}
}

// Smaller maps have fewer points.
func TestLessDetailOnSmallMaps(t *testing.T) {
	points := func(pixels float64) int {
		a := requestOf(atlas.World)
		a.Pixels = pixels
		n := 0
		for _, s := range atlas.Layout(a).Shapes {
			n += len(s.Outline.Points)
		}
		return n
	}
	small, usual, large := points(.3), points(4./3), points(4)
	if small*3 > usual || usual*2 > large || usual > 25_000 {
		t.Errorf("%d points on a small map, %d on a usual one, %d on a large one", small, usual, large)
	}
}

// For any request, nothing leaves the box, all numbers are finite, and the same request
// returns the same view.
func TestAnyRequest(t *testing.T) {
	odd := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-300, 1e300, -1e300, math.MaxFloat64, 20, 0.1, 10_000, -10_000})
	number := func(least, most float64) *rapid.Generator[float64] {
		return rapid.OneOf(rapid.Float64Range(least, most), odd)
	}
	property.Check(t, func(t *rapid.T) {
		a := atlas.Request{
			Region: rapid.SampledFrom(append(allRegions, "atlantis")).Draw(t, "region"),
			Box: scene.Box{
				X: number(-100, 100).Draw(t, "x"), Y: number(-100, 100).Draw(t, "y"),
				W: number(1, 900).Draw(t, "w"), H: number(1, 600).Draw(t, "h"),
			},
			Pixels: number(0.3, 4).Draw(t, "pixels"),
			X:      number(-500, 500).Draw(t, "moved x"), Y: number(-500, 500).Draw(t, "moved y"),
			Scale: number(0.1, 20).Draw(t, "scale"),
		}
		v := atlas.Layout(a)
		if v != atlas.Layout(a) {
			t.Error("the second request returned another view")
		}
		if v.Borders == nil || v.Disputed == nil {
			t.Fatal("Borders or Disputed is nil")
		}
		check := func(what string, o *scene.Outline) {
			for _, p := range o.Points {
				if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
					t.Fatalf("%s has a point at %v", what, p)
				}
				if inBounds(a.Box) && !(scene.Box{X: p.X, Y: p.Y}).Inside(a.Box) {
					t.Fatalf("%s leaves %v at %v", what, a.Box, p)
				}
			}
		}
		check("a border", v.Borders)
		check("a disputed border", v.Disputed)
		if v.Sphere != nil {
			check("the globe", v.Sphere)
		}
		for _, s := range v.Shapes {
			check(s.Area, s.Outline)
			if math.IsNaN(s.X+s.Y+s.RX+s.RY+s.Extent) || s.RX < 0 || s.RY < 0 || !(s.Extent > 0) {
				t.Fatalf("%+v", s)
			}
		}
	})
}

// inBounds reports whether a picture can have this box.
func inBounds(b scene.Box) bool {
	return math.Abs(b.X) <= 1000 && math.Abs(b.Y) <= 1000 && b.W >= 1 && b.W <= 1000 && b.H >= 1 && b.H <= 1000
}

// Concurrent requests are safe, and the cache drops views when there are many others.
func TestConcurrentRequests(t *testing.T) {
	first := atlas.Layout(requestOf(atlas.World))
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			a := requestOf(allRegions[i%len(allRegions)])
			a.Box.W = float64(200 + i/2)
			if v := atlas.Layout(a); len(v.Shapes) == 0 {
				t.Errorf("%+v has no shapes", a)
			}
		})
	}
	wg.Wait()
	again := atlas.Layout(requestOf(atlas.World))
	if first == again {
		t.Error("a view is still cached after a hundred others")
	}
	if !slices.Equal(shapeOf(t, first, "FR").Outline.Points, shapeOf(t, again, "FR").Outline.Points) {
		t.Error("France differs after the view was laid out again")
	}
}
