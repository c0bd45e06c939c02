package chart

import (
	"fmt"
	"math"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Measures of columns, in units.
const (
	columnMost  = 92.0 // width of a bar
	groupPart   = .82  // of a slot that bars of several series take
	columnPart  = .72  // of a slot that one bar takes
	axisGap     = 7.0  // from the labels of the axis to the plot
	namesGap    = 6.0  // from the plot to the names below
	axisShare   = .3   // of the plot's width that labels of the axis take at most
	shortest    = 20.0 // height of the plot below which bars have no values
	manyColumns = 15   // up to so many have their values above them unasked
)

// columns is a chart of upright bars. Their slots are of equal width: one for
// each category, or for each period from the first to the last, so that missing
// periods are gaps.
type columns struct {
	*frame
	t     *barTable
	ticks scale.Ticks
	grid  bool // the ticks are drawn
	label float64

	x, w   float64   // room of the slots
	slot   float64   // width
	centre []float64 // of the groups
	steady bool      // slots are steps of one frequency
	bar    float64
	figure float64 // size of the values; 0: not written

	top, bottom float64 // of the values' axis
	floor       float64 // below it are names
	scale       barScale
}

// bars draws one group of columns a category or period. Areas are sorted by the
// first series, groups of countries first and a gap behind them; values of a
// dimension (ages, branches, sizes) keep the order of their source, which is
// seldom without sense. Values are written above up to fifteen columns of one
// series, and with showValues wherever they fit; axis and grid are then left
// out. The option highlightLatest has an effect only along time: a chart of one
// period is all latest.
func (f *frame) bars() {
	t := newBarTable(f.spec)
	if len(t.groups) == 0 || len(t.series) == 0 {
		return
	}
	if t.areas {
		t.rank()
	}
	f.legend(t.legendItems())
	c := &columns{frame: f, t: t, label: labelSize}
	if f.plot.H < 140 {
		c.label = max(f.smallest(), smallSize)
	}
	c.choose()
	if t.inTime {
		dates := c.dates()
		c.upright(namesGap + c.label*leading)
		c.draw()
		c.drawDates(dates)
		return
	}
	names := c.names()
	if names.note != "" {
		f.noteBelow(names.note)
	}
	c.noteMissing()
	c.upright(names.height())
	c.draw()
	c.drawNames(names)
	c.drawKey(names)
}

// choose decides between values and axis, and places the slots.
func (c *columns) choose() {
	n := max(2, min(8, int(c.plot.H*.85/44)+1))
	c.ticks = scale.Nice(c.t.low, c.t.high, n, true, c.spec.Unit)
	c.slots(0)
	c.figure = c.figures()
	if c.figure > 0 && len(c.t.series) == 1 {
		return
	}
	widest := 0.0
	for _, label := range c.ticks.Labels {
		widest = max(widest, font.Width(label, c.label, scene.Regular))
	}
	c.grid = true
	if widest > c.plot.W*axisShare {
		c.ticks.Labels = nil // the picture is too narrow for an axis
		return
	}
	c.slots(widest + axisGap)
	c.figure = c.figures()
}

// slots divides the width that an axis leaves.
func (c *columns) slots(axis float64) {
	c.x, c.w = c.plot.X+axis, c.plot.W-axis
	at, n := c.positions()
	c.slot = c.w / n
	c.centre = make([]float64, len(at))
	for i, p := range at {
		c.centre[i] = c.x + c.slot*(p+.5)
	}
	part := columnPart
	if len(c.t.series) > 1 {
		part = groupPart
	}
	if c.slot*(1-part)*c.scene.Scale < 1 {
		part = 1 // bars touch, rather than have a gap here and none there
	}
	c.bar = min(c.slot*part/float64(len(c.t.series)), columnMost)
	if c.bar < thinnest && c.t.inTime {
		c.bar = min(thinnest, c.nearest()/float64(len(c.t.series)))
	}
}

// nearest is the least distance between two groups.
func (c *columns) nearest() float64 {
	least := c.w
	for i := 1; i < len(c.centre); i++ {
		least = min(least, math.Abs(c.centre[i]-c.centre[i-1]))
	}
	return least
}

// positions returns where groups stand, in slots from the left, and how many
// slots there are.
func (c *columns) positions() ([]float64, float64) {
	if c.t.inTime {
		if at, n, ok := ordinals(c.spec.Periods); ok {
			c.steady = true
			return at, n
		}
	}
	at := make([]float64, len(c.t.groups))
	gap := min(gapRows, gapMost*float64(len(at))/c.w)
	next := 0.0
	for i := range at {
		if c.t.gapBefore(i) {
			next += gap
		}
		at[i] = next
		next++
	}
	return at, next
}

// figures is the size in which all values can be written at their bars, 0 where
// they cannot, or need not.
func (c *columns) figures() float64 {
	n := len(c.t.series)
	if !c.spec.ShowValues && (n > 1 || len(c.t.groups) > manyColumns) {
		return 0
	}
	room := c.bar
	if n == 1 {
		room = min(c.nearest()-3, 2*(c.centre[0]-c.plot.X), 2*(c.plot.X+c.plot.W-c.centre[len(c.centre)-1]))
	}
	for _, size := range []float64{labelSize, smallSize, max(9.5, c.smallest()), c.smallest()} {
		if c.widestFigure(size) <= room && size*2.6 < c.plot.H*.4 {
			return size
		}
	}
	return 0
}

func (c *columns) widestFigure(size float64) float64 {
	widest := 0.0
	for _, g := range c.t.groups {
		for _, v := range g.values {
			if !math.IsNaN(v) {
				text := c.t.numbers.Write(v)
				widest = max(widest, font.Width(text, size, scene.Regular), font.Width(text, size, scene.Bold))
			}
		}
	}
	return widest
}

// upright places the values' axis above what stands below it.
func (c *columns) upright(below float64) {
	figure := c.figure
	if c.latest() >= 0 {
		figure = max(figure, c.label)
	}
	above, under := 0.0, 0.0
	if c.grid && c.ticks.Labels != nil {
		above, under = c.label*.45, c.label*.3
	}
	if figure > 0 {
		above = max(above, figure*1.25)
		if c.t.low < 0 {
			under = max(under, figure*1.5)
		}
	}
	c.floor = c.plot.Y + c.plot.H - below
	if c.floor-under-c.plot.Y-above < shortest { // a picture of few pixels
		above, under, c.figure = 0, 0, 0
	}
	c.top, c.bottom = c.plot.Y+above, max(c.floor-under, c.plot.Y+above+1)
	low, high := c.t.low, c.t.high
	if c.grid {
		low, high = c.ticks.Values[0], c.ticks.Values[len(c.ticks.Values)-1]
	}
	c.scale = newBarScale(low, high, c.bottom, c.top)
}

// latest is the group to be highlighted, or -1.
func (c *columns) latest() int {
	if !c.spec.HighlightLatest {
		return -1
	}
	return c.t.latest
}

// noteMissing names the categories without a value where "no data" has no room
// above their names.
func (c *columns) noteMissing() {
	if missing := c.t.missing(); len(missing) > 0 && !c.hasNoDataRoom() {
		c.noteBelow("No data: "+enumerate(missing)+".", fmt.Sprintf("%d without data", len(missing)))
	}
}

// hasNoDataRoom reports whether "no" over "data" fits a slot.
func (c *columns) hasNoDataRoom() bool {
	return c.plot.H >= 120 && font.Width("data", c.noDataSize(), scene.Regular) <= c.slot-4
}

func (c *columns) noDataSize() float64 { return max(9.5, c.smallest()) }

func (c *columns) draw() {
	if c.grid {
		c.drawGrid()
	}
	c.eachBar(c.drawBar)
	zero := c.scale.zero
	c.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Zero}, X1: c.x, Y1: zero, X2: c.x + c.w, Y2: zero, Pen: scene.Pen{Colour: colour.Base, Width: 1.25}})
	c.eachBar(c.drawThin)
	if c.figure > 0 {
		c.eachBar(c.drawValue)
	}
	if c.latest() >= 0 {
		c.drawLatest()
	}
	if !c.t.inTime && c.hasNoDataRoom() {
		c.drawNoData()
	}
}

// drawGrid draws light lines at the ticks and their labels to the left.
func (c *columns) drawGrid() {
	right := c.x - axisGap
	end := math.Inf(1)
	for i, v := range c.ticks.Values {
		y := c.scale.at(v)
		if v != 0 {
			c.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: c.x, Y1: y, X2: c.x + c.w, Y2: y, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		}
		if c.ticks.Labels == nil || y+c.label*(scene.Descent+middle) > end || y-c.label*(scene.Ascent-middle) < c.plot.Y-1 {
			continue
		}
		text := &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: right, Y: y + c.label*middle, Text: c.ticks.Labels[i], Size: c.label, Anchor: scene.End, Colour: colour.Muted}
		text.W = font.Width(text.Text, text.Size, text.Weight)
		end = text.Y - c.label*scene.Ascent
		c.scene.Add(text)
	}
}

// columnMark is one bar in its place.
type columnMark struct {
	group, series int
	value         float64
	x, w          float64
	look          barLook
}

// eachBar calls draw for every bar that has a value.
func (c *columns) eachBar(draw func(columnMark)) {
	n := len(c.t.series)
	w := c.bar
	if n > 1 && w > 5 {
		w-- // neighbours a hair apart
	}
	for i, g := range c.t.groups {
		left := c.centre[i] - c.bar*float64(n)/2
		for k, v := range g.values {
			if math.IsNaN(v) {
				continue
			}
			b := columnMark{group: i, series: k, value: v, x: left + c.bar*float64(k) + (c.bar-w)/2, w: w, look: c.t.lookOf(i, k)}
			if n == 1 && i == c.latest() {
				b.look = b.look.inRed()
			}
			draw(b)
		}
	}
}

func (c *columns) drawBar(b columnMark) {
	if c.scale.isThin(b.value) {
		return
	}
	y, zero := c.scale.at(b.value), c.scale.zero
	c.scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Series, Name: b.look.name}, X: b.x, Y: min(y, zero), W: b.w, H: math.Abs(y - zero), Fill: b.look.fill, Pen: b.look.edge})
}

func (c *columns) drawThin(b columnMark) {
	if !c.scale.isThin(b.value) {
		return
	}
	y := c.scale.zero
	c.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Series, Name: b.look.name}, X1: b.x, Y1: y, X2: b.x + b.w, Y2: y, Pen: scene.Pen{Colour: b.look.fill.Colour, Width: 2}})
}

// drawValue writes a value above its bar, or below where it is negative.
func (c *columns) drawValue(b columnMark) {
	if b.group == c.latest() && len(c.t.series) == 1 {
		return // it gets a bigger one
	}
	text := c.figureAt(b, c.figure)
	if b.group == c.latest() {
		text.Role, text.Colour = scene.Highlight, colour.Alert
	}
	c.scene.Add(text)
}

func (c *columns) figureAt(b columnMark, size float64) *scene.Text {
	text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: b.look.name}, X: b.x + b.w/2, Text: c.t.numbers.Write(b.value), Size: size, Anchor: scene.Middle, Colour: colour.Ink}
	if c.t.groups[b.group].apart {
		text.Weight = scene.Bold
	}
	if c.grid {
		text.Halo, text.Rim = 2, colour.White
	}
	text.W = font.Width(text.Text, size, text.Weight)
	text.Y = c.scale.at(b.value) - size*.38
	if b.value < 0 {
		text.Y = c.scale.at(b.value) + size*1.12
	}
	return text
}

// drawNoData writes at zero, on the side that has more room, why a category has
// no bar.
func (c *columns) drawNoData() {
	size := c.noDataSize()
	y := c.scale.zero - size*1.5
	if c.floor-c.scale.zero > c.scale.zero-c.top {
		y = c.scale.zero + size*1.3
	}
	for i := range c.t.groups {
		if c.t.groups[i].has() {
			continue
		}
		for k, word := range strings.Fields(noData) {
			c.scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.Value, Name: c.t.groups[i].name}, X: c.centre[i], Y: y + size*1.1*float64(k), Text: word, Size: size, Anchor: scene.Middle, Colour: colour.Muted, W: font.Width(word, size, scene.Regular)})
		}
	}
}
