package atlas

import (
	"math"
	"slices"
)

// partFrame returns the frame of the areas of an embedded set that belong to one larger area,
// such as the counties of a state, if all of the areas with the given IDs do. The projection
// has its middle there, so that north is up. ok is false if the set has no other areas.
func (set *regional) partFrame(ids []string) (f Frame, ok bool) {
	if len(ids) == 0 || set.isOther {
		return Frame{}, false
	}
	larger := LargerArea(ids[0])
	if len(larger) == len("US") {
		return Frame{}, false // the country
	}
	isElsewhere := func(id string) bool { return LargerArea(id) != larger }
	if slices.ContainsFunc(ids, isElsewhere) || !slices.ContainsFunc(set.outlines.areas, func(a area) bool { return isElsewhere(a.id) }) {
		return Frame{}, false
	}
	part := set.outlines.partOf(larger)
	f = Frame{Of: larger, Bare: true}
	f.Lon, f.Lat = part.middle()
	f.Lon, f.Lat = math.Round(10*f.Lon)/10, math.Round(10*f.Lat)/10
	f.Box = part.bounds(newAzimuthal(f.Lon, f.Lat), part.areas)
	return f, true
}

// partOf returns the outlines of the areas that belong to a larger area. A border with other
// areas has one owner left, like a coast.
func (o *outlines) partOf(larger string) *outlines {
	part := &outlines{arcs: slices.Clone(o.arcs)}
	for i := range part.arcs {
		part.arcs[i].owners = nil
	}
	for i := range o.areas {
		a := &o.areas[i]
		if LargerArea(a.id) != larger {
			continue
		}
		for _, p := range a.polygons {
			for _, ring := range p {
				for _, ref := range ring {
					arc := &part.arcs[max(ref, ^ref)]
					arc.owners = append(arc.owners, len(part.areas))
				}
			}
		}
		part.areas = append(part.areas, *a)
	}
	return part
}

// isPart reports whether a frame shows a larger area of an embedded set alone, see partFrame.
func (f *Frame) isPart(set *regional) bool { return !set.isOther && f.Of != "" }
