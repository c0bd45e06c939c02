package chart

import (
	"almanac/internal/chart/atlas"
	"almanac/internal/stat"
)

// Type is a kind of chart.
type Type string

// The types, as callers write them.
const (
	Line          Type = "line"
	Bar           Type = "bar"
	HorizontalBar Type = "horizontal-bar"
	Map           Type = "map"
)

// Bounds of a picture in pixels.
const (
	MinSide       = 100
	MaxSide       = 4096
	MaxPixels     = 12_000_000
	DefaultWidth  = 1200
	DefaultHeight = 675
)

// Spec is what to draw. Every text in it is as it came: Layout cleans, wraps
// and cuts.
type Spec struct {
	Dataset       int // whose numbers it shows
	Type          Type
	Width, Height int // pixels

	Title    string   // empty: none is drawn
	Name     string   `json:",omitempty"` // what the picture is of, for Alt, where no title is drawn
	Subtitle string   // measure, unit, selection, period
	Source   string   // office, dataset code, date of update; empty: none is drawn
	Notes    []string // footnotes, one sentence each
	Aside    string   // additionalText: on the left side of a map, below the plot elsewhere
	Unit     string   // "%", "Million euro"; empty where none is stated
	Mixed    bool     `json:",omitempty"` // the values differ in unit, so that they cannot be compared
	Period   string   // of the values, where there is one: maps and bars of areas

	// Periods are the positions of Values along the time axis, in order. Only
	// where the chart runs along time: lines, and bars of one series.
	Periods []stat.Period
	// Categories are the positions of Values where the chart does not run along
	// time: areas or values of a dimension, in the order of the source.
	Categories []Category
	Series     []Series

	HighlightLatest bool
	ShowValues      bool
	ShowBorders     bool
	ShowLegend      bool

	Region    atlas.Region // of a map; empty: what the areas with values suggest
	Transform Transform    // of a map

	unused Keys // see Unused
}

// Category is one position of a chart that does not run along time.
type Category struct {
	Label string
	Area  string // as in available_geo; empty where the category is no area
	Group bool   // the area is a group of countries: EU, world
	// Colour is the caller's for the bars of one series, as Layout's colours are
	// written; empty: that of the series.
	Colour string
}

// Series is one line, or one bar in each group, or the values of a map.
type Series struct {
	Key    string // the label by which callers give colours and names
	Label  string // what is drawn: a caller's own name, or Key
	Colour string // the caller's, as Layout's colours are written; empty: chosen
	Group  bool   // the series is of a group of countries
	Focus  bool   // drawn in colour; where none has it, as many as there are colours do
	// Values stand beside Spec.Periods or Spec.Categories; NaN where there is none.
	Values Values
	Flags  []stat.Flags `json:",omitempty"` // as long as Values, or nil
}

// Transform moves and enlarges a map about the centre of the picture's plot.
type Transform struct {
	X, Y  float64 // pixels of the picture
	Scale float64 // 0 or 1: as it is
}
