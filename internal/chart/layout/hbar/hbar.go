// Package hbar lays out horizontal bars: one row for each category.
package hbar

import (
	"math"

	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Measures of horizontal bars, in units.
const (
	maxRowHeight     = 120.0 // height of a row
	minRowHeight     = 9.5
	comfortableRow   = 16.0 // height of a row if some are left out in any case
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
	*frame.Frame
	t           *bartable.Table
	row         float64 // height
	bar         float64
	between     float64   // gap between the bars of a group
	size        float64   // of names
	figure      float64   // size of values; 0: not written
	showsValues bool      // values are written at the bars
	namesAbove  bool      // names are above the bars, see stack.go
	hasHeadings bool      // segments of a ranking have headings
	tall        []bool    // rows whose names have two lines
	usual       float64   // no other name is wider, if any row is tall
	tops        []float64 // upper edges of the rows, and the lower edge of the last

	names    [][]string
	mirrored bool    // no value is above zero: names are to the right of zero
	nameX    float64 // right end of the names, or left end if mirrored
	left     float64 // of the bars
	right    float64
	scale    bartable.Scale
	ticks    scale.Ticks // of the grid, if values are not written
	axis     bool        // the labels of the grid fit
}

// Layout draws one row for each category, sorted by the first series unless the order of the
// categories has a meaning. The
// option highlightLatest applies only if the rows are periods.
func Layout(f *frame.Frame) {
	t := bartable.New(f.Spec)
	if len(t.Groups) == 0 || len(t.Series) == 0 {
		return
	}
	if !t.InTime {
		t.Rank()
	}
	f.DropNotes()
	t.DrawLegend(f, !t.InTime)
	r := &rows{Frame: f, t: t, mirrored: t.High <= 0 && t.Low < 0 && !t.Dots}
	r.chooseValues()
	if n := r.fitting(); n < len(t.Groups) {
		r.AddNote(t.Keep(n)...)
	}
	t.RestoreOrder()
	r.chooseHeadings()
	r.heights()
	r.placeNames()
	if r.showsValues {
		r.placeValues()
	} else {
		r.placeGrid()
	}
	r.draw()
}

// chooseValues decides whether values are written, or else are read from an axis.
func (r *rows) chooseValues() {
	t := r.t
	r.namesAbove = !r.canWrite() && r.canStack()
	r.showsValues = r.namesAbove || r.canWrite()
	if !r.showsValues && len(t.Series) > 1 && r.Spec.HighlightLatest && t.Latest >= 0 && r.Plot.H > frame.MinHeightForExtraNotes {
		r.AddNote(t.LatestNote()...)
	}
	if usual := t.Numbers; r.showsValues && r.Spec.ShowValues {
		if t.Numbers = t.Exact(); !r.canWrite() && !r.canStack() {
			t.Numbers = usual
		}
	}
	if t.Dots || !r.showsValues && r.Plot.H > 4*axisHeight {
		r.axis = true
		r.Take(axisHeight)
	}
	if !r.showsValues && !r.axis && !t.Stacked && !t.Dots {
		r.makeReadable()
	}
}

// canWrite reports whether values fit next to their bars: in height if all rows are
// shown, in width at the smallest size.
func (r *rows) canWrite() bool {
	t, size := r.t, r.Smallest()
	if t.Stacked || t.Dots {
		return false // parts of a bar have no ends for values
	}
	if n := float64(len(t.Series)); n > 1 && r.Plot.H/(float64(len(t.Groups))+bartable.GapRows*float64(t.Gaps()))*groupedBarShare/n < size {
		return false
	}
	names, nameSize := 0.0, frame.LabelSize
	if r.Plot.W < narrowPlot {
		nameSize = size
	}
	for i := range t.Groups {
		names = max(names, font.Width(t.Groups[i].Name, nameSize, scene.Bold))
	}
	left, right := r.pads(size)
	return min(names, r.maxNamesWidth())+nameGap+left+right <= r.Plot.W-r.minBarsWidth()
}

// tinyPlot is the width of a plot in which names and values need more space than bars.
const tinyPlot = 160.0

// minBarsWidth returns the smallest width of the longest bar for which values are written.
func (r *rows) minBarsWidth() float64 {
	if r.Plot.W < tinyPlot {
		return r.Plot.W * minBarsShareTiny
	}
	return r.Plot.W * minBarsShare
}

// pads returns the widths of the widest values to the left and to the right of the
// bars.
func (r *rows) pads(size float64) (left, right float64) {
	for i, g := range r.t.Groups {
		for _, v := range g.Values {
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
	bars, text := float64(r.t.Across()), max(minRowHeight, r.Smallest()*1.11)
	if bars > 1 && r.showsValues {
		text = max(text, bars*r.Smallest()*.98/groupedBarShare)
	}
	px := r.Scene.Scale
	if bars > 1 {
		text = max(text, bars*minBarThickness+touchingRowGap/px)
	}
	return math.Ceil(max(text, minBarThickness/groupedBarShare)*px) / px
}

// heights divides the height of the plot.
func (r *rows) heights() {
	n, count := r.t.Across(), len(r.t.Groups)
	most := max(maxRowHeight, float64(n)*maxBarHeight*.6/groupedBarShare)
	if r.namesAbove {
		most = r.maxStackHeight()
	}
	row := r.Plot.H / float64(count)
	r.chooseTall(row)
	gap := r.Snap(min(bartable.MaxGap, bartable.GapRows*r.Plot.H/(float64(count)+bartable.GapRows*float64(r.t.Gaps())))) // as [rows.fitting] counts
	if r.row = min(r.rowOf(gap), most); r.row < r.least() {
		clear(r.tall)
		r.row = min(r.rowOf(gap), most)
	}
	few := r.row == most
	px := r.Scene.Scale
	r.row = math.Floor(r.row*px+1e-9) / px // so that rows are equally spaced
	r.sizes()
	y := r.Plot.Y
	if r.showsValues && few { // centre them
		y += r.Snap(min(most, (r.rowOf(gap)-most)*float64(count)/2))
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
	case r.hasHeadings && r.t.Heading(row) != "":
		return r.Snap(r.headingHeight(row))
	case !r.t.GapBefore(row):
		return 0
	case r.t.IsBreak(row):
		return r.Snap(max(usual, minBreakGap))
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
	r.size = min(max(r.row*nameSizeShare, r.Smallest()), frame.LabelSize)
	if r.row >= tallRowHeight {
		r.size = largeName
	}
	px, n := r.Scene.Scale, float64(r.t.Across())
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
		bar = max(bar, math.Ceil(r.Smallest()*(scene.Ascent+scene.Descent)*px-gap))
	}
	r.bar, r.between = bar/px, gap/px
}

// rowOf returns the height of a row if all rows and gaps fill the plot.
func (r *rows) rowOf(gap float64) float64 {
	height, shares := r.Plot.H, 0.0
	for i := range r.t.Groups {
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
	n := float64(r.t.Across())
	half := (r.bar*n + r.between*(n-1)) / 2
	if r.namesAbove {
		return r.Snap(r.tops[row]+r.nameHeight()) + half
	}
	centre := r.row / 2
	if r.tall[row] {
		centre *= tallRow
	}
	return r.Snap(r.tops[row]+centre-half) + half
}

// placeValues reserves space for the values at both ends of the bars, with smaller text
// if the bars would become too short.
func (r *rows) placeValues() {
	n := len(r.t.Series)
	size := min(max(r.bar*.92, r.Smallest()), r.size)
	if n == 1 {
		size = r.size
	}
	before, behind := r.pads(size)
	if r.right-r.left-before-behind < r.minBarsWidth() {
		size = r.Smallest()
		before, behind = r.pads(size)
	}
	r.figure = size
	if before > 0 && !r.mirrored && !r.namesAbove {
		before += nameToValue - nameGap
	}
	r.scale = bartable.NewScale(r.t.Low, r.t.High, r.left+before, max(r.right-behind, r.left+before+1))
	r.scale.Zero = r.Snap(r.scale.Zero)
}

func (r *rows) valueText(v float64) string {
	if math.IsNaN(v) {
		return r.Spec.Words().Text(bartable.NoData)
	}
	return r.t.Numbers.Write(v)
}

func (r *rows) valueWeight(row int) scene.Weight {
	if r.isLatest(row) {
		return scene.Bold
	}
	return r.t.Groups[row].Weight()
}

// isLatest reports whether a row is the latest period and must be highlighted.
func (r *rows) isLatest(row int) bool {
	return !r.t.Stacked && r.Spec.HighlightLatest && r.t.Latest == row
}

// axisSize is the text size of the axis labels, and axisHeight the height they take.
const (
	axisSize   = frame.SmallSize
	axisHeight = axisSize * 1.5
)

// placeGrid makes an axis of round numbers, with labels above the rows if they fit.
func (r *rows) placeGrid() {
	if r.t.Dots {
		r.reserveDotValues()
	}
	for n := max(2, min(8, int((r.right-r.left)/70))); ; n-- {
		var ends [2]float64
		r.ticks, ends = r.t.Axis(n, r.Spec.NumberUnit())
		last := font.Width(r.ticks.Labels[len(r.ticks.Labels)-1], axisSize, scene.Regular)
		right := max(r.right-last/2, r.left+1)
		left := r.left
		if r.t.Dots { // a dot at the end of the axis must not touch its name
			left = min(left+2*maxDot, right-1)
		}
		r.scale = bartable.NewScale(ends[0], ends[1], left, right)
		r.scale.Zero = r.Snap(r.scale.Zero)
		if n <= 2 || r.labelsApart() {
			return
		}
	}
}

// labelsApart reports whether the labels of the axis do not touch.
func (r *rows) labelsApart() bool {
	end := math.Inf(-1)
	for i, label := range r.ticks.Labels {
		x, half := r.scale.At(r.ticks.Values[i]), font.Width(label, axisSize, scene.Regular)/2
		if x-half < end+8 {
			return false
		}
		end = x + half
	}
	return true
}
