// Package bartable holds the content of bar charts of both directions: groups of bars in
// drawing order, their looks, and the scale of their values.
package bartable

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
)

// Table is the content of a bar chart: groups of bars in drawing order, with one bar
// per series in each group.
type Table struct {
	Groups      []Group
	Series      []Look
	Low, High   float64 // lowest and highest value; zero is included
	largest     float64 // the larger of their magnitudes; 1 if all values are zero
	Numbers     scale.Numbers
	InTime      bool // groups are periods
	Areas       bool // groups are areas
	Ordered     bool // the order of the groups has a meaning
	Latest      int  // the last group with a value, if groups are periods; else -1
	language    *words.Language
	Broken      int  // a gap before this group replaces groups that were left out; 0: none
	hasSegments bool // groups belong to segments of a ranking
	// Stacked says that the bars of a group stand on one another instead of side by side.
	Stacked bool
	shares  bool // all groups have the same sum
	// Dots says that values are dots at their places, which need no zero.
	Dots bool
}

// Group is a category or a period.
type Group struct {
	Name    string // clean
	Area    string
	Apart   bool // a group of countries among countries
	segment chart.Segment
	at      int       // position in the Spec
	look    Look      // of the bar, if there is one series
	Values  []float64 // by series; NaN: none
	Starts  []float64 // by series: where the bar begins; zero unless stacked
	period  stat.Period
	flags   []stat.Flags // by series
	slot    *scene.Slot
	// forecast says, by series, which bars are hatched.
	Forecast []bool
}

// New returns the content of a Spec, in its order.
func New(s *chart.Spec) *Table {
	t := &Table{language: s.Words(), Ordered: s.Ordered, Dots: s.Type == chart.Dumbbell, Stacked: s.Stack != "" && len(s.Series) > 1, shares: s.Stack == chart.StackPercent, Latest: -1, InTime: len(s.Periods) > 0, Series: looksOf(s.Series)}
	t.Areas = !t.InTime && slices.ContainsFunc(s.Categories, func(c chart.Category) bool { return c.Area != "" })
	countries := slices.ContainsFunc(s.Categories, func(c chart.Category) bool { return !c.Group })
	common, _ := stat.ParsePeriod(s.Period) // zero if it is none
	for i := range max(len(s.Periods), len(s.Categories)) {
		g := Group{at: i, period: common, Values: valuesAt(s.Series, i), Forecast: make([]bool, len(s.Series)), flags: make([]stat.Flags, len(s.Series))}
		for k := range s.Series {
			g.flags[k] = s.Series[k].Flag(i)
			g.Forecast[k] = s.IsForecast(&s.Series[k], i)
		}
		var chosen string
		if t.InTime {
			g.period = s.Periods[min(i, len(s.Periods)-1)]
			g.Name = s.Words().Period(g.period)
		} else {
			c := &s.Categories[i]
			if own, err := stat.ParsePeriod(c.Period); err == nil {
				g.period = own
			}
			g.Name, g.Area, g.Apart, chosen = font.Clean(c.Label), c.Area, c.Group && countries, c.Colour
			g.segment = c.Segment
			t.hasSegments = t.hasSegments || c.Segment != 0
		}
		if len(t.Series) > 0 {
			g.look = t.Series[0]
			g.look.Name = g.Name
			if g.Apart && s.Series[0].Colour == "" {
				g.look.Fill = scene.Solid(colour.Muted)
			}
			g.look.setColour(chosen)
		}
		if t.InTime && g.Has() {
			t.Latest = i
		}
		g.stack(t.Stacked)
		t.Groups = append(t.Groups, g)
	}
	t.measure(s.NumberUnit())
	return t
}

// Slot returns the row or column of a group, which the layout places, with its observations.
func (t *Table) Slot(group int) *scene.Slot {
	g := &t.Groups[group]
	if g.slot == nil {
		g.slot = &scene.Slot{Data: make([]*scene.Datum, len(g.Values))}
		for k, v := range g.Values {
			if !math.IsNaN(v) {
				g.slot.Data[k] = t.newDatum(group, k)
			}
		}
	}
	return g.slot
}

// Datum returns the observation behind a bar, or nil if there is no value.
func (t *Table) Datum(group, series int) *scene.Datum { return t.Slot(group).Data[series] }

func (t *Table) newDatum(group, series int) *scene.Datum {
	g := &t.Groups[group]
	d := &scene.Datum{Area: g.Area, Value: g.Values[series], Flags: string(g.flags[series])}
	d.PeriodCode, d.Period = t.Period(group)
	if !t.InTime {
		d.Name = g.Name
	}
	if len(t.Series) > 1 {
		d.Name = strings.TrimPrefix(d.Name+", "+t.Series[series].Name, ", ")
	}
	return d
}

// Lines returns the values of each series, for charts that draw them as one mark.
func (t *Table) Lines() []*scene.Values {
	lines := make([]*scene.Values, len(t.Series))
	for k := range lines {
		lines[k] = &scene.Values{}
		for i := range t.Groups {
			lines[k].Values = append(lines[k].Values, t.Groups[i].Values[k])
			lines[k].Flags = append(lines[k].Flags, string(t.Groups[i].flags[k]))
		}
	}
	return lines
}

// Period returns the period of a group, as [scene.Periods] has it.
func (t *Table) Period(group int) (code, text string) {
	return t.Groups[group].period.SDMX(), t.Groups[group].period.String()
}

// valuesAt returns the values of all series at one position.
func valuesAt(series []chart.Series, i int) []float64 {
	values := make([]float64, len(series))
	for k := range series {
		values[k] = math.NaN()
		if i < len(series[k].Values) && !math.IsInf(series[k].Values[i], 0) {
			values[k] = series[k].Values[i]
		}
	}
	return values
}

// measure finds the extremes and the number format.
func (t *Table) measure(unit scale.Unit) {
	var all []float64
	t.Low, t.High = 0, 0
	if t.Dots {
		t.Low, t.High = math.Inf(1), math.Inf(-1)
	}
	for _, g := range t.Groups {
		for k, v := range g.Values {
			if !math.IsNaN(v) {
				all = append(all, v)
				t.Low, t.High = min(t.Low, g.Starts[k]+v), max(t.High, g.Starts[k]+v)
			}
		}
	}
	t.largest = max(math.Abs(t.Low), math.Abs(t.High))
	if t.largest == 0 {
		t.largest = 1
	}
	t.Numbers = scale.NumbersFor(all, unit)
}

// Exact returns a number format with all decimals, if there are at most two.
func (t *Table) Exact() scale.Numbers {
	const most = 2
	if t.Numbers.Divisor > 1 {
		return t.Numbers
	}
	numbers := t.Numbers
	for _, g := range t.Groups {
		for _, v := range g.Values {
			for !math.IsNaN(v) && numbers.Decimals <= most && !isWhole(v*math.Pow10(numbers.Decimals+numbers.Power)) {
				numbers.Decimals++
			}
		}
	}
	if numbers.Decimals > most {
		return t.Numbers
	}
	return numbers
}

// isWhole reports whether a number is an integer up to floating-point error.
func isWhole(v float64) bool { return math.Abs(v-math.Round(v)) <= 1e-9*math.Abs(v) }

// Has reports whether a group has any value.
func (g *Group) Has() bool {
	return slices.ContainsFunc(g.Values, func(v float64) bool { return !math.IsNaN(v) })
}

// Rank sorts the groups: first groups of countries, then the others, each by the first
// series from high to low, or by the sum if they are stacked, with missing values last. The
// order is stable.
func (t *Table) Rank() {
	first := func(g *Group) float64 {
		switch {
		case !g.Has() || (!t.Stacked || t.shares) && math.IsNaN(g.Values[0]):
			return math.Inf(-1)
		case t.Stacked && !t.shares:
			return g.total()
		}
		return g.Values[0]
	}
	slices.SortStableFunc(t.Groups, func(a, b Group) int {
		if a.Apart != b.Apart {
			if a.Apart {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(first(&b), first(&a)), cmp.Compare(a.segment, b.segment))
	})
}

// RestoreOrder sorts ranked groups as in the Spec, if their order has a meaning.
func (t *Table) RestoreOrder() {
	if t.Ordered {
		slices.SortStableFunc(t.Groups, func(a, b Group) int { return cmp.Compare(a.at, b.at) })
		t.Broken = 0
	}
}

// GapBefore reports whether a gap separates a group from the previous one: countries
// from groups of countries, or segments of a ranking if those between are left out.
func (t *Table) GapBefore(i int) bool {
	return t.IsBreak(i) || i > 0 && t.Groups[i-1].Apart && !t.Groups[i].Apart
}

// IsBreak reports whether groups between a group and the previous one are left out.
func (t *Table) IsBreak(i int) bool {
	return i > 0 && (i == t.Broken || t.hasSegments && t.Groups[i].segment > chart.Highest && t.Groups[i].segment != t.Groups[i-1].segment)
}

// Heading returns what is written above a group: the name of the segment of a ranking that
// begins there, if the ranking has segments.
func (t *Table) Heading(i int) string {
	if !t.hasSegments || i > 0 && t.Groups[i].segment == t.Groups[i-1].segment {
		return ""
	}
	return t.Groups[i].segment.Heading(t.language)
}

// Gaps returns the number of gaps.
func (t *Table) Gaps() int {
	n := 0
	for i := range t.Groups {
		if t.GapBefore(i) {
			n++
		}
	}
	return n
}

// maxLatestInNote is the number of series whose latest values a note lists.
const maxLatestInNote = 6

// LatestNote returns a sentence with the latest values, in a long and a short form.
func (t *Table) LatestNote() []string {
	g := t.Groups[t.Latest]
	var named, bare []string
	for k, v := range g.Values {
		if math.IsNaN(v) {
			continue
		}
		value := t.Numbers.Write(v)
		named = append(named, font.Clean(t.Series[k].Name)+" "+value)
		bare = append(bare, value)
	}
	if len(named) > maxLatestInNote {
		named, bare = append(named[:maxLatestInNote], "…"), append(bare[:maxLatestInNote], "…")
	}
	return []string{g.Name + ": " + strings.Join(named, "; ") + ".", g.Name + ": " + strings.Join(bare, "; ")}
}

// LongestWord returns the width of the widest word of a name.
func (g *Group) LongestWord(size float64) float64 {
	widest := 0.0
	for word := range strings.FieldsSeq(g.Name) {
		widest = max(widest, font.Width(word, size, g.Weight()))
	}
	return widest
}

// Weight returns bold for the names of groups of countries.
func (g *Group) Weight() scene.Weight {
	if g.Apart {
		return scene.Bold
	}
	return scene.Regular
}

// Measures of bars of both directions.
const (
	GapRows = .6   // height of a gap between groups, in rows
	MaxGap  = 16.0 // the same in units, at most
	Middle  = .36  // from the middle of figures to their base line, times the size
)

// NoData is written in place of a missing value.
const NoData = "no data"
