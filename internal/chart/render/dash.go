package render

import (
	"math"
	"slices"
)

// minPattern is the length in pixels below which a dash pattern looks like a solid line.
const minPattern = .25

// evenPattern returns a dash pattern with an even number of lengths. It returns nil,
// meaning a solid line, if the pattern is empty, has a negative, huge or non-finite
// length, or is too short to be visible.
func evenPattern(dash []float64) []float64 {
	var sum float64
	for _, d := range dash {
		if !(d >= 0 && d <= maxCoordinate) {
			return nil
		}
		sum += d
	}
	if sum < minPattern {
		return nil
	}
	if len(dash)%2 == 1 {
		dash = slices.Concat(dash, dash)
	}
	return dash
}

// dasher cuts a polyline into dashes.
type dasher struct {
	raster *raster
	nib    nib
	period float64
	piece  []point // the current dash; empty in a gap
}

// dash adds the dashes of a polyline to the raster, using buffer for their points. It
// skips dashes outside the picture.
func (r *raster) dash(line polyline, n nib, buffer []point) []point {
	d := dasher{raster: r, nib: n, piece: buffer[:0]}
	for _, l := range n.dash {
		d.period += l
	}
	points := distinct(line.points)
	if len(points) < 2 {
		return d.piece
	}
	if line.closed {
		points = append(points, points[0])
	}
	var run float64 // length so far, modulo the period
	for i, b := range points[1:] {
		run = d.segment(points[i], b, run)
	}
	d.end()
	return d.piece
}

// segment adds the dashes between a and b. run is the position of a in the pattern;
// segment returns that of b.
func (d *dasher) segment(a, b point, run float64) float64 {
	length := b.minus(a).length()
	if length < nearest {
		return run
	}
	from, to := d.raster.visible(a, b, d.nib.half)
	if from >= to {
		d.end()
		return math.Mod(run+length, d.period)
	}
	if from > 0 {
		d.end()
	}
	// Measure lengths from begin: far away, floating-point steps are too coarse.
	begin, stop := from*length, (to-from)*length
	at := func(v float64) point { return between(a, b, (begin+v)/length) }
	k, left := d.phase(math.Mod(run+begin, d.period))
	for v := 0.0; ; k, left = d.next(k) {
		if k%2 == 0 {
			if len(d.piece) == 0 {
				d.piece = append(d.piece, at(v))
			}
			d.piece = append(d.piece, at(min(v+left, stop)))
		}
		if v+left > stop {
			break
		}
		d.end()
		v += left
	}
	if to < 1 {
		d.end()
	}
	return math.Mod(run+length, d.period)
}

func (d *dasher) next(k int) (int, float64) {
	k = (k + 1) % len(d.nib.dash)
	return k, d.nib.dash[k]
}

// phase returns the index of the length that contains a position in the pattern, and how
// much of that length is left.
func (d *dasher) phase(place float64) (k int, left float64) {
	for k, l := range d.nib.dash {
		if place < l {
			return k, l - place
		}
		place -= l
	}
	return 0, d.nib.dash[0]
}

// end draws the current dash.
func (d *dasher) end() {
	if len(d.piece) > 0 {
		d.raster.stroke(polyline{points: d.piece}, d.nib)
	}
	d.piece = d.piece[:0]
}

// visible returns which part of the line from a to b is visible when it is drawn with a
// pen of the given half width. from and to are fractions of the line; nothing is
// visible if from ≥ to.
func (r *raster) visible(a, b point, half float64) (from, to float64) {
	from, to = 0, 1
	margin := 2*half + 2
	clip := func(a, d, low, high float64) {
		if d == 0 {
			if a < low || a > high {
				to = -1
			}
			return
		}
		t0, t1 := (low-a)/d, (high-a)/d
		from, to = max(from, min(t0, t1)), min(to, max(t0, t1))
	}
	clip(a.x, b.x-a.x, -margin, float64(r.width)+margin)
	clip(a.y, b.y-a.y, -margin, float64(r.height)+margin)
	return from, to
}
