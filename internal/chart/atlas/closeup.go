package atlas

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/scene"
)

// Limits of a map of few countries.
const (
	fewAreas        = 3                    // up to which a map shows little more than the areas
	maxCloseUpAreas = 12                   // more are a region; their outlines take long to measure
	maxCloseUp      = 11000 / earthRadius  // longest side of the map of so few areas
	maxGroupShare   = .7                   // of the sides of the region's map, for a map of more areas
	minCloseUp      = 1000 / earthRadius   // shortest side, so that neighbours are recognised
	closeUpMargin   = .16                  // on each side, as a fraction of the longer side
	maxCentreOffset = 7000.0 / earthRadius // of an outline from the middle of the map
)

// CloseUp returns the frame of a map of countries that are few or close together: the
// countries with their neighbours, in an equal-area projection about their middle. Areas
// without an outline are ignored. ok is false if a map of the region or of the world shows
// the countries better.
func CloseUp(ids []string) (f Frame, ok bool) {
	var areas []area
	for _, id := range ids {
		if a, ok := theWorld().find(id); ok {
			areas = append(areas, *a)
		}
	}
	if len(areas) == 0 || len(areas) > maxCloseUpAreas {
		return Frame{}, false
	}
	chosen := &outlines{arcs: theWorld().arcs, areas: areas}
	f.Lon, f.Lat = chosen.middle()
	f.Lon, f.Lat = math.Round(f.Lon), math.Round(f.Lat)
	p := newAzimuthal(f.Lon, f.Lat)
	if !chosen.isNear(p) {
		return Frame{}, false
	}
	f.Box = chosen.bounds(p, areas[:1])
	for i := range areas {
		f.Box = union(f.Box, chosen.bounds(p, areas[i:i+1]))
	}
	f.Box = withNeighbours(f.Box)
	longest := max(f.Box.W, f.Box.H)
	if whole := regionOf(Fitting(ids)); len(areas) > fewAreas && longest > maxGroupShare*max(whole.frame.W, whole.frame.H) || longest > maxCloseUp {
		return Frame{}, false
	}
	f.Areas = strings.Join(slices.Sorted(slices.Values(ids)), " ")
	return f, true
}

// isNear reports whether the largest part of every area is near the middle of a projection.
func (o *outlines) isNear(p azimuthal) bool {
	for _, a := range o.areas {
		q, near := p.project(o.mainland(a))
		if !near || math.Hypot(q.X, q.Y) > maxCentreOffset {
			return false
		}
	}
	return true
}

// withNeighbours adds a margin with the neighbours to the bounds of the countries.
func withNeighbours(b scene.Box) scene.Box {
	margin := closeUpMargin * max(b.W, b.H)
	x, y := max(margin, (minCloseUp-b.W)/2), max(margin, (minCloseUp-b.H)/2)
	return scene.Box{X: b.X - x, Y: b.Y - y, W: b.W + 2*x, H: b.H + 2*y}
}

// closeUp returns the map of a frame that CloseUp returned.
func (f Frame) closeUp() *region {
	return &region{projection: newAzimuthal(f.Lon, f.Lat), frame: f.Box, west: .5, members: strings.Fields(f.Areas)}
}
