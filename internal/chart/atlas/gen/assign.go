package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"almanac/internal/geo"
)

// belongsTo maps shapes that have no ISO number, or share one with another shape, to
// their areas. It follows the maps of the United Nations.
var belongsTo = map[string]string{
	"XKX": "XK", // Kosovo: separate, with a dashed border to Serbia
	"CYN": "CY", // Northern Cyprus: part of Cyprus
	"SOL": "SO", // Somaliland: part of Somalia
	"KAS": "IN", // Siachen Glacier: on India's side of the line in Kashmir, which is all dashed
	"ATC": "AU", // Ashmore and Cartier Islands: Australian, without a code
}

// indianOcean is a shape that includes two territories of Australia, divided by a
// meridian.
const (
	indianOcean        = "IOA"
	indianOceanDivider = 100.0 // Cocos (Keeling) Islands in the west, Christmas Island in the east
)

// overseas lists the parts of countries that have a code and data of their own but are
// in the country's shape in the source, with their bounds in degrees.
var overseas = []struct {
	country, id              string
	west, south, east, north float64
}{
	{"FR", "GF", -55, 2, -51, 6},
	{"FR", "GP", -62, 15.7, -60.9, 16.6},
	{"FR", "MQ", -61.3, 14.3, -60.7, 15},
	{"FR", "RE", 55, -21.5, 56, -20.8},
	{"FR", "YT", 45, -13.1, 45.4, -12.5},
	{"NL", "BQ", -69, 12, -62, 18},
	{"NO", "SJ", -10, 70.5, -7, 71.5}, // Jan Mayen
	{"NO", "SJ", 10, 74, 34, 81},      // Svalbard
}

// partOf returns the area that a polygon of a country belongs to.
func (w *world) partOf(country string, p polygon) string {
	lon, lat := w.degrees(w.ringPoints(p[0])[0])
	for _, o := range overseas {
		if o.country == country && o.west <= lon && lon <= o.east && o.south <= lat && lat <= o.north {
			return o.id
		}
	}
	return country
}

// assign assigns each shape to its area.
func (w *world) assign() error {
	byID := map[string]*area{}
	add := func(id string, polygons ...polygon) {
		if byID[id] == nil {
			byID[id] = &area{id: id}
		}
		byID[id].polygons = append(byID[id].polygons, polygons...)
	}
	for _, s := range w.shapes {
		if s.alpha3 == indianOcean {
			for _, p := range s.polygons {
				id := "CX"
				if lon, _ := w.degrees(w.arcPoints(p[0][0])[0]); lon < indianOceanDivider {
					id = "CC"
				}
				add(id, p)
			}
			continue
		}
		id, known := belongsTo[s.alpha3]
		if !known {
			a, ok := geo.Resolve("un", s.number)
			if !ok || a.Kind != geo.Country || a.Alpha3 != s.alpha3 {
				return fmt.Errorf("shape %s (%s, %s) is not a country in package geo: found %+v", s.name, s.alpha3, s.number, a)
			}
			id = a.ID
		}
		if a, ok := geo.Find(id); !ok || a.ID != id {
			return fmt.Errorf("shape %s (%s): unknown area %s in package geo", s.name, s.alpha3, id)
		}
		for _, p := range s.polygons {
			add(w.partOf(id, p), p)
		}
	}
	w.areas = slices.SortedFunc(maps.Values(byID), func(a, b *area) int { return cmp.Compare(a.id, b.id) })
	for _, a := range w.areas {
		w.dropSpecks(a)
	}
	return nil
}

// dropSpecks removes parts without an area, which the source has for atolls. A country
// without other parts, like the Vatican, becomes a square of about one square kilometre,
// so that it appears on the map.
func (w *world) dropSpecks(a *area) {
	isSpeck := func(p polygon) bool { return len(w.ringPoints(p[0])) < 3 }
	var rest []polygon
	for _, p := range a.polygons {
		if !isSpeck(p) {
			rest = append(rest, p)
		}
	}
	if len(rest) > 0 {
		a.polygons = rest
		return
	}
	at := w.ringPoints(a.polygons[0][0])[0]
	_, lat := w.degrees(at)
	const half = 0.5 / 111.2 // half a kilometre in degrees of latitude
	dy := int(math.Round(half / w.scale[1]))
	dx := int(math.Round(half / w.scale[0] / math.Cos(lat*math.Pi/180)))
	w.arcs = append(w.arcs, arc{pts: []pt{{at.x - dx, at.y - dy}, {at.x - dx, at.y + dy}, {at.x + dx, at.y + dy}, {at.x + dx, at.y - dy}, {at.x - dx, at.y - dy}}})
	a.polygons = []polygon{{{len(w.arcs) - 1}}}
}

// refine inserts points between those more than a degree apart. Long lines in the
// source, such as the border along the 49th parallel, are straight in degrees; on most
// maps they are curves.
func (w *world) refine() {
	const maxStep = 1.0 // degrees
	for i := range w.arcs {
		old := w.arcs[i].pts
		pts := old[:1:1]
		for j, b := range old[1:] {
			a := old[j]
			lon1, lat1 := w.degrees(a)
			lon2, lat2 := w.degrees(b)
			far := math.Max(math.Abs(lon2-lon1), math.Abs(lat2-lat1))
			if far > 180 {
				far = 0 // crosses the 180th meridian: no such edge is long
			}
			steps := int(math.Ceil(far / maxStep))
			for s := 1; s < steps; s++ {
				pts = append(pts, pt{a.x + (b.x-a.x)*s/steps, a.y + (b.y-a.y)*s/steps})
			}
			pts = append(pts, b)
		}
		w.arcs[i].pts = pts
	}
}
