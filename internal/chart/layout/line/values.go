package line

import (
	"cmp"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// showsValues reports whether all values are written: those of a single line.
func (c *lineChart) showsValues() bool {
	return c.Spec.ShowValues && len(c.tracks) == 1 && c.Spec.Type == chart.Line && !c.isSinglePeriod()
}

// valueFormat returns the format of the values in the plot: all values of a single line
// with showValues, else the latest ones of the coloured lines.
func (c *lineChart) valueFormat() scale.Numbers {
	var values []float64
	for _, t := range c.tracks {
		switch {
		case c.showsValues():
			values = t.series.Values
		case t.lead:
			values = append(values, t.series.Values[t.last().at])
		}
	}
	return scale.NumbersFor(values, c.Spec.NumberUnit())
}

// drawValues writes values above their points, or below if the line turns upwards there.
// The latest, the highest, the lowest and the first value have priority. No value covers
// the line or another text.
func (c *lineChart) drawValues(t *track) {
	order := make([]int, len(t.spots))
	for i := range order {
		order[i] = i
	}
	value := func(i int) float64 { return t.series.Values[t.spots[i].at] }
	high := slices.MaxFunc(order, func(a, b int) int { return cmp.Compare(value(a), value(b)) })
	low := slices.MinFunc(order, func(a, b int) int { return cmp.Compare(value(a), value(b)) })
	rank := func(i int) int {
		switch i {
		case len(order) - 1:
			return 0
		case high, low:
			return 1
		case 0:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	if c.Spec.HighlightLatest {
		order = order[1:] // it is written in red at the end
	}
	if len(order) > 300 {
		order = order[:300] // more never fit
	}
	for _, i := range order {
		c.drawValue(t, i)
	}
}

func (c *lineChart) drawValue(t *track, i int) {
	s := t.spots[i]
	before, after := s.Y, s.Y
	if i > 0 {
		before = t.spots[i-1].Y
	}
	if i+1 < len(t.spots) {
		after = t.spots[i+1].Y
	}
	size := max(frame.SmallSize, c.Smallest())
	text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: t.name, Values: t.values}, X: s.X, Text: c.numbers.Write(t.series.Values[s.at]), Size: size, Anchor: scene.Middle, Colour: colour.Dark, Halo: 2, Rim: colour.White}
	text.W = font.Width(text.Text, size, scene.Regular)
	above, below := s.Y-size*.75, s.Y+size*1.5
	if before+after < 2*s.Y { // the line turns upwards
		above, below = below, above
	}
	// A value at an end of the line may have to move sideways, by up to half its width.
	x := max(c.left+text.W/2+clearance, min(s.X, c.right-text.W/2-clearance))
	side := text.W/2 + size*.6
	aslant := text.W/2 + size*.2
	var tries []scene.Point
	for _, up := range []float64{0, -3, 3, 6, -6} { // a small shift may avoid a gridline
		if above > s.Y {
			up = -up
		}
		tries = append(tries, scene.Point{X: x, Y: above - up})
	}
	tries = append(tries, scene.Point{X: x, Y: below}, scene.Point{X: s.X - side, Y: s.Y}, scene.Point{X: s.X + side, Y: s.Y},
		scene.Point{X: s.X + aslant, Y: above}, scene.Point{X: s.X - aslant, Y: above}, scene.Point{X: s.X + aslant, Y: below}, scene.Point{X: s.X - aslant, Y: below})
	for _, struck := range []bool{false, true} {
		for _, at := range tries {
			text.X, text.Y = at.X, at.Y
			box := text.Box()
			box.H = scene.Ascent * size // figures have no descenders
			if c.isFree(box) && (struck || !c.onGridline(box)) {
				c.Scene.Add(text)
				c.taken = append(c.taken, text.Box())
				return
			}
		}
	}
}

// onGridline reports whether a gridline runs through a box or along its edge.
func (c *lineChart) onGridline(b scene.Box) bool {
	return slices.ContainsFunc(c.ticks.Values, func(v float64) bool { y := c.y(v); return y > b.Y-1 && y < b.Y+b.H+1 })
}

// maxOwnTicks is the number of periods up to which the time axis may have a tick at each.
const maxOwnTicks = 8

// ownTicks returns a tick at each period if they are few and some are far apart, such as
// censuses: years between them have no values.
func (c *lineChart) ownTicks(fits func([]scale.DateTick) bool) ([]scale.DateTick, bool) {
	var ticks []scale.DateTick
	isApart := false
	for i, p := range c.Spec.Periods {
		ticks = append(ticks, scale.DateTick{Day: p.StartDay(), Period: p})
		isApart = isApart || i > 0 && !p.Start().Equal(c.Spec.Periods[i-1].End().AddDate(0, 0, 1))
	}
	return ticks, isApart && len(ticks) <= maxOwnTicks && fits(ticks)
}
