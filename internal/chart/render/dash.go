package render

import (
	"math"
	"slices"
)

// shortest is the length in pixels below which a dash and its gap cannot be
// told from a solid line.
const shortest = .25

// regular returns a pattern of dashes with an even number of lengths, or nil
// for a solid line: where there are none, or one is negative or no number, or
// they are too short to be seen.
func regular(dash []float64) []float64 {
	var sum float64
	for _, d := range dash {
		if !(d >= 0 && d <= farthest) {
			return nil
		}
		sum += d
	}
	if sum < shortest {
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
	piece  []point // the dash that is being drawn; empty in a gap
}

// dash adds the dashes of a polyline to the raster. Dashes far outside of the
// picture are counted, not drawn.
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
	var run float64 // from the beginning, less whole periods
	for i, b := range points[1:] {
		run = d.along(points[i], b, run)
	}
	d.end()
	return d.piece
}

// along goes from a to b, run being how far into the pattern a is.
func (d *dasher) along(a, b point, run float64) float64 {
	length := b.minus(a).length()
	if length < nearest {
		return run
	}
	from, to := d.raster.seen(a, b, d.nib.half)
	if from >= to {
		d.end()
		return math.Mod(run+length, d.period)
	}
	if from > 0 {
		d.end()
	}
	// From begin on, lengths are counted anew: far away they are too coarse.
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

// phase returns which length of the pattern holds a place, and how much of it
// is left.
func (d *dasher) phase(place float64) (k int, left float64) {
	for k, l := range d.nib.dash {
		if place < l {
			return k, l - place
		}
		place -= l
	}
	return 0, d.nib.dash[0]
}

// end draws the dash that is being drawn.
func (d *dasher) end() {
	if len(d.piece) > 0 {
		d.raster.stroke(polyline{points: d.piece}, d.nib)
	}
	d.piece = d.piece[:0]
}

// seen returns which part of the line from a to b, as parts of it, can be seen
// if it is drawn with a pen of that half width; none if from ≥ to.
func (r *raster) seen(a, b point, half float64) (from, to float64) {
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
