package chart

import (
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/scene"
)

// landGrid knows where the sea is, in cells of gridCell units.
type landGrid struct {
	box        scene.Box
	cols, rows int
	country    int16   // that is being marked
	land       []int16 // number of the country, from 1; 0: sea
}

const gridCell = 1.0

// newLandGrid marks every cell whose middle lies in a country, or that a coast
// runs through.
func newLandGrid(v *atlas.View, box scene.Box) *landGrid {
	g := &landGrid{box: box, cols: int(box.W/gridCell) + 1, rows: int(box.H/gridCell) + 1}
	g.land = make([]int16, g.cols*g.rows)
	crossings := make([][]float64, g.rows)
	for i := range v.Shapes {
		g.country = int16(i + 1)
		for r := range crossings {
			crossings[r] = crossings[r][:0]
		}
		if v.Shapes[i].Outline != nil {
			g.edges(v.Shapes[i].Outline, crossings)
		}
		for r, xs := range crossings {
			slices.Sort(xs)
			for j := 0; j+1 < len(xs); j += 2 {
				g.fill(r, xs[j], xs[j+1])
			}
		}
	}
	return g
}

// edges finds where an outline of straight lines crosses the middles of rows,
// and marks the cells of its corners.
func (g *landGrid) edges(o *scene.Outline, crossings [][]float64) {
	var start, at scene.Point
	p := 0
	for _, op := range o.Ops {
		switch op {
		case scene.MoveTo:
			start, at = o.Points[p], o.Points[p]
			p++
		case scene.LineTo:
			g.edge(at, o.Points[p], crossings)
			at = o.Points[p]
			p++
		case scene.QuadTo:
			p += 2
		case scene.CubicTo:
			p += 3
		case scene.Close:
			g.edge(at, start, crossings)
			at = start
		}
	}
}

func (g *landGrid) edge(a, b scene.Point, crossings [][]float64) {
	g.mark(a)
	if a.Y > b.Y {
		a, b = b, a
	}
	first := max(int(math.Ceil((a.Y-g.box.Y)/gridCell-.5)), 0)
	for r := first; r < g.rows; r++ {
		y := g.box.Y + (float64(r)+.5)*gridCell
		if y >= b.Y {
			return
		}
		crossings[r] = append(crossings[r], a.X+(y-a.Y)/(b.Y-a.Y)*(b.X-a.X))
	}
}

func (g *landGrid) mark(p scene.Point) {
	c, r := int((p.X-g.box.X)/gridCell), int((p.Y-g.box.Y)/gridCell)
	if c >= 0 && c < g.cols && r >= 0 && r < g.rows {
		g.land[r*g.cols+c] = g.country
	}
}

func (g *landGrid) fill(row int, from, to float64) {
	first := max(int(math.Ceil((from-g.box.X)/gridCell-.5)), 0)
	last := min(int(math.Floor((to-g.box.X)/gridCell-.5)), g.cols-1)
	for c := first; c <= last; c++ {
		g.land[row*g.cols+c] = g.country
	}
}

// touches reports whether there is land in a box that a number may not stand on.
func (g *landGrid) touches(b scene.Box, open func(country int16) bool) bool {
	left, right := int((b.X-g.box.X)/gridCell), int((b.X+b.W-g.box.X)/gridCell)
	top, bottom := int((b.Y-g.box.Y)/gridCell), int((b.Y+b.H-g.box.Y)/gridCell)
	for r := max(top, 0); r <= min(bottom, g.rows-1); r++ {
		for c := max(left, 0); c <= min(right, g.cols-1); c++ {
			if country := g.land[r*g.cols+c]; country != 0 && !open(country) {
				return true
			}
		}
	}
	return false
}

// at returns the number of the country at a place, 0 for the sea and outside.
func (g *landGrid) at(x, y float64) int16 {
	c, r := int(math.Floor((x-g.box.X)/gridCell)), int(math.Floor((y-g.box.Y)/gridCell))
	if c < 0 || c >= g.cols || r < 0 || r >= g.rows {
		return 0
	}
	return g.land[r*g.cols+c]
}
