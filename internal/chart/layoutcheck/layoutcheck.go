// Package layoutcheck finds problems that make a scene hard to read. Tests check every
// picture of the gallery with it.
package layoutcheck

import (
	"fmt"
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// Limits for readable pictures: by WCAG 2, the contrast of text to what lies under it and
// of marks to the background; and the size of text in pixels.
const (
	textContrast = 4.5
	markContrast = 3.0
	smallestText = 9.0
)

// Check returns a description of each problem of a scene, or nil. It reports a mark whose
// position is not finite; a text or mark that leaves the picture; a text that is empty,
// too small, not as wide as stated, overlapping another, struck through, or hard to read
// on what lies under it; and a series that is hard to see.
func Check(s *scene.Scene) []string {
	return slices.Concat(checkTexts(s), checkPositions(s), checkContrasts(s))
}

// checkTexts returns the problems of texts, except for their contrast.
func checkTexts(s *scene.Scene) []string {
	var problems []string
	texts := textsOf(s)
	canvas := scene.Box{W: s.Width, H: s.Height}
	for i, t := range texts {
		box := t.Box()
		if plain := font.WithoutIsolates(t.Text); font.Clean(plain) != plain || plain == "" {
			problems = append(problems, describe(t)+" is empty or not clean")
		}
		if w := font.Width(t.Text, t.Size, t.Weight); math.Abs(w-t.W) > .01 {
			problems = append(problems, fmt.Sprintf("%s states a width of %.2f but is %.2f wide", describe(t), t.W, w))
		}
		if px := t.Size * s.Scale; px < smallestText-.01 {
			problems = append(problems, fmt.Sprintf("%s is %.1f pixels high; the minimum is %v", describe(t), px, smallestText))
		}
		if !box.Inside(canvas) {
			problems = append(problems, fmt.Sprintf("%s leaves the picture of %.1f × %.1f", describe(t), s.Width, s.Height))
		}
		if t.Halo == 0 && isStruckThrough(s, box) {
			problems = append(problems, describe(t)+" is struck through by the line at zero")
		}
		for _, other := range texts[:i] {
			if box.Overlaps(other.Box()) {
				problems = append(problems, describe(t)+" overlaps "+describe(other))
			}
		}
	}
	return problems
}

// isStruckThrough reports whether the line at zero runs through a box.
func isStruckThrough(s *scene.Scene, box scene.Box) bool {
	return slices.ContainsFunc(s.Marks, func(m scene.Mark) bool {
		line, ok := m.(*scene.Line)
		return ok && line.Role == scene.Zero && box.Overlaps(Extent(line))
	})
}

// checkPositions reports marks whose position is not finite or that leave the picture.
// Only outlines of maps may leave it.
func checkPositions(s *scene.Scene) []string {
	const eps = .01
	canvas := scene.Box{X: -eps, Y: -eps, W: s.Width + 2*eps, H: s.Height + 2*eps}
	var problems []string
	for _, m := range s.Marks {
		box := Extent(m)
		if !finite(box.X, box.Y, box.W, box.H) {
			problems = append(problems, fmt.Sprintf("%s has no finite position: %v", describe(m), box))
			continue
		}
		switch role := m.Tags().Role; role {
		case scene.Area, scene.NoData, scene.Border, scene.Disputed, scene.Coast, scene.Land, scene.Sphere:
			continue
		}
		if !box.Inside(canvas) {
			problems = append(problems, fmt.Sprintf("%s at %.1f leaves the picture of %.1f × %.1f", describe(m), box, s.Width, s.Height))
		}
	}
	return problems
}

// Extent returns the box around a mark. For a curve it includes the control points.
func Extent(m scene.Mark) scene.Box {
	switch m := m.(type) {
	case *scene.Rect:
		return scene.Box{X: m.X, Y: m.Y, W: m.W, H: m.H}
	case *scene.Line:
		return around(scene.Point{X: m.X1, Y: m.Y1}, scene.Point{X: m.X2, Y: m.Y2})
	case *scene.Circle:
		return scene.Box{X: m.X - m.R, Y: m.Y - m.R, W: 2 * m.R, H: 2 * m.R}
	case *scene.Path:
		return around(m.Outline.Points...)
	case *scene.Text:
		return m.Box()
	}
	return scene.Box{}
}

func around(points ...scene.Point) scene.Box {
	if len(points) == 0 {
		return scene.Box{}
	}
	low, high := points[0], points[0]
	for _, p := range points {
		low = scene.Point{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = scene.Point{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	return scene.Box{X: low.X, Y: low.Y, W: high.X - low.X, H: high.Y - low.Y}
}

func describe(m scene.Mark) string {
	tag := m.Tags()
	if t, ok := m.(*scene.Text); ok {
		b := t.Box()
		return fmt.Sprintf("%s %.60q at %.1f,%.1f to %.1f,%.1f", tag.Role, t.Text, b.X, b.Y, b.X+b.W, b.Y+b.H)
	}
	return fmt.Sprintf("%T of %s %.60q", m, tag.Role, tag.Name)
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

// checkContrasts reports texts and series with too little contrast.
func checkContrasts(s *scene.Scene) []string {
	var problems []string
	for i, m := range s.Marks {
		if t, ok := m.(*scene.Text); ok {
			if c := contrastOf(s, t, i); c < textContrast {
				problems = append(problems, fmt.Sprintf("%s has a contrast of %.2f", describe(t), c))
			}
			continue
		}
		tag := m.Tags()
		if tag.Role != scene.Series && tag.Role != scene.Highlight || i > 0 && isEdged(m, s.Marks[i-1]) {
			continue
		}
		if c, ok := visibleColour(m, s.Ground); ok && colour.Contrast(c, s.Ground) < markContrast {
			problems = append(problems, fmt.Sprintf("%s has a contrast of %.2f", describe(m), colour.Contrast(c, s.Ground)))
		}
	}
	return problems
}

// isEdged reports whether a line is drawn over a wider one, whose edges make it visible.
func isEdged(m, before scene.Mark) bool {
	line, ok := m.(*scene.Path)
	edge, edgeOK := before.(*scene.Path)
	return ok && edgeOK && line.Outline == edge.Outline && !line.Fill.On && edge.Pen.Width > line.Pen.Width
}

// contrastOf returns the contrast of a text to its halo, or the lowest contrast to what
// lies under its start, middle and end. at is its index among the marks.
func contrastOf(s *scene.Scene, t *scene.Text, at int) float64 {
	if t.Halo > 0 {
		return colour.Contrast(t.Colour, t.Rim)
	}
	box := t.Box()
	least := math.Inf(1)
	for _, part := range []float64{.1, .5, .9} {
		least = min(least, colour.Contrast(t.Colour, s.Under(box.X+box.W*part, box.Y+box.H/2, at)))
	}
	return least
}

// visibleColour returns the colour that makes a mark visible. This is the pen's colour if
// the fill has the colour of the background, as in a ring, or is too pale, as in some
// bars and dots. ok is false if the mark has no colour.
func visibleColour(m scene.Mark, ground colour.RGB) (c colour.RGB, ok bool) {
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
