package scale

import "math"

// Ticks are the round values of a number axis.
type Ticks struct {
	Values []float64 // ascending; the axis runs from the first to the last
	Labels []string  // beside Values, written alike ("0.5", "1.0"; "2 million")
}

// step is a round distance: m × 10^e with an m of 1, 2, 25 or 5.
type step struct {
	m int64
	e int
}

// steps are those of one power of ten, ascending: 1, 2, 2.5, 5.
func steps(e int) [4]step { return [4]step{{1, e}, {2, e}, {25, e - 1}, {5, e}} }

// times is k steps.
func (s step) times(k int64) float64 { return exact(s.m*k, s.e) }

// around returns the numbers of steps at or below low and at or above high.
func (s step) around(low, high float64) (first, last int64) {
	return s.below(low), s.above(high)
}

// Nice returns at most n ticks whose first is at or below low and whose last is
// at or above high, whole multiples of 1, 2, 2.5 or 5 times a power of ten. n
// counts as 2 if it is less, and as 3 where zero lies between low and high. With
// zero, 0 is among them. low and high may be equal, negative, 1e-9 or 1e15, and
// are taken as 0 where they are NaN. unit is written on the labels if it is one
// that is (%, $, €, £).
func Nice(low, high float64, n int, zero bool, unit string) Ticks {
	low, high = bounds(low, high, zero)
	n = max(n, 2)
	if low < 0 && high > 0 {
		n = max(n, 3)
	}
	s := finest(low, high, n)
	first, last := s.around(low, high)
	t := Ticks{}
	for k := first; k <= last; k++ {
		v := min(max(s.times(k), -math.MaxFloat64), math.MaxFloat64)
		t.Values = append(t.Values, v)
	}
	numbers := numbersOn(t.Values, s, unit)
	for _, v := range t.Values {
		t.Labels = append(t.Labels, numbers.Write(v))
	}
	return t
}

// numbersOn is how ticks that are multiples of a step are written.
func numbersOn(values []float64, s step, unit string) Numbers {
	largest := decimalOf(max(math.Abs(values[0]), math.Abs(values[len(values)-1])))
	return alike(largest.exponent(), decimalOf(float64(s.m)).places()-s.e, unit)
}

// finest returns the smallest step that needs at most n ticks.
func finest(low, high float64, n int) step {
	span := (high/2 - low/2) / float64(n) // half of it: high-low may be too large a float
	e := smallest
	if span > 0 {
		e = max(e, int(math.Floor(math.Log10(span)))-1)
	}
	for ; ; e++ {
		all := steps(e)
		for i, s := range all {
			if s.times(1) == 0 || s.count(low, high) > int64(n) || !s.endsApart(s.around(low, high)) {
				continue
			}
			// 2.5 needs a decimal that 5 does not, and is worth it only if else
			// hardly any ticks were left, or much of the axis were empty.
			if i == 2 && (e <= 0 || e >= 6 && e%3 == 0) {
				halves, fives := s.count(low, high)-1, all[3].count(low, high)-1
				if fives >= 3 && float64(2*fives) <= 1.15*float64(halves) {
					return all[3]
				}
			}
			return s
		}
	}
}

// endsApart reports whether the ticks at both ends are written otherwise than
// their neighbours: a tick beyond the largest float is moved to that, and with a
// fine step could come to lie on the one before.
func (s step) endsApart(first, last int64) bool {
	apart := func(end, next int64) bool {
		if !math.IsInf(s.times(end), 0) || math.IsInf(s.times(1), 0) {
			return true
		}
		return math.Abs(finite(s.times(end))-s.times(next)) >= s.times(1)/2
	}
	return first == last || apart(first, first+1) && apart(last, last-1)
}

func (s step) count(low, high float64) int64 {
	if high/2-low/2 > s.times(1)*1e6 {
		return math.MaxInt64
	}
	first, last := s.around(low, high)
	return last - first + 1
}

// bounds returns the ends of an axis: in order, finite, and apart.
func bounds(low, high float64, zero bool) (float64, float64) {
	low, high = finite(low), finite(high)
	if low > high {
		low, high = high, low
	}
	if zero {
		low, high = min(low, 0), max(high, 0)
	}
	size := max(math.Abs(low), math.Abs(high))
	if high/2-low/2 > size*1e-12 {
		return low, high
	}
	// All values are equal: some room around them.
	low, high = low-math.Abs(low)*.1, high+math.Abs(high)*.1
	low, high = finite(low), finite(high)
	if low == high { // 0, or the smallest of floats
		low, high = min(low, 0), max(high, 0)
	}
	if low == high {
		return 0, 1
	}
	return low, high
}

// finite returns the finite number nearest to v, 0 for NaN.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, -math.MaxFloat64), math.MaxFloat64)
}
