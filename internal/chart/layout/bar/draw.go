package bar

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

func (c *columns) draw() {
	if c.t.InTime {
		box := scene.Box{X: c.x, Y: c.Plot.Y, W: c.w, H: c.Plot.H}
		c.Scene.Plots = []scene.Plot{{Box: box, X: c.centre, Periods: c.t}}
	}
	if c.stepped {
		c.lines = c.t.Lines()
		c.drawSteps()
	} else {
		c.placeSlots()
	}
	if c.grid {
		c.drawGrid()
	}
	if c.stepped {
		c.drawStepEdges()
	} else {
		c.eachBar(c.drawBar)
	}
	zero := c.scale.Zero
	c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Zero}, X1: c.x, Y1: zero, X2: c.x + c.w, Y2: zero, Pen: scene.Pen{Colour: colour.Base, Width: zeroPen}})
	switch {
	case c.figure > 0:
		c.eachBar(c.drawValue)
	case c.t.Stacked && c.Spec.ShowValues:
		c.eachBar(c.drawInside)
	}
	if c.latest() >= 0 {
		c.drawLatest()
	}
	if !c.stepped {
		c.drawNoData()
	}
}

// drawGrid draws light lines at the ticks, with labels to the left.
func (c *columns) drawGrid() {
	right := c.x - frame.AxisGap
	end := math.Inf(1)
	var lines []*scene.Line
	var labels []*scene.Text
	for i, v := range c.ticks.Values {
		y := c.scale.At(v)
		if v != 0 {
			lines = append(lines, &scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: c.x, Y1: y, X2: c.x + c.w, Y2: y, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		}
		upper, lower := y-c.label*(scene.Ascent-bartable.Middle), y+c.label*(scene.Descent+bartable.Middle)
		if c.ticks.Labels == nil || lower > end || upper < c.Plot.Y-1 || lower > c.Plot.Y+c.Plot.H+1 {
			continue
		}
		text := &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: right, Y: y + c.label*bartable.Middle, Text: c.ticks.Labels[i], Size: c.label, Anchor: scene.End, Colour: colour.Muted}
		text.W = font.Width(text.Text, text.Size, text.Weight)
		end = text.Y - c.label*scene.Ascent
		labels = append(labels, text)
	}
	if len(labels) < 2 {
		return // a single zero is not a scale, and neither are lines without numbers
	}
	for _, line := range lines {
		c.Scene.Add(line)
	}
	for _, text := range labels {
		c.Scene.Add(text)
	}
}

// placeSlots places the columns, with their names.
func (c *columns) placeSlots() {
	width := max(c.slot, c.groupWidth())
	for i := range c.t.Groups {
		slot := c.t.Slot(i)
		slot.Box = scene.Box{X: c.centre[i] - width/2, Y: c.Plot.Y, W: width, H: c.Plot.H}
		c.Scene.Slots = append(c.Scene.Slots, slot)
	}
}

// columnMark is one bar and its position.
type columnMark struct {
	group, series int
	value, start  float64
	x, w          float64
	look          bartable.Look
}

// eachBar calls draw for every bar that has a value.
func (c *columns) eachBar(draw func(columnMark)) {
	for i, g := range c.t.Groups {
		left := c.centre[i] - c.groupWidth()/2
		for k, v := range g.Values {
			if math.IsNaN(v) {
				continue
			}
			b := columnMark{group: i, series: k, value: v, start: g.Starts[k], x: left, w: c.bar, look: c.t.LookOf(i, k)}
			if !c.t.Stacked {
				b.x += (c.bar + c.between) * float64(k)
			}
			if len(c.t.Series) == 1 && i == c.latest() {
				b.look = b.look.InRed()
			}
			draw(b)
		}
	}
}

// isDown reports whether a value is drawn below zero. A zero among negative values is.
func (c *columns) isDown(v float64) bool { return v < 0 || c.hanging }

func (c *columns) drawBar(b columnMark) {
	y, zero := c.scale.At(b.start+b.value), c.scale.At(b.start)
	if b.start == 0 {
		zero = c.scale.Zero // on a whole pixel
	}
	top, height := min(y, zero), math.Abs(y-zero)
	if !c.t.Stacked && bartable.IsSliver(c.Frame, height, zeroPen) {
		top, height = bartable.Sliver(c.Frame, zero, zeroPen, c.isDown(b.value))
	}
	c.Scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Series, Name: b.look.Name, Datum: c.t.Datum(b.group, b.series)}, X: b.x, Y: top, W: b.w, H: height, Fill: b.look.Fill, Pen: b.look.Edge})
}

// drawValue writes a value above its bar, or below it if negative.
func (c *columns) drawValue(b columnMark) {
	if b.group == c.latest() && len(c.t.Series) == 1 {
		return // drawLatest writes a larger one
	}
	text := c.figureAt(b, c.figure)
	if b.group == c.latest() {
		text.Role, text.Colour = scene.Highlight, colour.Alert
	}
	c.Scene.Add(text)
}

// drawInside writes a value into its part of a stack, if it fits.
func (c *columns) drawInside(b columnMark) {
	size := max(frame.SmallSize, c.Smallest())
	text := c.figureAt(b, size)
	low, high := c.scale.At(b.start), c.scale.At(b.start+b.value)
	if text.W+valueClear > b.w || math.Abs(low-high) < size*1.3 {
		return
	}
	text.Y, text.Halo, text.Colour = (low+high)/2+size*bartable.Middle, 0, colour.On(b.look.Fill.Colour)
	c.Scene.Add(text)
}

func (c *columns) figureAt(b columnMark, size float64) *scene.Text {
	text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: b.look.Name, Datum: c.t.Datum(b.group, b.series)}, X: b.x + b.w/2, Text: c.t.Numbers.Write(b.value), Size: size, Anchor: scene.Middle, Colour: colour.Dark}
	if c.t.Groups[b.group].Apart {
		text.Weight = scene.Bold
	}
	if c.grid {
		text.Halo, text.Rim = 2, colour.White
	}
	text.W = font.Width(text.Text, size, text.Weight)
	text.Y = c.scale.At(b.value) - size*.38
	if c.isDown(b.value) {
		text.Y = c.scale.At(b.value) + size*1.12
	}
	return text
}

// noDataText lays out "no data" above a name: in one or two lines, or not at all if a
// slot is too narrow.
func (c *columns) noDataText() (lines []string, size float64) {
	text, small := c.Spec.Words().Text(bartable.NoData), max(9.5, c.Smallest())
	if c.Plot.H < 120 {
		return nil, 0
	}
	for _, size := range []float64{c.label, small} {
		if font.Width(text, size, scene.Regular) <= c.slot-4 {
			return []string{text}, size
		}
	}
	if lines, whole := font.Wrap(text, small, scene.Regular, c.slot-4, 2); whole && font.Width(widestWord(text), small, scene.Regular) <= c.slot-4 {
		return lines, small
	}
	return nil, 0
}

// widestWord returns the longest word of a text.
func widestWord(text string) string {
	return slices.MaxFunc(strings.Fields(text), func(a, b string) int { return len(a) - len(b) })
}

// drawNoData writes "no data" at zero for each category or period without a bar, on the
// side with more space.
func (c *columns) drawNoData() {
	lines, size := c.noDataText()
	y := c.scale.Zero - size*(.4+1.1*float64(len(lines)-1))
	if c.floor-c.scale.Zero > c.scale.Zero-c.roof {
		y = c.scale.Zero + size*1.3
	}
	for _, x := range c.emptySlots() {
		for k, line := range lines {
			c.Scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.Value}, X: x, Y: y + size*1.1*float64(k), Text: line, Size: size, Anchor: scene.Middle, Colour: colour.Muted, W: font.Width(line, size, scene.Regular)})
		}
	}
}

// isSparse reports whether most slots have no period, as with surveys of a few years: the
// missing periods are then no missing data.
func (c *columns) isSparse() bool {
	last := len(c.centre) - 1
	return c.steady && 2*float64(last+1) < (c.centre[last]-c.centre[0])/c.slot+1
}

// emptySlots returns the centres of the slots without a bar: those of groups without a
// value and of missing periods.
func (c *columns) emptySlots() []float64 {
	var empty []float64
	for i := range c.t.Groups {
		if !c.t.Groups[i].Has() {
			empty = append(empty, c.centre[i])
		}
		if !c.steady || i == 0 || c.isSparse() {
			continue
		}
		missing := math.Round((c.centre[i]-c.centre[i-1])/c.slot) - 1
		for k := 1.0; k <= missing; k++ {
			empty = append(empty, c.centre[i-1]+k*c.slot)
		}
	}
	return empty
}
