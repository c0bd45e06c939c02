package defaults

import (
	"slices"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/totals"
)

// Tally counts the series with a code. Areas, Values and Typical are those of the best
// covered one: that with a value for the most areas in the recent years, and then with the
// most values.
type Tally struct {
	Series        int // 1 for one series
	Areas, Values int
	Typical       float64 // mean of the values
	// Trivial is whether the values say nothing: all are 0, all are 100 (shares of a total in
	// itself), or those of each area are the same at all times, such as the minutes of a day or
	// the number of a group of countries.
	Trivial bool
}

// Join returns the tally of the series of both.
func (t Tally) Join(u Tally) Tally {
	best := t
	if u.Areas > t.Areas || u.Areas == t.Areas && u.Values > t.Values {
		best = u
	}
	best.Series = t.Series + u.Series
	best.Trivial = (t.Trivial || t.Series == 0) && u.Trivial
	return best
}

// Open stands for a dimension that is not chosen yet.
const Open int32 = -1

// Dataset is what the choice of a series depends on.
type Dataset struct {
	*stat.Dataset
	// SubAnnual is whether there are values of months, quarters or other parts of years.
	SubAnnual bool
	// Count counts the series that have the codes of key, by their code on an axis. The
	// codes of key are positions in the dimensions, or Open.
	Count func(axis int, key []int32) (map[int32]Tally, error)
}

// Choice is a series, with the rule that decided each of its codes.
type Choice struct {
	Key   []int32
	Rules []Rule
}

// Choose chooses the default series, one dimension after another, among the codes that
// have data together with those chosen before: first what a curator and the table say,
// then the measure, the other dimensions, and the unit at last. It returns nil if there
// are no values.
func Choose(d *Dataset) (*Choice, error) {
	dims := d.Dimensions
	choice := &Choice{Key: slices.Repeat([]int32{Open}, len(dims)), Rules: make([]Rule, len(dims))}
	known, _ := LookUp(d.Source.ID, d.Code)
	for _, axis := range order(dims, known) {
		tallies, err := d.Count(axis, choice.Key)
		if err != nil || len(tallies) == 0 {
			return nil, err
		}
		c := &chooser{dataset: d, dimension: &dims[axis], known: known.Codes, tallies: tallies, measure: choice.measure(dims)}
		choice.Key[axis], choice.Rules[axis] = c.choose()
	}
	return choice, nil
}

// measure returns the label of the chosen measure, empty if there is none yet.
func (c *Choice) measure(dims []stat.Dimension) string {
	for axis := range dims {
		if isMeasure(&dims[axis]) && c.Key[axis] != Open {
			return labelOf(dims[axis].Codes[c.Key[axis]])
		}
	}
	return ""
}

// order returns the axes of dimensions in the order in which they are chosen.
func order(dims []stat.Dimension, known Known) []int {
	rank := func(axis int) int {
		d := &dims[axis]
		switch {
		case d.Default != "":
			return 0
		case known.of(d) != nil:
			return 1
		case isMeasure(d):
			return 2
		case d.Role == stat.RoleUnit:
			return 5
		case !hasTotal(d):
			return 4 // its codes may exclude the total of another one
		}
		return 3
	}
	axes, ranks := make([]int, len(dims)), make([]int, len(dims))
	for i := range axes {
		axes[i], ranks[i] = i, rank(i)
	}
	slices.SortStableFunc(axes, func(a, b int) int { return ranks[a] - ranks[b] })
	return axes
}

// hasTotal reports whether a code of a dimension means everything.
func hasTotal(d *stat.Dimension) bool {
	return d.Total != "" || slices.ContainsFunc(d.Codes, func(c stat.Code) bool {
		label := labelOf(c)
		return isTotalLabel(label) || totals.Begins(label) || totals.Ends(label) || isTotalCode(c) || isAllLabel(label) || slices.Contains(allCodes, strings.ToUpper(c.ID))
	})
}

// chooser chooses the code of one dimension.
type chooser struct {
	dataset   *Dataset
	dimension *stat.Dimension
	known     map[string][]string // of the table
	tallies   map[int32]Tally     // of the codes with data
	measure   string              // the label of the chosen measure
	codes     []int32             // the candidates, in the order of the code list
}

// title returns the title of the dataset in lower case, empty if that is only its code.
func (c *chooser) title() string {
	if strings.EqualFold(c.dataset.Name, c.dataset.Code) {
		return ""
	}
	return strings.ToLower(c.dataset.Name)
}

func (c *chooser) code(i int32) stat.Code { return c.dimension.Codes[i] }

// choose applies the rules in order. A rule returns the codes that it prefers; if there
// are several, the best covered one is chosen.
func (c *chooser) choose() (int32, Rule) {
	for i := range c.dimension.Codes {
		if _, has := c.tallies[int32(i)]; has {
			c.codes = append(c.codes, int32(i))
		}
	}
	if len(c.codes) == 1 {
		return c.codes[0], Only
	}
	if code, ok := c.withID(c.dimension.Default); ok {
		return code, Curator
	}
	c.dropPoorlyCovered()
	if code, ok := c.wellKnown(); ok {
		return code, Table
	}
	if c.dropUninformative(); len(c.codes) == 1 {
		return c.codes[0], c.onlyRule()
	}
	for _, r := range rulesFor(c.dimension) {
		if preferred := r.prefer(c); len(preferred) > 0 {
			c.codes = preferred
			code, _ := c.bestCovered()
			return code, r.name
		}
	}
	return c.bestCovered()
}

// onlyRule returns the rule for the only code that is left: what it means, if it means
// everything, else what the others lack.
func (c *chooser) onlyRule() Rule {
	for _, r := range rulesFor(c.dimension) {
		if (r.name == Elimination || r.name == Total) && len(r.prefer(c)) > 0 {
			return r.name
		}
	}
	for i, t := range c.tallies {
		if i != c.codes[0] && 2*t.Areas >= c.tallies[c.codes[0]].Areas {
			return Value
		}
	}
	return MostAreas
}

// withID returns the candidate with an ID.
func (c *chooser) withID(id string) (code int32, ok bool) {
	if id == "" {
		return 0, false
	}
	i := slices.IndexFunc(c.codes, func(i int32) bool { return c.code(i).ID == id })
	if i < 0 {
		return 0, false
	}
	return c.codes[i], true
}

// wellKnown returns the first code of the table that is a candidate.
func (c *chooser) wellKnown() (code int32, ok bool) {
	for _, id := range (Known{Codes: c.known}).of(c.dimension) {
		if code, ok := c.withID(id); ok {
			return code, true
		}
	}
	return 0, false
}

// dropPoorlyCovered drops the codes that leave less than half of the areas that another
// one leaves: whatever a code means, a series of a handful of areas is no default.
func (c *chooser) dropPoorlyCovered() {
	most := 0
	for _, t := range c.tallies {
		most = max(most, t.Areas)
	}
	c.codes = slices.DeleteFunc(c.codes, func(i int32) bool { return 2*c.tallies[i].Areas < most })
}

// dropUninformative drops codes that no reader looks for, if others remain: margins of
// error, weights, answers that are not known, and shares of a total in itself.
func (c *chooser) dropUninformative() {
	for _, isPoor := range []func(int32) bool{
		func(i int32) bool { return isAboutQuality(c.code(i)) },
		func(i int32) bool { return c.tallies[i].Trivial },
	} {
		if rest := slices.DeleteFunc(slices.Clone(c.codes), isPoor); len(rest) > 0 {
			c.codes = rest
		}
	}
}

// bestCovered returns the code with the most areas, then the most values, then the one
// whose values are in the middle: the typical one is the fairest example of equals.
func (c *chooser) bestCovered() (int32, Rule) {
	for _, r := range []struct {
		name  Rule
		count func(Tally) int
	}{{MostAreas, func(t Tally) int { return t.Areas }}, {MostValues, func(t Tally) int { return t.Values }}} {
		most := 0
		for _, i := range c.codes {
			most = max(most, r.count(c.tallies[i]))
		}
		c.codes = slices.DeleteFunc(c.codes, func(i int32) bool { return r.count(c.tallies[i]) < most })
		if len(c.codes) == 1 {
			return c.codes[0], r.name
		}
	}
	slices.SortStableFunc(c.codes, func(a, b int32) int {
		return compareFloats(c.tallies[a].Typical, c.tallies[b].Typical)
	})
	middle := len(c.codes) / 2
	for middle > 0 && c.tallies[c.codes[middle-1]].Typical == c.tallies[c.codes[middle]].Typical {
		middle-- // the first of equals
	}
	return c.codes[middle], Middle
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
