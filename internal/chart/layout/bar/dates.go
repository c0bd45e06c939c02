package bar

import (
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// ordinals numbers periods from the first one, in the largest step that reaches all of
// them: one year for annual data, five for a census every five years. step is its number
// of periods of their frequency. ok is false if the frequencies differ, because such
// periods have no common step.
func ordinals(periods []stat.Period) (at []float64, step int, ok bool) {
	at = make([]float64, len(periods))
	f := periods[0].Frequency()
	first := scale.Ordinal(f, periods[0].StartDay())
	for i, p := range periods {
		from := scale.Ordinal(f, p.StartDay()) - first
		at[i] = float64(from)
		if p.Frequency() != f || i > 0 && at[i] <= at[i-1] {
			return nil, 0, false
		}
		for step, from = from, step; from != 0; { // the greatest common divisor
			step, from = from, step%from
		}
	}
	step = max(step, 1)
	for i := range at {
		at[i] /= float64(step)
	}
	return at, step, true
}

// maxDaysOff is the largest number of days between neighbouring working days.
const maxDaysOff = 7

// areWorkdays reports whether periods are working days without longer gaps than those of
// weekends and holidays, as of an exchange rate. They need no space for days off.
func areWorkdays(periods []stat.Period) bool {
	const saturday, week = 2, 7 // 1970-01-03
	for i, p := range periods {
		isWeekend := ((p.StartDay()-saturday)%week+week)%week < 2
		if p.Frequency() != stat.Day || isWeekend || i > 0 && p.StartDay()-periods[i-1].StartDay() > maxDaysOff {
			return false
		}
	}
	return true
}

// dateLabel is a label below columns.
type dateLabel struct {
	text   string
	x, w   float64 // left end and width of the text
	stroke float64 // position of a stroke; NaN: none
}

// dates chooses the labels of the time axis. A label that names the period of a column is
// centred below it. Any other label is to the right of a stroke at the left edge of the
// first column that it covers. Years that are several years apart are labelled at every so
// many steps, and those of few surveys all. A highlighted last period that is not labelled
// replaces the last label, or takes the place of the only one.
func (c *columns) dates() []dateLabel {
	var ticks []scale.DateTick
	fits := func(ticks []scale.DateTick) bool {
		_, ok := c.place(ticks)
		return ok
	}
	if c.isSparse() {
		for _, p := range c.Spec.Periods {
			ticks = append(ticks, tickOf(p))
		}
		if !fits(ticks) {
			ticks = nil
		}
	}
	for _, every := range []int{1, 2, 5, 10, 20, 50, 100} {
		if step := c.stepTicks(every); ticks == nil && len(step) > 1 && fits(step) {
			ticks = step
		}
	}
	if ticks == nil {
		ticks = scale.Dates(c.Spec.Periods, fits)
	}
	if n := len(ticks); n > 0 && c.latest() >= 0 {
		last := tickOf(c.Spec.Periods[len(c.Spec.Periods)-1])
		for kept := n; ticks[n-1].Day < last.Day && kept >= n-1; kept-- {
			if try := append(slices.Clone(ticks[:kept]), last); fits(try) {
				ticks = try
				break
			}
		}
	}
	labels, _ := c.place(ticks)
	return labels
}

// stepTicks returns a tick at every so many steps, counting missing periods, for years that
// are several years apart: calendar steps would meet few of them. The ticks include the round years if there are any, else the last period.
// stepTicks returns nil for other periods.
func (c *columns) stepTicks(every int) []scale.DateTick {
	periods := c.Spec.Periods
	f := periods[0].Frequency()
	if !c.steady || c.step == 1 || f != stat.Annual {
		return nil
	}
	first, last := scale.Ordinal(f, periods[0].StartDay()), scale.Ordinal(f, periods[len(periods)-1].StartDay())
	wide := c.step * every
	from := first + (last-first)%wide
	if over := first % wide; over%c.step == 0 {
		from = first + (wide-over)%wide
	}
	var ticks []scale.DateTick
	for n := from; n <= last; n += wide {
		ticks = append(ticks, tickOf(scale.NthPeriod(f, n)))
	}
	return ticks
}

func tickOf(p stat.Period) scale.DateTick {
	return scale.DateTick{Day: p.StartDay(), Period: p}
}

// place positions the labels of ticks; ok is false if they do not fit.
func (c *columns) place(ticks []scale.DateTick) (labels []dateLabel, ok bool) {
	end := math.Inf(-1)
	right := c.Plot.X + c.Plot.W
	for _, tick := range ticks {
		centre, own, found := c.slotAt(tick)
		if !found {
			continue
		}
		l := dateLabel{text: c.Spec.Words().Period(tick.Period), stroke: math.NaN()}
		l.w = font.Width(l.text, c.label, scene.Regular)
		l.x = centre - l.w/2
		if !own {
			l.stroke = centre - c.slot/2
			l.x = l.stroke + 4
			if l.x+l.w > right && len(labels) > 0 {
				continue // the last tick is too close to the edge for its label
			}
		}
		l.x = max(min(l.x, right-l.w), c.Plot.X)
		if l.x < end+c.label*.7 || l.w > c.Plot.W {
			return nil, false
		}
		end = l.x + l.w
		labels = append(labels, l)
	}
	return labels, len(labels) > 0
}

// slotAt returns the centre of the slot that contains a tick's day, and whether its
// label names the period of that slot. found is false for a day between two slots.
func (c *columns) slotAt(tick scale.DateTick) (centre float64, own, found bool) {
	periods := c.Spec.Periods
	i, exact := slices.BinarySearchFunc(periods, tick.Day, func(p stat.Period, day int32) int { return int(p.StartDay() - day) })
	if exact {
		return c.centre[i], periods[i] == tick.Period, true
	}
	if c.workdays && i < len(periods) { // a month begins at its first working day
		return c.centre[i], false, true
	}
	if !c.steady {
		return 0, false, false
	}
	f := periods[0].Frequency()
	away := scale.Ordinal(f, tick.Day) - scale.Ordinal(f, periods[0].StartDay())
	within := away%c.step != 0
	if within && f == tick.Period.Frequency() {
		return 0, false, false // no column has this period
	}
	// A longer period begins at the next column.
	centre = c.centre[0] + c.slot*math.Ceil(float64(away)/float64(c.step))
	return centre, f == tick.Period.Frequency(), away >= 0 && centre < c.x+c.w
}

// drawDates writes the labels of the time axis: below the bars, or above if they hang.
func (c *columns) drawDates(labels []dateLabel) {
	y, from, to := c.floor+namesGap+c.label*.95, c.floor+1, c.floor+namesGap+c.label
	if c.hanging {
		y, from, to = c.roof-namesGap-c.label*scene.Descent, c.roof-namesGap-c.label, c.roof-1
	}
	for _, l := range labels {
		if !math.IsNaN(l.stroke) {
			c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Tick}, X1: l.stroke, Y1: from, X2: l.stroke, Y2: to, Pen: scene.Pen{Colour: colour.Quiet, Width: 1}})
		}
		shade := colour.Muted
		if latest := c.latest(); latest >= 0 && l.text == c.t.Groups[latest].Name {
			shade = colour.Alert
		}
		c.Scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: l.x, Y: y, Text: l.text, Size: c.label, Colour: shade, W: l.w})
	}
}
