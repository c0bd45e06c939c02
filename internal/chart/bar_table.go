package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// barTable is the content of a bar chart: groups of bars in drawing order, with one bar
// per series in each group.
type barTable struct {
	groups    []barGroup
	series    []barLook
	low, high float64 // lowest and highest value; zero is included
	largest   float64 // the larger of their magnitudes; 1 if all values are zero
	numbers   scale.Numbers
	inTime    bool // groups are periods
	areas     bool // groups are areas
	latest    int  // the last group with a value, if groups are periods; else -1
	broken    int  // a gap before this group replaces groups that were left out; 0: none
}

// barGroup is a category or a period.
type barGroup struct {
	name   string // clean
	area   string
	apart  bool      // a group of countries among countries
	look   barLook   // of the bar, if there is one series
	values []float64 // by series; NaN: none
	// forecast says, by series, which bars are hatched.
	forecast []bool
}

// newBarTable returns the content of a Spec, in its order.
func newBarTable(s *Spec) *barTable {
	t := &barTable{latest: -1, inTime: len(s.Periods) > 0, series: barLooks(s.Series)}
	t.areas = !t.inTime && slices.ContainsFunc(s.Categories, func(c Category) bool { return c.Area != "" })
	countries := slices.ContainsFunc(s.Categories, func(c Category) bool { return !c.Group })
	for i := range max(len(s.Periods), len(s.Categories)) {
		g := barGroup{values: valuesAt(s.Series, i), forecast: make([]bool, len(s.Series))}
		for k := range s.Series {
			g.forecast[k] = i < len(s.Series[k].Flags) && isForecast(s.Series[k].Flags[i])
		}
		var chosen string
		if t.inTime {
			g.name = s.Periods[min(i, len(s.Periods)-1)].String()
		} else {
			c := &s.Categories[i]
			g.name, g.area, g.apart, chosen = font.Clean(c.Label), c.Area, c.Group && countries, c.Colour
		}
		if len(t.series) > 0 {
			g.look = t.series[0]
			g.look.name = g.name
			if g.apart && s.Series[0].Colour == "" {
				g.look.fill = scene.Solid(colour.Muted)
			}
			g.look.setColour(chosen)
		}
		if t.inTime && g.has() {
			t.latest = i
		}
		t.groups = append(t.groups, g)
	}
	t.measure(s.Unit)
	return t
}

// valuesAt returns the values of all series at one position.
func valuesAt(series []Series, i int) []float64 {
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
func (t *barTable) measure(unit string) {
	var all []float64
	t.low, t.high = 0, 0
	for _, g := range t.groups {
		for _, v := range g.values {
			if !math.IsNaN(v) {
				all = append(all, v)
				t.low, t.high = min(t.low, v), max(t.high, v)
			}
		}
	}
	t.largest = max(-t.low, t.high)
	if t.largest == 0 {
		t.largest = 1
	}
	t.numbers = scale.NumbersFor(all, unit)
}

// exact returns a number format with all decimals, if there are at most two.
func (t *barTable) exact() scale.Numbers {
	const most = 2
	if t.numbers.Divisor > 1 {
		return t.numbers
	}
	numbers := t.numbers
	for _, g := range t.groups {
		for _, v := range g.values {
			for !math.IsNaN(v) && numbers.Decimals <= most && !isWhole(v*math.Pow10(numbers.Decimals)) {
				numbers.Decimals++
			}
		}
	}
	if numbers.Decimals > most {
		return t.numbers
	}
	return numbers
}

// isWhole reports whether a number is an integer up to floating-point error.
func isWhole(v float64) bool { return math.Abs(v-math.Round(v)) <= 1e-9*math.Abs(v) }

// has reports whether a group has any value.
func (g *barGroup) has() bool {
	return slices.ContainsFunc(g.values, func(v float64) bool { return !math.IsNaN(v) })
}

// rank sorts the groups: first groups of countries, then the others, each by the first
// series from high to low, with missing values last. The order is stable.
func (t *barTable) rank() {
	first := func(g *barGroup) float64 {
		if len(g.values) == 0 || math.IsNaN(g.values[0]) {
			return math.Inf(-1)
		}
		return g.values[0]
	}
	slices.SortStableFunc(t.groups, func(a, b barGroup) int {
		if a.apart != b.apart {
			if a.apart {
				return -1
			}
			return 1
		}
		return cmp.Compare(first(&b), first(&a))
	})
}

// gapBefore reports whether a gap separates a group from the previous one: countries
// from groups of countries, or the largest from the smallest if those between are left
// out.
func (t *barTable) gapBefore(i int) bool {
	return i > 0 && (i == t.broken || t.groups[i-1].apart && !t.groups[i].apart)
}

// gaps returns the number of gaps.
func (t *barTable) gaps() int {
	n := 0
	for i := range t.groups {
		if t.gapBefore(i) {
			n++
		}
	}
	return n
}

// maxLatestInNote is the number of series whose latest values a note lists.
const maxLatestInNote = 6

// latestNote returns a sentence with the latest values, in a long and a short form.
func (t *barTable) latestNote() []string {
	g := t.groups[t.latest]
	var named, bare []string
	for k, v := range g.values {
		if math.IsNaN(v) {
			continue
		}
		value := t.numbers.Write(v)
		named = append(named, font.Clean(t.series[k].name)+" "+value)
		bare = append(bare, value)
	}
	if len(named) > maxLatestInNote {
		named, bare = append(named[:maxLatestInNote], "…"), append(bare[:maxLatestInNote], "…")
	}
	return []string{g.name + ": " + strings.Join(named, "; ") + ".", g.name + ": " + strings.Join(bare, "; ")}
}

// longestWord returns the width of the widest word of a name.
func (g *barGroup) longestWord(size float64) float64 {
	widest := 0.0
	for word := range strings.FieldsSeq(g.name) {
		widest = max(widest, font.Width(word, size, g.weight()))
	}
	return widest
}

// weight returns bold for the names of groups of countries.
func (g *barGroup) weight() scene.Weight {
	if g.apart {
		return scene.Bold
	}
	return scene.Regular
}

// Measures of bars of both directions.
const (
	gapRows = .6   // height of a gap between groups, in rows
	maxGap  = 16.0 // the same in units, at most
	middle  = .36  // from the middle of figures to their base line, times the size
)

// noData is written in place of a missing value.
const noData = "no data"
