package line

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// gridDots is the dash pattern of gridlines behind grey lines, which have almost the
// same colour.
var gridDots = []float64{1, 4}

// hasGrey reports whether there are pale lines.
func (c *lineChart) hasGrey() bool {
	return slices.ContainsFunc(c.tracks, func(t *track) bool { return t.role == scene.Context })
}

// drawGrid draws light lines at the ticks and a strong one at zero. Lines are
// interrupted at names: between a name and its value, a line would look like a minus.
func (c *lineChart) drawGrid(names []scene.Box) {
	for _, v := range c.ticks.Values {
		y := c.y(v)
		line := &scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: c.left, Y1: y, X2: c.right, Y2: y, Pen: scene.Pen{Colour: colour.Rule, Width: 1}}
		if c.hasGrey() {
			line.Pen = scene.Pen{Colour: colour.Quiet, Width: .8, Dash: gridDots}
		}
		if v == 0 {
			line.Role, line.Pen = scene.Zero, scene.Pen{Colour: colour.Base, Width: 1.25}
		}
		slices.SortFunc(names, func(a, b scene.Box) int { return cmp.Compare(a.X, b.X) })
		for _, b := range names {
			if y <= b.Y || y >= b.Y+b.H {
				continue
			}
			before := *line
			if before.X2 = b.X - clearance; before.X2 > before.X1 {
				c.Scene.Add(&before)
			}
			line.X1 = max(line.X1, b.X+b.W+clearance)
		}
		if line.X2 > line.X1 {
			c.Scene.Add(line)
		}
	}
	for _, text := range c.axis {
		if !c.isOnAreas(text) {
			c.Scene.Add(text)
		}
	}
}

// isOnAreas reports whether a label of the axis stands in the plot of an area chart, as in a small
// picture, where an area would hide it.
func (c *lineChart) isOnAreas(text *scene.Text) bool {
	return c.Spec.Type == chart.Area && text.Y > c.top && text.Box().X+text.W > c.left+1
}

// drawLabelsOnAreas writes the labels of the axis that would be hidden, with a rim.
func (c *lineChart) drawLabelsOnAreas() {
	for _, text := range c.axis {
		if c.isOnAreas(text) {
			text.Halo, text.Rim = 2, colour.White
			c.Scene.Add(text)
		}
	}
}

// Limits of the axis of a short line, on which a small change would look like a collapse.
const (
	shortPeriods = 4
	minAxisShare = .05 // of the highest value, for the length of the axis
)

// widened returns an extent that is not short beside the size of the values, if there are few
// periods: the reader does not see how much the values usually change.
func (c *lineChart) widened(x scale.Extent) scale.Extent {
	missing := minAxisShare*x.High - (x.High - x.Low)
	if len(c.Spec.Periods) <= shortPeriods && x.Low > 0 && x.High > x.Low && missing > 0 {
		x.Low, x.High = x.Low-missing/2, x.High+missing/2
	}
	return x
}

// drawTime draws the time axis: a stroke at the first day of each labelled period, with
// the label below it, moved into the picture at the ends. Between them are short
// strokes, one for each period if they fit.
func (c *lineChart) drawTime() {
	if !c.hasTimeAxis {
		return
	}
	apart := func(width func(scale.DateTick) (x, w float64), gap float64) func([]scale.DateTick) bool {
		return func(ticks []scale.DateTick) bool {
			end := math.Inf(-1)
			for _, tick := range ticks {
				x, w := width(tick)
				if x < end+gap || w > c.timeBounds[1]-c.timeBounds[0] {
					return false
				}
				end = x + w
			}
			return true
		}
	}
	c.drawBase()
	ticks, own := c.ownTicks(apart(c.timeLabel, timeBetween))
	if !own {
		ticks = scale.Dates(c.Spec.Periods, apart(c.timeLabel, timeBetween))
	}
	if len(ticks) > 1 && !own {
		at := func(tick scale.DateTick) (x, w float64) { return c.x(tick.Day), 0 }
		for _, tick := range scale.Strokes(c.Spec.Periods, apart(at, strokeEvery)) {
			c.drawStroke(tick, tickLength*.6)
		}
	}
	base := c.bottom + c.timeGap() + c.label*scene.Ascent
	for _, tick := range ticks {
		c.drawStroke(tick, tickLength)
		x, w := c.timeLabel(tick)
		c.Scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: x, Y: base, Text: c.Spec.Words().Period(tick.Period), Size: c.label, Colour: colour.Muted, W: w})
	}
}

// drawBase draws the line of the time axis, unless the lowest gridline is there.
func (c *lineChart) drawBase() {
	if c.y(c.ticks.Values[0]) < c.bottom-.5 {
		c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Axis}, X1: c.left, Y1: c.bottom, X2: c.right, Y2: c.bottom, Pen: scene.Pen{Colour: colour.Quiet, Width: 1}})
	}
}

// drawStroke draws a stroke of the time axis.
func (c *lineChart) drawStroke(tick scale.DateTick, length float64) {
	x := c.x(tick.Day)
	c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Tick}, X1: x, Y1: c.bottom, X2: x, Y2: c.bottom + length, Pen: scene.Pen{Colour: colour.Quiet, Width: 1}})
}

// timeLabel returns the left end and the width of a tick's label. It may reach halfway
// into the picture's margins.
func (c *lineChart) timeLabel(tick scale.DateTick) (x, w float64) {
	w = font.Width(c.Spec.Words().Period(tick.Period), c.label, scene.Regular)
	x = min(c.x(tick.Day)-w/2, c.timeBounds[1]-w)
	return max(x, c.timeBounds[0]), w
}
