package scale

import (
	"math"
	"slices"
)

// ladder is a sequence of round factors within a power of ten.
type ladder struct {
	method string
	rungs  []int64
	extra  float64
}

var allLadders = []ladder{
	{"1-2-5 ladder", []int64{1, 2, 5}, 0},
	{"1-3-10 ladder", []int64{1, 3}, .02},
	{"powers of ten", []int64{1}, .03},
}

// ladders divides the values at consecutive rungs of the ladder that fits best, with
// the same rungs on both sides of zero.
func (s *sample) ladders() classing {
	best := none("1-2-5 ladder")
	low, high := s.core(s.sorted)
	mixed := s.low() < 0 && s.high() > 0
	lowest, highest := -rungAbove(-s.low()), rungAbove(s.high())
	for _, l := range allLadders {
		rungs := s.rungs(l)
		for from := range rungs {
			for to := from + 1; to <= len(rungs) && to-from < s.most; to++ {
				c := none(l.method)
				c.lower, c.upper = lowest, highest
				for _, rung := range rungs[from:to] {
					if -rung > low {
						c.inner = append(c.inner, -rung)
					}
					if rung <= high {
						c.inner = append(c.inner, rung)
					}
				}
				slices.Sort(c.inner)
				if mixed {
					c.inner = withZero(c.inner)
				}
				s.rungEnds(&c, rungs, from)
				best = s.better(best, c, l.extra+s.topCost(rungs[to-1]))
			}
		}
	}
	return best
}

// topCost returns the cost of the class beyond the highest rung, which readers look at most:
// it should not span powers of ten.
func (s *sample) topCost(rung float64) float64 {
	const costPerDecade, freeDecades = .12, .7
	decades := math.Log10(max(math.Abs(s.low()), math.Abs(s.high()))) - math.Log10(rung)
	return costPerDecade * max(decades-freeDecades, 0)
}

// rungs returns the rungs of a ladder over the range of the absolute values, and at
// least one more at either end.
func (s *sample) rungs(l ladder) []float64 {
	var sizes []float64
	for _, v := range s.sorted {
		if v != 0 {
			sizes = append(sizes, math.Abs(v))
		}
	}
	slices.Sort(sizes)
	low, high := s.core(sizes)
	var rungs []float64
	for e := decimalOf(low).exponent() - 1; e <= decimalOf(high).exponent()+1; e++ {
		for _, m := range l.rungs {
			if rung := exact(m, e); rung > 0 && rung <= math.MaxFloat64 {
				rungs = append(rungs, rung)
			}
		}
	}
	return rungs
}

// rungEnds sets the ends of a classing that starts at a rung. The far ends are rungs;
// the end towards zero is the previous rung, or zero if the values reach further.
func (s *sample) rungEnds(c *classing, rungs []float64, from int) {
	inside := func(near float64) float64 {
		if from > 0 && rungs[from-1] <= near {
			return rungs[from-1]
		}
		return 0
	}
	if s.low() >= 0 {
		c.lower = inside(s.low())
	}
	if s.high() <= 0 {
		c.upper = 0 - inside(-s.high()) // not -0
	}
	if n := len(c.inner); n > 0 && c.upper == c.inner[n-1] { // the highest value is at an edge
		c.upper = rungAbove(math.Nextafter(c.upper, math.Inf(1)))
	}
}

// rungAbove returns the lowest of 1, 2 and 5 times a power of ten that is at least v.
// It returns NaN if there is no such float, and for negative numbers.
func rungAbove(v float64) float64 {
	if v <= 0 {
		return math.NaN()
	}
	e := decimalOf(v).exponent()
	for _, m := range []int64{1, 2, 5, 10} {
		if rung := exact(m, e); rung >= v && rung <= math.MaxFloat64 {
			return rung
		}
	}
	return math.NaN()
}
