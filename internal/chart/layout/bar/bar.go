// Package bar lays out upright bars: one group for each category or period.
package bar

import (
	"math"

	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Measures of columns, in units.
const (
	maxColumnWidth   = 92.0 // width of a bar
	groupShare       = .82  // fraction of a slot for the bars of several series
	columnShare      = .72  // fraction of a slot for a single bar
	namesGap         = 6.0  // from the plot to the names below
	maxAxisShare     = .3   // largest fraction of the plot's width for axis labels
	minHeightForAxis = 38.0 // height of the plot, including names, from which it has space for an axis
	minBarHeight     = 20.0 // height of the plot below which bars have no values
	maxValuedColumns = 15   // up to this many have values above them by default
	maxValuedGrouped = 12   // the same, in groups
	largeValue       = 14.0 // size of values at wide bars
	wideColumn       = 48.0 // width of a wide bar
	valueClear       = 4.0  // distance between values
	zeroPen          = 1.25 // width of the line at zero
	// widestSlot and widestNamed are the largest widths of a slot of a period and of a
	// category, so that few bars stand near each other.
	widestSlot, widestNamed = 150.0, 230.0
)

// columns is a chart of upright bars. Its slots have equal width: one for each
// category, or for each period from the first to the last, so that missing periods are
// gaps.
type columns struct {
	*frame.Frame
	t     *bartable.Table
	ticks scale.Ticks
	ends  [2]float64 // of the axis
	grid  bool       // draw the ticks
	label float64

	x, w     float64         // position and width of all slots
	slot     float64         // width
	centre   []float64       // centres of the groups
	steady   bool            // each slot is one step of a single frequency
	step     int             // periods per step
	workdays bool            // the slots are working days, side by side
	stepped  bool            // the slots are too narrow for bars: see drawSteps
	lines    []*scene.Values // of the series, if stepped
	bar      float64
	between  float64 // gap between the bars of a group
	figure   float64 // size of the values; 0: not written

	hanging     bool    // no value is above zero, so names are above the bars
	roof, floor float64 // limits of bars and values; names are beyond them
	scale       bartable.Scale
	newest      []*scene.Text // the latest values of several series
}

// Layout draws a group of columns for each category or period. Areas are sorted by the
// first series; groups of countries come first, followed by a gap. Values of a
// dimension (ages, branches, sizes) keep the order of the source, which usually has a
// meaning. Values are written for up to fifteen columns of one series and twelve of
// several, and with showValues wherever they fit; axis and grid are then left out. The
// option highlightLatest applies only along time.
func Layout(f *frame.Frame) {
	t := bartable.New(f.Spec)
	if len(t.Groups) == 0 || len(t.Series) == 0 {
		return
	}
	if t.Areas {
		t.Rank()
	}
	f.DropNotes()
	t.DrawLegend(f, t.Areas)
	c := &columns{Frame: f, t: t, label: frame.LabelSize, hanging: t.High <= 0 && t.Low < 0}
	if f.Plot.H < 140 {
		c.label = max(f.Smallest(), frame.SmallSize)
	}
	c.layOut()
	if t.InTime {
		c.inTime()
		return
	}
	names := c.fitColumns()
	if names.note != "" {
		f.AddOptionalNote(names.note)
	}
	c.noteMissing()
	c.placeScale(names.height(), names.keyHeight())
	c.draw()
	c.drawNames(names)
	c.drawKey(names)
}

// layOut decides between values and an axis, and positions the slots.
func (c *columns) layOut() {
	n := max(2, min(8, int(c.Plot.H*.85/44)+1))
	c.ticks, c.ends = c.t.Axis(n, c.Spec.NumberUnit())
	c.slots(0)
	c.figure = c.figures()
	if c.Spec.ShowValues {
		c.moreDecimals()
	}
	if c.grid = c.figure == 0; !c.grid {
		return
	}
	widest := 0.0
	for _, label := range c.ticks.Labels {
		widest = max(widest, font.Width(label, c.label, scene.Regular))
	}
	if widest > c.Plot.W*maxAxisShare || c.Plot.H < minHeightForAxis {
		c.ticks.Labels = nil // the picture is too small for an axis
		return
	}
	c.slots(widest + frame.AxisGap)
}

// moreDecimals shows all decimals of the values, if that does not make the text
// smaller.
func (c *columns) moreDecimals() {
	usual := c.t.Numbers
	c.t.Numbers = c.t.Exact()
	if c.figures() < c.figure {
		c.t.Numbers = usual
	}
}

// slots divides the width that the axis leaves. Slots are whole pixels wide if that wastes
// little width, so that the gaps between bars are equal. Narrow slots may waste more,
// because their gaps would differ by half. The remainder is split between both ends.
func (c *columns) slots(axis float64) {
	const narrow, lost, lostNarrow = 12, .08, .125
	px := c.Scene.Scale
	c.x = c.Snap(c.Plot.X + axis)
	c.w = c.Plot.X + c.Plot.W - c.x
	at, n := c.positions()
	c.narrow(n)
	c.slot = c.w / n
	most := lost
	if c.slot*px < narrow {
		most = lostNarrow
	}
	if whole := math.Floor(c.slot*px) / px; whole > c.slot*(1-most) {
		c.slot = whole
	}
	c.placeGroups(at, (c.w-c.slot*n)/2)
	least := c.minSlot() / px
	if c.isSparse() {
		least = maxColumnWidth
	}
	if room := min(least, c.nearest()); c.t.InTime && room > c.slot {
		edge := min(room-c.slot, c.w/2) / 2
		c.slot = (c.w - 2*edge) / n
		c.placeGroups(at, edge)
	}
	c.widths()
	if !c.stepped && c.between+c.bar < c.slot {
		c.align()
	}
}

// narrow limits the width of a few slots and moves them to the middle.
func (c *columns) narrow(n float64) {
	most := widestNamed
	if c.t.InTime {
		most = widestSlot
	}
	if most = c.Snap(n * most * float64(c.t.Across())); most < c.w {
		c.x += c.Snap((c.w - most) / 2)
		c.w = most
	}
}

// align moves the groups so that all bars begin on whole pixels, at equal distances if
// the slots are whole pixels wide.
func (c *columns) align() {
	first, half := c.centre[0], c.groupWidth()/2
	left := c.Snap(first - half)
	for i, centre := range c.centre {
		c.centre[i] = left + c.Snap(centre-first) + half
	}
}

// placeGroups positions the groups, with a margin of edge on the left. Periods that are
// few and far apart need the margin, because their bars are wider than their slots.
func (c *columns) placeGroups(at []float64, edge float64) {
	c.centre = make([]float64, len(at))
	for i, p := range at {
		c.centre[i] = c.x + edge + c.slot*(p+.5)
	}
}

// widths chooses the width of bars and of the gaps within a group, in whole pixels. In a
// slot of less than four pixels, a bar and a gap do not fit. Such series are drawn as
// steps, unless their periods are few and far apart.
func (c *columns) widths() {
	px, n := c.Scene.Scale, float64(c.t.Across())
	slot, part := c.slot*px, columnShare
	c.stepped = false
	if c.isSparse() {
		slot = min(maxColumnWidth, c.nearest()) * px
	}
	if least := c.minSlot(); c.t.InTime && slot < least {
		slot = min(least, c.nearest()*px)
		c.stepped = slot < least
	}
	if c.stepped && c.t.Stacked {
		c.stepped, c.bar, c.between = false, c.slot, 0
		return
	}
	if c.stepped {
		c.bar, c.between = max(c.slot, thinnest)/n, 0
		return
	}
	gap := 0.0
	if n > 1 {
		gap, part = max(1, math.Round(px)), groupShare
	}
	bar := math.Round((slot*part - gap*(n-1)) / n)
	if n*bar+(n-1)*gap > slot-1 {
		bar--
	}
	c.bar, c.between = min(max(bar, 1)/px, c.Snap(maxColumnWidth)), gap/px
}

// groupWidth returns the width of the bars of one group.
func (c *columns) groupWidth() float64 {
	n := float64(c.t.Across())
	return c.bar*n + c.between*(n-1)
}

// nearest returns the smallest distance between two groups.
func (c *columns) nearest() float64 {
	least := c.w
	for i := 1; i < len(c.centre); i++ {
		least = min(least, math.Abs(c.centre[i]-c.centre[i-1]))
	}
	return least
}

// positions returns the positions of the groups, in slots from the left, and the number
// of slots.
func (c *columns) positions() ([]float64, float64) {
	if c.workdays = c.t.InTime && areWorkdays(c.Spec.Periods); c.t.InTime && !c.workdays {
		if at, step, ok := ordinals(c.Spec.Periods); ok {
			c.steady, c.step = true, step
			return at, at[len(at)-1] + 1
		}
	}
	at := make([]float64, len(c.t.Groups))
	gap := min(bartable.GapRows, bartable.MaxGap*float64(len(at))/c.w)
	next := 0.0
	for i := range at {
		if c.t.GapBefore(i) {
			next += gap
		}
		at[i] = next
		next++
	}
	return at, next
}

// figures returns the text size in which all values fit at their bars, or 0 if they do
// not fit or are not needed.
func (c *columns) figures() float64 {
	n, groups := len(c.t.Series), len(c.t.Groups)
	few := groups <= maxValuedColumns && n == 1 || groups*n <= maxValuedGrouped
	if c.stepped || c.t.Stacked || !few && !c.Spec.ShowValues {
		return 0
	}
	room := c.bar + c.between - valueClear
	if n == 1 {
		room = min(c.nearest()-valueClear, 2*(c.centre[0]-c.Plot.X), 2*(c.Plot.X+c.Plot.W-c.centre[len(c.centre)-1]))
	}
	sizes := []float64{frame.LabelSize, frame.SmallSize, max(9.5, c.Smallest()), c.Smallest()}
	if c.bar >= wideColumn {
		sizes[0] = largeValue
	}
	for _, size := range sizes {
		low := size*(1.35+lineHeight)+namesGap+c.minBarHeight() > c.Plot.H
		if c.widestFigure(size) <= room && !low {
			return size
		}
	}
	return 0
}

// isBand reports whether the plot is so low and wide that values are easier to compare
// than the heights of bars.
func (c *columns) isBand() bool { return c.Plot.W > 10*c.Plot.H }

// minBarHeight returns the smallest height of bars for which values above them are worth
// the space.
func (c *columns) minBarHeight() float64 {
	if c.isBand() {
		return minBarHeight / 4
	}
	return min(minBarHeight, c.Plot.H*.3)
}

func (c *columns) widestFigure(size float64) float64 {
	widest := 0.0
	for _, g := range c.t.Groups {
		for _, v := range g.Values {
			if !math.IsNaN(v) {
				text := c.t.Numbers.Write(v)
				widest = max(widest, font.Width(text, size, scene.Regular), font.Width(text, size, scene.Bold))
			}
		}
	}
	return widest
}

// placeScale positions the value axis between names of the given height and a key at the
// bottom.
func (c *columns) placeScale(names, key float64) {
	figure := c.figure
	if c.latest() >= 0 {
		figure = max(figure, c.label)
	}
	above, under := 0.0, 0.0
	if c.grid && c.ticks.Labels != nil {
		above, under = c.label*.45, c.label*.3
	}
	if figure > 0 && !c.hanging {
		above = max(above, figure*1.25)
	}
	if figure > 0 && c.t.Low < 0 {
		under = max(under, figure*1.5)
	}
	c.roof, c.floor = c.Plot.Y, c.Plot.Y+c.Plot.H-key
	if c.hanging {
		c.roof += names
	} else {
		c.floor -= names
	}
	if c.floor-under-c.roof-above < c.minBarHeight() { // a very small picture
		above, under, c.figure = 0, 0, 0
	}
	top := c.roof + above
	low, high := c.t.Low, c.t.High
	if c.grid {
		low, high = c.ends[0], c.ends[1]
	}
	c.scale = bartable.NewScale(low, high, max(c.floor-under, top+1), top)
	c.scale.Zero = c.Snap(c.scale.Zero)
}

// isReadable reports whether values can be read, from numbers or an axis.
func (c *columns) isReadable() bool { return c.figure > 0 || c.ticks.Labels != nil }

// latest returns the group to highlight, or -1.
func (c *columns) latest() int {
	if !c.Spec.HighlightLatest || c.t.Stacked {
		return -1
	}
	return c.t.Latest
}

// noteMissing adds a note that lists the categories without a value, if "no data" does
// not fit above their names.
func (c *columns) noteMissing() {
	if missing := c.t.Missing(); len(missing) > 0 && !c.showsNoData() {
		l := c.Spec.Words()
		c.AddOptionalNote(l.Text("No data: %s.", l.List(missing)), l.Text("%s without data", len(missing)))
	}
}

// showsNoData reports whether "no data" is written above the names.
func (c *columns) showsNoData() bool {
	lines, _ := c.noDataText()
	return lines != nil
}

// thinnest is the smallest width of a step, in units.
const thinnest = .8
