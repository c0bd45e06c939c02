package chart

import (
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Bounds are the codes of a dimension that hold the bounds of uncertainty of the values of
// another of its codes.
type Bounds struct {
	Axis         int // of the dimension
	Lower, Upper int32
}

// Limits of the series that have their bounds drawn.
const (
	MaxBandedLines  = 3
	MaxBandedPanels = maxPanels
)

// isBound matches the names of bounds: "Lower", or what says so beside other words. "Lower
// secondary education" and the low variant of a projection are none.
var isBound = lazyregexp.New(`(?i)^(lower|upper)$|\b(lower|upper|low|high)\b.*\b(bounds?|limits?|confidence|uncertainty|interval|ci|ui|pi)\b|\b(bounds?|limits?|confidence|uncertainty|interval|ci|ui|pi)\b.*\b(lower|upper|low|high)\b`)

// The words of a bound's name, apart from what it bounds.
var (
	lowerWord = lazyregexp.New(`(?i)\b(lower|low)\b`)
	upperWord = lazyregexp.New(`(?i)\b(upper|high)\b`)
	boundWord = lazyregexp.New(`(?i)\b(lower|upper|low|high|bounds?|limits?|of|the|confidence|uncertainty|credible|interval|ci|ui|pi|\d\d)\b|[^\p{L}\p{N}]+`)
)

// valueNames are names of values that have bounds in the same dimension.
var valueNames = []string{"", "value", "estimate", "pointestimate", "mean", "median", "val", "numeric", "central"}

// bareBound matches names that only say lower or upper, which may be of anything.
var bareBound = lazyregexp.New(`(?i)^(lower|upper)$`)

// BoundsOf finds the codes of a dimension that are the lower and the upper bound of another
// one: their names differ in one word, and the rest of them is its name or names nothing. In the
// latter case the other one has a name for any value, or is the only one beside them.
func BoundsOf(axis int, d *stat.Dimension, code int32) (b Bounds, ok bool) {
	name := func(i int) string { return strings.ReplaceAll(d.Codes[i].Label, "_", " ") }
	rest := func(i int) string { return strings.ToLower(boundWord.ReplaceAllString(name(i), "")) }
	value := rest(int(code))
	if isBound.MatchString(name(int(code))) {
		return Bounds{}, false
	}
	isOnly := len(d.Codes) == 3
	for i := range d.Codes {
		if !isBound.MatchString(name(i)) || !lowerWord.MatchString(name(i)) {
			continue
		}
		opposite := strings.ToLower(lowerWord.ReplaceAllString(name(i), "?"))
		j := slices.IndexFunc(d.Codes, func(c stat.Code) bool {
			text := strings.ReplaceAll(c.Label, "_", " ")
			return upperWord.MatchString(text) && strings.ToLower(upperWord.ReplaceAllString(text, "?")) == opposite
		})
		isOfAny := slices.Contains(valueNames, value) || isOnly && !bareBound.MatchString(name(i))
		if j >= 0 && (rest(i) == value || rest(i) == "" && isOfAny) {
			return Bounds{axis, int32(i), int32(j)}, true
		}
	}
	return Bounds{}, false
}

// Query returns the query that selects the bounds with the values of q.
func (b Bounds) Query(q stat.Query) stat.Query {
	q.Select = slices.Clone(q.Select)
	q.Select[b.Axis] = append(slices.Clone(q.Select[b.Axis]), b.Lower, b.Upper)
	slices.Sort(q.Select[b.Axis])
	return q
}

// takeBounds removes the series that are bounds, and gives them to the series of the values.
// Bounds between which not all values lie are dropped: they belong to something else.
func (t *selection) takeBounds(b Bounds) {
	lower, upper := map[string]*dataSeries{}, map[string]*dataSeries{}
	t.series = slices.DeleteFunc(t.series, func(s *dataSeries) bool {
		switch s.key[b.Axis] {
		case b.Lower:
			lower[s.id(b.Axis)] = s
		case b.Upper:
			upper[s.id(b.Axis)] = s
		default:
			return false
		}
		return true
	})
	for _, s := range t.series {
		s.bounds = boundsBetween(s, lower[s.id(b.Axis)], upper[s.id(b.Axis)])
	}
	t.findDistinctAxes()
}

// boundsBetween returns the bounds of a series by period, or nil if it has none.
func boundsBetween(s, lower, upper *dataSeries) map[int32][2]float64 {
	if lower == nil || upper == nil {
		return nil
	}
	bounds := map[int32][2]float64{}
	for i, p := range s.periods {
		low, hasLow := slices.BinarySearch(lower.periods, p)
		high, hasHigh := slices.BinarySearch(upper.periods, p)
		if !hasLow || !hasHigh {
			continue
		}
		if lower.values[low] > s.values[i] || upper.values[high] < s.values[i] {
			return nil
		}
		bounds[p] = [2]float64{lower.values[low], upper.values[high]}
	}
	return bounds
}

// setBounds copies the bounds of a data series; at has the position of each period.
func (s *Series) setBounds(bounds map[int32][2]float64, at []int) {
	if len(bounds) == 0 {
		return
	}
	n := len(s.Values)
	s.Low, s.High = blankSeries("", n, false).Values, blankSeries("", n, false).Values
	for p, b := range bounds {
		s.Low[at[p]], s.High[at[p]] = b[0], b[1]
	}
}

// dropBounds removes the bounds of a logarithmic chart that are not above zero.
func (s *Spec) dropBounds() {
	for i := range s.Series {
		series := &s.Series[i]
		if slices.ContainsFunc(series.Low, func(v float64) bool { return v <= 0 }) {
			series.Low, series.High = nil, nil
			s.unbounded = append(s.unbounded, series.Label)
		}
	}
}

// WithoutBounds returns the names of the series whose bounds a logarithmic scale cannot show.
func (s *Spec) WithoutBounds() []string { return s.unbounded }

// boundNotes says what the shaded bands are.
func (s *Spec) boundNotes() []string {
	if !slices.ContainsFunc(s.Series, func(series Series) bool { return series.Low != nil }) {
		return nil
	}
	return []string{s.Words().Text("Shaded: from the lower to the upper bound of the source.")}
}
