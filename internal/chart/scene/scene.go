// Package scene describes a laid-out picture: marks in drawing order, each with its
// position. A scene does not depend on pixels or file formats. Package render writes it
// as SVG, PNG or JPEG, and tests read from it what a picture shows.
//
// Lengths are in layout units. The y axis points down. The picture is Width × Height
// units, and one unit is Scale pixels.
package scene

// Scene is a picture: a list of marks, the first drawn first.
type Scene struct {
	Width, Height float64 // units
	Scale         float64 // pixels per unit
	PixelWidth    int
	PixelHeight   int
	Ground        RGB    // background of the whole picture
	Transparent   bool   // the ground is not drawn, in formats that allow it
	Title         string // plain text, for the title element of SVG
	Alt           string // what the picture shows, in one or two sentences
	Language      string // code of the language of its texts, see package words; empty: English
	EmbedFonts    bool   // an SVG file contains the fonts of its texts
	MaxBytes      int    // size of an SVG file from which lines have fewer points; 0: that of render.SVG
	// OnlyPagesHaveValues says that an SVG file has to be so small that it has no values.
	OnlyPagesHaveValues bool
	Unit                string // of the values; may be empty
	// ValueText writes a value for a reader who points at its mark. If it is nil, the digits are not grouped.
	ValueText func(float64) string
	Plots     []Plot  // the parts of the picture that run along time
	Slots     []*Slot // the rows or columns of bars

	FlagNames map[string]string // of the codes of flags, in the reader's language

	// Coarser returns outlines that may stand for those of paths in smaller files: with a share
	// of their detail. It is nil if the picture has no outlines of areas.
	Coarser func(detail float64) map[*Outline]*Outline

	Marks []Mark
}

// Add adds marks on top.
func (s *Scene) Add(marks ...Mark) { s.Marks = append(s.Marks, marks...) }

// Mark is a drawn element: *Rect, *Line, *Circle, *Path or *Text.
type Mark interface{ Tags() *Tag }

// Tag says what a mark represents. SVG has the role as class and the name as data-name.
type Tag struct {
	Role   string  // a constant of this package: "series", "gridline", "title"
	Name   string  // distinguishes marks of one role: the label of a series, the ID of an area; may be empty
	Values *Values // what the line shows to which the mark or text belongs; nil: not a line
	Datum  *Datum  // what the mark alone shows, or the mark to which a text belongs; nil: nothing
	Slot   *Slot   // of which a text is the name; nil: none
}

// Tags returns the tag itself. It makes every mark that embeds a Tag a Mark.
func (t *Tag) Tags() *Tag { return t }

// Roles of marks.
const (
	Title      = "title"
	Subtitle   = "subtitle"
	Source     = "source"
	Note       = "note"  // footnotes below the plot
	Aside      = "aside" // additionalText
	Axis       = "axis"  // the base line of categories
	Zero       = "zero"  // the line at zero
	Gridline   = "gridline"
	Tick       = "tick" // short stroke at an axis
	TickLabel  = "tick-label"
	Series     = "series"      // line, dot or bar of a series
	Context    = "context"     // line or dot of a grey series in the background
	Break      = "break"       // stroke at a break in the series
	SeriesName = "series-name" // name of a series next to it
	Leader     = "leader"      // from a mark to a text that was moved away
	Category   = "category"    // name of a bar or group of bars
	Reference  = "reference"   // line at a value to compare with, and its label
	Band       = "band"        // between the bounds of a line
	Span       = "span"        // shaded part of the time
	Remark     = "remark"      // line at a date, and labels of dates and spans
	Value      = "value"       // number next to or inside its mark
	Highlight  = "highlight"   // marker and value of the latest point
	Legend     = "legend"      // swatch or line in a legend
	LegendText = "legend-text"
	Area       = "area"    // outline of a country with a value
	NoData     = "no-data" // outline of a country without one
	Border     = "border"
	Inset      = "inset"    // frame of a part of a map that is drawn apart
	Disputed   = "disputed" // border that is not agreed on
	Coast      = "coast"
	Land       = "land"   // outline of an area that is not part of the data
	Sphere     = "sphere" // outline of the globe
)

// Pen draws a line. The zero Pen draws none.
type Pen struct {
	Colour RGB
	Width  float64
	Dash   []float64 // lengths on, off, …; nil: solid
	Round  bool      // round ends and joins, else butt ends and mitred joins
}

// Fill covers a shape. The zero Fill covers nothing.
type Fill struct {
	Colour RGB
	On     bool
	// Hatch draws thin lines over the colour, from lower left to upper right.
	Hatch *Hatch
}

// Hatch is a pattern of parallel lines at 45°.
type Hatch struct {
	Colour  RGB
	Width   float64 // of one line
	Spacing float64 // distance between the middles of two lines
}

// Solid returns a Fill of one colour.
func Solid(c RGB) Fill { return Fill{Colour: c, On: true} }

// Rect is a box with its upper left corner at X, Y.
type Rect struct {
	Tag
	X, Y, W, H float64
	Fill       Fill
	Pen        Pen
	Radius     float64 // of the corners
}

// Line is a straight line.
type Line struct {
	Tag
	X1, Y1, X2, Y2 float64
	Pen            Pen
}

// Circle is a circle with its centre at X, Y.
type Circle struct {
	Tag
	X, Y, R float64
	Fill    Fill
	Pen     Pen
}

// Path is an arbitrary shape. Scenes may share the outline, so it must not be changed.
type Path struct {
	Tag
	Outline *Outline
	Fill    Fill // nonzero winding
	Pen     Pen
}

// Anchor says which point of a text is at X.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Weight is how bold a text is.
type Weight uint8

// The weights.
const (
	Regular Weight = iota
	Bold
)

// Text is one horizontal line of text with its base line at Y.
type Text struct {
	Tag
	X, Y   float64
	Text   string // clean: no control characters
	Size   float64
	Weight Weight
	Anchor Anchor
	Colour RGB
	Halo   float64 // width of the rim around the letters; 0: none
	Rim    RGB     // colour of the rim
	W      float64 // advance width, measured by package font
}

// Box is an occupied rectangle.
type Box struct{ X, Y, W, H float64 }

// Ascent and Descent say how far letters reach above and below the base line, as a
// fraction of the size: capitals and figures above, tails of g and p below.
const (
	Ascent  = 0.76
	Descent = 0.21
)

// Box returns the space that the text occupies.
func (t *Text) Box() Box {
	x := t.X
	switch t.Anchor {
	case Middle:
		x -= t.W / 2
	case End:
		x -= t.W
	}
	return Box{x, t.Y - Ascent*t.Size, t.W, (Ascent + Descent) * t.Size}
}

// Overlaps reports whether two boxes share more than an edge.
func (b Box) Overlaps(c Box) bool {
	const eps = 1e-9
	return b.X+b.W > c.X+eps && c.X+c.W > b.X+eps && b.Y+b.H > c.Y+eps && c.Y+c.H > b.Y+eps
}

// Inside reports whether b lies within c.
func (b Box) Inside(c Box) bool {
	const eps = 1e-9
	return b.X >= c.X-eps && b.Y >= c.Y-eps && b.X+b.W <= c.X+c.W+eps && b.Y+b.H <= c.Y+c.H+eps
}
