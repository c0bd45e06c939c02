package chart

import (
	"math"
	"strconv"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/caption"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/words"
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
	Area          Type = "area"
	Dumbbell      Type = "dumbbell"
	// SmallMultiples are lines, each in a panel of its own.
	SmallMultiples Type = "small-multiples"
	Spark          Type = "spark" // a line without texts, for a table or a running text
)

// Limits of a picture's size in pixels.
const (
	MinSide       = 100
	MaxSide       = 4096
	MaxPixels     = 12_000_000
	DefaultWidth  = 1200
	DefaultHeight = 675

	MinSparkSide = 16
	MaxSparkSide = 1000
	SparkWidth   = 160
	SparkHeight  = 40
)

// Spec describes what to draw. Texts are unchanged input: Layout cleans, wraps and cuts
// them.
type Spec struct {
	Dataset       int   // the dataset of the numbers
	Others        []int `json:",omitempty"` // the other datasets, if there are several
	Type          Type
	Width, Height int // pixels

	// Locale is the language of the chart's own words, numbers and dates. Empty means
	// English.
	Locale string `json:",omitempty"`

	Title    string   // not drawn if empty
	Name     string   `json:",omitempty"` // replaces the title in Alt if no title is drawn
	Subtitle string   // measure, unit, selection, period
	Source   string   // office, dataset code, date of update; not drawn if empty
	Edition  string   `json:",omitempty"` // a sentence that says which version was chosen, for Alt
	Notes    []string // footnotes, one sentence each
	Aside    string   // additionalText: on the left side of a map, else below the plot
	Unit     string   // "%", "Million euro"; empty if not stated
	Counted  string   `json:",omitempty"` // what Unit counts, if Power is not zero: "euro"
	Power    int      `json:",omitempty"` // numbers are written in full, not as multiples in Unit: 6 of "Million euro"
	Mixed    bool     `json:",omitempty"` // the values differ in unit and cannot be compared
	Period   string   // of the values of maps and bars of areas; a span if categories have their own

	// Periods are the positions of Values along the time axis, in order. Only charts
	// along time have them: lines, and bars of one series.
	Periods Periods
	// Categories are the positions of Values in other charts: areas or values of a
	// dimension, in the order of the source.
	Categories []Category
	// Ordered says that the order of the categories has a meaning, as of ages.
	Ordered bool `json:",omitempty"`
	Series  []Series
	// Undrawn is the number of series that are left out because their lines would hide each other,
	// or because they have no panel or no part of the area; if there are none, because their
	// values are beyond all others.
	Undrawn int `json:",omitempty"`

	// Projected is the number of periods at the end whose values are projections although no
	// flag says so, and EstimatesAhead says that values flagged as estimated are forecasts.
	Projected      int  `json:",omitempty"`
	EstimatesAhead bool `json:",omitempty"`
	// ProjectedFrom is the first of the chart's periods whose values are projections although no flag
	// says so; empty: there is none.
	ProjectedFrom string `json:",omitempty"`

	Theme      string `json:",omitempty"` // colours: see package theme
	Background string `json:",omitempty"` // likewise
	EmbedFonts bool   `json:",omitempty"` // SVG contains its fonts

	// Stack puts the values of several series on one another: see [Stack].
	Stack Stack  `json:",omitempty"`
	Lines *Lines `json:",omitempty"` // of a line chart; nil: nothing was chosen

	// Plain leaves out title, subtitle, notes and source, which a page states itself.
	Plain bool `json:",omitempty"`
	// PageStyle writes numbers and days as the pages of Almanac do: see [words.Language.ForPages].
	PageStyle bool `json:",omitempty"`

	HighlightLatest bool
	ShowValues      bool
	ShowBorders     bool
	ShowLegend      bool

	// HasWhole says that what is set apart is the area of which the others are parts, and no group
	// of countries.
	HasWhole bool `json:",omitempty"`

	Region    atlas.Region // of a map; empty: chosen from the areas with values
	Transform Transform    // of a map
	Outlines  string       `json:",omitempty"` // the name of a map's outlines; empty: countries
	// Uncovered are the countries that a map shows as land and not as "no data", because the
	// dataset never has values for them: Russia on a map of Eurostat's data.
	Uncovered []string `json:",omitempty"`
	// HasUnknownAreas says that areas on a map of regions have names that are not known: each may be
	// any of the regions without a value, and none of those is "no data".
	HasUnknownAreas bool `json:",omitempty"`

	unused           Keys             // see Unused
	unstated         []Unstated       // see Unstated
	filler           string           // the unit that the office states, if it only says that values are numbers
	withoutPanel     int              // see WithoutPanel
	inCurrencies     bool             // see InCurrencies
	earlier          int              // see Earlier
	otherFrequencies []stat.Frequency // see OtherFrequencies
	unbounded        []string         // see WithoutBounds
	set              *atlas.Set       // named by Outlines; nil: not yet looked up

	totals      bool   // see ShowsTotals
	leftOut     int    // see LeftOut
	usualPeriod string // of most categories, if they have periods of their own

	parts []string // see [Spec.Parts]
}

// Words returns the language of the chart's own words.
func (s *Spec) Words() *words.Language { return wordsIn(s.Locale, s.PageStyle) }

// wordsIn returns a language as charts or as pages write it.
func wordsIn(locale string, pageStyle bool) *words.Language {
	l := words.In(locale)
	if pageStyle {
		return l.ForPages()
	}
	return l
}

// NumberUnit returns the unit in which numbers are written.
func (s *Spec) NumberUnit() scale.Unit {
	return scale.Unit{Text: s.UnitText(), Language: s.Words(), Power: s.Power}
}

// ValueText writes a value with all its digits, in the language of the chart.
func (s *Spec) ValueText(v float64) string {
	digits := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	whole, fraction, _ := strings.Cut(digits, ".")
	text := s.Words().Decimal(whole, fraction)
	if v < 0 {
		text = "−" + text
	}
	return text
}

// UnitText returns the unit of the numbers as they are written.
func (s *Spec) UnitText() string {
	if s.Power != 0 {
		return s.Counted
	}
	return s.Unit
}

// Category is one position of a chart that does not run along time.
type Category struct {
	Label string
	Area  string // as in available_geo; empty if the category is not an area
	Group bool   // the area is a group of countries, such as the EU or the world
	// OwnLabel is the label of a group without a choice of language, by which the group is known, if
	// that is another one.
	OwnLabel string `json:",omitempty"`
	// Members are the countries that a map fills with the value of the group, because they have none of
	// their own and it is that of each of them: a tariff of the European Union.
	Members []string `json:",omitempty"`
	// Period is that of the category's values, if categories differ in it; several
	// periods are written as a span.
	Period string `json:",omitempty"`
	// Segment is the segment of a ranking to which the category belongs, if others are left out.
	Segment Segment `json:",omitempty"`
	// Colour is the caller's colour for a bar of a single series, in a form that
	// package colour parses. Empty means the series' colour.
	Colour string
}

// Series is one line, or one bar in each group, or the values of a map.
type Series struct {
	Key    string // the label by which callers set colours and names
	Label  string // what is written: the caller's name, or Key
	Colour string // the caller's colour; empty: chosen
	Area   string `json:"-"` // of a series along time, as in available_geo
	Group  bool   // the series is about a group of countries
	Focus  bool   // drawn in colour; if no series has it, as many series as there are colours
	// Projected says that all values are projections although no flag says so.
	Projected bool `json:",omitempty"`
	// Values correspond to Spec.Periods or Spec.Categories; NaN means no value.
	Values Values
	Flags  []stat.Flags `json:",omitempty"` // same length as Values, or nil
	// Notes are the notes of the office in words, by position of the value.
	Notes map[int]string `json:",omitempty"`
	// Low and High are the bounds of uncertainty of the values of a line, or nil.
	Low  Values `json:",omitempty"`
	High Values `json:",omitempty"`
}

// Transform moves and enlarges a map about the centre of the plot.
type Transform struct {
	X, Y  float64 // in pixels of the picture
	Scale float64 // 0 or 1: unchanged
}

// ShowsIndex reports whether the values are those of an index, which readers compare with its
// base and not with zero.
func (s *Spec) ShowsIndex() bool { return caption.IsIndex(s.Unit) || caption.IsIndex(s.Subtitle) }
