package chart

import "math"

// Pictures are laid out at one size and then scaled, so that text keeps its proportion
// to the picture: a 16:9 picture is 900 units wide at any number of pixels. If the
// smallest text would fall below SmallestText pixels, the picture has fewer units
// instead, and the layout shows less.
const (
	referenceArea = 900 * 506.25 // square units
	SmallestText  = 9.0          // pixels
	pageText      = 12.0         // pixels: the smallest text of pages, which also that of their maps has
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
	if s.Type == Map && s.IsInPage() {
		scale = max(scale, pageText/SmallSize)
	}
	return w / scale, h / scale, scale
}

// IsInPage reports whether the picture is part of a page, which states the texts around it and the notes.
func (s *Spec) IsInPage() bool { return s.Plain && s.PageStyle }

// LacksAddedLabels reports whether the picture is too small to say what reference lines, shaded
// spans and remarks are: a small line chart has no labels, and low small multiples may have no notes.
func (s *Spec) LacksAddedLabels() bool {
	_, height, _ := s.Units()
	return s.Type == Line && height <= SmallPicture || s.Type == SmallMultiples && height <= lowPanels
}
