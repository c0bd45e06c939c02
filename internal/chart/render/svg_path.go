package render

import (
	"bytes"
	"math"
	"strconv"

	"almanac/internal/chart/scene"
)

// gridPoint is a position in units of the last decimal.
type gridPoint struct{ x, y int64 }

// pathWriter writes the steps of a path relative to the point before, which takes half
// as many characters as absolute positions.
type pathWriter struct {
	b      []byte
	factor float64   // units of the last decimal in one unit of the scene
	start  gridPoint // of the subpath
	at     gridPoint
	last   byte // the last command
	begun  bool

	tail    []scene.Point // straight lines that are not yet written
	stretch stretch       // of tail
	weights map[stretch][]float64
	space   []float64 // for weights that are not kept
}

// stretch is a number of steps of an outline.
type stretch struct {
	of       *scene.Outline
	first, n int
}

// sharedOutline writes the data of an outline of a map, which the next maps with the same view
// write too.
func (d *svg) sharedOutline(o *scene.Outline) {
	if known := o.SVG.Load(); known != nil && known.Tolerance == d.tolerance && known.Decimals == d.decimals {
		d.out.Write(known.Text)
		return
	}
	start := d.out.Len()
	d.outline(o, d.tolerance)
	o.SVG.Store(&scene.PathData{Tolerance: d.tolerance, Decimals: d.decimals, Text: bytes.Clone(d.out.Bytes()[start:])})
}

// isKnown reports whether a mark is an outline that was written before.
func isKnown(m scene.Mark) bool {
	p, ok := m.(*scene.Path)
	return ok && p.Outline != nil && p.Outline.SVG.Load() != nil
}

// outline writes the data of a path. Curves that are nearly straight become lines, and
// points of lines that are closer to their neighbours' connection than the tolerance are
// left out. Close always returns to the start.
func (d *svg) outline(o *scene.Outline, tolerance float64) {
	flat := tolerance / 2
	if d.Packed {
		flat = tolerance
	}
	w := pathWriter{b: d.out.AvailableBuffer(), factor: math.Pow10(d.decimals), tail: d.tail, weights: d.weights, space: d.weighing}
	rest := o.Points
	var at scene.Point
	for i, op := range o.Ops {
		n := pointsOf(op)
		if n < 0 || len(rest) < n {
			break
		}
		if op == scene.Close {
			w.flush(tolerance)
			w.close()
			continue
		}
		if !w.begun && op != scene.MoveTo {
			w.move(scene.Point{}) // begin in the corner, as the canvas does
		}
		to := rest[n-1]
		switch {
		case op == scene.MoveTo:
			w.flush(tolerance)
			w.move(to)
		case op == scene.LineTo || isFlat(at, rest[:n], flat):
			if len(w.tail) == 0 {
				w.tail, w.stretch = append(w.tail, at), stretch{of: o, first: i}
			}
			w.tail = append(w.tail, to)
		default:
			w.flush(tolerance)
			w.curve(rest[:n])
		}
		at, rest = to, rest[n:]
	}
	w.flush(tolerance)
	d.out.Write(w.b)
	d.tail, d.weighing = w.tail, w.space
}

// isFlat reports whether the control points of a curve are close to its chord.
func isFlat(from scene.Point, curve []scene.Point, tolerance float64) bool {
	chord := chordOf(from, curve[len(curve)-1])
	for _, p := range curve[:len(curve)-1] {
		if chord.squaredDistance(p) > tolerance*tolerance {
			return false
		}
	}
	return true
}

// chord is the straight line between two points.
type chord struct {
	a              scene.Point
	dx, dy, square float64 // square of its length
}

func chordOf(a, b scene.Point) chord {
	dx, dy := b.X-a.X, b.Y-a.Y
	return chord{a, dx, dy, dx*dx + dy*dy}
}

// squaredDistance returns the square of the distance of a point from the chord.
func (c *chord) squaredDistance(p scene.Point) float64 {
	x, y := p.X-c.a.X, p.Y-c.a.Y
	along := x*c.dx + y*c.dy
	switch {
	case along <= 0: // also if the chord has no length
	case along < c.square:
		across := x*c.dy - y*c.dx
		return across * across / c.square
	default:
		x, y = x-c.dx, y-c.dy
	}
	return x*x + y*y
}

func (w *pathWriter) grid(p scene.Point) gridPoint {
	return gridPoint{int64(math.Round(p.X * w.factor)), int64(math.Round(p.Y * w.factor))}
}

func (w *pathWriter) move(to scene.Point) {
	p := w.grid(to)
	if w.begun {
		w.command('m', p.x-w.at.x, p.y-w.at.y)
	} else {
		w.command('M', p.x, p.y)
	}
	w.start, w.at, w.begun = p, p, true
}

// flush writes the straight lines, without the points that are close to the line between their
// neighbours.
func (w *pathWriter) flush(tolerance float64) {
	if len(w.tail) > 1 {
		first := w.at
		weights := w.weightsOf(tolerance)
		for i, p := range w.tail[1:] {
			if i == len(w.tail)-2 || weights[i+1] > tolerance*tolerance {
				w.lineTo(p)
			}
		}
		if w.at == first && (w.last == 'M' || w.last == 'm') {
			w.command('h', 0) // a dot, which a pen with round ends draws
		}
	}
	w.tail = w.tail[:0]
}

// weightsOf returns the weights of the points of the straight lines. The next attempt at the
// document, whose tolerance is larger, finds them again.
func (w *pathWriter) weightsOf(tolerance float64) []float64 {
	const minKept = 50 // those of fewer points are soon found again
	n := len(w.tail)
	if w.weights == nil || n < minKept {
		w.space = append(w.space[:0], make([]float64, n)...)
		weigh(w.tail, w.space, math.Inf(1), tolerance*tolerance)
		return w.space
	}
	w.stretch.n = n
	weights, ok := w.weights[w.stretch]
	if !ok {
		weights = make([]float64, n)
		weigh(w.tail, weights, math.Inf(1), tolerance*tolerance)
		w.weights[w.stretch] = weights
	}
	return weights
}

// weigh finds the weights of the points between the first and the last: the square of the
// tolerance up to which a point stays (Douglas and Peucker 1973). None is above the weight of the
// points around them, and those below the least one stay zero.
func weigh(points []scene.Point, weights []float64, around, least float64) {
	last := len(points) - 1
	line := chordOf(points[0], points[last])
	far, at := least, 0
	for i, p := range points[1:last] {
		if d := line.squaredDistance(p); d > far {
			far, at = d, i+1
		}
	}
	if at == 0 {
		return
	}
	weights[at] = min(far, around)
	weigh(points[:at+1], weights[:at+1], weights[at], least)
	weigh(points[at:], weights[at:], weights[at], least)
}

// lineTo writes a straight line.
func (w *pathWriter) lineTo(p scene.Point) {
	to := w.grid(p)
	dx, dy := to.x-w.at.x, to.y-w.at.y
	switch {
	case dx == 0 && dy == 0:
		return
	case dy == 0:
		w.command('h', dx)
	case dx == 0:
		w.command('v', dy)
	default:
		w.command('l', dx, dy)
	}
	w.at = to
}

func (w *pathWriter) curve(points []scene.Point) {
	letter := byte('q')
	if len(points) == 3 {
		letter = 'c'
	}
	var steps [6]int64
	var to gridPoint
	for i, p := range points {
		to = w.grid(p)
		steps[2*i], steps[2*i+1] = to.x-w.at.x, to.y-w.at.y
	}
	w.command(letter, steps[:2*len(points)]...)
	w.at = to
}

func (w *pathWriter) close() {
	if w.begun {
		w.b = append(w.b, 'z')
		w.last, w.at = 'z', w.start
	}
}

// command writes a command with its numbers. A letter that is repeated is left out, and
// so is a space before a minus.
func (w *pathWriter) command(letter byte, numbers ...int64) {
	isRepeated := letter == w.last && letter != 'm'
	if !isRepeated {
		w.b = append(w.b, letter)
	}
	w.last = letter
	for i, n := range numbers {
		if (i > 0 || isRepeated) && n >= 0 {
			w.b = append(w.b, ' ')
		}
		w.number(n)
	}
}

// number writes a number without a zero before the point.
func (w *pathWriter) number(n int64) {
	if n < 0 {
		w.b = append(w.b, '-')
		n = -n
	}
	unit := int64(w.factor)
	whole, part := n/unit, n%unit
	if whole > 0 || part == 0 {
		w.b = strconv.AppendInt(w.b, whole, 10)
	}
	if part == 0 {
		return
	}
	w.b = append(w.b, '.')
	for part > 0 {
		unit /= 10
		w.b = append(w.b, byte('0'+part/unit))
		part %= unit
	}
}
