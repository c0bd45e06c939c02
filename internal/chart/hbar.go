package chart

import (
	"math"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Measures of horizontal bars, in units.
const (
	rowMost    = 112.0 // height of a row
	rowLeast   = 9.5
	barMost    = 50.0 // height of a bar
	bigRow     = 40.0 // height of a row whose texts are larger
	bigName    = 14.0 // size of those
	barLeast   = 3.2
	barPart    = .76 // of a row of one bar; of the row of several, barsPart
	textPart   = .78 // of a row that its name takes
	barsPart   = .8
	gapRows    = .6 // height of a gap, in rows
	gapMost    = 16.0
	tallRow    = 2.0  // height of a row whose name has two lines, in rows
	namesShare = .35  // of the plot's width, at most
	nameUsual  = .2   // of the plot's width: no name so short takes two lines
	nameGap    = 7.0  // from names to bars
	valueGap   = 5.0  // from a bar's end to its value
	barsShare  = .35  // of the plot's width, at least, or values are not written
	middle     = .36  // from the middle of figures to their base line, times the size
	nameClear  = 15.0 // from names to values
	ruleFrom   = 40.0 // distance from a name to its bar from which on a line leads there
	noData     = "no data"
)

// rows is a chart of horizontal bars: from top to bottom the groups of
// countries, then what is compared, from high to low; periods as they follow
// one another. Values stand outside at the bars' ends, where room is kept for
// them, and then there is neither axis nor grid. Where bars are too thin for
// values, or the picture too narrow, there are both instead.
type rows struct {
	*frame
	t       *barTable
	row     float64 // height
	bar     float64
	between float64   // the bars of a group
	size    float64   // of names
	figure  float64   // size of values; 0: not written
	written bool      // values stand at the bars
	tall    []bool    // rows whose names have two lines
	usual   float64   // width that no other name exceeds, if any row is tall
	tops    []float64 // upper edges of the rows, and the lower edge of the last

	names    [][]string
	mirrored bool    // no value is above zero: names stand to the right of zero
	nameX    float64 // right end of the names, or left where mirrored
	left     float64 // of the bars
	right    float64
	scale    barScale
	ticks    scale.Ticks // of the grid, where values are not written
	axis     bool        // there is room for the labels of the grid
}

// horizontalBars draws one row a category, sorted by the first series. The
// option highlightLatest has an effect only where the rows are periods: a chart
// of one period is all latest.
func (f *frame) horizontalBars() {
	t := newBarTable(f.spec)
	if len(t.groups) == 0 || len(t.series) == 0 {
		return
	}
	if !t.inTime {
		t.rank()
	}
	f.makeRoom()
	f.barLegend(t, !t.inTime)
	r := &rows{frame: f, t: t, mirrored: t.high <= 0 && t.low < 0}
	r.written = r.canWrite()
	if !r.written && len(t.series) > 1 && f.spec.HighlightLatest && t.latest >= 0 && f.plot.H > roomForMore {
		f.say(t.latestNote()...)
	}
	if usual := t.numbers; r.written && f.spec.ShowValues {
		if t.numbers = t.exact(); !r.canWrite() {
			t.numbers = usual
		}
	}
	if !r.written && f.plot.H > 6*axisHeight {
		r.axis = true
		f.take(axisHeight)
	}
	r.choose()
	r.heights()
	r.placeNames()
	if r.written {
		r.placeValues()
	} else {
		r.placeGrid()
	}
	r.draw()
}

// canWrite reports whether values have room beside their bars: in height if all
// rows are shown, in width at the smallest size.
func (r *rows) canWrite() bool {
	t, size := r.t, r.smallest()
	if n := float64(len(t.series)); n > 1 && r.plot.H/(float64(len(t.groups))+gapRows*float64(t.gaps()))*barsPart/n < size {
		return false
	}
	names := 0.0
	for i := range t.groups {
		names = max(names, font.Width(t.groups[i].name, labelSize, scene.Bold))
	}
	left, right := r.pads(size)
	return min(names, r.namesMost())+nameGap+left+right <= r.plot.W*(1-barsShare)
}

// pads are the widths of the widest values to the left and to the right of the bars.
func (r *rows) pads(size float64) (left, right float64) {
	for i, g := range r.t.groups {
		for _, v := range g.values {
			width := valueGap + font.Width(r.valueText(v), size, r.valueWeight(i))
			if r.leftward(v) {
				left = max(left, width)
			} else {
				right = max(right, width)
			}
		}
	}
	return left, right
}

// leftward reports whether a value stands to the left of zero.
func (r *rows) leftward(v float64) bool {
	return v < 0 || r.mirrored
}

// least is the least height of a row.
func (r *rows) least() float64 {
	bars, text := float64(len(r.t.series)), max(rowLeast, r.smallest()*1.11)
	if bars > 1 && r.written {
		text = max(text, bars*r.smallest()*.98/barsPart)
	}
	px := r.scene.Scale
	return math.Ceil(max(text, bars*barLeast/barsPart)*px) / px
}

// choose leaves out what there is no room for, and says so in a note.
func (r *rows) choose() {
	t := r.t
	all := len(t.groups)
	if all == 1 || float64(all)+gapRows*float64(t.gaps()) <= r.plot.H/r.least() {
		return
	}
	gaps := float64(t.gaps())
	if t.low < 0 {
		gaps++ // between the largest and the smallest
	}
	fits := func(n int) bool {
		kept := *t
		return float64(n) <= (r.plot.H-r.sayCost(kept.keep(n)))/r.least()-gapRows*gaps
	}
	room := all - 1
	for room > 1 && !fits(room) {
		room = max(1, min(room-1, int(r.plot.H/r.least())))
	}
	r.say(r.t.keep(room)...)
}

// heights divides the height of the plot.
func (r *rows) heights() {
	const few = 9
	n, count := len(r.t.series), len(r.t.groups)
	most := max(rowMost, float64(n)*barMost*.8/barsPart)
	row := r.plot.H / float64(count)
	r.chooseTall(row)
	gap := min(gapMost, gapRows*row)
	if r.row = min(r.rowOf(gap), most); r.row < r.least() {
		clear(r.tall)
		r.row = min(r.rowOf(gap), most)
	}
	if px := r.scene.Scale; count > few {
		r.row = math.Floor(r.row*px) / px // so that names stand at even distances
	}
	r.thickness()
	r.size = min(max(r.row*textPart, r.smallest()), labelSize)
	if r.row >= bigRow {
		r.size = bigName
	}
	y := r.plot.Y
	for i := range count {
		if r.t.gapBefore(i) {
			y += gap
		}
		r.tops = append(r.tops, y)
		y += r.row
		if r.tall[i] {
			y += r.row * (tallRow - 1)
		}
	}
	r.tops = append(r.tops, y)
}

// thickness chooses how thick the bars of a row are and what parts them, in
// whole pixels.
func (r *rows) thickness() {
	px, n := r.scene.Scale, float64(len(r.t.series))
	bar := min(r.row*barPart, barMost) * px
	gap := 0.0
	if n > 1 {
		gap = max(1, math.Round(px))
		bar = min((r.row*barsPart*px-gap*(n-1))/n, barMost*px)
	}
	r.bar, r.between = max(1, math.Round(bar))/px, gap/px
}

// rowOf is the height of a row where all rows and gaps fill the plot.
func (r *rows) rowOf(gap float64) float64 {
	height, shares := r.plot.H, 0.0
	for i := range r.t.groups {
		shares++
		if r.tall[i] {
			shares += tallRow - 1
		}
		if r.t.gapBefore(i) {
			height -= gap
		}
	}
	return height / shares
}

// middle is half-way between the upper and the lower edge of a row.
func (r *rows) middle(row int) float64 {
	half := r.row / 2
	if r.tall[row] {
		half *= tallRow
	}
	return r.tops[row] + half
}

// placeValues keeps room for the values at both ends of the bars, in a smaller
// size where the bars would become too short.
func (r *rows) placeValues() {
	n := len(r.t.series)
	size := min(max(r.bar*.92, r.smallest()), r.size)
	if n == 1 {
		size = r.size
	}
	before, behind := r.pads(size)
	if r.right-r.left-before-behind < r.plot.W*barsShare {
		size = r.smallest()
		before, behind = r.pads(size)
	}
	r.figure = size
	if before > 0 && !r.mirrored {
		before += nameClear - nameGap
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
	return weightOf(&r.t.groups[row])
}

// isLatest reports whether a row is the latest period and to be highlighted.
func (r *rows) isLatest(row int) bool { return r.spec.HighlightLatest && r.t.latest == row }

// axisSize is the size of the labels of the axis, and axisHeight what they take.
const (
	axisSize   = smallSize
	axisHeight = axisSize * 1.5
)

// placeGrid makes an axis of round numbers, with labels above the rows where
// there is room for them.
func (r *rows) placeGrid() {
	for n := max(2, min(8, int((r.right-r.left)/70))); ; n-- {
		r.ticks = scale.Nice(r.t.low, r.t.high, n, true, r.spec.Unit)
		last := font.Width(r.ticks.Labels[len(r.ticks.Labels)-1], axisSize, scene.Regular)
		right := max(r.right-last/2, r.left+1)
		r.scale = newBarScale(r.ticks.Values[0], r.ticks.Values[len(r.ticks.Values)-1], r.left, right)
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
