// Package frame lays out what is around the plot of every chart: title and subtitle, notes
// and source, and legends.
package frame

import (
	"math"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// Sizes of text, in units.
const (
	TitleSize    = 22.0
	subtitleSize = 14.0
	LabelSize    = 12.5 // ticks, names, values, legends
	SmallSize    = chart.SmallSize
	Leading      = 1.28 // line spacing, times the size
)

// Margins of the picture, in units.
const (
	MarginX      = 22.0
	MarginTop    = 18.0
	marginBottom = 14.0
)

// Space above and below the plot, in units.
const (
	titleShare     = .072  // of the picture's height: size of a title in a small picture
	subtitleShare  = .83   // of the title's size: size of a subtitle in a small picture
	headerGap      = 13.0  // from the subtitle to the plot, so that no value looks like part of it
	sourceGap      = 4.0   // from the notes to the source
	maxNoteLines   = 3     // of one note
	maxHeaderShare = .36   // largest fraction of the picture's height for title and subtitle
	maxTitleShare  = .3    // the same for the title alone
	SmallerTitle   = .9    // smaller size of a title that would need a second line for a few letters
	MaxLowPicture  = 180.0 // height of the picture up to which title and subtitle share a line
	SmallPicture   = chart.SmallPicture
	smallHeader    = 3     // lines of title and subtitle in such a picture, unless the title needs them all
	maxNarrowTitle = 300.0 // width of the plot below which a title may be as small as the notes
)

// Frame is a picture that is being laid out. Texts above and below the plot are placed;
// plot is the remaining space.
type Frame struct {
	Spec  *chart.Spec
	Scene *scene.Scene
	Plot  scene.Box
	// RightToLeft says that title, subtitle, notes and source stand at the right.
	RightToLeft bool
	// notesEnd is the lower edge of the notes that the plot adds to those of the Spec.
	notesEnd float64
}

// New returns a picture with its title, subtitle, notes and source.
func New(s *chart.Spec) *Frame {
	width, height, scale := s.Units()
	f := &Frame{Spec: s, Scene: &scene.Scene{
		Width: width, Height: height, Scale: scale, PixelWidth: s.Width, PixelHeight: s.Height,
		Ground: colour.White, Title: font.Clean(s.Title), Alt: s.Alt(), Language: s.Words().Code, Unit: font.Clean(s.Unit),
	}}
	if s.PageStyle { // files for programs keep plain digits
		f.Scene.ValueText = s.ValueText
	}
	marginX := min(MarginX, f.Scene.Width/12)
	f.Plot = scene.Box{X: marginX, Y: min(MarginTop, f.Scene.Height/14), W: f.Scene.Width - 2*marginX}
	f.Plot.H = f.Scene.Height - f.Plot.Y - min(marginBottom, f.Scene.Height/16)
	f.RightToLeft = s.Words().RightToLeft || font.RightToLeft(f.Scene.Title)
	f.header()
	f.footer()
	return f
}

// Take removes height from the top of the plot.
func (f *Frame) Take(h float64) {
	f.Plot.Y += h
	f.Plot.H -= h
}

// Snap rounds a position or length to whole pixels.
func (f *Frame) Snap(v float64) float64 { return math.Round(v*f.Scene.Scale) / f.Scene.Scale }

// Smallest returns the size of the smallest readable text in this picture.
func (f *Frame) Smallest() float64 { return f.Spec.SmallestText() }

// AxisGap is the distance from axis labels to the plot, in units.
const AxisGap = 7.0
