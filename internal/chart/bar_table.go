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

// barTable is what a chart of bars shows: groups of bars in drawing order, and
// in each group a bar a series.
type barTable struct {
	groups    []barGroup
	series    []barLook
	low, high float64 // least and greatest value, zero among them
	largest   float64 // the greater of their magnitudes; 1 where all are zero
	numbers   scale.Numbers
	inTime    bool // groups are periods
	areas     bool // groups are areas
	latest    int  // the last group that has a value, where groups are periods; else -1
	broken    int  // the group before which a gap stands for those left out; 0: none
}

// barGroup is a category or a period.
type barGroup struct {
	name   string // clean
	area   string
	apart  bool      // a group of countries among countries
	look   barLook   // of the bar where there is one series
	values []float64 // by series; NaN: none
	// forecast, by series: drawn hatched, and named in a note of the Spec.
	forecast []bool
}

// barLook is how bars are drawn, and what they are called.
type barLook struct {
	name string
	fill scene.Fill
	edge scene.Pen
}

// newBarTable takes what is drawn from a Spec, in its order.
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
			g.look.choose(chosen)
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

// measure finds the extremes and how the numbers are written.
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

// exact is how the numbers are written with all their decimals, if these are no
// more than two.
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

// isWhole reports whether a number is whole but for what a float cannot hold.
func isWhole(v float64) bool { return math.Abs(v-math.Round(v)) <= 1e-9*math.Abs(v) }

// has reports whether a group has any value.
func (g *barGroup) has() bool {
	return slices.ContainsFunc(g.values, func(v float64) bool { return !math.IsNaN(v) })
}

// rank sorts the groups: those that are set apart first, then by the first
// series from high to low, those without a value of it last. Equal ones keep
// their order.
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

// gapBefore reports whether a gap parts a group from the one before it: the
// countries from the groups of countries, or the largest from the smallest
// where those between are left out.
func (t *barTable) gapBefore(i int) bool {
	return i > 0 && (i == t.broken || t.groups[i-1].apart && !t.groups[i].apart)
}

// gaps is how many gaps there are.
func (t *barTable) gaps() int {
	n := 0
	for i := range t.groups {
		if t.gapBefore(i) {
			n++
		}
	}
	return n
}

// lookOf is how the bar of a series in a group is drawn.
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

// inRed is a look with the colour of the latest value.
func (l barLook) inRed() barLook {
	l.fill.Colour, l.edge = colour.Alert, scene.Pen{}
	return l
}

// barLooks chooses the colours of series. A second round through the colours
// is hatched, so that no two series look alike. Where series are in focus the
// others are grey.
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
		look.choose(s.Colour)
		looks[i] = look
	}
	return looks
}

// nthFill is the n-th fill of a palette: plain, then hatched, then grey.
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

// choose takes the caller's colour, if there is one. One too pale to be seen on
// white gets an edge.
func (l *barLook) choose(text string) {
	c, ok := colour.Parse(text)
	if !ok {
		return
	}
	l.fill, l.edge = scene.Solid(c), scene.Pen{}
	if colour.Contrast(c, colour.White) < colour.MarkContrast {
		l.edge = scene.Pen{Colour: colour.Visible(c), Width: 1}
	}
}

// legendItems are the entries of a legend: none where one series needs none.
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

// barLegend draws the legend of several series. Groups that are ranked go by the
// first series, which no reader can see: it is said behind the legend, or, where
// that has no room, in a note.
func (f *frame) barLegend(t *barTable, ranked bool) {
	remark := ""
	if name := font.Clean(t.series[0].name); ranked && len(t.series) > 1 && len(t.groups) > 1 && name != "" {
		remark = "Ranked by “" + name + "”"
	}
	if !f.legendWith(t.legendItems(), remark) && remark != "" && f.plot.H > roomForMore {
		f.say(remark + ".")
	}
}

// axis is round numbers along an axis of about n of them, and where it ends: at
// the first and the last of them, or, where these are so far beyond the values
// that a good part of the plot would be empty, at the values themselves.
func (t *barTable) axis(n int, unit string) (ticks scale.Ticks, ends [2]float64) {
	const empty, more = .1, 2
	for finer := range more + 1 {
		found := scale.Nice(t.low, t.high, n+finer, true, unit)
		last := len(found.Values) - 1
		if finer == 0 {
			ticks, ends = found, [2]float64{found.Values[0], found.Values[last]}
		}
		from, to := found.Values[0]/t.largest, found.Values[last]/t.largest // their distance may be too large for a float
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

// barScale places values along an axis: zero at zero, the largest magnitude
// step units from it. step is below zero where the axis points up.
type barScale struct{ zero, step, largest float64 }

// newBarScale fits the values from low to high between two places.
func newBarScale(low, high, from, to float64) barScale {
	largest := max(math.Abs(low), math.Abs(high))
	if largest == 0 {
		return barScale{zero: from, step: 0, largest: 1}
	}
	// Parts of the largest, because high - low may be too large for a float.
	below, above := low/largest, high/largest
	step := (to - from) / (above - below)
	return barScale{zero: from - step*below, step: step, largest: largest}
}

// at is the place of a value.
func (s barScale) at(v float64) float64 { return s.zero + s.step*(v/s.largest) }

// thinnest is the least width of a step, in units.
const thinnest = .8

// A sliver is what a bar of zero or next to nothing is drawn as, so that it
// differs from no data.
const sliverPixels = 2

// isSliver reports whether a bar is too short to be seen, beside a line at zero
// with a pen of a width: shorter than a sliver reaches. So no bar is drawn
// shorter than that of a smaller value.
func (f *frame) isSliver(length, pen float64) bool {
	from, sliver := f.sliver(0, pen, true)
	return length < from+sliver
}

// sliver is where a sliver begins and how long it is along its axis: wholly
// beside the line at zero, which has a pen of a width, and behind it, to the
// right or below, or else before it.
func (f *frame) sliver(zero, pen float64, behind bool) (from, length float64) {
	px := f.scene.Scale
	line := max(1, math.Round(pen*px))
	length = max(sliverPixels, math.Round(sliverPixels*px)) / px
	if behind {
		return zero + math.Floor((line+1)/2)/px, length
	}
	return zero - math.Floor(line/2)/px - length, length
}
