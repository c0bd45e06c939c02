package chart

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// Pictures are laid out at one size and then scaled, so that text keeps its proportion
// to the picture: a 16:9 picture is 900 units wide at any number of pixels. If the
// smallest text would fall below smallestText pixels, the picture has fewer units
// instead, and the layout shows less.
const (
	referenceArea = 900 * 506.25 // square units
	smallestText  = 9.0          // pixels
)

// Sizes of text, in units.
const (
	titleSize    = 22.0
	subtitleSize = 14.0
	labelSize    = 12.5 // ticks, names, values, legends
	smallSize    = 11.0 // notes and source
	leading      = 1.28 // line spacing, times the size
)

// Margins of the picture, in units.
const (
	marginX      = 22.0
	marginTop    = 18.0
	marginBottom = 14.0
)

// Space above and below the plot, in units.
const (
	headerGap      = 13.0  // from the subtitle to the plot, so that no value looks like part of it
	sourceGap      = 4.0   // from the notes to the source
	maxNoteLines   = 3     // of one note
	maxHeaderShare = .36   // largest fraction of the picture's height for title and subtitle
	maxTitleShare  = .3    // the same for the title alone
	smallerTitle   = .9    // smaller size of a title that would need a second line for a few letters
	maxLowPicture  = 180.0 // height of the picture up to which title and subtitle share a line
	maxNarrowTitle = 300.0 // width of the plot below which a title may be as small as the notes
)

// frame is a picture that is being laid out. Texts above and below the plot are placed;
// plot is the remaining space.
type frame struct {
	spec  *Spec
	scene *scene.Scene
	plot  scene.Box
	// notesEnd is the lower edge of the notes that the plot adds to those of the Spec.
	notesEnd float64
}

// newFrame returns a picture with its title, subtitle, notes and source.
func newFrame(s *Spec) *frame {
	w, h := float64(s.Width), float64(s.Height)
	scale := math.Sqrt(w * h / referenceArea)
	scale = min(scale, w/300, h/250)
	scale = max(scale, smallestText/smallSize)
	f := &frame{spec: s, scene: &scene.Scene{
		Width: w / scale, Height: h / scale, Scale: scale, PixelWidth: s.Width, PixelHeight: s.Height,
		Ground: colour.White, Title: font.Clean(s.Title), Alt: s.Alt(),
	}}
	marginX := min(marginX, f.scene.Width/12)
	f.plot = scene.Box{X: marginX, Y: min(marginTop, f.scene.Height/14), W: f.scene.Width - 2*marginX}
	f.plot.H = f.scene.Height - f.plot.Y - min(marginBottom, f.scene.Height/16)
	f.header()
	f.footer()
	return f
}

// take removes height from the top of the plot.
func (f *frame) take(h float64) {
	f.plot.Y += h
	f.plot.H -= h
}

// snap rounds a position or length to whole pixels.
func (f *frame) snap(v float64) float64 { return math.Round(v*f.scene.Scale) / f.scene.Scale }

// smallest returns the size of the smallest readable text in this picture.
func (f *frame) smallest() float64 { return max(8.5, smallestText/f.scene.Scale) }

// axisGap is the distance from axis labels to the plot, in units.
const axisGap = 7.0
