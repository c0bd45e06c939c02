package scale

import "math"

// Ticks holds the round values of a number axis.
type Ticks struct {
	Values []float64 // ascending; the axis runs from the first to the last
	Labels []string  // of Values, in one format ("0.5", "1.0"; "2 million")
}

// step is a round distance: m × 10^e, where m is 1, 2, 25 or 5.
type step struct {
	m int64
	e int
}

// steps returns the steps of one power of ten in ascending order: 1, 2, 2.5, 5.
func steps(e int) [4]step { return [4]step{{1, e}, {2, e}, {25, e - 1}, {5, e}} }

// times returns k steps.
func (s step) times(k int64) float64 { return exact(s.m*k, s.e) }

// around returns the multiples at or below low and at or above high.
func (s step) around(low, high float64) (first, last int64) {
	return s.below(low), s.above(high)
}

// Nice returns at most n ticks from a first one at or below low to a last one at or
// above high. They are multiples of 1, 2, 2.5 or 5 times a power of ten. n is at least
// 2, or 3 if zero lies between low and high. If zero is set, 0 is among the ticks. low
// and high may be equal, negative, or very small or large; NaN counts as 0. Labels
// include unit if it has a sign (%, $, €, £).
func Nice(low, high float64, n int, zero bool, unit Unit) Ticks {
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

// numbersOn returns the format of ticks that are multiples of a step.
func numbersOn(values []float64, s step, unit Unit) Numbers {
	largest := unit.decimalOf(max(math.Abs(values[0]), math.Abs(values[len(values)-1])))
	return exactNumbers(largest.exponent(), decimalOf(float64(s.m)).places()-s.e-unit.Power, unit)
}

// finest returns the smallest step that needs at most n ticks.
func finest(low, high float64, n int) step {
	span := (high/2 - low/2) / float64(n) // half of it: high-low may overflow
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
			// 2.5 needs a decimal more than 5. Use it only if steps of 5 give hardly any
			// ticks or leave much of the axis empty.
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

// endsApart reports whether the ticks at both ends differ from their neighbours. A tick
// beyond the largest float is moved to that float, where it may be too close to the tick
// before.
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

// bounds returns the ends of an axis: ordered, finite and distinct.
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
	// All values are equal: leave space around them.
	low, high = low-math.Abs(low)*.1, high+math.Abs(high)*.1
	low, high = finite(low), finite(high)
	if low == high { // 0, or the smallest float
		low, high = min(low, 0), max(high, 0)
	}
	if low == high {
		return 0, 1
	}
	return low, high
}

// finite returns the finite number nearest to v, or 0 for NaN.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, -math.MaxFloat64), math.MaxFloat64)
}
