package chart

import (
	"fmt"
	"maps"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/stat"
)

// Options are what a caller may say of a chart beside which data it shows.
type Options struct {
	Type            Type
	Width, Height   int    // pixels
	Title           string // in place of the dataset's name; empty: the name
	IncludeTitle    bool
	IncludeSource   bool
	IncludeDate     bool // the period in the title of a map
	HighlightLatest bool
	ShowValues      bool
	ShowBorders     bool
	ShowLegend      bool
	// Colours and Labels are keyed by the label of a series in the legend: the
	// area, or the labels of the dimensions that tell the series apart.
	Colours   map[string]string
	Labels    map[string]string
	Region    atlas.Region
	Aside     string
	Transform Transform
}

// DefaultOptions are those of a caller who says nothing.
func DefaultOptions() Options {
	return Options{
		Width: DefaultWidth, Height: DefaultHeight,
		IncludeTitle: true, IncludeSource: true, IncludeDate: true, ShowBorders: true, ShowLegend: true,
		Transform: Transform{Scale: 1},
	}
}

// Bounds of a map's transform.
const (
	MaxShift = 10_000 // pixels, to either side
	MinZoom  = 0.1
	MaxZoom  = 20
)

// Check reports the first thing that is out of bounds, by the name that the
// interface has for it. The error is [stat.Invalid].
func (o *Options) Check() error {
	switch o.Type {
	case Line, Bar, HorizontalBar, Map:
	case "":
		return stat.Errorf(stat.Invalid, "chartType is required; it is one of line, bar, horizontal-bar and map")
	default:
		return stat.Errorf(stat.Invalid, "chartType is %.40q; right are line, bar, horizontal-bar and map", string(o.Type))
	}
	if o.Width < MinSide || o.Width > MaxSide || o.Height < MinSide || o.Height > MaxSide || o.Width*o.Height > MaxPixels {
		return stat.Errorf(stat.Invalid, "width and height are %d × %d pixels; right are %d to %d each and at most %d megapixels together", o.Width, o.Height, MinSide, MaxSide, MaxPixels/1_000_000)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Colours)) {
		if c := o.Colours[name]; !parses(c) {
			return stat.Errorf(stat.Invalid, "seriesColors has the colour %.40q for %.60q; right are #rgb, #rrggbb and the CSS names, such as #c00, #cc0000 and teal", c, name)
		}
	}
	if err := o.SetRegion(string(o.Region)); err != nil {
		return stat.Errorf(stat.Invalid, "mapLocation %s", err)
	}
	// Written so that NaN is out of bounds.
	t := o.Transform
	if !(t.X >= -MaxShift && t.X <= MaxShift && t.Y >= -MaxShift && t.Y <= MaxShift && t.Scale >= MinZoom && t.Scale <= MaxZoom) {
		return stat.Errorf(stat.Invalid, "mapTransform is x %v, y %v, scale %v; right are x and y from -%d to %d pixels and a scale from %v to %v", t.X, t.Y, t.Scale, MaxShift, MaxShift, MinZoom, MaxZoom)
	}
	return nil
}

func parses(text string) bool { _, ok := colour.Parse(text); return ok }

// SetRegion sets the part of the world that a map shows, by its name in the
// interface; empty: chosen from the data.
func (o *Options) SetRegion(name string) error {
	switch r := atlas.Region(name); r {
	case atlas.World, atlas.Europe, atlas.Asia, atlas.Africa, atlas.NorthAmerica, atlas.SouthAmerica, atlas.Oceania:
		o.Region = r
		return nil
	}
	return fmt.Errorf("is %.40q; right are europe, asia, africa, north-america, south-america and oceania", name)
}
