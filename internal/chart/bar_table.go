package chart

import (
	"cmp"
	"math"
	"slices"

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

// barLook is how a bar is drawn, and its name.
type barLook struct {
	name string
	fill scene.Fill
	edge scene.Pen
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

// lookOf returns how the bar of a series in a group is drawn.
func (t *barTable) lookOf(group, series int) barLook {
	look := t.groups[group].look
	if len(t.series) > 1 {
		look = t.series[series]
	}
	if t.groups[group].forecast[series] {
		look.fill.Hatch = &scene.Hatch{Colour: colour.White, Width: 1.2, Spacing: 4.5}
	}
	return look
}

// inRed returns the look in the colour of the latest value.
func (l barLook) inRed() barLook {
	l.fill.Colour, l.edge = colour.Alert, scene.Pen{}
	return l
}

// barLooks chooses the colours of series. A second round of colours is hatched, so that
// no two series look alike. If some series are in focus, the others are grey.
func barLooks(series []Series) []barLook {
	palette := colour.Categorical()
	focus := slices.ContainsFunc(series, func(s Series) bool { return s.Focus })
	looks := make([]barLook, len(series))
	next := 0
	for i := range series {
		s := &series[i]
		look := barLook{name: s.Label, fill: scene.Solid(colour.Quiet)}
		if s.Focus || !focus {
			look.fill = nthFill(palette, next)
			next++
		}
		look.setColour(s.Colour)
		looks[i] = look
	}
	return looks
}

// nthFill returns the n-th fill of a palette: plain, then hatched, then grey.
func nthFill(palette []colour.RGB, n int) scene.Fill {
	if n >= 2*len(palette) {
		return scene.Solid(colour.Quiet)
	}
	fill := scene.Solid(palette[n%len(palette)])
	if n >= len(palette) {
		fill.Hatch = &scene.Hatch{Colour: colour.Dark, Width: 1.5, Spacing: 6}
	}
	return fill
}

// setColour sets the caller's colour, if there is one. A colour that is hard to see on
// white gets an edge.
func (l *barLook) setColour(text string) {
	c, ok := colour.Parse(text)
	if !ok {
		return
	}
	l.fill, l.edge = scene.Solid(c), scene.Pen{}
	if colour.Contrast(c, colour.White) < colour.MarkContrast {
		l.edge = scene.Pen{Colour: colour.Visible(c), Width: 1}
	}
}

// legendItems returns the entries of the legend, or none if a single series needs no
// legend.
func (t *barTable) legendItems() []legendItem {
	if len(t.series) < 2 {
		return nil
	}
	items := make([]legendItem, len(t.series))
	for i, look := range t.series {
		items[i] = legendItem{name: look.name, label: look.name, fill: look.fill, edge: look.edge}
	}
	return items
}

// barLegend draws the legend of several series. If groups are ranked by the first series,
// a remark after the legend says so, or a note if the remark does not fit.
func (f *frame) barLegend(t *barTable, ranked bool) {
	remark := ""
	if name := font.Clean(t.series[0].name); ranked && len(t.series) > 1 && len(t.groups) > 1 && name != "" {
		remark = "Ranked by “" + name + "”"
	}
	if !f.legendWith(t.legendItems(), remark) && remark != "" && f.plot.H > minHeightForExtraNotes {
		f.addNote(remark + ".")
	}
}

// axis returns an axis with about n round numbers, and its ends: the first and the last
// number or, if much of the plot would then be empty, the values themselves.
func (t *barTable) axis(n int, unit string) (ticks scale.Ticks, ends [2]float64) {
	const empty, more = .1, 2
	for finer := range more + 1 {
		found := scale.Nice(t.low, t.high, n+finer, true, unit)
		last := len(found.Values) - 1
		if finer == 0 {
			ticks, ends = found, [2]float64{found.Values[0], found.Values[last]}
		}
		from, to := found.Values[0]/t.largest, found.Values[last]/t.largest // their difference may overflow
		spare, cut := (to-from)*empty, [2]float64{found.Values[0], found.Values[last]}
		if to-t.high/t.largest > spare {
			cut[1], found.Values, found.Labels = t.high, found.Values[:last], found.Labels[:last]
		}
		if t.low/t.largest-from > spare {
			cut[0], found.Values, found.Labels = t.low, found.Values[1:], found.Labels[1:]
		}
		if len(found.Values) > 1 {
			return found, cut
		}
	}
	return ticks, ends
}

// barScale maps values to positions along an axis: 0 to zero, and the largest magnitude
// to step units from it. step is negative if the axis points up.
type barScale struct{ zero, step, largest float64 }

// newBarScale fits the values from low to high between two positions.
func newBarScale(low, high, from, to float64) barScale {
	largest := max(math.Abs(low), math.Abs(high))
	if largest == 0 {
		return barScale{zero: from, step: 0, largest: 1}
	}
	// Use fractions of the largest value, because high - low may overflow.
	below, above := low/largest, high/largest
	step := (to - from) / (above - below)
	return barScale{zero: from - step*below, step: step, largest: largest}
}

func (s barScale) at(v float64) float64 { return s.zero + s.step*(v/s.largest) }

// thinnest is the smallest width of a step, in units.
const thinnest = .8

// sliverPixels is the length of a sliver: a bar of zero or almost zero, drawn so that it
// differs from missing data.
const sliverPixels = 2

// isSliver reports whether a bar next to a line at zero of width pen is shorter than a
// sliver. Drawing it as a sliver ensures that no bar is shorter than that of a smaller
// value.
func (f *frame) isSliver(length, pen float64) bool {
	from, sliver := f.sliver(0, pen, true)
	return length < from+sliver
}

// sliver returns the start and the length of a sliver along its axis. It lies
// completely next to the line at zero, which has width pen: behind it, to the right or
// below, or else before it.
func (f *frame) sliver(zero, pen float64, behind bool) (from, length float64) {
	px := f.scene.Scale
	line := max(1, math.Round(pen*px))
	length = max(sliverPixels, math.Round(sliverPixels*px)) / px
	if behind {
		return zero + math.Floor((line+1)/2)/px, length
	}
	return zero - math.Floor(line/2)/px - length, length
}
