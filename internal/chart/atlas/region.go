package atlas

import (
	"slices"
	"strings"

	"almanac/internal/chart/scene"
)

// earthRadius is the radius in km of a sphere with the Earth's surface area.
const earthRadius = 6371.0072

// region defines the map of a part of the world.
type region struct {
	name       Region
	projection projection
	frame      scene.Box // on the plane, y upwards; always completely visible
	west       float64   // in a box wider than the frame, the fraction of the extra width that goes to the west
	members    []string  // the areas of the region, by alpha-2 code; nil: all
	bare       bool      // as in View
	note       string    // as in View
}

// The map of the world shows the full width of the globe, from south of Cape Horn to
// north of Greenland.
const (
	worldMiddle = 11.5 // degrees east: the seam is at 168°30′ W, in the Bering Strait
	worldSouth  = -56.0
	worldNorth  = 83.7
)

func newWorldRegion() *region {
	p := equalEarth{middle: worldMiddle, south: worldSouth}
	right, top, bottom := p.project(180, 0).X, p.project(0, worldNorth).Y, p.project(0, worldSouth).Y
	return &region{name: World, projection: p, west: .5, frame: scene.Box{X: -right, Y: bottom, W: 2 * right, H: top - bottom}}
}

// frameInKM returns the frame whose sides have the given distances from the projection's
// centre.
func frameInKM(west, south, east, north float64) scene.Box {
	return scene.Box{X: west / earthRadius, Y: south / earthRadius, W: (east - west) / earthRadius, H: (north - south) / earthRadius}
}

// Members are the countries and territories of the UN M49 regions. Countries that lie
// in two regions, or whose statistics are often published with those of the other, are
// in both: Cyprus, Georgia, Armenia, Azerbaijan, Türkiye, Russia.
var (
	theWholeWorld = newWorldRegion()

	// The regions, from the smallest frame to the largest.
	regions = []*region{
		{
			name:       Europe,
			projection: newAzimuthal(10, 52), // as in EPSG:3035, the grid of Eurostat's maps
			frame:      frameInKM(-1800, -1870, 3350, 2280),
			west:       .72, // more sea, less of Asia
			members: strings.Fields("AD AL AM AT AX AZ BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GE GG GI GR HR HU IE IM IS IT JE " +
				"LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM TR UA VA XK"),
		},
		{
			name:       SouthAmerica,
			projection: newAzimuthal(-60, -20),
			frame:      frameInKM(-2550, -4000, 2950, 3650),
			west:       .7, // less of Africa
			members:    strings.Fields("AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE"),
		},
		{
			name:       Africa,
			projection: newAzimuthal(18, 2),
			frame:      frameInKM(-4550, -4150, 4550, 4000),
			west:       .5,
			members: strings.Fields("AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML " +
				"MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW"),
		},
		{
			name:       NorthAmerica,
			projection: newAzimuthal(-92, 45),
			frame:      frameInKM(-3900, -4200, 3700, 4800),
			west:       .6,
			members: strings.Fields("AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM " +
				"PR SV SX TC TT US VC VG VI"),
		},
		{
			name:       Asia,
			projection: newAzimuthal(90, 28),
			frame:      frameInKM(-5250, -4200, 5850, 3600),
			west:       .5,
			members: strings.Fields("AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV " +
				"MY NP OM PH PK PS QA RU SA SG SY TH TJ TL TM TR TW UZ VN YE"),
		},
		{
			name:       Oceania,
			projection: newAzimuthal(170, -18),
			frame:      frameInKM(-5650, -3500, 5200, 3750),
			west:       .5,
			members:    strings.Fields("AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS"),
		},
	}
)

// regionOf returns the region of that name, or the world if there is none.
func regionOf(name Region) *region {
	for _, r := range regions {
		if r.name == name {
			return r
		}
	}
	return theWholeWorld
}

// has reports whether an area belongs to the region.
func (r *region) has(area string) bool {
	return r.members == nil || slices.Contains(r.members, area)
}

// Has reports whether an area belongs to the region and has an outline.
func (r Region) Has(area string) bool { return Has(area) && regionOf(r).has(area) }

// Limits of the areas that a region may leave out.
const (
	maxOutsideShare = .1
	maxOutside      = 4
)

// Fitting returns the region with the smallest frame that nearly all areas belong to: all
// but four and a tenth of them. It returns World if there is none. Areas without an
// outline, such as groups and parts of countries, are ignored; if no others are left,
// Fitting returns World.
func Fitting(areas []string) Region {
	outlined := slices.DeleteFunc(slices.Clone(areas), func(a string) bool { return !Has(a) })
	if len(outlined) == 0 {
		return World
	}
	most := min(int(maxOutsideShare*float64(len(outlined))), maxOutside)
	for _, r := range regions {
		outside := 0
		for _, a := range outlined {
			if !r.has(a) {
				outside++
			}
		}
		if outside <= most {
			return r.name
		}
	}
	return World
}

// sphere returns the outline of the globe on the map of the world: the part in the
// frame, with round corners where the frame cuts it.
func (r *region) sphere() []scene.Point {
	p, ok := r.projection.(equalEarth)
	if !ok {
		return nil
	}
	const step = 2 // degrees
	bottom, top := r.frame.Y, r.frame.Y+r.frame.H
	var right []scene.Point
	for lat := worldSouth; lat < worldNorth; lat += step {
		if q := p.project(180, lat); q.Y > bottom+corner && q.Y < top-corner {
			right = append(right, q)
		}
	}
	right = slices.Concat(
		roundCorner(p.project(180, worldSouth), right[0]), right,
		backwards(roundCorner(p.project(180, worldNorth), right[len(right)-1])),
	)
	left := make([]scene.Point, len(right))
	for i, q := range right {
		left[i] = scene.Point{X: -q.X, Y: q.Y}
	}
	return append(right, backwards(left)...)
}

// corner is the radius of the sphere's round corners, on the plane.
const corner = .12

// roundCorner returns the curve from the horizontal edge of the map to a point near on
// the right side. end is the corner between them.
func roundCorner(end, near scene.Point) []scene.Point {
	const steps = 8
	before := scene.Point{X: end.X - corner, Y: end.Y}
	way := make([]scene.Point, steps)
	for i := range way {
		t := float64(i) / steps // a parabola that touches both edges
		a, b, c := (1-t)*(1-t), 2*t*(1-t), t*t
		way[i] = scene.Point{X: a*before.X + b*end.X + c*near.X, Y: a*before.Y + b*end.Y + c*near.Y}
	}
	return way
}

func backwards(points []scene.Point) []scene.Point {
	slices.Reverse(points)
	return points
}
