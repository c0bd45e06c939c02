package frame

import "almanac/internal/chart/scene"

// Meets reports whether a line touches a box: whether part of it lies between the box's
// sides and between its top and bottom at once.
func Meets(l *scene.Line, b scene.Box) bool {
	if min(l.X1, l.X2) > b.X+b.W || max(l.X1, l.X2) < b.X || min(l.Y1, l.Y2) > b.Y+b.H || max(l.Y1, l.Y2) < b.Y {
		return false // the usual case
	}
	from, to := 0.0, 1.0
	for _, side := range [2][4]float64{{l.X1, l.X2, b.X, b.X + b.W}, {l.Y1, l.Y2, b.Y, b.Y + b.H}} {
		start, way := side[0], side[1]-side[0]
		if way == 0 {
			if start < side[2] || start > side[3] {
				return false
			}
			continue
		}
		enter, leave := (side[2]-start)/way, (side[3]-start)/way
		from, to = max(from, min(enter, leave)), min(to, max(enter, leave))
	}
	return from <= to
}

// Pad returns a box enlarged by some units on all sides.
func Pad(b scene.Box, by float64) scene.Box {
	return scene.Box{X: b.X - by, Y: b.Y - by, W: b.W + 2*by, H: b.H + 2*by}
}

// OverlapsAny reports whether a box overlaps any of the others.
func OverlapsAny(b scene.Box, taken []scene.Box) bool {
	for _, t := range taken {
		if b.Overlaps(t) {
			return true
		}
	}
	return false
}
