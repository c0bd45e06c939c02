package hbar

import (
	"math"

	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
)

// Rows of a narrow picture have the name above the bars and values at the ends of the
// bars, so that both bars and names can use the full width.
const (
	stackPlot  = 260.0 // width of the plot below which names may be above bars
	stackBar   = 30.0  // height of a bar, at most
	stackGap   = 5.0   // smallest gap from the bars to the next name
	stackHead  = 1.4   // height of a name, times its size
	stackNames = .34   // largest fraction of a row for its name
)

// canStack reports whether all rows fit with a name above their bars and the values
// next to them.
func (r *rows) canStack() bool {
	count, gaps := float64(len(r.t.Groups)), float64(r.t.Gaps())
	return !r.t.Stacked && !r.t.Dots && r.Plot.W < stackPlot && count*r.minStackHeight()+gaps*bartable.MaxGap <= r.Plot.H && r.hasWidth()
}

// hasWidth reports whether values fit next to bars without names.
func (r *rows) hasWidth() bool {
	left, right := r.pads(r.Smallest())
	return left+right <= r.Plot.W-r.minBarsWidth()
}

// minStackHeight returns the smallest height of a row whose name is above its bars, and
// maxStackHeight the largest.
func (r *rows) minStackHeight() float64 {
	return r.Smallest()*stackHead + r.minStackBar()*float64(len(r.t.Series)) + stackGap
}

// minStackBar returns the height of a bar next to which a value fits, in whole pixels.
func (r *rows) minStackBar() float64 {
	px := r.Scene.Scale
	return math.Ceil(r.Smallest()*px) / px
}

func (r *rows) maxStackHeight() float64 {
	return frame.LabelSize*stackHead + stackBar*float64(len(r.t.Series)) + 3*stackGap
}

// nameHeight returns the height of the name above the bars.
func (r *rows) nameHeight() float64 { return r.size * stackHead }

// stackSizes replaces sizes if names are above the bars.
func (r *rows) stackSizes() {
	n := float64(len(r.t.Series))
	px := r.Scene.Scale
	room := (r.row - stackGap - n*r.minStackBar()) / stackHead
	r.size = max(min(r.row*stackNames, room, frame.LabelSize), r.Smallest())
	bar := min((r.row-r.nameHeight()-stackGap)/n, stackBar)
	r.bar = max(math.Floor(bar*px)/px, r.minStackBar())
}

// placeAbove cuts the names to the width of the plot.
func (r *rows) placeAbove() {
	r.left, r.right = r.Plot.X, r.Plot.X+r.Plot.W
	r.nameX = r.left
	if r.mirrored {
		r.nameX = r.right
	}
	for i := range r.t.Groups {
		g := &r.t.Groups[i]
		lines, _ := font.Wrap(g.Name, r.size, g.Weight(), r.Plot.W, 1)
		r.names = append(r.names, lines)
	}
}
