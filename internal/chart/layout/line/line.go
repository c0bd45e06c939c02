// Package line lays out lines along time, with their names at their right ends.
package line

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// Measures of a line chart, in units.
const (
	tickLength      = 5.0
	strokeEvery     = 8.0  // smallest distance between strokes of the time axis
	timeGap         = 15.0 // from the plot to the labels of the time axis
	smallTimeGap    = 9.5  // the same in a small picture
	timeBetween     = 12.0 // smallest distance between those labels
	gridStep        = 56.0 // approximate distance between gridlines
	maxTicks        = 7    // of the value axis
	headroom        = 8.0  // smallest distance from the outermost values to the ends of the plot
	minPlotShare    = .5   // fraction of the picture's height that the plot gets before notes do
	minTimeAxisPlot = 30.0 // a lower plot has no time axis
	maxAxisColumn   = .38  // largest fraction of the plot's width for labels of the value axis
)

// lineChart is a chart of lines along time. Days are spaced evenly from left to right.
// The value axis begins near the lowest value, because readers judge a line by its
// slope and not by its length; zero is included if the values come near it.
type lineChart struct {
	*frame.Frame
	tracks []*track // in the order of the Spec
	label  float64  // size of ticks, names and values

	ticks       scale.Axis
	labels      []string // of the ticks' values
	inside      bool     // the tick labels are in the plot
	left, right float64
	top, bottom float64
	high, low   float64     // positions of the ends of the value axis, between top and bottom
	addedTop    float64     // upper edge of the labels above the plot
	added       chart.Lines // what the caller chose for lines
	hasTimeAxis bool        // there is a time axis
	timeBounds  [2]float64  // the ends of the space for its labels
	hasLegend   bool        // the names are in a legend
	greyUnnamed bool        // no grey line has a name

	time              timeline
	firstDay, lastDay int32
	numbers           scale.Numbers
	axis              []*scene.Text // labels of the value axis
	taken             []scene.Box   // by texts in the plot
}

// Layout draws the series, each with its name at its right end. The option showValues
// writes the values at the points of a single series, as far as they fit. The option
// showLegend applies if the names do not fit at the ends and are in a legend instead.
func Layout(f *frame.Frame) {
	c := &lineChart{Frame: f, label: frame.LabelSize, tracks: tracksOf(f.Spec)}
	c.timeBounds = [2]float64{f.Plot.X / 2, f.Scene.Width - f.Plot.X/2}
	if f.Spec.Lines != nil {
		c.added = *f.Spec.Lines
	}
	c.stackTracks()
	if len(c.tracks) == 0 {
		return
	}
	if f.Scene.Height > frame.MaxLowPicture && f.Plot.H < minPlotShare*f.Scene.Height {
		f.Drop(scene.Note) // lines have priority over notes
	}
	if f.Plot.H < 140 || f.Plot.W < 200 {
		c.label = max(f.Smallest(), frame.SmallSize)
	}
	c.time = newTimeline(f.Spec.Periods)
	c.firstDay = f.Spec.Periods[0].StartDay()
	c.lastDay = f.Spec.Periods[len(f.Spec.Periods)-1].StartDay()
	c.numbers = c.valueFormat()
	c.markBreaks()
	if !f.HasNote() {
		f.NotesBesideSource()
	}
	c.unmarkUnexplained()
	names := c.placeNames()
	c.drawSpans()
	c.drawBands()
	c.drawGrid(names.inPlot(c))
	c.drawReferences()
	c.drawTime()
	c.drawTracks()
	c.drawLabelsOnAreas()
	names.draw(c)
	c.drawRemarks()
	c.nameReferences()
	if c.showsValues() {
		c.drawValues(c.tracks[0])
	}
	c.addRims()
	c.Scene.Plots = []scene.Plot{c.plot()}
}

type periods []stat.Period

// Period implements [scene.Periods].
func (p *periods) Period(i int) (code, text string) { return (*p)[i].SDMX(), (*p)[i].String() }

// plot says where the periods are.
func (c *lineChart) plot() scene.Plot {
	p := scene.Plot{Box: scene.Box{X: c.left, Y: c.top, W: c.right - c.left, H: c.bottom - c.top}, Periods: (*periods)(&c.Spec.Periods)}
	for _, period := range c.Spec.Periods {
		p.X = append(p.X, c.x(period.StartDay()))
	}
	return p
}

// addRims adds rims to the texts over gridlines, so that none is struck through.
func (c *lineChart) addRims() {
	for _, m := range c.Scene.Marks {
		text, ok := m.(*scene.Text)
		if !ok || text.Halo > 0 {
			continue
		}
		box := text.Box()
		across := box.X < c.right && box.X+box.W > c.left
		if across && c.onGridline(box) {
			text.Halo, text.Rim = 2, colour.White
		}
	}
}

// isSinglePeriod reports whether the chart has a single period: dots above one another.
func (c *lineChart) isSinglePeriod() bool { return c.firstDay >= c.lastDay }

// divideHeight divides the height between plot and time axis.
func (c *lineChart) divideHeight() {
	above := c.label * .75
	if c.showsValues() {
		above += c.label // a value above the highest point
	}
	below := c.timeHeight()
	c.hasTimeAxis = c.Plot.H-above-below >= minTimeAxisPlot
	if !c.hasTimeAxis {
		below = c.label * .4
	}
	c.top = c.Plot.Y + min(above, c.Plot.H*.3)
	c.bottom = c.Plot.Y + c.Plot.H - min(below, c.Plot.H*.3)
}

// timeHeight returns the height of the time axis.
func (c *lineChart) timeHeight() float64 { return c.timeGap() + c.label*frame.Leading*.9 }

// timeGap returns the distance from the plot to the labels of the time axis.
func (c *lineChart) timeGap() float64 {
	if c.Scene.Height <= frame.SmallPicture {
		return smallTimeGap
	}
	return timeGap
}

// valueAxis chooses the round values of the axis and reserves space for their labels.
func (c *lineChart) valueAxis() {
	x := scale.Extent{Low: math.Inf(1), High: math.Inf(-1), Unit: c.Spec.NumberUnit()}
	for _, t := range c.tracks {
		for _, s := range t.spots {
			low, high := t.ends(s.at)
			if l, h, ok := t.bounds(s.at); ok {
				low, high = l, h
			}
			x.Low, x.High = min(x.Low, low), max(x.High, high)
		}
		x.Places = max(x.Places, scale.Places(t.series.Values))
	}
	for _, r := range c.added.References {
		x.Low, x.High = min(x.Low, r.Value), max(x.High, r.Value)
	}
	x = c.widened(x)
	c.reserveAdded()
	choose := func() {
		x.Most = min(maxTicks, int((c.bottom-c.top)/gridStep)+1)
		if c.ticks = x.Axis(); c.added.Log {
			c.ticks = x.LogAxis()
		}
	}
	choose()
	c.labels = c.ticks.Labels
	row := c.label * frame.Leading
	if c.added.Log && c.bottom-c.top > 2*row+minTimeAxisPlot {
		c.top += row
	} else if c.hasFactor() && c.bottom-c.top > 2*row+minTimeAxisPlot {
		c.top += row
		choose()
		c.labels = c.ticks.Plain
	}
	c.addHeadroom(x)
	widest := 0.0
	for _, label := range c.labels {
		widest = max(widest, font.Width(label, c.label, scene.Regular))
	}
	c.left = c.Plot.X
	c.inside = widest > c.Plot.W*maxAxisColumn
	if !c.inside && widest > 0 {
		c.left += widest + frame.AxisGap
	}
	c.labelAxis()
}

// hasFactor reports whether the labels of the axis are multiples of a factor that is
// written once above them.
func (c *lineChart) hasFactor() bool { return c.ticks.Factor != "" || c.ticks.Power != 0 }

// addHeadroom leaves a small distance between the outermost values and the ends of the
// plot. Lines may touch the lowest gridline if it is the end of the plot, where the time
// axis is.
func (c *lineChart) addHeadroom(x scale.Extent) {
	c.high, c.low = c.top, c.bottom
	most := min(headroom, (c.bottom-c.top)*.1)
	if above := c.y(x.High) - c.top; c.ticks.High != 0 {
		c.high += max(0, most-above)
	}
	if c.showsValues() {
		most = min(c.label*1.9, (c.bottom-c.top)*.1) // a value below the lowest point
	} else if c.ticks.Low == c.ticks.Values[0] {
		return
	}
	if below := c.bottom - c.y(x.Low); c.ticks.Low != 0 && below < most {
		c.low -= min(most, max(most-below, timeGap)) // with less, gridline and time axis would look like two lines
	}
}

// y returns the vertical position of a value. It uses halves, because the difference of
// the largest floats overflows.
func (c *lineChart) y(v float64) float64 {
	low, high := c.ticks.Low/2, c.ticks.High/2
	if c.added.Log {
		low, high, v = math.Log10(c.ticks.Low), math.Log10(c.ticks.High), 2*math.Log10(v)
	}
	return c.low - (v/2-low)/(high-low)*(c.low-c.high)
}

// middle returns the vertical position of a value: of a point, or of the middle of an area.
func (c *lineChart) middle(t *track, at int) float64 {
	low, high := t.ends(at)
	return (c.y(low) + c.y(high)) / 2
}

// x returns the horizontal position of a day. A single period is in the middle.
func (c *lineChart) x(day int32) float64 {
	if c.isSinglePeriod() {
		return (c.left + c.right) / 2
	}
	return c.left + float64(day-c.firstDay)/float64(c.lastDay-c.firstDay)*(c.right-c.left)
}

// place positions every value.
func (c *lineChart) place() {
	for _, t := range c.tracks {
		for i := range t.spots {
			s := &t.spots[i]
			s.X, s.Y = c.x(c.Spec.Periods[s.at].StartDay()), c.middle(t, s.at)
		}
	}
	for _, t := range c.tracks {
		t.curves = t.curves[:0]
		for _, p := range c.time.splitAtGaps(t.spots) {
			t.curves = append(t.curves, curveOf(p, c.added.Curve))
		}
	}
}

// labelAxis places the labels of the value axis: left of the gridlines, or above them
// if the picture is too narrow.
func (c *lineChart) labelAxis() {
	end := math.Inf(1)
	c.axis = nil
	for i, v := range c.ticks.Values {
		text := &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: c.left - frame.AxisGap, Y: c.y(v) + c.label*.36, Text: c.labels[i], Size: c.label, Anchor: scene.End, Colour: colour.Muted}
		text.W = font.Width(text.Text, text.Size, text.Weight)
		if c.inside {
			text.X, text.Y, text.Anchor = c.left, text.Y-c.label*.64, scene.Start
			text.Halo, text.Rim = 2, colour.White
		}
		box := text.Box()
		room := frame.Pad(scene.Box{X: c.Plot.X, Y: c.Plot.Y, W: c.Plot.W, H: c.Plot.H}, c.label*.3)
		if box.Inside(room) && box.Y+box.H <= end {
			c.axis = append(c.axis, text)
			end = box.Y - c.label*.15
		}
	}
	if c.added.Log {
		c.axis = append(c.axis, c.logLabel())
	}
	if c.hasFactor() && len(c.labels) > 0 && &c.labels[0] == &c.ticks.Plain[0] {
		c.labelFactor()
	}
}

// logLabel says above the axis that it is logarithmic.
func (c *lineChart) logLabel() *scene.Text {
	t := &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: c.Plot.X, Y: c.high - c.label*frame.Leading, Text: c.Spec.Words().Text("Logarithmic scale"), Size: c.label, Colour: colour.Muted}
	t.W = font.Width(t.Text, c.label, scene.Regular)
	return t
}

// labelFactor writes the factor above the labels. The exponent of a power of ten is a
// separate text, because the raised figures of the font are too small to read.
func (c *lineChart) labelFactor() {
	y := c.high - c.label*frame.Leading
	write := func(x, y, size float64, text string) float64 {
		t := &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: x, Y: y, Text: text, Size: size, Colour: colour.Muted, W: font.Width(text, size, scene.Regular)}
		c.axis = append(c.axis, t)
		return x + t.W
	}
	text := c.ticks.Factor
	if c.ticks.Power != 0 {
		text = strings.TrimSpace(text + " ×10")
	} else if unit := font.Clean(c.Spec.UnitText()); unit != "" && !strings.ContainsAny(text, "€$£") && !mentions(strings.ToLower(font.Clean(c.Spec.Title+" · "+c.Spec.Subtitle)), strings.ToLower(unit)) {
		// Add the unit, because no other text states it.
		withUnit := text + " " + inSentence(unit)
		if font.Width(withUnit, c.label, scene.Regular) <= c.Plot.W/2 {
			text = withUnit
		}
	}
	x := write(c.Plot.X, y, c.label, text)
	if c.ticks.Power != 0 {
		exponent := strings.Replace(strconv.Itoa(c.ticks.Power), "-", "−", 1)
		write(x+1, y-c.label*.35, max(c.Smallest(), c.label*.78), exponent)
	}
}

// inSentence returns a unit in the form for the middle of a sentence: without a capital,
// unless it is a sign or an abbreviation.
func inSentence(unit string) string {
	runes := []rune(unit)
	if len(runes) > 1 && unicode.IsLower(runes[1]) {
		runes[0] = unicode.ToLower(runes[0])
	}
	return string(runes)
}

// resetTaken sets taken to the labels of the value axis.
func (c *lineChart) resetTaken() {
	c.taken = c.taken[:0]
	for _, text := range c.axis {
		c.taken = append(c.taken, text.Box())
	}
}
