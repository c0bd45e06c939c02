// Package atlas holds the outlines of countries and lays them out on a plane.
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
	Pixels float64   // pixels a unit: detail below half a pixel is left out
	// X, Y (units) and Scale move and enlarge the map about the centre of Box;
	// Scale 0 is 1.
	X, Y, Scale float64
}

// View is a part of the world laid out in a box. It is shared: nothing in it
// may be changed.
type View struct {
	Shapes   []Shape
	Borders  *scene.Outline // between countries; coasts are not in it
	Disputed *scene.Outline // borders that are not agreed on
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
}

// Lay returns the view that is asked for.
func Lay(a Ask) *View { return nil }

// Fitting returns the region that holds all of the areas, World if none does.
func Fitting(areas []string) Region { return World }
