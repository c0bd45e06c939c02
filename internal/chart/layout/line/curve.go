package line

import (
	"math"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// spot is one value of a line and its position.
type spot struct {
	scene.Point
	value       float64
	at          int  // index in Spec.Periods
	forecast    bool // flagged as a forecast
	provisional bool // flagged as provisional or estimated: may still change
	broken      bool // the first value after a break: earlier ones are not comparable
	bridged     bool // the line comes here past other periods: see sparse
	distant     bool // the same, by a step that is longer than the line's usual one
}

// stretch is a run of values of a line without a gap.
type stretch []spot

// timeline holds the periods of a chart, their numbers in their frequency and, for each,
// the index of the next one of the same frequency at the chart's step, or -1. The step is
// the shortest distance between two periods: one year for annual data, five for a census
// every five years.
type timeline struct {
	periods []stat.Period
	number  []int
	after   []int
}

func newTimeline(periods []stat.Period) timeline {
	t := timeline{periods, make([]int, len(periods)), make([]int, len(periods))}
	var shortest [stat.Day + 1]int // by frequency; 0: none
	previous := func(each func(before, i, step int)) {
		var next [stat.Day + 1]int // by frequency: the position after the latest period
		for i, p := range periods {
			if before := next[p.Frequency()] - 1; before >= 0 {
				each(before, i, t.number[i]-t.number[before])
			}
			next[p.Frequency()] = i + 1
		}
	}
	for i, p := range periods {
		t.number[i], t.after[i] = scale.Ordinal(p.Frequency(), p.StartDay()), -1
	}
	previous(func(_, i, step int) {
		f := periods[i].Frequency()
		if least := shortest[f]; least == 0 || step < least {
			shortest[f] = step
		}
	})
	previous(func(before, i, step int) {
		if step == shortest[periods[i].Frequency()] {
			t.after[before] = i
		}
	})
	return t
}

// splitAtGaps splits the values of a line at gaps. A gap is a period of the chart without
// a value, or a period of the line's frequency that the chart lacks. It is no gap if the
// line has values at longer intervals only: see sparse. Values of different frequencies are
// not connected, because a year's amount and a quarter's are not comparable.
func (t timeline) splitAtGaps(spots []spot) []stretch {
	var all []stretch
	for f := stat.Annual; f <= stat.Day; f++ {
		list := t.ofFrequency(spots, f)
		follows := func(a, b int) bool { return t.after[a] == b }
		if f == stat.Day && t.onlyWorkdays(list) {
			follows = t.nextWorkday
		}
		var sparse []bool
		start, longest := 0, 0
		for i := 1; i <= len(list); i++ {
			if i < len(list) && follows(list[i-1].at, list[i].at) {
				continue
			}
			if i < len(list) && sparse == nil {
				sparse, longest = t.sparse(list), t.longestUsual(list)
			}
			if i < len(list) && sparse[i] {
				list[i].bridged, list[i].distant = true, t.number[list[i].at]-t.number[list[i-1].at] > longest
				continue
			}
			all = append(all, list[start:i])
			start = i
		}
	}
	return all
}

// Limits of sparse.
const (
	minSparseSteps = 3  // fewer could be chance
	maxSparseStep  = 6  // times the median
	maxSparseJump  = .5 // of the range of a line
	maxUsualStep   = 8  // fifths of the step that a quarter of all steps do not exceed
)

// sparse says for each value whether it is joined to the previous one although periods
// lie between, because the office publishes values at such intervals: every second or
// fifth year, or in the years of a survey. Steps as short as the line's shortest are no
// gaps. If these are fewer than half of all, or if years are not multiples of them apart,
// longer ones are no gaps either; else only three or more longer ones in a row, such as
// those between the censuses before an annual series, if values do not jump there, as those of
// disasters do. Steps that are much longer than the
// others remain gaps.
func (t timeline) sparse(list []spot) []bool {
	joined := make([]bool, len(list))
	steps := make([]int, len(list)) // from the previous value
	for i := 1; i < len(list); i++ {
		steps[i] = t.number[list[i].at] - t.number[list[i-1].at]
	}
	if len(list) < 2 {
		return joined
	}
	shortest, usual := slices.Min(steps[1:]), 0
	isOdd := func(step int) bool { return step%shortest != 0 }
	if slices.ContainsFunc(steps[1:], isOdd) && t.periods[list[0].at].Frequency() == stat.Annual {
		joinSteps(joined[1:], steps[1:])
		return joined
	}
	if len(list)-1 < minSparseSteps {
		return joined
	}
	for _, step := range steps[1:] {
		if step == shortest {
			usual++
		}
	}
	if 2*usual < len(list)-1 {
		joinSteps(joined[1:], steps[1:])
		return joined
	}
	for start := 1; start < len(list); {
		joined[start] = steps[start] == shortest
		end := start
		for end < len(list) && steps[end] > shortest {
			end++
		}
		if end-start >= minSparseSteps && !jumps(list, list[start-1:min(end+1, len(list))]) {
			joinSteps(joined[start:end], steps[start:end])
		}
		start = end + 1
	}
	return joined
}

// jumps reports whether neighbours among some values of a line differ by much of the range of all.
func jumps(all, some []spot) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range all {
		low, high = min(low, s.value), max(high, s.value)
	}
	for i := 1; i < len(some); i++ {
		if math.Abs(some[i].value-some[i-1].value) > maxSparseJump*(high-low) {
			return true
		}
	}
	return false
}

// joinSteps joins all steps that are not much longer than the others.
func joinSteps(joined []bool, steps []int) {
	median := slices.Sorted(slices.Values(steps))[len(steps)/2]
	for i, step := range steps {
		joined[i] = step <= maxSparseStep*median
	}
}

// longestUsual returns the longest step between values of years that is usual for a line. Days on which a rate changes have no usual distance.
func (t timeline) longestUsual(list []spot) int {
	if t.periods[list[0].at].Frequency() != stat.Annual {
		return math.MaxInt
	}
	var steps []int
	for i := 1; i < len(list); i++ {
		steps = append(steps, t.number[list[i].at]-t.number[list[i-1].at])
	}
	slices.Sort(steps)
	return maxUsualStep * steps[len(steps)/4] / 5
}

func (t timeline) ofFrequency(spots []spot, f stat.Frequency) []spot {
	count := 0
	for _, s := range spots {
		if t.periods[s.at].Frequency() == f {
			count++
		}
	}
	if count == len(spots) {
		return spots
	}
	list := make([]spot, 0, count)
	for _, s := range spots {
		if t.periods[s.at].Frequency() == f {
			list = append(list, s)
		}
	}
	return list
}

// maxHoliday is the largest number of days between daily values without a gap in the
// line: an exchange rate has no values at weekends and on holidays.
const maxHoliday = 7

// nextWorkday reports whether b follows a in a line that has values on working days
// only. A working day that is in the chart but not in the line is a gap.
func (t timeline) nextWorkday(a, b int) bool {
	for _, p := range t.periods[a+1 : b] {
		if p.Frequency() == stat.Day && !isWeekend(p) {
			return false
		}
	}
	return t.periods[b].StartDay()-t.periods[a].StartDay() <= maxHoliday
}

func (t timeline) onlyWorkdays(spots []spot) bool {
	return !slices.ContainsFunc(spots, func(s spot) bool { return isWeekend(t.periods[s.at]) })
}

// isWeekend reports whether a day is a Saturday or a Sunday.
func isWeekend(p stat.Period) bool {
	const saturday = 2 // 1970-01-03
	return ((p.StartDay()-saturday)%7+7)%7 < 2
}

// slopes returns the slope of a smooth curve at each point, by the method of Steffen
// (1990), and at the ends that of the straight line to the neighbour. The curve is monotone
// between neighbours, so it never shows a value beyond the data, and its peaks are at points.
func slopes(p stretch) []float64 {
	n := len(p)
	t := make([]float64, n)
	if n < 2 {
		return t
	}
	secant := func(i int) float64 { return (p[i+1].Y - p[i].Y) / (p[i+1].X - p[i].X) }
	before, h := secant(0), p[1].X-p[0].X
	t[0] = before
	for i := 1; i < n-1; i++ {
		after, k := secant(i), p[i+1].X-p[i].X
		mean := (before*k + after*h) / (h + k)
		if before*after > 0 {
			t[i] = math.Copysign(2*min(math.Abs(before), math.Abs(after), math.Abs(mean)/2), before)
		}
		before, h = after, k
	}
	t[n-1] = before
	return t
}

// smooth draws the part of a stretch from point first to point last, with the slopes of
// the whole stretch. It is straight across a break and past other periods.
func smooth(o *scene.Outline, p stretch, slope []float64, first, last int) {
	o.Grow(1+last-first, 1+3*(last-first))
	o.MoveTo(p[first].X, p[first].Y)
	for i := first; i < last; i++ {
		if p[i+1].isStraight() {
			o.LineTo(p[i+1].X, p[i+1].Y)
			continue
		}
		c, d := controls(p, slope, i)
		o.CubicTo(c, d, p[i+1].Point)
	}
}

// Measures of the rounding of a smooth curve at a value: its reach into the step to the next
// one, as a share of the step and at most. With a third, the curve would be Steffen's, which
// shows waves where the data have zigzags, and an S between distant values.
const (
	curveReach    = 1.0 / 6
	maxCurveReach = 10.0
)

// controls returns the control points of the curve from point i to the next.
func controls(p stretch, slope []float64, i int) (c, d scene.Point) {
	a, b := p[i], p[i+1]
	reach := min((b.X-a.X)*curveReach, maxCurveReach)
	low, high := min(a.Y, b.Y), max(a.Y, b.Y)
	// The slopes keep these bounds, up to rounding.
	c = scene.Point{X: a.X + reach, Y: min(max(a.Y+slope[i]*reach, low), high)}
	d = scene.Point{X: b.X - reach, Y: min(max(b.Y-slope[i+1]*reach, low), high)}
	return c, d
}

// curve is a stretch and how it runs from one value to the next.
type curve struct {
	stretch
	kind  chart.Curve
	slope []float64 // of a smooth curve
}

// isStraight reports whether a smooth line is straight before a value.
func (s spot) isStraight() bool { return s.broken || s.bridged }

// curveOf finds the slopes of a stretch, separately on either side of a straight part: a
// curve across a break or over years without values would show a movement that nobody
// measured.
func curveOf(p stretch, kind chart.Curve) curve {
	c := curve{stretch: p, kind: kind}
	if kind == chart.Straight || kind == chart.Step {
		return c
	}
	start := 0
	for i := 1; i <= len(p); i++ {
		if i == len(p) || p[i].isStraight() {
			c.slope = append(c.slope, slopes(p[start:i])...)
			start = i
		}
	}
	return c
}

// draw draws the part from point first to point last.
func (c curve) draw(o *scene.Outline, first, last int) {
	switch c.kind {
	case chart.Straight:
		straight(o, c.stretch, first, last)
	case chart.Step:
		step(o, c.stretch, first, last)
	default:
		smooth(o, c.stretch, c.slope, first, last)
	}
}

// meets reports whether a curve touches a box.
func (c curve) meets(b scene.Box) bool {
	p := c.stretch
	if len(p) == 1 {
		return frame.Meets(&scene.Line{X1: p[0].X, Y1: p[0].Y, X2: p[0].X, Y2: p[0].Y}, b)
	}
	for i := range len(p) - 1 {
		from, to := p[i].Point, p[i+1].Point
		if to.X < b.X || from.X > b.X+b.W || max(from.Y, to.Y) < b.Y || min(from.Y, to.Y) > b.Y+b.H {
			continue // the usual case
		}
		before := from
		for _, at := range c.points(i) {
			if frame.Meets(&scene.Line{X1: before.X, Y1: before.Y, X2: at.X, Y2: at.Y}, b) {
				return true
			}
			before = at
		}
	}
	return false
}

// points returns the ends of straight pieces that follow the curve from point i to the
// next.
func (c curve) points(i int) []scene.Point {
	const steps = 8
	from, to := c.stretch[i].Point, c.stretch[i+1].Point
	switch {
	case c.kind == chart.Step:
		return []scene.Point{{X: to.X, Y: from.Y}, to}
	case c.kind == chart.Straight || c.stretch[i+1].isStraight():
		return []scene.Point{to}
	}
	d, e := controls(c.stretch, c.slope, i)
	all := make([]scene.Point, steps)
	for k := range all {
		u := float64(k+1) / steps
		v := 1 - u
		all[k] = scene.Point{
			X: v*v*v*from.X + 3*v*v*u*d.X + 3*v*u*u*e.X + u*u*u*to.X,
			Y: v*v*v*from.Y + 3*v*v*u*d.Y + 3*v*u*u*e.Y + u*u*u*to.Y,
		}
	}
	return all
}

// maxDensity is the number of values per pixel beyond which more are invisible.
const maxDensity = 2.5

// thin keeps the first and the last value and the extremes of each column of pixels, if
// values are too dense to tell the others apart. ok is false if all values stay.
func thin(p stretch, pixel float64) (kept stretch, ok bool) {
	width := p[len(p)-1].X - p[0].X
	if float64(len(p)) < maxDensity*width/pixel || len(p) < 16 {
		return p, false
	}
	column := func(s spot) float64 { return math.Floor((s.X - p[0].X) / pixel) }
	for start := 0; start < len(p); {
		end, low, high := start, start, start
		for end < len(p) && column(p[end]) == column(p[start]) && p[end].forecast == p[start].forecast {
			if p[end].Y < p[low].Y {
				low = end
			}
			if p[end].Y > p[high].Y {
				high = end
			}
			end++
		}
		last := -1
		for _, i := range []int{start, min(low, high), max(low, high), end - 1} {
			if i > last {
				kept = append(kept, p[i])
				last = i
			}
		}
		start = end
	}
	return kept, true
}

// straight draws the part of a stretch from point first to point last in straight
// lines.
func straight(o *scene.Outline, p stretch, first, last int) {
	o.Grow(1+last-first, 1+last-first)
	o.MoveTo(p[first].X, p[first].Y)
	for i := first + 1; i <= last; i++ {
		o.LineTo(p[i].X, p[i].Y)
	}
}

// step draws the part of a stretch from point first to point last in steps: a value holds
// until the next one.
func step(o *scene.Outline, p stretch, first, last int) {
	o.MoveTo(p[first].X, p[first].Y)
	for i := first + 1; i <= last; i++ {
		o.LineTo(p[i].X, p[i-1].Y)
		o.LineTo(p[i].X, p[i].Y)
	}
}
