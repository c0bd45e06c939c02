package chart

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Measures of a line chart, in units.
const (
	tickLength  = 5.0
	timeGap     = 8.0  // from the plot to the labels of the time axis
	timeBetween = 12.0 // from one of those labels to the next, at least
	gridStep    = 46.0 // from gridline to gridline, at least
	lowestPlot  = 30.0 // a plot less high than that has no time axis
	axisColumn  = .38  // of the plot's width that labels of the value axis take at most
	nearZero    = .25  // a lowest value of less than that part of the highest brings zero in
)

// lineChart is a chart of lines along time. Days are counted evenly from left
// to right. The value axis begins where the values do, because a line is read
// by its slope and not by its length; zero is on it where values come near.
type lineChart struct {
	*frame
	tracks []*track // in the order of the Spec
	label  float64  // size of ticks, names and values

	ticks       scale.Ticks
	inside      bool // the ticks' labels stand in the plot
	left, right float64
	top, bottom float64
	timed       bool // there is a time axis

	time              timeline
	firstDay, lastDay int32
	numbers           scale.Numbers
	axis              []*scene.Text // labels of the value axis
	taken             []scene.Box   // by texts in the plot
}

// lines draws the series as smooth curves, each with its name at its right end.
// The option showValues writes the values beside the points of a chart of one
// series, where there is room; showLegend has an effect where the names have no
// room at the ends and stand in a legend instead.
func (f *frame) lines() {
	c := &lineChart{frame: f, label: labelSize, tracks: tracksOf(f.spec)}
	if len(c.tracks) == 0 {
		return
	}
	if f.plot.H < 140 || f.plot.W < 200 {
		c.label = max(f.smallest(), smallSize)
	}
	c.time = newTimeline(f.spec.Periods)
	c.firstDay = f.spec.Periods[0].StartDay()
	c.lastDay = f.spec.Periods[len(f.spec.Periods)-1].StartDay()
	c.numbers = c.numbersWritten()
	names := c.chooseNames()
	c.upright()
	c.valueAxis()
	names.solve(c)
	c.drawGrid()
	c.drawTime()
	c.drawTracks()
	names.draw(c)
	if f.spec.ShowValues && len(c.tracks) == 1 {
		c.drawValues(c.tracks[0])
	}
}

// upright divides the height between plot and time axis.
func (c *lineChart) upright() {
	above := c.label * .75
	if c.spec.ShowValues && len(c.tracks) == 1 {
		above += c.label // a value above the highest point
	}
	below := timeGap + c.label*leading*.9
	c.timed = c.plot.H-above-below >= lowestPlot
	if !c.timed {
		below = c.label * .4
	}
	c.top = c.plot.Y + min(above, c.plot.H*.3)
	c.bottom = c.plot.Y + c.plot.H - min(below, c.plot.H*.3)
}

// valueAxis chooses the round values of the axis and the room of their labels.
func (c *lineChart) valueAxis() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, t := range c.tracks {
		for _, s := range t.spots {
			v := t.series.Values[s.at]
			low, high = min(low, v), max(high, v)
		}
	}
	zero := low >= 0 && low <= nearZero*high || high <= 0 && high >= nearZero*low
	n := max(2, min(9, int((c.bottom-c.top)/gridStep)+1))
	c.ticks = scale.Nice(low, high, n, zero, c.spec.Unit)
	widest := 0.0
	for _, label := range c.ticks.Labels {
		widest = max(widest, font.Width(label, c.label, scene.Regular))
	}
	c.left = c.plot.X
	c.inside = widest > c.plot.W*axisColumn
	if !c.inside && widest > 0 {
		c.left += widest + axisGap
	}
	c.labelAxis()
}

// y is the height at which a value stands. Halves, because the difference of
// the largest floats is no float.
func (c *lineChart) y(v float64) float64 {
	low, high := c.ticks.Values[0]/2, c.ticks.Values[len(c.ticks.Values)-1]/2
	return c.bottom - (v/2-low)/(high-low)*(c.bottom-c.top)
}

// x is where a day stands; a chart of one period has it in the middle.
func (c *lineChart) x(day int32) float64 {
	if c.lastDay <= c.firstDay {
		return (c.left + c.right) / 2
	}
	return c.left + float64(day-c.firstDay)/float64(c.lastDay-c.firstDay)*(c.right-c.left)
}

// place gives every value its place.
func (c *lineChart) place() {
	for _, t := range c.tracks {
		for i := range t.spots {
			s := &t.spots[i]
			s.X, s.Y = c.x(c.spec.Periods[s.at].StartDay()), c.y(t.series.Values[s.at])
		}
	}
}

// labelAxis places the labels of the value axis: left of the gridlines, or above
// them where the picture is too narrow for that.
func (c *lineChart) labelAxis() {
	end := math.Inf(1)
	c.axis = nil
	for i, v := range c.ticks.Values {
		text := &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: c.left - axisGap, Y: c.y(v) + c.label*.36, Text: c.ticks.Labels[i], Size: c.label, Anchor: scene.End, Colour: colour.Muted}
		text.W = font.Width(text.Text, text.Size, text.Weight)
		if c.inside {
			text.X, text.Y, text.Anchor = c.left, text.Y-c.label*.64, scene.Start
			text.Halo, text.Rim = 2, colour.White
		}
		box := text.Box()
		room := pad(scene.Box{X: c.plot.X, Y: c.plot.Y, W: c.plot.W, H: c.plot.H}, c.label*.3)
		if box.Inside(room) && box.Y+box.H <= end {
			c.axis = append(c.axis, text)
			end = box.Y
		}
	}
}

// free forgets the texts in the plot but for those of the value axis.
func (c *lineChart) free() {
	c.taken = c.taken[:0]
	for _, text := range c.axis {
		c.taken = append(c.taken, text.Box())
	}
}

// drawGrid draws light lines at the ticks and a strong one at zero.
func (c *lineChart) drawGrid() {
	for _, v := range c.ticks.Values {
		y := c.y(v)
		line := &scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: c.left, Y1: y, X2: c.right, Y2: y, Pen: scene.Pen{Colour: colour.Rule, Width: 1}}
		if v == 0 {
			line.Role, line.Pen = scene.Zero, scene.Pen{Colour: colour.Base, Width: 1.25}
		}
		c.scene.Add(line)
	}
	for _, text := range c.axis {
		c.scene.Add(text)
	}
}

// drawTime draws the time axis: a stroke at the first day of each labelled
// period, and the label below it, at the ends moved into the picture.
func (c *lineChart) drawTime() {
	if !c.timed {
		return
	}
	base := c.bottom + timeGap + c.label*scene.Ascent
	ticks := scale.Dates(c.spec.Periods, func(ticks []scale.DateTick) bool {
		end := math.Inf(-1)
		for _, tick := range ticks {
			x, w := c.timeLabel(tick)
			if x < end+timeBetween || w > c.plot.W {
				return false
			}
			end = x + w
		}
		return true
	})
	for _, tick := range ticks {
		at := c.x(tick.Day)
		c.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Tick}, X1: at, Y1: c.bottom, X2: at, Y2: c.bottom + tickLength, Pen: scene.Pen{Colour: colour.Quiet, Width: 1}})
		x, w := c.timeLabel(tick)
		c.scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: x, Y: base, Text: tick.Label, Size: c.label, Colour: colour.Muted, W: w})
	}
}

// timeLabel is the left end and the width of the label of a tick. It may reach
// halfway into the picture's margins.
func (c *lineChart) timeLabel(tick scale.DateTick) (x, w float64) {
	w = font.Width(tick.Label, c.label, scene.Regular)
	margin := c.plot.X / 2
	x = min(c.x(tick.Day)-w/2, c.scene.Width-margin-w)
	return max(x, margin), w
}
