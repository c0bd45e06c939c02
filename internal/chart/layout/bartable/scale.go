package bartable

import (
	"math"

	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
)

// Axis returns an axis with about n round numbers, and its ends: the first and the last
// number or, if much of the plot would then be empty, the values themselves. Dots of one value
// have space on both sides.
func (t *Table) Axis(n int, unit scale.Unit) (ticks scale.Ticks, ends [2]float64) {
	const empty, more = .1, 2
	for finer := range more + 1 {
		found := scale.Nice(t.Low, t.High, n+finer, !t.Dots, unit)
		last := len(found.Values) - 1
		if finer == 0 {
			ticks, ends = found, [2]float64{found.Values[0], found.Values[last]}
		}
		if t.Dots && t.Low == t.High {
			break
		}
		from, to := found.Values[0]/t.largest, found.Values[last]/t.largest // their difference may overflow
		spare, cut := (to-from)*empty, [2]float64{found.Values[0], found.Values[last]}
		if to-t.High/t.largest > spare {
			cut[1], found.Values, found.Labels = t.High, found.Values[:last], found.Labels[:last]
		}
		if t.Low/t.largest-from > spare {
			cut[0], found.Values, found.Labels = t.Low, found.Values[1:], found.Labels[1:]
		}
		if len(found.Values) > 1 {
			return found, cut
		}
	}
	return ticks, ends
}

// Scale maps values to positions along an axis: 0 to zero, and the largest magnitude
// to step units from it. step is negative if the axis points up.
type Scale struct{ Zero, step, largest float64 }

// NewScale fits the values from low to high between two positions.
func NewScale(low, high, from, to float64) Scale {
	largest := max(math.Abs(low), math.Abs(high))
	if largest == 0 {
		return Scale{Zero: from, step: 0, largest: 1}
	}
	// Use fractions of the largest value, because high - low may overflow.
	below, above := low/largest, high/largest
	step := (to - from) / (above - below)
	return Scale{Zero: from - step*below, step: step, largest: largest}
}

// At returns the position of a value.
func (s Scale) At(v float64) float64 { return s.Zero + s.step*(v/s.largest) }

// sliverPixels is the length of a sliver: a bar of zero or almost zero, drawn so that it
// differs from missing data.
const sliverPixels = 2

// IsSliver reports whether a bar next to a line at zero of width pen is shorter than a
// sliver. Drawing it as a sliver ensures that no bar is shorter than that of a smaller
// value.
func IsSliver(f *frame.Frame, length, pen float64) bool {
	from, shortest := Sliver(f, 0, pen, true)
	return length < from+shortest
}

// Sliver returns the start and the length of a sliver along its axis. It lies
// completely next to the line at zero, which has width pen: behind it, to the right or
// below, or else before it.
func Sliver(f *frame.Frame, zero, pen float64, behind bool) (from, length float64) {
	px := f.Scene.Scale
	line := max(1, math.Round(pen*px))
	length = max(sliverPixels, math.Round(sliverPixels*px)) / px
	if behind {
		return zero + math.Floor((line+1)/2)/px, length
	}
	return zero - math.Floor(line/2)/px - length, length
}
