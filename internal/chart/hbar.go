package chart

import (
	"math"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Measures of horizontal bars, in units.
const (
	maxRowHeight     = 120.0 // height of a row
	minRowHeight     = 9.5
	maxBarHeight     = 72.0 // height of a bar
	tallRowHeight    = 40.0 // height of a row from which texts are larger
	largeName        = 14.0 // size of larger texts
	minBarThickness  = 3.2
	barShare         = .76 // fraction of a row with one bar; groupedBarShare is for several
	nameSizeShare    = .78 // fraction of a row for its name
	groupedBarShare  = .8
	tallRow          = 2.0  // height of a row whose name has two lines, in rows
	maxNamesShare    = .35  // largest fraction of the plot's width
	shortNameShare   = .2   // of the plot's width: a name this short never takes two lines
	nameGap          = 7.0  // from names to bars
	valueGap         = 5.0  // from a bar's end to its value
	minBarsShare     = .35  // smallest fraction of the plot's width at which values are written
	minBarsShareTiny = .15  // the same in a plot narrower than tinyPlot
	nameToValue      = 15.0 // from names to values
	minRuleLength    = 40.0 // distance from a name to its bar from which a line connects them
	maxTouchingRow   = 20.0 // height in pixels of a row below which bars of several series touch
	touchingRowGap   = 4.0  // pixels between rows in that case
	minBreakGap      = 12.0 // smallest height of the gap that replaces omitted rows
)

// rows is a chart of horizontal bars. From top to bottom it has the groups of
// countries, then the items to compare, from high to low; periods keep their order.
// Values are at the ends of the bars, which leave space for them, and replace axis
// and grid. If the picture is too narrow for names and values next to bars, names are
// above them. If bars are too thin for values, there are axis and grid instead.
type rows struct {
	*frame
	t           *barTable
	row         float64 // height
	bar         float64
	between     float64   // gap between the bars of a group
	size        float64   // of names
	figure      float64   // size of values; 0: not written
	showsValues bool      // values are written at the bars
	namesAbove  bool      // names are above the bars, see hbar_stack.go
	tall        []bool    // rows whose names have two lines
	usual       float64   // no other name is wider, if any row is tall
	tops        []float64 // upper edges of the rows, and the lower edge of the last

	names    [][]string
	mirrored bool    // no value is above zero: names are to the right of zero
	nameX    float64 // right end of the names, or left end if mirrored
	left     float64 // of the bars
	right    float64
	scale    barScale
	ticks    scale.Ticks // of the grid, if values are not written
	axis     bool        // the labels of the grid fit
}

// layoutRows draws one row for each category, sorted by the first series. The
// option highlightLatest applies only if the rows are periods.
func layoutRows(f *frame) {
	t := newBarTable(f.spec)
	if len(t.groups) == 0 || len(t.series) == 0 {
		return
	}
	if !t.inTime {
		t.rank()
	}
	f.dropNotes()
	t.drawLegend(f, !t.inTime)
	r := &rows{frame: f, t: t, mirrored: t.high <= 0 && t.low < 0}
	r.namesAbove = !r.canWrite() && r.canStack()
	r.showsValues = r.namesAbove || r.canWrite()
	if !r.showsValues && len(t.series) > 1 && f.spec.HighlightLatest && t.latest >= 0 && f.plot.H > minHeightForExtraNotes {
		f.addNote(t.latestNote()...)
	}
	if usual := t.numbers; r.showsValues && f.spec.ShowValues {
		if t.numbers = t.exact(); !r.canWrite() && !r.canStack() {
			t.numbers = usual
		}
	}
	if !r.showsValues && f.plot.H > 4*axisHeight {
		r.axis = true
		f.take(axisHeight)
	}
	if !r.showsValues && !r.axis {
		r.makeReadable()
	}
	if n := r.fitting(); n < len(t.groups) {
		r.addNote(t.keep(n)...)
	}
	r.heights()
	r.placeNames()
	if r.showsValues {
		r.placeValues()
	} else {
		r.placeGrid()
	}
	r.draw()
}

// canWrite reports whether values fit next to their bars: in height if all rows are
// shown, in width at the smallest size.
func (r *rows) canWrite() bool {
	t, size := r.t, r.smallest()
	if n := float64(len(t.series)); n > 1 && r.plot.H/(float64(len(t.groups))+gapRows*float64(t.gaps()))*groupedBarShare/n < size {
		return false
	}
	names, nameSize := 0.0, labelSize
	if r.plot.W < narrowPlot {
		nameSize = size
	}
	for i := range t.groups {
		names = max(names, font.Width(t.groups[i].name, nameSize, scene.Bold))
	}
	left, right := r.pads(size)
	return min(names, r.maxNamesWidth())+nameGap+left+right <= r.plot.W-r.minBarsWidth()
}

// tinyPlot is the width of a plot in which names and values need more space than bars.
const tinyPlot = 160.0

// minBarsWidth returns the smallest width of the longest bar for which values are written.
func (r *rows) minBarsWidth() float64 {
	if r.plot.W < tinyPlot {
		return r.plot.W * minBarsShareTiny
	}
	return r.plot.W * minBarsShare
}

// pads returns the widths of the widest values to the left and to the right of the
// bars.
func (r *rows) pads(size float64) (left, right float64) {
	for i, g := range r.t.groups {
		for _, v := range g.values {
			width := valueGap + font.Width(r.valueText(v), size, r.valueWeight(i))
			if r.isLeftward(v) {
				left = max(left, width)
			} else {
				right = max(right, width)
			}
		}
	}
	return left, right
}

// isLeftward reports whether a value is to the left of zero.
func (r *rows) isLeftward(v float64) bool {
	return v < 0 || r.mirrored
}

// least returns the smallest height of a row.
func (r *rows) least() float64 {
	if r.namesAbove {
		return r.minStackHeight()
	}
	bars, text := float64(len(r.t.series)), max(minRowHeight, r.smallest()*1.11)
	if bars > 1 && r.showsValues {
		text = max(text, bars*r.smallest()*.98/groupedBarShare)
	}
	px := r.scene.Scale
	if bars > 1 {
		text = max(text, bars*minBarThickness+touchingRowGap/px)
	}
	return math.Ceil(max(text, minBarThickness/groupedBarShare)*px) / px
}

// makeReadable makes values fit if there is no space for an axis: the remaining rows may
// have short names, or else names are above their bars.
func (r *rows) makeReadable() {
	kept, few := *r.t, *r
	few.t = &kept
	if n := r.fitting(); n < len(kept.groups) {
		kept.keep(n)
	}
	r.namesAbove = !few.canWrite()
	r.showsValues = !r.namesAbove || r.hasWidth()
	kept = *r.t
	cost := r.noteHeight(kept.keep(1))
	if !r.showsValues || r.least() > r.plot.H-cost {
		r.showsValues, r.namesAbove = false, false
	}
}

// fitting returns how many rows fit, counting a note on the others.
func (r *rows) fitting() int {
	t := r.t
	all := len(t.groups)
	if all == 1 || float64(all)+gapRows*float64(t.gaps()) <= r.plot.H/r.least() {
		return all
	}
	gaps := float64(t.gaps())
	if t.low < 0 {
		gaps += 2 // between the largest and the smallest
	}
	fits := func(n int) bool {
		kept := *t
		return float64(n) <= (r.plot.H-r.noteHeight(kept.keep(n)))/r.least()-gapRows*gaps
	}
	room := all - 1
	for room > 1 && !fits(room) {
		room = max(1, min(room-1, int(r.plot.H/r.least())))
	}
	return room
}

// heights divides the height of the plot.
func (r *rows) heights() {
	n, count := len(r.t.series), len(r.t.groups)
	most := max(maxRowHeight, float64(n)*maxBarHeight*.6/groupedBarShare)
	if r.namesAbove {
		most = r.maxStackHeight()
	}
	row := r.plot.H / float64(count)
	r.chooseTall(row)
	gap := r.snap(min(maxGap, gapRows*row))
	if r.row = min(r.rowOf(gap), most); r.row < r.least() {
		clear(r.tall)
		r.row = min(r.rowOf(gap), most)
	}
	few := r.row == most
	px := r.scene.Scale
	r.row = math.Floor(r.row*px+1e-9) / px // so that rows are equally spaced
	r.sizes()
	y := r.plot.Y
	if r.showsValues && few { // centre them
		y += r.snap(min(most, (r.rowOf(gap)-most)*float64(count)/2))
	}
	for i := range count {
		y += r.gapAbove(i, gap)
		r.tops = append(r.tops, y)
		y += r.row
		if r.tall[i] {
			y += r.row * (tallRow - 1)
		}
	}
	r.tops = append(r.tops, y)
}

// gapAbove returns the height of the gap above a row, or 0 if there is none. A gap that
// replaces omitted rows has space for a sign.
func (r *rows) gapAbove(row int, usual float64) float64 {
	switch {
	case !r.t.gapBefore(row):
		return 0
	case row == r.t.broken:
		return r.snap(max(usual, minBreakGap))
	}
	return usual
}

// sizes chooses the size of names, the thickness of bars and the gaps between them, in
// whole pixels. Bars of several series in low rows touch: gaps within and between rows
// would be hard to tell apart.
func (r *rows) sizes() {
	if r.namesAbove {
		r.stackSizes()
		return
	}
	r.size = min(max(r.row*nameSizeShare, r.smallest()), labelSize)
	if r.row >= tallRowHeight {
		r.size = largeName
	}
	px, n := r.scene.Scale, float64(len(r.t.series))
	bar := min(r.row*barShare, maxBarHeight) * px
	gap := 0.0
	switch {
	case n > 1 && r.row*px < maxTouchingRow:
		bar = math.Floor((r.row*px - touchingRowGap) / n)
	case n > 1:
		gap = max(1, math.Round(px))
		bar = min((r.row*groupedBarShare*px-gap*(n-1))/n, maxBarHeight*px)
	}
	bar = max(1, math.Round(bar))
	if n > 1 && r.showsValues { // values of neighbouring bars must not overlap
		bar = max(bar, math.Ceil(r.smallest()*(scene.Ascent+scene.Descent)*px-gap))
	}
	r.bar, r.between = bar/px, gap/px
}

// rowOf returns the height of a row if all rows and gaps fill the plot.
func (r *rows) rowOf(gap float64) float64 {
	height, shares := r.plot.H, 0.0
	for i := range r.t.groups {
		shares++
		if r.tall[i] {
			shares += tallRow - 1
		}
		height -= r.gapAbove(i, gap)
	}
	return height / shares
}

// middle returns the centre of a row's bars, whose edges lie on whole pixels: half-way
// between the upper and the lower edge of the row, or of the part below its name.
func (r *rows) middle(row int) float64 {
	n := float64(len(r.t.series))
	half := (r.bar*n + r.between*(n-1)) / 2
	if r.namesAbove {
		return r.snap(r.tops[row]+r.nameHeight()) + half
	}
	centre := r.row / 2
	if r.tall[row] {
		centre *= tallRow
	}
	return r.snap(r.tops[row]+centre-half) + half
}

// placeValues reserves space for the values at both ends of the bars, with smaller text
// if the bars would become too short.
func (r *rows) placeValues() {
	n := len(r.t.series)
	size := min(max(r.bar*.92, r.smallest()), r.size)
	if n == 1 {
		size = r.size
	}
	before, behind := r.pads(size)
	if r.right-r.left-before-behind < r.minBarsWidth() {
		size = r.smallest()
		before, behind = r.pads(size)
	}
	r.figure = size
	if before > 0 && !r.mirrored && !r.namesAbove {
		before += nameToValue - nameGap
	}
	r.scale = newBarScale(r.t.low, r.t.high, r.left+before, max(r.right-behind, r.left+before+1))
	r.scale.zero = r.snap(r.scale.zero)
}

func (r *rows) valueText(v float64) string {
	if math.IsNaN(v) {
		return noData
	}
	return r.t.numbers.Write(v)
}

func (r *rows) valueWeight(row int) scene.Weight {
	if r.isLatest(row) {
		return scene.Bold
	}
	return r.t.groups[row].weight()
}

// isLatest reports whether a row is the latest period and must be highlighted.
func (r *rows) isLatest(row int) bool { return r.spec.HighlightLatest && r.t.latest == row }

// axisSize is the text size of the axis labels, and axisHeight the height they take.
const (
	axisSize   = smallSize
	axisHeight = axisSize * 1.5
)

// placeGrid makes an axis of round numbers, with labels above the rows if they fit.
func (r *rows) placeGrid() {
	for n := max(2, min(8, int((r.right-r.left)/70))); ; n-- {
		var ends [2]float64
		r.ticks, ends = r.t.axis(n, r.spec.Unit)
		last := font.Width(r.ticks.Labels[len(r.ticks.Labels)-1], axisSize, scene.Regular)
		right := max(r.right-last/2, r.left+1)
		r.scale = newBarScale(ends[0], ends[1], r.left, right)
		r.scale.zero = r.snap(r.scale.zero)
		if n <= 2 || r.labelsApart() {
			return
		}
	}
}

// labelsApart reports whether the labels of the axis do not touch.
func (r *rows) labelsApart() bool {
	end := math.Inf(-1)
	for i, label := range r.ticks.Labels {
		x, half := r.scale.at(r.ticks.Values[i]), font.Width(label, axisSize, scene.Regular)/2
		if x-half < end+8 {
			return false
		}
		end = x + half
	}
	return true
}
