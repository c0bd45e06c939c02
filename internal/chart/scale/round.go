package scale

import "math"

// roundest returns the number x with low < x ≤ high that has the fewest digits, and of
// several the one nearest to target. It has at most digits significant digits; ok is
// false if there is no such number.
func roundest(low, high, target float64, digits int) (x float64, ok bool) {
	top := decimalOf(max(math.Abs(finite(low)), math.Abs(finite(high)))).exponent()
	x, ok = roundestAt(low, high, target, top-digits)
	return x, ok && significant(x) <= digits
}

// roundestAt is like roundest, but the number is a multiple of 10^last.
func roundestAt(low, high, target float64, last int) (x float64, ok bool) {
	low, high = finite(low), finite(high)
	if low < 0 && high >= 0 {
		return 0, true
	}
	top := decimalOf(max(math.Abs(low), math.Abs(high))).exponent()
	for e := top; e >= max(last, top-floatDigits, smallest); e-- {
		to := step{1, e}.below(high)
		from := step{1, e}.below(low) + 1
		if from > to {
			continue
		}
		k := min(max(int64(finite(math.Round(target/exact(1, e)))), from), to)
		x = exact(k, e)
		return x, !math.IsInf(x, 0)
	}
	return 0, false
}

// smallest is the exponent of the smallest power of ten that is a float.
const smallest = -323

// below returns the largest k for which k steps are not above v.
func (s step) below(v float64) int64 {
	quotient := finite(math.Floor(v / s.times(1)))
	if math.Abs(quotient) > 1e18 { // no caller's step is this small compared to its value
		return int64(math.Copysign(1e18, quotient))
	}
	k := int64(quotient)
	for s.times(k) > v { // the division was rounded
		k--
	}
	for s.times(k+1) <= v {
		k++
	}
	return k
}

// above returns the smallest k for which k steps are not below v.
func (s step) above(v float64) int64 { return -s.below(-v) }

// significant returns the number of significant digits.
func significant(v float64) int { return len(decimalOf(v).digits) }

// roundUp returns the smallest number of at most that many significant digits that is
// at least v.
func roundUp(v float64, digits int) float64 {
	switch {
	case v == 0:
		return 0
	case v < 0:
		return -roundDown(-v, digits)
	}
	s := lastDigit(v, digits)
	k := s.below(v)
	if s.times(k) < v {
		k++
	}
	return min(s.times(k), math.MaxFloat64)
}

// roundDown returns the largest number of at most that many significant digits that is
// at most v.
func roundDown(v float64, digits int) float64 {
	switch {
	case v == 0:
		return 0
	case v < 0:
		return -roundUp(-v, digits)
	}
	s := lastDigit(v, digits)
	return s.times(s.below(v))
}

// lastDigit returns the step of the last of that many significant digits of v.
func lastDigit(v float64, digits int) step {
	return step{1, max(smallest, decimalOf(v).exponent()-digits+1)}
}
