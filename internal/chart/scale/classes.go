package scale

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Classes are the classes of a map.
type Classes struct {
	// Edges are round numbers, ascending, one more than there are classes. Class
	// i holds Edges[i] ≤ v < Edges[i+1], the last one its upper edge too.
	Edges []float64
	// Values are those of the classes where each holds one value only, nil
	// elsewhere.
	Values []float64
	// Labels stand beside Values where there are any, else beside Edges.
	Labels []string
	// Diverging: zero is an edge and the classes below and above it differ in hue.
	Diverging bool
	// Method is how the edges were found, for people: "equal steps",
	// "1-2-5 ladder", "quantiles" …
	Method string
}

// Index returns the class of a value; the nearest one where no class holds it,
// -1 for NaN and where there are no classes.
func (c Classes) Index(v float64) int {
	if math.IsNaN(v) || len(c.Edges) < 2 {
		return -1
	}
	i := sort.Search(len(c.Edges), func(i int) bool { return c.Edges[i] > v }) - 1
	return min(max(i, 0), len(c.Edges)-2)
}

// Limits of a classing that shows how values spread.
const (
	fewest    = 4   // classes, where there are as many different values
	mostShare = .45 // of the values in one class
	wholeRule = .6  // the same where values are shares of a whole and edges are tens
	edgeRule  = 3   // significant digits of an edge
	tail      = .05 // of the values at either end may lie far out
	skewed    = 1.5 // decades from tail to tail from which on steps grow by factors
	most      = 9   // classes
	mostExact = 17  // digits of a float
	perClass  = 3   // values a class should be able to have
	ownClass  = 5   // different values, up to which each has a class
)

// ClassesFor chooses up to n classes (at most 9) for values; those that are not
// finite are passed over. They cover all of the values, and where it can be had
// none is empty and none holds more than 45 % of the values.
//
// Steps are equal where the values are; grow like 1-2-5 or 1-3-10 where they
// spread over decades; and follow the quantiles where neither parts them. How
// far the values spread is judged without the outer 5 % on either side: these
// fall into wider classes at the ends. Where some are below and some above
// zero, zero is an edge and the steps are the same on both sides of it. Shares of
// a whole, up to 100 %, have tens or twenties unless 60 % of them fall into one.
// Up to five different values have a class each.
//
// Edges have at most three significant digits, more only where the values agree
// in so many digits that three would not make four classes of them. There are
// four classes or more unless n or the number of different values is smaller.
func ClassesFor(values []float64, n int, unit string) Classes {
	s := newSample(values, n, unit)
	var best classing
	for digits := edgeRule; digits <= mostExact; digits++ {
		s.digits = digits
		found := s.choose()
		if digits == edgeRule || len(found.inner) > len(best.inner) {
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
	if labels, ok := valueLabels(s.values, unit); ok && len(s.values) == len(best.inner)+1 && !s.nothing {
		c.Values, c.Labels = s.values, labels
	}
	return c
}

// valueLabels writes values that have a class each; ok is false where two would
// look the same.
func valueLabels(values []float64, unit string) (labels []string, ok bool) {
	if len(values) > ownClass {
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

// sample is the values that classes are sought for.
type sample struct {
	sorted  []float64 // at least one
	values  []float64 // each once
	nothing bool      // no value was finite; one 0 stands for them
	most    int       // classes
	fewest  int       // classes, where it can be had
	shares  bool      // the values are percentages of a whole, up to all of it
	tied    float64   // part of the values that are the same one
	digits  int       // significant ones of an edge
}

func newSample(values []float64, n int, unit string) *sample {
	s := &sample{}
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.sorted = append(s.sorted, v+0) // -0 becomes 0
		}
	}
	if s.nothing = len(s.sorted) == 0; s.nothing {
		s.sorted = []float64{0}
	}
	slices.Sort(s.sorted)
	s.values = slices.Compact(slices.Clone(s.sorted))
	n = min(max(n, 1), most)
	s.most = min(n, max(ownClass, len(s.sorted)/perClass), len(s.values))
	s.fewest = min(fewest, s.most)
	if len(s.values) <= min(ownClass, s.most) {
		s.fewest = len(s.values)
	}
	_, usual := s.core(s.sorted)
	s.shares = signOf(unit).suffix == "%" && s.low() >= 0 && s.high() <= 100 && usual > 50
	s.tied = tied(s.sorted)
	return s
}

// tied is the part of the values that are the most frequent one.
func tied(sorted []float64) float64 {
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

// core returns the ends of the values without the outer ones; of all where
// there is nothing between.
func (s *sample) core(values []float64) (low, high float64) {
	last := len(values) - 1
	cut := int(tail * float64(last))
	if low, high = values[cut], values[last-cut]; low == high {
		return values[0], values[last]
	}
	return low, high
}

// classing is one way to part a sample.
type classing struct {
	method string
	inner  []float64 // the edges between classes: low < inner ≤ high, ascending
	// The ends that the method would have; NaN for none.
	lower, upper float64
	cost         float64
	good         bool // no class is empty or overfull, and there are enough
}

// judge fills in cost and good. extra is added to the cost: edges that are less
// easy to read.
func (s *sample) judge(c classing, extra float64) classing {
	all := float64(len(s.sorted))
	empty, from := 0, 0
	fullest, uneven := 0.0, 0.0 // uneven is 1/n where n classes hold the same number
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
	limit := mostShare
	if s.shares && c.method == equalSteps {
		limit = wholeRule
	}
	lacking := max(0, s.fewest-len(c.inner)-1)
	c.good = empty == 0 && lacking == 0 && fullest <= max(limit, s.tied)
	c.cost = fullest + uneven + extra + .5*float64(empty) + .3*float64(lacking)
	return c
}

// choose returns the best classing: the first good one in the order of what
// suits such values, else the one of least cost.
func (s *sample) choose() classing {
	switch {
	case s.most == 1:
		return none("one class")
	case len(s.values) <= ownClass && len(s.values) <= s.most:
		return s.between()
	}
	var found []classing
	switch {
	case s.low() < 0 && s.high() > 0:
		found = []classing{s.steps(), s.ladders(), s.sidedQuantiles()}
	case s.decades() > skewed && !s.shares:
		found = []classing{s.ladders(), s.steps(), s.quantiles()}
	default:
		found = []classing{s.steps(), s.ladders(), s.quantiles()}
	}
	for _, c := range found {
		if c.good {
			return c
		}
	}
	return slices.MinFunc(found, func(a, b classing) int { return cmp.Compare(a.cost, b.cost) })
}

// decades is how many powers of ten lie between the ends of the core of the
// values' sizes, zeros aside.
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
