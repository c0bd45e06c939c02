package chart

import "math"

// Pictures are laid out at one size and then scaled, so that text keeps its proportion
// to the picture: a 16:9 picture is 900 units wide at any number of pixels. If the
// smallest text would fall below SmallestText pixels, the picture has fewer units
// instead, and the layout shows less.
const (
	referenceArea = 900 * 506.25 // square units
	SmallestText  = 9.0          // pixels
	mapText       = 12.0         // pixels: the smallest text of maps in pages
	pageText      = 11.5         // pixels: that of their other charts, whose most texts are larger
	SmallSize     = 11.0         // of notes and source, in units

	SmallPicture = 260.0 // height in units up to which the plot comes before everything else
	lowPanels    = 340.0 // height in units up to which small multiples may lack space for notes
)

// Units returns the size of the picture in units, and how many pixels a unit has.
func (s *Spec) Units() (width, height, scale float64) {
	w, h := float64(s.Width), float64(s.Height)
	scale = math.Sqrt(w * h / referenceArea)
	scale = min(scale, w/300, h/250)
	scale = max(scale, SmallestText/SmallSize)
	switch {
	case s.IsInPage() && s.Type == Map:
		scale = max(scale, mapText/SmallSize)
	case s.hasPageText():
		scale = max(scale, pageText/SmallSize)
	}
	return w / scale, h / scale, scale
}

// hasPageText reports whether the texts of the picture are as large as those of the page that it is part of.
func (s *Spec) hasPageText() bool { return s.IsInPage() && s.Type != Spark }

// SmallestText is the size of the smallest readable text in the picture, in units.
func (s *Spec) SmallestText() float64 {
	if s.hasPageText() {
		return SmallSize
	}
	_, _, scale := s.Units()
	return max(8.5, SmallestText/scale)
}

// IsInPage reports whether the picture is part of a page, which states the texts around it and the notes.
func (s *Spec) IsInPage() bool { return s.Plain && s.PageStyle }

// LacksAddedLabels reports whether the picture is too small to say what reference lines, shaded
// spans and remarks are: a small line chart has no labels, and low small multiples may have no notes.
func (s *Spec) LacksAddedLabels() bool {
	_, height, _ := s.Units()
	return s.Type == Line && height <= SmallPicture || s.Type == SmallMultiples && height <= lowPanels
}
