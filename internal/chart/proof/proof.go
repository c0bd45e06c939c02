// Package proof reads a scene as a proofreader does: it finds what a reader
// would stumble over. Tests hold every picture of the gallery against it.
package proof

import (
	"fmt"
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// What a reader needs to tell things apart, by WCAG 2: text on its ground, and
// marks on the picture's ground.
const (
	textContrast = 4.5
	markContrast = 3.0
)

// Check returns what is wrong with a scene, in words, nil if nothing is: a
// place that is no number, a text that leaves the picture, two texts that
// overlap, a text that is hard to read on what lies beneath it, a series that
// is hard to see.
func Check(s *scene.Scene) []string {
	var wrong []string
	texts := textsOf(s)
	canvas := scene.Box{W: s.Width, H: s.Height}
	for i, t := range texts {
		box := t.Box()
		if !finite(box.X, box.Y, box.W, box.H) {
			wrong = append(wrong, fmt.Sprintf("%s %q has no place", t.Role, t.Text))
			continue
		}
		if t.Text == "" || t.W <= 0 {
			wrong = append(wrong, fmt.Sprintf("%s %q has no width", t.Role, t.Text))
		}
		if !box.Inside(canvas) {
			wrong = append(wrong, fmt.Sprintf("%s %q leaves the picture: %.1f %.1f, %.1f × %.1f in %.1f × %.1f", t.Role, t.Text, box.X, box.Y, box.W, box.H, s.Width, s.Height))
		}
		for _, other := range texts[:i] {
			if box.Overlaps(other.Box()) {
				wrong = append(wrong, fmt.Sprintf("%s %q overlaps %s %q", t.Role, t.Text, other.Role, other.Text))
			}
		}
	}
	return append(wrong, faint(s)...)
}

func textsOf(s *scene.Scene) []*scene.Text {
	var texts []*scene.Text
	for _, m := range s.Marks {
		if t, ok := m.(*scene.Text); ok {
			texts = append(texts, t)
		}
	}
	return texts
}

func finite(numbers ...float64) bool {
	for _, n := range numbers {
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return false
		}
	}
	return true
}

// faint returns the texts and series without enough contrast.
func faint(s *scene.Scene) []string {
	var wrong []string
	for i, m := range s.Marks {
		if t, ok := m.(*scene.Text); ok {
			if c := contrastOf(s, t, i); c < textContrast {
				wrong = append(wrong, fmt.Sprintf("%s %q has a contrast of %.2f", t.Role, t.Text, c))
			}
			continue
		}
		tag := m.Tags()
		if tag.Role != scene.Series && tag.Role != scene.Highlight || i > 0 && isEdged(m, s.Marks[i-1]) {
			continue
		}
		if c, ok := inkOf(m, s.Ground); ok && colour.Contrast(c, s.Ground) < markContrast {
			wrong = append(wrong, fmt.Sprintf("%s %q has a contrast of %.2f", tag.Role, tag.Name, colour.Contrast(c, s.Ground)))
		}
	}
	return wrong
}

// isEdged reports whether a line was drawn over a wider one, which then is what
// it is seen by.
func isEdged(m, before scene.Mark) bool {
	line, ok := m.(*scene.Path)
	edge, also := before.(*scene.Path)
	return ok && also && line.Outline == edge.Outline && !line.Fill.On && edge.Pen.Width > line.Pen.Width
}

// contrastOf is the least contrast that a text has at its beginning, middle and
// end with its halo or with what was drawn beneath it; at is its place among
// the marks.
func contrastOf(s *scene.Scene, t *scene.Text, at int) float64 {
	if t.Halo > 0 {
		return colour.Contrast(t.Colour, t.Rim)
	}
	box := t.Box()
	least := math.Inf(1)
	for _, part := range []float64{.1, .5, .9} {
		least = min(least, colour.Contrast(t.Colour, under(s, box.X+box.W*part, box.Y+box.H/2, at)))
	}
	return least
}

// under is the colour at a place before the mark at a position is drawn.
func under(s *scene.Scene, x, y float64, before int) colour.RGB {
	for i := before - 1; i >= 0; i-- {
		switch m := s.Marks[i].(type) {
		case *scene.Rect:
			if m.Fill.On && x >= m.X && x <= m.X+m.W && y >= m.Y && y <= m.Y+m.H {
				return m.Fill.Colour
			}
		case *scene.Circle:
			if m.Fill.On && math.Hypot(x-m.X, y-m.Y) <= m.R {
				return m.Fill.Colour
			}
		case *scene.Path:
			if m.Fill.On && m.Outline.Contains(x, y) {
				return m.Fill.Colour
			}
		}
	}
	return s.Ground
}

// inkOf is the colour that a mark is seen by: of its pen where it is filled in
// the colour of the ground, as a ring is, or a bar or dot in a colour too pale to
// be seen; ok is false where it has none.
func inkOf(m scene.Mark, ground colour.RGB) (c colour.RGB, ok bool) {
	var fill scene.Fill
	var pen scene.Pen
	switch m := m.(type) {
	case *scene.Rect:
		fill, pen = m.Fill, m.Pen
		fill.On = fill.On && (pen.Width == 0 || colour.Contrast(fill.Colour, ground) >= markContrast)
	case *scene.Circle:
		fill, pen = m.Fill, m.Pen
		fill.On = fill.On && (pen.Width == 0 || colour.Contrast(fill.Colour, ground) >= markContrast)
	case *scene.Path:
		fill, pen = m.Fill, m.Pen
	case *scene.Line:
		pen = m.Pen
	}
	if fill.On && (fill.Colour != ground || pen.Width == 0) {
		return fill.Colour, true
	}
	return pen.Colour, pen.Width > 0
}
