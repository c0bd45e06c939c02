package maps

import (
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/scene"
)

// landGrid records, in cells of gridCell units, where there is land.
type landGrid struct {
	box        scene.Box
	cols, rows int
	country    int16   // that is being marked
	isMember   bool    // the map is about this country
	land       []int16 // number of the country, from 1; 0: sea
	// The same as bits, which are faster to search: cells with land, and cells of
	// countries that the map is about, with or without a value.
	any, member bitRows
}

// bitRows holds rows of bits.
type bitRows struct {
	words int // per row
	bits  []uint64
}

func newBitRows(cols, rows int) bitRows {
	words := (cols + 63) / 64
	return bitRows{words: words, bits: make([]uint64, words*rows)}
}

// set sets the bits of a row from first to last.
func (b bitRows) set(row, first, last int) {
	for w := first / 64; w <= last/64; w++ {
		b.bits[row*b.words+w] |= wordMask(w, first, last)
	}
}

// has reports whether any bit of a row from first to last is set.
func (b bitRows) has(row, first, last int) bool {
	for w := first / 64; w <= last/64; w++ {
		if b.bits[row*b.words+w]&wordMask(w, first, last) != 0 {
			return true
		}
	}
	return false
}

// wordMask returns the bits of word w from first to last.
func wordMask(w, first, last int) uint64 {
	from, to := max(first-64*w, 0), min(last-64*w, 63)
	return ^uint64(0) >> (63 - to) &^ (1<<from - 1)
}

const gridCell = 1.0

// newLandGrid marks every cell whose centre lies in a country, or that a coast crosses.
func newLandGrid(v *atlas.View, box scene.Box) *landGrid {
	g := &landGrid{box: box, cols: int(box.W/gridCell) + 1, rows: int(box.H/gridCell) + 1}
	g.land = make([]int16, g.cols*g.rows)
	g.any, g.member = newBitRows(g.cols, g.rows), newBitRows(g.cols, g.rows)
	crossings := make([][]float64, g.rows)
	for i := range v.Shapes {
		s := &v.Shapes[i]
		if s.Outline == nil {
			continue
		}
		g.country, g.isMember = int16(i+1), !s.Around
		first, last := g.rowsOf(s.Outline)
		for r := first; r <= last; r++ {
			crossings[r] = crossings[r][:0]
		}
		g.edges(s.Outline, crossings)
		for r := first; r <= last; r++ {
			xs := crossings[r]
			slices.Sort(xs)
			for j := 0; j+1 < len(xs); j += 2 {
				g.fill(r, xs[j], xs[j+1])
			}
		}
	}
	return g
}

// rowsOf returns the range of rows that an outline covers.
func (g *landGrid) rowsOf(o *scene.Outline) (first, last int) {
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, p := range o.Points {
		top, bottom = min(top, p.Y), max(bottom, p.Y)
	}
	if top > bottom {
		return 0, -1
	}
	return max(int((top-g.box.Y)/gridCell)-1, 0), min(int((bottom-g.box.Y)/gridCell)+1, g.rows-1)
}

// edges finds where an outline of straight lines crosses the centres of rows, and marks
// the cells of its corners.
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
		g.cells(r, c, c)
	}
}

func (g *landGrid) fill(row int, from, to float64) {
	first := max(int(math.Ceil((from-g.box.X)/gridCell-.5)), 0)
	last := min(int(math.Floor((to-g.box.X)/gridCell-.5)), g.cols-1)
	if first <= last {
		g.cells(row, first, last)
	}
}

// cells assigns cells of a row to the country that is being marked.
func (g *landGrid) cells(row, first, last int) {
	for c := first; c <= last; c++ {
		g.land[row*g.cols+c] = g.country
	}
	g.any.set(row, first, last)
	if g.isMember {
		g.member.set(row, first, last)
	}
}

// touches reports whether a box contains land of the kind that the bits represent.
func (g *landGrid) touches(b scene.Box, kind bitRows) bool {
	left, right := max(int((b.X-g.box.X)/gridCell), 0), min(int((b.X+b.W-g.box.X)/gridCell), g.cols-1)
	top, bottom := max(int((b.Y-g.box.Y)/gridCell), 0), min(int((b.Y+b.H-g.box.Y)/gridCell), g.rows-1)
	if left > right {
		return false
	}
	for r := top; r <= bottom; r++ {
		if kind.has(r, left, right) {
			return true
		}
	}
	return false
}

// within reports whether a box lies completely in one country.
func (g *landGrid) within(b scene.Box, country int16) bool {
	left, right := int((b.X-g.box.X)/gridCell), int((b.X+b.W-g.box.X)/gridCell)
	top, bottom := int((b.Y-g.box.Y)/gridCell), int((b.Y+b.H-g.box.Y)/gridCell)
	if left < 0 || top < 0 || right >= g.cols || bottom >= g.rows {
		return false
	}
	for r := top; r <= bottom; r++ {
		for _, at := range g.land[r*g.cols+left : r*g.cols+right+1] {
			if at != country {
				return false
			}
		}
	}
	return true
}

// share returns the share of a box that lies in a country.
func (g *landGrid) share(b scene.Box, country int16) float64 {
	left, right := int((b.X-g.box.X)/gridCell), int((b.X+b.W-g.box.X)/gridCell)
	top, bottom := int((b.Y-g.box.Y)/gridCell), int((b.Y+b.H-g.box.Y)/gridCell)
	if left < 0 || top < 0 || right >= g.cols || bottom >= g.rows {
		return 0
	}
	own := 0
	for r := top; r <= bottom; r++ {
		for _, at := range g.land[r*g.cols+left : r*g.cols+right+1] {
			if at == country {
				own++
			}
		}
	}
	return float64(own) / float64((bottom-top+1)*(right-left+1))
}

// at returns the number of the country at a point, or 0 for the sea and outside.
func (g *landGrid) at(x, y float64) int16 {
	c, r := int(math.Floor((x-g.box.X)/gridCell)), int(math.Floor((y-g.box.Y)/gridCell))
	if c < 0 || c >= g.cols || r < 0 || r >= g.rows {
		return 0
	}
	return g.land[r*g.cols+c]
}
