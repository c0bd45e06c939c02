package scale

import (
	"math"
	"slices"
	"sort"
)

// singleValues puts each of a few different values into its own class.
func (s *sample) singleValues() classing {
	c := none("single values")
	for i := range len(s.values) - 1 {
		low, high := s.values[i], s.values[i+1]
		if edge, ok := roundest(low, high, low/2+high/2, s.digits); ok {
			c.inner = append(c.inner, edge)
		}
	}
	return c
}

const equalSteps = "equal steps"

// steps divides the values at multiples of a round step, between their tails. It may
// leave out the outermost multiples if hardly any value lies beyond.
func (s *sample) steps() classing {
	best := none(equalSteps)
	low, high := s.core(s.sorted)
	if s.isShare {
		high = min(high, math.Nextafter(100, 0))
	}
	size := high/2/float64(s.most) - low/2/float64(s.most)
	e := max(smallest, int(math.Floor(math.Log10(size)))-1)
	for ; e <= decimalOf(size).exponent()+2; e++ {
		for i, st := range steps(e) {
			if st.times(1) == 0 || st.count(low, high) > int64(s.most)+maxDropped {
				continue
			}
			var all []float64
			for k := st.below(low) + 1; st.times(k) <= high; k++ {
				all = append(all, st.times(k))
			}
			extra := 0.0
			if i == 2 { // 2.5
				extra = .03
			}
			best = s.tryStep(best, st, all, extra)
		}
	}
	return best
}

// maxDropped is the number of multiples of a step that may lie in the class at one end:
// of a few high numbers among many low ones, the low ones need the classes.
const maxDropped = 8

// tryStep divides the values at all multiples of a step, or at all but the outermost,
// and returns the best result if it is better than best. Classes at the ends that are
// much wider than the others add to the cost.
func (s *sample) tryStep(best classing, st step, all []float64, extra float64) classing {
	isMixed := s.low() < 0 && s.high() > 0
	for from := 0; from <= maxDropped; from++ {
		for to := min(len(all), from+s.most-1); to >= len(all)-maxDropped && to > from; to-- {
			if from > 1 && to < len(all)-1 || isMixed && (from > 1 || to < len(all)-2) {
				continue // wide classes at both ends, or towards zero
			}
			c := none(best.method)
			c.inner = slices.Clone(all[from:to])
			if isMixed {
				c.inner = withZero(c.inner)
			}
			c.lower, c.upper = st.times(st.below(s.low())), st.times(st.above(s.high()))
			if last := c.inner[len(c.inner)-1]; c.upper <= last { // the highest value is at an edge
				c.upper = st.times(st.below(last) + 1)
			}
			best = s.better(best, c, extra+s.endsCost(c, st.times(1)))
		}
	}
	return best
}

// endsCost returns the cost of classes at the ends that are wider than a step: it grows with
// the values that they do not separate.
func (s *sample) endsCost(c classing, step float64) float64 {
	const costPerDoubling = .5
	first, last := c.inner[0], c.inner[len(c.inner)-1]
	all := float64(len(s.sorted))
	low, high := float64(sort.SearchFloat64s(s.sorted, first))/all, 1-float64(sort.SearchFloat64s(s.sorted, last))/all
	return costPerDoubling * (low*math.Log2(max((first-c.lower)/step, 1)) + high*math.Log2(max((c.upper-last)/step, 1)))
}

func withZero(edges []float64) []float64 {
	if i, found := slices.BinarySearch(edges, 0); !found {
		return slices.Insert(edges, i, 0)
	}
	return edges
}

// none returns a placeholder that every real classing is better than.
func none(method string) classing {
	return classing{method: method, lower: math.NaN(), upper: math.NaN(), cost: math.Inf(1)}
}

// better judges c and returns it if it is valid and better than best.
func (s *sample) better(best, c classing, extra float64) classing {
	if len(c.inner) == 0 || len(c.inner) >= s.most {
		return best
	}
	for _, edge := range c.inner {
		if edge <= s.low() || edge > s.high() || significant(edge) > s.digits || s.isShare && edge == 100 {
			return best
		}
		if edge == s.high() { // a class for the highest value alone
			extra += .1
		}
	}
	if s.isLopsided(c.inner) {
		extra += .1
	}
	c = s.judge(c, extra)
	if c.good == best.good && c.cost < best.cost || c.good && !best.good {
		return c
	}
	return best
}

// isLopsided reports whether the edges below zero do not mirror those above it, although
// the values reach about as far on both sides.
func (s *sample) isLopsided(edges []float64) bool {
	low, high := s.core(s.sorted)
	if low >= 0 || high <= 0 || -low > 2*high || high > -2*low {
		return false
	}
	for i, edge := range edges {
		if edge != -edges[len(edges)-1-i] {
			return true
		}
	}
	return false
}

// quantiles divides the values into classes with about the same number of values, at
// round edges.
func (s *sample) quantiles() classing {
	best := none("quantiles")
	for _, last := range s.places() {
		for k := s.fewest; k <= s.most; k++ {
			c := none(best.method)
			c.inner = s.quantileEdges(s.sorted, k, last)
			best = s.better(best, c, 0)
		}
		if best.good {
			break
		}
	}
	return best
}

// places returns the powers of ten that the edges may be multiples of, largest first.
// All edges of a classing are multiples of the same one, so that 3.4 is not between 2 and
// 4. The smallest power is last: values that span several powers of ten may need different
// multiples.
func (s *sample) places() []int {
	top := decimalOf(max(math.Abs(s.low()), math.Abs(s.high()))).exponent()
	var list []int
	for e := top; e > top-s.digits && e >= smallest; e-- {
		list = append(list, e)
	}
	return append(list, smallest)
}

// sidedQuantiles applies quantiles to each side of zero.
func (s *sample) sidedQuantiles() classing {
	best := none("quantiles on both sides of zero")
	zero := sort.SearchFloat64s(s.sorted, 0)
	below, above := s.sorted[:zero], s.sorted[zero:]
	for _, last := range s.places() {
		for left := 1; left < s.most; left++ {
			for right := 1; left+right <= s.most; right++ {
				c := none(best.method)
				c.inner = append(s.quantileEdges(below, left, last), 0)
				c.inner = append(c.inner, s.quantileEdges(above, right, last)...)
				best = s.better(best, c, 0)
			}
		}
		if best.good {
			break
		}
	}
	return best
}

// quantileEdges returns the edges between up to k classes, as multiples of 10^last. An
// edge may be a quarter of a class off to reach a rounder number, and one value further
// if there is no such number.
func (s *sample) quantileEdges(sorted []float64, k, last int) []float64 {
	var edges []float64
	n := len(sorted)
	for i := 1; i < k; i++ {
		at := i * n / k
		for _, off := range []int{n / (4 * k), n/(4*k) + 1} {
			low, high := around(sorted, at, off)
			if len(edges) > 0 { // the previous class holds at least the value at its edge
				low = max(low, sorted[sort.SearchFloat64s(sorted, edges[len(edges)-1])])
			}
			if low >= high {
				continue
			}
			if edge, ok := roundestAt(low, high, sorted[at], last); ok && edge != 0 && significant(edge) <= s.digits {
				edges = append(edges, edge)
				break
			}
		}
	}
	return edges
}

// around returns the values between which an edge may lie, up to off positions away from
// a position.
func around(sorted []float64, at, off int) (low, high float64) {
	low, high = sorted[max(at-1-off, 0)], sorted[min(at+off, len(sorted)-1)]
	if low != high {
		return low, high
	}
	// All these values are equal, so the edge is above or below them.
	if next := sort.Search(len(sorted), func(i int) bool { return sorted[i] > low }); next < len(sorted) {
		high = sorted[next]
	} else if before := sort.SearchFloat64s(sorted, high) - 1; before >= 0 {
		low = sorted[before]
	}
	return low, high
}

// ends returns the outer edges of a classing: those that its method prefers if they
// enclose all values, else round numbers close to the lowest and the highest value.
func (s *sample) ends(c classing) (lower, upper float64) {
	if len(c.inner) == 0 {
		return s.around()
	}
	first, last := c.inner[0], c.inner[len(c.inner)-1]
	slack := max(first-s.low(), s.high()/4-s.low()/4) / 4
	lower, upper = c.lower, c.upper
	if !(lower <= s.low()) || significant(lower) > s.digits {
		last := lastPlace(c.inner)
		var ok bool
		if lower, ok = roundestAt(s.low()-slack, s.low(), s.low(), last); !ok {
			lower = step{1, last}.times(step{1, last}.below(s.low()))
		}
		if significant(lower) > s.digits || math.IsInf(lower, 0) || lower > s.low() {
			lower = roundDown(s.low(), s.digits)
		}
	}
	if !(upper >= s.high() && upper > last) || significant(upper) > s.digits {
		upper = s.above(c.inner, slack)
	}
	return lower, upper
}

// lastPlace returns the power of ten that all edges are multiples of.
func lastPlace(edges []float64) int {
	places := math.MinInt32
	for _, edge := range edges {
		places = max(places, decimalOf(edge).places())
	}
	if places == math.MinInt32 { // only zero
		return smallest
	}
	return max(-places, smallest)
}

// above returns a round number that is at least the highest value and above the last
// edge, if possible by no more than slack.
func (s *sample) above(inner []float64, slack float64) float64 {
	high, last := s.high(), inner[len(inner)-1]
	if last == high {
		slack = high - s.low()
		if len(inner) > 1 {
			slack = high - inner[len(inner)-2]
		}
		if edge, ok := roundest(high, high+slack, high+slack, s.digits); ok {
			return edge
		}
		return roundUp(math.Nextafter(high, math.Inf(1)), s.digits)
	}
	place := lastPlace(inner)
	if edge, ok := roundestAt(-high-slack, -high, -high, place); ok && significant(edge) <= s.digits {
		return -edge
	}
	if edge := (step{1, place}).times(step{1, place}.above(high)); edge >= high && edge > last && edge <= math.MaxFloat64 && significant(edge) <= s.digits {
		return edge
	}
	return roundUp(high, s.digits)
}

// around returns the edges of a single class that holds all values, with one digit if
// possible.
func (s *sample) around() (lower, upper float64) {
	for digits := 1; digits <= floatDigits; digits++ {
		lower, upper = roundDown(s.low(), digits), roundUp(s.high(), digits)
		if lower < upper {
			return lower, upper
		}
		if s.high() == 0 {
			return 0, 1
		}
		if next := roundUp(math.Nextafter(s.high(), math.Inf(1)), digits); next > lower {
			return lower, next
		}
	}
	return math.Nextafter(lower, math.Inf(-1)), upper
}

// edgeLabels formats the edges of classes. All have the same format unless they span
// more than two powers of ten. Then small ones are written as fractions of a million if
// one decimal is enough ("0.5 million" next to "2 million"), or all are written in full.
func edgeLabels(edges []float64, unit Unit) []string {
	small, large, places := math.Inf(1), 0.0, math.MinInt32
	for _, edge := range edges {
		if edge != 0 {
			small, large = min(small, math.Abs(edge)), max(large, math.Abs(edge))
			places = max(places, unit.decimalOf(edge).places())
		}
	}
	labels := make([]string, len(edges))
	top := unit.decimalOf(large).exponent()
	power, shared := sharedPower(top, places, unit)
	for i, edge := range edges {
		n := exactNumbers(top, places, unit)
		switch d := unit.decimalOf(edge); {
		case large <= 100*small || d.isZero():
		case shared && (power == 0 || d.exponent() < power):
			n = numbersOf(power, d.places(), unit)
		default:
			n = exactNumbers(d.exponent(), d.places(), unit)
		}
		labels[i] = n.Write(edge)
	}
	return labels
}

// maxFullExponent is the power of ten from which a number is hard to read in full.
const maxFullExponent = 7

// sharedPower returns a power of ten in which the smaller ones of a set of numbers can
// be written. exponent is that of the largest number. ok is false if there is none.
func sharedPower(exponent, places int, unit Unit) (power int, ok bool) {
	for _, power := range powers(exponent, unit) {
		if power > 0 && power < noWord && places+power <= 1 {
			return power, true
		}
	}
	return 0, exponent < maxFullExponent && places <= 2
}
