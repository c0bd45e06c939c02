package atlas

import (
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart/scene"
	"almanac/internal/geo"
)

// Fitting returns the smallest region with nearly all areas that have an outline.
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
		{"GF BR", SouthAmerica},
		{"nonsense DE", Europe},
		{"BE BG CZ DK DE EE IE ES FR US", Europe},
		{"BE BG CZ DK DE EE IE ES US", World},
		{"BE BG CZ DK DE EE IE ES FR US JP", World},
	} {
		if got := Fitting(strings.Fields(c.areas)); got != c.want {
			t.Errorf("Fitting(%s) = %q, want %q", c.areas, got, c.want)
		}
	}
}

func TestHas(t *testing.T) {
	for _, id := range []string{"DE", "XK", "VA", "TV", "EH", "PS", "TW", "CX", "CC", "AQ"} {
		if !Has(id) {
			t.Errorf("Has(%s) = false, want true", id)
		}
	}
	for _, id := range []string{"", "EU27_2020", "DE1", "BV", "GI", "de", "WLD", "ZZ"} {
		if Has(id) {
			t.Errorf("Has(%q) = true, want false", id)
		}
	}
}

// The frame of a region contains the mainland of each member, except Russia and remote
// islands. Members are in package geo, and every outline except Antarctica belongs to a
// region.
func TestMembersAreInTheFrame(t *testing.T) {
	partly := []string{"RU", "SJ", "IO", "TF", "HM", "CC", "CX", "PN"}
	listed := map[string]bool{"AQ": true}
	for _, r := range regions {
		if !slices.IsSorted(r.members) {
			t.Errorf("%s: the members are not in order", r.name)
		}
		for _, id := range r.members {
			listed[id] = true
			if a, ok := geo.Find(id); !ok || a.ID != id {
				t.Errorf("%s: unknown area %s in package geo", r.name, id)
			}
			a, ok := theWorld().find(id)
			if !ok {
				continue
			}
			mainland := mainlandOf(r, a)
			visible := 0.0
			if in := cutRing(mainland, r.frame); in != nil {
				visible = content(in) / content(mainland)
			}
			if (visible < 0.999) != slices.Contains(partly, id) {
				t.Errorf("%s shows %.3f of %s", r.name, visible, id)
			}
		}
	}
	for _, a := range theWorld().areas {
		if !listed[a.id] {
			t.Errorf("%s belongs to no region", a.id)
		}
	}
}

// mainlandOf returns the largest part of an area on a region's plane.
func mainlandOf(r *region, a *area) []scene.Point {
	s := &sheet{outlines: theWorld()}
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

// Of regions with common countries, the one with the smaller frame comes first, because
// Fitting returns the first region that fits.
func TestSmallestFrameIsFirst(t *testing.T) {
	last := 0.0
	for _, name := range []Region{Europe, Asia} { // the only two with countries in common
		f := regionOf(name).frame
		if f.W*f.H < last {
			t.Errorf("the frame of %s is smaller than that of the region before", name)
		}
		last = f.W * f.H
	}
	if i, j := slices.Index(regions, regionOf(Europe)), slices.Index(regions, regionOf(Asia)); i > j {
		t.Error("Asia is listed before Europe")
	}
}

// The outlines have the official areas of countries, including water, in 1,000 km².
// Countries whose coast or borders differ more in the source are not tested (Finland,
// Algeria and Ethiopia by 2.5 %).
func TestAreasOfCountries(t *testing.T) {
	for id, want := range map[string]float64{
		"AR": 2780.4, "AT": 83.88, "AU": 7692.0, "BO": 1098.58, "BR": 8515.8, "CD": 2344.86, "CH": 41.29, "CZ": 78.87,
		"DE": 357.6, "ES": 506.0, "HU": 93.03, "IR": 1648.2, "KZ": 2724.9,
		"MG": 587.0, "MN": 1564.1, "MX": 1964.4, "PL": 312.7, "RO": 238.4, "RU": 17098, "SE": 450.3, "TH": 513.1, "UA": 603.6,
	} {
		a, _ := theWorld().find(id)
		s := &sheet{outlines: theWorld()}
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
