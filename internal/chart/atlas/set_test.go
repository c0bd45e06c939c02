package atlas

import (
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart/scene"
	"almanac/internal/geo"
)

// Every outline of the embedded sets has a code that package geo knows or that of a county,
// its rings are closed, and its polygons are on the map.
func TestEmbeddedSets(t *testing.T) {
	areas := map[string]int{
		"us": 52, "us-counties": 3220, "au": 8, "br": 27, "ca": 13, "ch": 26, "cn": 31, "id": 33, "in": 36, "ru": 83, "za": 9,
	}
	for _, set := range embedded[1:] {
		o := set.load().outlines
		if len(o.areas) != areas[set.name] {
			t.Errorf("%s has %d areas, want %d", set.name, len(o.areas), areas[set.name])
		}
		if !slices.IsSortedFunc(o.areas, func(a, b area) int { return strings.Compare(a.id, b.id) }) {
			t.Errorf("the areas of %s are not in order", set.name)
		}
		for _, a := range o.areas {
			_, isDivision := geo.FindSubdivision(a.id)
			if county := strings.HasPrefix(a.id, "US:") && len(a.id) == 8; !isDivision && !county && a.id != "PR" || !set.Has(a.id) {
				t.Errorf("%s: unknown area %s", set.name, a.id)
			}
			for _, p := range a.polygons {
				for _, ring := range p {
					checkClosed(t, o, a.id, ring)
				}
			}
		}
	}
}

// Of the areas of a set, all that are large enough to be seen are completely in the
// frame, apart from those listed.
func TestFramesOfSets(t *testing.T) {
	beyond := map[string]string{"ZA": "ZA-WC", "AU": "AU-TAS"} // islands in the far south
	for _, set := range embedded[1:] {
		r := set.load().region
		for _, a := range set.load().outlines.areas {
			if in := cutRing(mainlandIn(set, r, &a), r.frame); in == nil {
				t.Errorf("%s is not on the map of %s", a.id, set.name)
			} else if share := content(in) / content(mainlandIn(set, r, &a)); share < .999 && beyond[set.name] != a.id {
				t.Errorf("the map of %s shows %.3f of %s", set.name, share, a.id)
			}
		}
	}
}

func mainlandIn(set *Set, r *region, a *area) []scene.Point {
	s := &sheet{outlines: set.load().outlines}
	largest := []scene.Point{{}, {}, {}}
	for _, p := range a.polygons {
		for _, ring := range r.projection.ring(trace(p[0], s.allPlaces)) {
			if content(ring) >= content(largest) {
				largest = ring
			}
		}
	}
	return largest
}

// The outlines have the official areas in 1,000 km², those of the US Census Bureau without
// the Great Lakes and the sea.
func TestAreasOfSubdivisions(t *testing.T) {
	for id, want := range map[string]float64{
		"US-TX": 695.7, "US-CO": 269.6, "US-KS": 213.1, "AU-WA": 2527.0, "BR-AM": 1559.2, "BR-SP": 248.2, "CA-AB": 661.8,
		"CN-XJ": 1664.9, "CN-SC": 486, "IN-RJ": 342.2, "IN-TS": 112.1, "RU-SA": 3083.5, "RU-MOS": 44.3, "ZA-NC": 372.9, "CH-GR": 7.1, "CH-VS": 5.22,
	} {
		set := New().Fitting([]string{id})
		o := set.load().outlines
		a, ok := o.find(id)
		if !ok {
			t.Errorf("%s has no outline", id)
			continue
		}
		s, sum := &sheet{outlines: o}, 0.0
		for _, p := range a.polygons {
			for i, ring := range p {
				size := content(set.load().region.projection.ring(trace(ring, s.allPlaces))[0])
				if i > 0 {
					size = -size
				}
				sum += size
			}
		}
		if got := sum * earthRadius * earthRadius / 1000; math.Abs(got/want-1) > .03 {
			t.Errorf("%s has %.1f thousand km², want %.1f", id, got, want)
		}
	}
}

// The set of a map is the one with the outlines of most areas.
func TestFittingSet(t *testing.T) {
	for _, c := range []struct{ areas, want string }{
		{"DE FR IT", "countries"},
		{"US US-GA", "countries"}, // as many: the country, of which the state is a part
		{"US US-GA US-TX", "us"},
		{"US PR US-GA US-TX", "us"},
		{"US US-AL census:01001 census:01003 bls:01005", "us-counties"},
		{"destatis:01001 destatis:01002 DE", "countries"}, // German districts, not counties
		{"CH CH-ZH CH-BE", "ch"},
		{"XX", "countries"},
	} {
		if got := New().Fitting(strings.Fields(c.areas)); got.Name() != c.want {
			t.Errorf("the set of %s is %s, want %s", c.areas, got.Name(), c.want)
		}
	}
}

// A map of the counties of one state shows this state alone, upright.
func TestFrameOfState(t *testing.T) {
	counties, states := New().Named("us-counties"), New().Named("us")
	f := counties.Frame([]string{"US:36001", "US:36003"})
	if f.Of != "US36" || f.Lon < -77 || f.Lon > -74 || f.Lat < 42 || f.Lat > 44 {
		t.Fatalf("the frame of New York is %+v", f)
	}
	v := Layout(Request{Set: counties, Frame: f, Box: scene.Box{W: 600, H: 400}, Pixels: 1})
	if len(v.Shapes) != 62 || v.Note != "" || v.Insets != nil || v.Inner != nil {
		t.Errorf("the map of New York has %d areas, note %q; want 62, none", len(v.Shapes), v.Note)
	}
	for _, s := range v.Shapes {
		if !strings.HasPrefix(s.Area, "US:36") {
			t.Errorf("%s is on the map of New York", s.Area)
		}
	}
	if f := counties.Frame([]string{"US:36001", "US:42001"}); f.Of != "" {
		t.Errorf("the frame of two states is %+v, want the whole country", f)
	}
	if f := states.Frame([]string{"US-NY", "US-PA"}); f.Of != "" {
		t.Errorf("the frame of states is %+v, want the whole country", f)
	}
}

// The projection agrees with the example of Snyder (1987), page 291, for a sphere of radius
// 1.
func TestConic(t *testing.T) {
	got := newConic(29.5, 45.5, -96, 23).project(scene.Point{X: -75, Y: 35})
	if math.Hypot(got.X-.2952720, got.Y-.2416774) > 1e-6 {
		t.Errorf("35° N 75° W is at %.7f, %.7f, want 0.2952720, 0.2416774", got.X, got.Y)
	}
}

// Alaska, Hawaii and Puerto Rico lie in their frames, and no state reaches into those.
func TestInsets(t *testing.T) {
	p := unitedStates.projection.(withInsets)
	s := &sheet{outlines: New().Named("us").load().outlines}
	inset := map[string]int{"US-AK": 0, "US-HI": 1, "PR": 2}
	for _, a := range s.outlines.areas {
		own, isApart := inset[a.id]
		for _, polygon := range a.polygons {
			for _, q := range p.ring(trace(polygon[0], s.allPlaces))[0] {
				for i, frame := range p.insets {
					if in := within(frame.at, q); in != (isApart && own == i) && !isOutlyingIsland(a.id, polygon, s) {
						t.Fatalf("%s at %v: in inset %d: %v", a.id, q, i, in)
					}
				}
			}
		}
	}
}

// isOutlyingIsland reports whether a polygon is an island of Hawaii or Alaska that its
// inset leaves out: the uninhabited islands in the north-west, and the western Aleutians.
func isOutlyingIsland(id string, p polygon, s *sheet) bool {
	lon := trace(p[0], s.allPlaces)[0].X
	return id == "US-HI" && lon < -161 || id == "US-AK" && (lon > 0 || lon < -168)
}

func within(b scene.Box, p scene.Point) bool {
	return p.X >= b.X && p.X <= b.X+b.W && p.Y >= b.Y && p.Y <= b.Y+b.H
}
