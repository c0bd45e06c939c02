package atlas

import (
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart/scene"
	"almanac/internal/geo"
)

// Fitting returns the smallest region with all areas that have an outline.
func TestFitting(t *testing.T) {
	for _, c := range []struct {
		areas string
		want  Region
	}{
		{"", World},
		{"DE FR", Europe},
		{"EU27_2020 DE FR EA20", Europe},
		{"EU27_2020 EA20", World},
		{"DE1 FRK2", World},
		{"DE TR GE CY RU XK UA", Europe},
		{"DE US", World},
		{"TR RU", Europe},
		{"TR IR RU", Asia},
		{"CN IN", Asia},
		{"CY", Europe},
		{"EG MA ZA", Africa},
		{"EG SA", World},
		{"US CA MX PA", NorthAmerica},
		{"BR AR", SouthAmerica},
		{"US BR", World},
		{"AU NZ FJ", Oceania},
		{"AQ", World},
		{"GF BR", SouthAmerica}, // without an outline of its own
		{"nonsense DE", Europe},
	} {
		if got := Fitting(strings.Fields(c.areas)); got != c.want {
			t.Errorf("Fitting(%s) = %q, want %q", c.areas, got, c.want)
		}
	}
}

func TestHas(t *testing.T) {
	for _, id := range []string{"DE", "XK", "VA", "TV", "EH", "PS", "TW", "CX", "CC", "AQ"} {
		if !Has(id) {
			t.Errorf("no outline of %s", id)
		}
	}
	for _, id := range []string{"", "EU27_2020", "DE1", "BV", "GI", "de", "WLD", "ZZ"} {
		if Has(id) {
			t.Errorf("an outline of %q", id)
		}
	}
}

// The mainland of each country of a region is in the frame, except Russia and remote
// islands. Each member is a country in package geo, and every outline belongs to a
// region, except Antarctica.
func TestMembersAreInView(t *testing.T) {
	partly := []string{"RU", "SJ", "IO", "TF", "HM", "CC", "CX", "PN"}
	listed := map[string]bool{"AQ": true}
	for _, r := range regions {
		if !slices.IsSorted(r.members) {
			t.Errorf("%s: the members are not in order", r.name)
		}
		for _, id := range r.members {
			listed[id] = true
			if a, ok := geo.Find(id); !ok || a.ID != id {
				t.Errorf("%s: geo does not know %s", r.name, id)
			}
			a, ok := theWorld().find(id)
			if !ok {
				continue
			}
			whole := mainLand(r, a)
			seen := 0.0
			if in := cutRing(whole, r.frame); in != nil {
				seen = content(in) / content(whole)
			}
			if (seen < 0.999) != slices.Contains(partly, id) {
				t.Errorf("%s shows %.3f of %s", r.name, seen, id)
			}
		}
	}
	for _, a := range theWorld().areas {
		if !listed[a.id] {
			t.Errorf("%s is of no region", a.id)
		}
	}
}

// mainLand returns the largest part of an area on a region's plane.
func mainLand(r *region, a *area) []scene.Point {
	s := &sheet{world: theWorld()}
	largest := []scene.Point{{}, {}, {}}
	for _, p := range a.polygons {
		for _, ring := range r.projection.ring(trace(p[0], s.allPlaces)) {
			if content(ring) > content(largest) {
				largest = ring
			}
		}
	}
	return largest
}

// Fitting returns the first region that fits.
func TestSmallestFrameFirst(t *testing.T) {
	last := 0.0
	for _, name := range []Region{Europe, Asia} { // the only two with countries in common
		f := regionOf(name).frame
		if f.W*f.H < last {
			t.Errorf("the frame of %s is smaller than that of the one before", name)
		}
		last = f.W * f.H
	}
	if i, j := slices.Index(regions, regionOf(Europe)), slices.Index(regions, regionOf(Asia)); i > j {
		t.Error("Asia is tried before Europe")
	}
}

// The outlines have the areas that the offices state, including water, in 1,000 km².
// Countries whose sea or desert borders differ in the source are left out (Finland,
// Algeria, Ethiopia: 2.5 %).
func TestAreasOfCountries(t *testing.T) {
	for id, want := range map[string]float64{
		"AR": 2780.4, "AT": 83.88, "AU": 7692.0, "BO": 1098.58, "BR": 8515.8, "CD": 2344.86, "CH": 41.29, "CZ": 78.87,
		"DE": 357.6, "ES": 506.0, "HU": 93.03, "IR": 1648.2, "KZ": 2724.9,
		"MG": 587.0, "MN": 1564.1, "MX": 1964.4, "PL": 312.7, "RO": 238.4, "RU": 17098, "SE": 450.3, "TH": 513.1, "UA": 603.6,
	} {
		a, _ := theWorld().find(id)
		s := &sheet{world: theWorld()}
		for _, r := range []*region{theWholeWorld, regionOf(Asia)} {
			sum := 0.0
			for _, p := range a.polygons {
				for i, ring := range p {
					for _, piece := range r.projection.ring(trace(ring, s.allPlaces)) {
						if i > 0 {
							sum -= content(piece)
						} else {
							sum += content(piece)
						}
					}
				}
			}
			got := sum * earthRadius * earthRadius / 1000
			beyond := r != theWholeWorld && got < want // in the other hemisphere
			if off := got/want - 1; math.Abs(off) > 0.02 && !beyond {
				t.Errorf("%s on the map of %q has %.1f thousand km², want %.1f (%+.1f %%)", id, r.name, got, want, off*100)
			}
		}
	}
}
