package scale

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Classes holds the classes of a map.
type Classes struct {
	// Edges are round numbers in ascending order, one more than there are classes.
	// Class i holds Edges[i] ≤ v < Edges[i+1]; the last class includes its upper edge.
	Edges []float64
	// Values has the value of each class if every class holds a single value, else it
	// is nil.
	Values []float64
	// Labels are the labels of Values if there are any, else of Edges.
	Labels []string
	// Diverging reports that zero is an edge and the classes below and above it differ
	// in hue.
	Diverging bool
	// Method describes how the edges were found: "equal steps", "1-2-5 ladder",
	// "quantiles" …
	Method string
}

// Index returns the class of a value, or the nearest class if no class holds it. It
// returns -1 for NaN and if there are no classes.
func (c Classes) Index(v float64) int {
	if math.IsNaN(v) || len(c.Edges) < 2 {
		return -1
	}
	i := sort.Search(len(c.Edges), func(i int) bool { return c.Edges[i] > v }) - 1
	return min(max(i, 0), len(c.Edges)-2)
}

// Limits of a good classification.
const (
	minClasses     = 4 // if there are as many different values
	maxClasses     = 9
	maxShare       = .36 // largest share of the values in one class, if there are very many
	maxWholeShare  = .6  // the same, if values are shares of a whole and edges are multiples of ten
	edgeDigits     = 3   // significant digits of an edge
	floatDigits    = 17  // significant digits of a float
	tailShare      = .05 // share of the values at either end that may be outliers
	skewedDecades  = 1.5 // powers of ten between the tails from which steps grow by factors
	valuesPerClass = 3   // fewest values for each class, on average
	maxOwnClasses  = 5   // up to this many different values, each has its own class
)

// ClassesFor chooses up to n classes (at most 9) for values, ignoring values that are
// not finite. The classes cover all values. If possible, none is empty and none holds
// more than 36 % of many values, 43 % of 25.
//
// Steps are equal if the values are evenly spread, grow like 1-2-5 or 1-3-10 if the
// values span powers of ten, and follow the quantiles if neither separates the values.
// The spread is measured without the outer 5 % on either side; these fall into wider
// classes at the ends. If there are values below and above zero, zero is an edge and
// the steps are the same on both sides. Shares of a whole, up to 100 %, have steps of
// ten or twenty unless 60 % of them fall into one class. Up to five different values
// have a class each.
//
// Edges have at most three significant digits; more only if the values agree in so many
// digits that three would not separate four classes. There are at least four classes
// unless n or the number of different values is smaller.
func ClassesFor(values []float64, n int, unit Unit) Classes {
	s := newSample(values, n, unit)
	var best classing
	for digits := edgeDigits; digits <= floatDigits; digits++ {
		s.digits = digits
		found := s.choose()
		if digits == edgeDigits || len(found.inner) > len(best.inner) {
			best = found
			best.lower, best.upper = s.ends(found)
		}
		if len(best.inner)+1 >= s.fewest {
			break
		}
	}
	c := Classes{Diverging: s.low() < 0 && s.high() > 0, Method: best.method}
	c.Edges = append(append([]float64{best.lower}, best.inner...), best.upper)
	c.Labels = edgeLabels(c.Edges, unit)
	if labels, ok := valueLabels(s.values, unit); ok && len(s.values) == len(best.inner)+1 && !s.isEmpty {
		c.Values, c.Labels = s.values, labels
	}
	return c
}

// valueLabels formats values that have a class each; ok is false if two labels would be
// equal.
func valueLabels(values []float64, unit Unit) (labels []string, ok bool) {
	if len(values) > maxOwnClasses {
		return nil, false
	}
	small, large := math.Inf(1), 0.0
	for _, v := range values {
		if v != 0 {
			small, large = min(small, math.Abs(v)), max(large, math.Abs(v))
		}
	}
	n := NumbersFor(values, unit)
	for i, v := range values {
		if large/1000 > small { // too far apart for one power
			n = NumbersFor([]float64{v}, unit)
		}
		labels = append(labels, n.Write(v))
		if i > 0 && labels[i] == labels[i-1] {
			return nil, false
		}
	}
	return labels, true
}

// sample is the set of values to classify.
type sample struct {
	sorted   []float64 // at least one
	values   []float64 // distinct
	isEmpty  bool      // no value was finite; a single 0 replaces them
	most     int       // maximum number of classes
	fewest   int       // minimum number of classes, if possible
	isShare  bool      // the values are percentages of a whole, up to 100
	topShare float64   // share of the most frequent value
	digits   int       // significant digits of an edge
}

func newSample(values []float64, n int, unit Unit) *sample {
	s := &sample{}
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.sorted = append(s.sorted, v+0) // turns -0 into 0
		}
	}
	if s.isEmpty = len(s.sorted) == 0; s.isEmpty {
		s.sorted = []float64{0}
	}
	slices.Sort(s.sorted)
	s.values = slices.Compact(slices.Clone(s.sorted))
	n = min(max(n, 1), maxClasses)
	s.most = min(n, max(maxOwnClasses, len(s.sorted)/valuesPerClass), len(s.values))
	s.fewest = min(minClasses, s.most)
	if len(s.values) <= min(maxOwnClasses, s.most) {
		s.fewest = len(s.values)
	}
	_, coreHigh := s.core(s.sorted)
	s.isShare = signOf(unit.Text).suffix == "%" && s.low() >= 0 && s.high() <= 100 && coreHigh > 50
	s.topShare = topShare(s.sorted)
	return s
}

// topShare returns the share of the most frequent value.
func topShare(sorted []float64) float64 {
	longest, run := 0, 0
	for i, v := range sorted {
		if i > 0 && v != sorted[i-1] {
			run = 0
		}
		run++
		longest = max(longest, run)
	}
	return float64(longest) / float64(len(sorted))
}

func (s *sample) low() float64  { return s.sorted[0] }
func (s *sample) high() float64 { return s.sorted[len(s.sorted)-1] }

// core returns the lowest and highest value without the tails, or, if these are equal,
// of all values.
func (s *sample) core(values []float64) (low, high float64) {
	last := len(values) - 1
	cut := int(tailShare * float64(last))
	if low, high = values[cut], values[last-cut]; low == high {
		return values[0], values[last]
	}
	return low, high
}

// classing is one way to divide a sample into classes.
type classing struct {
	method string
	inner  []float64 // edges between classes: low < inner ≤ high, ascending
	// The outer edges that the method prefers; NaN for none.
	lower, upper float64
	cost         float64
	good         bool // no class is empty or overfull, and there are enough classes
}

// judge sets cost and good. extra is added to the cost of edges that are harder to read.
func (s *sample) judge(c classing, extra float64) classing {
	all := float64(len(s.sorted))
	empty, from := 0, 0
	fullest, uneven := 0.0, 0.0 // uneven is 1/n if n classes hold the same number
	for i := range len(c.inner) + 1 {
		to := len(s.sorted)
		if i < len(c.inner) {
			to = sort.SearchFloat64s(s.sorted, c.inner[i])
		}
		share := float64(to-from) / all
		fullest = max(fullest, share)
		uneven += share * share
		if to == from {
			empty++
		}
		from = to
	}
	limit := maxShare * (1 + 1/math.Sqrt(all))
	if s.isShare && c.method == equalSteps {
		limit = maxWholeShare
	}
	missing := max(0, s.fewest-len(c.inner)-1)
	c.good = empty == 0 && missing == 0 && fullest <= max(limit, s.topShare)
	c.cost = fullest + uneven + extra + .5*float64(empty) + .3*float64(missing)
	return c
}

// choose returns the first good classing, trying the method that suits the values best
// first, or else the classing with the lowest cost. Skewed values may still be divided more
// evenly by equal steps.
func (s *sample) choose() classing {
	switch {
	case s.most == 1:
		return none("one class")
	case len(s.values) <= maxOwnClasses && len(s.values) <= s.most:
		return s.singleValues()
	}
	var found []classing
	isMixed := s.low() < 0 && s.high() > 0
	isSkewed := !isMixed && !s.isShare && s.decades() > skewedDecades
	switch {
	case isMixed:
		found = []classing{s.steps(), s.ladders(), s.sidedQuantiles()}
	case isSkewed:
		found = []classing{s.ladders(), s.steps(), s.quantiles()}
	default:
		found = []classing{s.steps(), s.ladders(), s.quantiles()}
	}
	if isSkewed && found[0].good && found[1].good && found[1].cost < found[0].cost {
		return found[1]
	}
	for _, c := range found {
		if c.good {
			return c
		}
	}
	return slices.MinFunc(found, func(a, b classing) int { return cmp.Compare(a.cost, b.cost) })
}

// decades returns the number of powers of ten that the absolute values span, without
// their tails and zeros.
func (s *sample) decades() float64 {
	var sizes []float64
	for _, v := range s.sorted {
		if v != 0 {
			sizes = append(sizes, math.Abs(v))
		}
	}
	slices.Sort(sizes)
	low, high := s.core(sizes)
	return math.Log10(high) - math.Log10(low)
}
