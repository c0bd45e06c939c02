package hbar

import (
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// Measures of the headings of the segments of a ranking.
const (
	headingSize  = frame.SmallSize
	headingAbove = .9 // space above a heading, times its size
	headingBelow = .5 // the same below it
)

// chooseHeadings decides whether the segments of a ranking have headings, unless rows would be
// too low or there is no space beside the bars. Then, dots mark where rows are left out.
func (r *rows) chooseHeadings() {
	if r.namesAbove || r.Scene.Height <= frame.SmallPicture {
		return
	}
	room := r.Plot.H
	for i := range r.t.Groups {
		if r.t.Heading(i) != "" {
			room -= r.headingHeight(i)
		}
	}
	r.hasHeadings = room >= float64(len(r.t.Groups))*r.least()
}

// headingHeight returns the height of the space above a row for its heading.
func (r *rows) headingHeight(row int) float64 {
	if row == 0 {
		return headingSize * (1 + headingBelow)
	}
	return headingSize * (1 + headingBelow + headingAbove)
}

// headingsWidth returns the width of the widest heading, or 0 if there are none.
func (r *rows) headingsWidth() float64 {
	widest := 0.0
	for i := range r.t.Groups {
		if r.hasHeadings {
			widest = max(widest, font.Width(r.t.Heading(i), headingSize, scene.Bold))
		}
	}
	return widest
}

// drawSegments writes the headings of the segments of a ranking, or else marks omitted rows by dots.
func (r *rows) drawSegments() {
	for i := range r.t.Groups {
		if text := r.t.Heading(i); r.hasHeadings && text != "" {
			r.drawHeading(i, text)
		} else if r.t.IsBreak(i) {
			r.drawBreak(i)
		}
	}
}

// drawHeading writes a heading in the column of the names.
func (r *rows) drawHeading(row int, text string) {
	t := &scene.Text{Tag: scene.Tag{Role: scene.LegendText}, X: r.nameX, Y: r.tops[row] - headingSize*headingBelow, Text: text, Size: headingSize, Weight: scene.Bold, Anchor: scene.End, Colour: colour.Muted}
	t.W = font.Width(text, t.Size, t.Weight)
	if r.mirrored {
		t.Anchor = scene.Start
	}
	r.Scene.Add(t)
}

// drawBreak marks omitted rows by three dots among the names.
func (r *rows) drawBreak(row int) {
	const pitch = 3.6
	x := r.nameX - r.size*.3
	switch {
	case r.namesAbove:
		x = r.Plot.X + r.size*.3
	case r.mirrored:
		x = r.nameX + r.size*.3
	}
	y := r.tops[row] - r.gapAbove(row, min(bartable.MaxGap, bartable.GapRows*r.row))/2
	for _, away := range []float64{-pitch, 0, pitch} {
		r.Scene.Add(&scene.Circle{Tag: scene.Tag{Role: scene.Break}, X: x, Y: y + away, R: 1.1, Fill: scene.Solid(colour.Muted)})
	}
}
