package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/theme"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// Options are a caller's choices for a chart, apart from the data.
type Options struct {
	Type          Type
	Width, Height int    // pixels
	Locale        string // language of the chart's own words, see package words; empty: English
	Stack         Stack
	Derive        transform.Transform // what is drawn instead of the office's values
	Version       string              // of the dataset, which the picture names, if the caller chose it; else empty
	// UnitChosen says that the caller selected the unit, so that amounts in different
	// currencies are drawn as they are. Otherwise lines are indexed.
	UnitChosen bool
	// Parts are the axes of which a picture shows all codes because the caller selected none.
	Parts []int
	// OwnAxes are dimensions of which each area has a value of its own, such as its currency or
	// its survey. Of several values of an area, the chart takes the one with the latest values.
	OwnAxes []int
	// IsWithin says that the caller selected an area with its parts, and did not name these.
	IsWithin bool
	// HasMembers says that the caller selected only the members of groups, and named none of them.
	HasMembers bool
	// Unknown are selected values that the dataset does not have, as the caller wrote them. The picture
	// names them with those that have no values.
	Unknown []string
	// UntilLast says that a dumbbell ends in the last period, even if its values are forecasts.
	UntilLast       bool
	Title           string // replaces the dataset's name if not empty
	IncludeTitle    bool
	IncludeSource   bool
	IncludeDate     bool // the period in the title of a map
	Plain           bool // the plot alone, for pages that state the texts around it
	PageStyle       bool // numbers and days as the pages of Almanac write them
	HighlightLatest bool
	ShowValues      bool
	ShowBands       bool    // the bounds of few lines, if the dataset has them
	Bounds          *Bounds // nil: there are none
	ShowBorders     bool
	ShowLegend      bool
	Lines           Lines
	// Colours and Labels are keyed by the label of a series in the legend: the area, or
	// the labels of the dimensions that distinguish the series.
	Colours    map[string]string
	Labels     map[string]string
	Region     atlas.Region
	Atlas      *atlas.Atlas // the outlines of maps; nil: the embedded ones
	Aside      string
	Transform  Transform
	Theme      string // see package theme
	Background string
	EmbedFonts bool // in SVG
}

// words returns the language of the chart's own words.
func (o *Options) words() *words.Language { return wordsIn(o.Locale, o.PageStyle) }

// DefaultOptions returns the options of a request that sets none.
func DefaultOptions() Options {
	return Options{
		Width: DefaultWidth, Height: DefaultHeight,
		IncludeTitle: true, IncludeSource: true, IncludeDate: true, ShowBorders: true, ShowLegend: true, ShowBands: true,
		Transform: Transform{Scale: 1},
	}
}

// Limits of a map's transform.
const (
	MaxShift = 10_000 // pixels, in each direction
	MinZoom  = 0.1
	MaxZoom  = 20
)

// Check reports the first option that is out of bounds, by its name in the interface.
// The error is [stat.Invalid].
func (o *Options) Check() error {
	switch o.Type {
	case Line, Bar, HorizontalBar, Map, Area, SmallMultiples, Dumbbell, Spark:
	case "":
		return stat.Errorf(stat.Invalid, "chartType is required: line, bar, horizontal-bar, map, area, small-multiples, dumbbell or spark")
	default:
		return stat.Errorf(stat.Invalid, "chartType must be line, bar, horizontal-bar, map, area, small-multiples, dumbbell or spark, not %.40q", string(o.Type))
	}
	if o.Type == Spark {
		if o.Width < MinSparkSide || o.Width > MaxSparkSide || o.Height < MinSparkSide || o.Height > MaxSparkSide {
			return stat.Errorf(stat.Invalid, "width and height of a sparkline must be between %d and %d pixels each, not %d × %d pixels", MinSparkSide, MaxSparkSide, o.Width, o.Height)
		}
	} else if o.Width < MinSide || o.Width > MaxSide || o.Height < MinSide || o.Height > MaxSide || o.Width*o.Height > MaxPixels {
		return stat.Errorf(stat.Invalid, "width and height must be between %d and %d pixels each and at most %d megapixels together, not %d × %d pixels", MinSide, MaxSide, MaxPixels/1_000_000, o.Width, o.Height)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Colours)) {
		if c := o.Colours[name]; !parses(c) {
			return stat.Errorf(stat.Invalid, "invalid colour %.40q for %.60q in seriesColors: must be #rgb, #rrggbb or a CSS colour name, such as #c00, #cc0000 or teal", c, name)
		}
	}
	if o.Locale != "" && !slices.Contains(words.Codes, o.Locale) {
		return stat.Errorf(stat.Invalid, "locale must be %s, not %.40q", oneOf(words.Codes), o.Locale)
	}
	if _, err := theme.Parse(o.Theme, o.Background); err != nil {
		return stat.Errorf(stat.Invalid, "%s", err)
	}
	if !slices.Contains([]Stack{"", StackNormal, StackPercent}, o.Stack) {
		return stat.Errorf(stat.Invalid, "stack must be normal or percent, not %.40q", string(o.Stack))
	}
	if err := o.SetRegion(string(o.Region)); err != nil {
		return stat.Errorf(stat.Invalid, "mapLocation %s", err)
	}
	if !slices.Contains([]Curve{"", Smooth, Straight, Step}, o.Lines.Curve) {
		return stat.Errorf(stat.Invalid, "curve must be smooth, straight or step, not %.40q", string(o.Lines.Curve))
	}
	// The conditions are false for NaN.
	t := o.Transform
	if !(t.X >= -MaxShift && t.X <= MaxShift && t.Y >= -MaxShift && t.Y <= MaxShift && t.Scale >= MinZoom && t.Scale <= MaxZoom) {
		return stat.Errorf(stat.Invalid, "mapTransform must have x and y between -%d and %d pixels and a scale between %v and %v, not x %v, y %v, scale %v", MaxShift, MaxShift, MinZoom, MaxZoom, t.X, t.Y, t.Scale)
	}
	return nil
}

// oneOf lists the values that an option may have: "a, b or c".
func oneOf(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

func parses(text string) bool { _, ok := colour.Parse(text); return ok }

// SetRegion sets the part of the world that a map shows, by its name in the interface.
// If empty, it is chosen from the data.
func (o *Options) SetRegion(name string) error {
	switch r := atlas.Region(name); r {
	case atlas.World, atlas.Europe, atlas.Asia, atlas.Africa, atlas.NorthAmerica, atlas.SouthAmerica, atlas.Oceania:
		o.Region = r
		return nil
	}
	return fmt.Errorf("must be europe, asia, africa, north-america, south-america or oceania, not %.40q", name)
}
