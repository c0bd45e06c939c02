package render

import (
	"math"
	"math/bits"
)

// The raster has integer coordinates in steps of 1/256 pixel, so that coverage is exact
// and the same on every machine.
const (
	subBits = 8
	sub     = 1 << subBits // steps per pixel
	full    = 2 * sub * sub
)

// cellBudget bounds the memory of a raster to 1 MiB of cells. Larger shapes are drawn
// in several bands.
const cellBudget = 1 << 18

// edge is a straight piece of a contour. Its direction decides which side is inside.
type edge struct{ x0, y0, x1, y1 int32 }

// run is a stretch of one row with constant coverage. cov is out of 255.
type run struct {
	x0, x1 int32 // pixels, excluding x1
	cov    uint8
}

// raster converts contours to runs of coverage, by the nonzero winding rule. It is
// empty between shapes and can be reused.
//
// A cell holds by how much a pixel's coverage differs from that of its left neighbour,
// so coverage in a row is the running sum of its cells. Only cells that an edge touches
// are visited; coverage between them is constant.
type raster struct {
	width, height int // of the picture, in pixels
	edges         []edge
	left, right   int32 // horizontal extent of the edges, in steps
	top, bottom   int32

	cells   []int32
	touched []uint64 // one bit per cell
	runs    []run
}

func (r *raster) reset(width, height int) {
	r.width, r.height = width, height
	r.forget()
}

func (r *raster) forget() {
	r.edges = r.edges[:0]
	r.left, r.top, r.right, r.bottom = math.MaxInt32, math.MaxInt32, 0, 0
}

// line adds a piece of a contour, in pixels. Contours must be closed. A piece above,
// below or to the right of the picture does not change coverage and is left out. A
// piece to the left is moved to the left edge.
func (r *raster) line(a, b point) {
	if a.y == b.y || max(a.y, b.y) <= 0 || min(a.y, b.y) >= float64(r.height) {
		return
	}
	w, h := float64(r.width), float64(r.height)
	if a.x >= 0 && b.x >= 0 && a.x <= w && b.x <= w && a.y >= 0 && b.y >= 0 && a.y <= h && b.y <= h {
		r.add(a, b)
		return
	}
	if !(a.minus(b).length() < math.Inf(1)) {
		return // not a position
	}
	a, b = clipRows(a, b, h)
	r.addClamped(a, b, w)
}

// clipRows clips a line that crosses 0 ≤ y ≤ h to that range.
func clipRows(a, b point, h float64) (point, point) {
	at := func(y float64) point {
		t := (y - a.y) / (b.y - a.y)
		return point{a.x + float64(t*(b.x-a.x)), y}
	}
	from, to := a, b
	if a.y < 0 {
		from = at(0)
	} else if a.y > h {
		from = at(h)
	}
	if b.y < 0 {
		to = at(0)
	} else if b.y > h {
		to = at(h)
	}
	return from, to
}

// addClamped adds a line; the parts outside 0 ≤ x ≤ w are moved to the border.
func (r *raster) addClamped(a, b point, w float64) {
	at := func(x float64) point {
		t := (x - a.x) / (b.x - a.x)
		return point{x, a.y + float64(t*(b.y-a.y))}
	}
	cuts := [4]point{a, b, b, b}
	n := 1
	borders := [2]float64{0, w}
	if a.x > b.x {
		borders = [2]float64{w, 0}
	}
	for _, x := range borders {
		if (a.x < x) != (b.x < x) && a.x != x && b.x != x {
			cuts[n] = at(x)
			n++
		}
	}
	cuts[n] = b
	for i := range n {
		p, q := cuts[i], cuts[i+1]
		p.x, q.x = min(max(p.x, 0), w), min(max(q.x, 0), w)
		r.add(p, q)
	}
}

// add adds a line that lies inside the picture.
func (r *raster) add(a, b point) {
	e := edge{steps(a.x), steps(a.y), steps(b.x), steps(b.y)}
	if e.y0 == e.y1 {
		return
	}
	r.edges = append(r.edges, e)
	r.left = min(r.left, e.x0, e.x1)
	r.right = max(r.right, e.x0, e.x1)
	r.top = min(r.top, e.y0, e.y1)
	r.bottom = max(r.bottom, e.y0, e.y1)
}

// steps rounds a length that is not negative to steps.
func steps(v float64) int32 { return int32(float64(v*sub) + .5) }

// sweep calls paint for each row of the shape, from top to bottom, with the runs from
// left to right, and empties the raster. paint must not keep the runs.
func (r *raster) sweep(paint func(y int, runs []run)) {
	if len(r.edges) == 0 {
		return
	}
	x0, x1 := int(r.left>>subBits), int(r.right>>subBits)+1
	y0, y1 := int(r.top>>subBits), min(int(r.bottom+sub-1)>>subBits, r.height)
	g := grid{x0: x0, stride: x1 - x0 + 1}
	g.words = (g.stride + 63) / 64
	rows := min(max(1, cellBudget/g.stride), y1-y0)
	r.allocate(&g, rows)
	for y := y0; y < y1; y += rows {
		g.y0, g.y1 = y, min(y+rows, y1)
		for i := range r.edges {
			g.scan(r.edges[i])
		}
		for row := g.y0; row < g.y1; row++ {
			r.runs = g.sum(row, r.width, r.runs[:0])
			if len(r.runs) > 0 {
				paint(row, r.runs)
			}
		}
	}
	r.forget()
}

// allocate sets the cells of the grid. They are all zero, because sum resets them.
func (r *raster) allocate(g *grid, rows int) {
	if n := rows * g.stride; len(r.cells) < n {
		r.cells = make([]int32, n)
	}
	if n := rows * g.words; len(r.touched) < n {
		r.touched = make([]uint64, n)
	}
	g.cells, g.touched = r.cells, r.touched
}

// grid holds the cells of some rows.
type grid struct {
	x0, y0, y1    int // pixel of the first cell; rows y0 to y1, excluding y1
	stride, words int // of one row
	cells         []int32
	touched       []uint64
}

// scan adds an edge to the rows of the grid.
func (g *grid) scan(e edge) {
	dir := int32(1)
	if e.y0 > e.y1 {
		e, dir = edge{e.x1, e.y1, e.x0, e.y0}, -1
	}
	top, bottom := int32(g.y0)<<subBits, int32(g.y1)<<subBits
	if e.y1 <= top || e.y0 >= bottom {
		return
	}
	left := int32(g.x0) << subBits
	e.x0 -= left
	e.x1 -= left
	if e.y0>>subBits == (e.y1-1)>>subBits {
		g.across(e.y0>>subBits, e.x0, e.x1, dir*(e.y1-e.y0))
		return
	}
	const fine = 20
	slope := (int64(e.x1-e.x0) << fine) / int64(e.y1-e.y0)
	at := func(y int32) int32 { return e.x0 + int32((slope*int64(y-e.y0))>>fine) }
	y, x := e.y0, e.x0
	if y < top {
		y, x = top, at(top)
	}
	for y < min(e.y1, bottom) {
		next := min((y|(sub-1))+1, e.y1)
		xNext := e.x1
		if next < e.y1 {
			xNext = at(next)
		}
		g.across(y>>subBits, x, xNext, dir*(next-y))
		y, x = next, xNext
	}
}

// across adds a piece within one row, from xa to xb and down by d.
func (g *grid) across(y, xa, xb, d int32) {
	if xa > xb {
		xa, xb = xb, xa
	}
	row := int(y) - g.y0
	cells := g.cells[row*g.stride : (row+1)*g.stride]
	touched := g.touched[row*g.words : (row+1)*g.words]
	ca, cb := xa>>subBits, xb>>subBits
	touch(touched, int(ca), int(cb)+1)
	if ca == cb {
		s := d * (xa + xb - 2*ca<<subBits)
		cells[ca] += 2*sub*d - s
		cells[ca+1] += s
		return
	}
	const fine = 16
	slope := (int64(d) << fine) / int64(xb-xa)
	from, done := xa-ca<<subBits, int32(0)
	for c := ca; c < cb; c++ {
		down := int32((slope * int64((c+1)<<subBits-xa)) >> fine)
		s := (down - done) * (from + sub)
		cells[c] += 2*sub*(down-done) - s
		cells[c+1] += s
		from, done = 0, down
	}
	s := (d - done) * (xb - cb<<subBits)
	cells[cb] += 2*sub*(d-done) - s
	cells[cb+1] += s
}

// touch sets the bits from a to b, including b.
func touch(words []uint64, a, b int) {
	if a>>6 == b>>6 {
		words[a>>6] |= (1<<uint(b-a+1) - 1) << uint(a&63)
		return
	}
	for ; a <= b; a++ {
		words[a>>6] |= 1 << uint(a&63)
	}
}

// sum converts a row's cells to runs and resets the cells to zero.
func (g *grid) sum(y, width int, runs []run) []run {
	row := y - g.y0
	cells := g.cells[row*g.stride : (row+1)*g.stride]
	touched := g.touched[row*g.words : (row+1)*g.words]
	var acc int32
	var cov uint8
	from := int32(0) // where cov starts
	for i, word := range touched {
		if word == 0 {
			continue
		}
		touched[i] = 0
		for ; word != 0; word &= word - 1 {
			c := i<<6 + bits.TrailingZeros64(word)
			if cells[c] == 0 {
				continue
			}
			acc += cells[c]
			cells[c] = 0
			next := coverage(acc)
			if next == cov {
				continue
			}
			x := int32(g.x0 + c)
			if cov != 0 && x > from {
				runs = append(runs, run{from, x, cov})
			}
			from, cov = x, next
		}
	}
	if n := len(runs); n > 0 && int(runs[n-1].x1) > width {
		runs[n-1].x1 = int32(width)
		if runs[n-1].x0 >= runs[n-1].x1 {
			runs = runs[:n-1]
		}
	}
	return runs
}

// coverage converts a running sum to a coverage out of 255.
func coverage(acc int32) uint8 {
	if acc < 0 {
		acc = -acc
	}
	return uint8(min(255, acc>>(2*subBits+1-8)))
}
