package chart

import (
	"math"
	"slices"
	"time"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// ordinals counts periods from the first one in the largest steps that meet all
// of them, one year for annual data and five for a census every five years, and
// returns how many steps there are from the first to the last. ok is false where
// the frequencies differ: such periods have no common step.
func ordinals(periods []stat.Period) (at []float64, n float64, ok bool) {
	at = make([]float64, len(periods))
	f := periods[0].Frequency()
	first, step := ordinal(f, periods[0].StartDay()), 0
	for i, p := range periods {
		from := ordinal(f, p.StartDay()) - first
		at[i] = float64(from)
		if p.Frequency() != f || i > 0 && at[i] <= at[i-1] {
			return nil, 0, false
		}
		for step, from = from, step; from != 0; { // the greatest common divisor
			step, from = from, step%from
		}
	}
	for i := range at {
		at[i] /= float64(max(step, 1))
	}
	return at, at[len(at)-1] + 1, true
}

// ordinal is the number of the period that holds a day.
func ordinal(f stat.Frequency, day int32) int {
	switch f {
	case stat.Day:
		return int(day)
	case stat.Week:
		const monday = 4 // 1970-01-05
		return int(math.Floor(float64(day-monday) / 7))
	}
	date := time.Unix(int64(day)*86400, 0).UTC()
	months := date.Year()*12 + int(date.Month()) - 1
	switch f {
	case stat.Month:
		return months
	case stat.Quarter:
		return months / 3
	case stat.HalfYear:
		return months / 6
	}
	return months / 12
}

// dateLabel is a label below columns.
type dateLabel struct {
	text   string
	x, w   float64 // of the text's left end
	stroke float64 // where a stroke stands; NaN: none
}

// dates chooses the labels of the time axis: below its column where a label
// names that period, else to the right of a stroke at the left edge of the
// first column of what it names.
func (c *columns) dates() []dateLabel {
	var labels []dateLabel
	scale.Dates(c.spec.Periods, func(ticks []scale.DateTick) bool {
		placed, ok := c.place(ticks)
		if ok {
			labels = placed
		}
		return ok
	})
	return labels
}

// place gives ticks their labels; ok is false where they do not fit.
func (c *columns) place(ticks []scale.DateTick) (labels []dateLabel, ok bool) {
	end := math.Inf(-1)
	right := c.plot.X + c.plot.W
	for _, tick := range ticks {
		centre, own, found := c.slotAt(tick)
		if !found {
			continue
		}
		l := dateLabel{text: tick.Label, w: font.Width(tick.Label, c.label, scene.Regular), stroke: math.NaN()}
		l.x = centre - l.w/2
		if !own {
			l.stroke = centre - c.slot/2
			l.x = l.stroke + 4
			if l.x+l.w > right && len(labels) > 0 {
				continue // the last one stands too near to the edge for its label
			}
		}
		l.x = max(min(l.x, right-l.w), c.plot.X)
		if l.x < end+c.label*.7 || l.w > c.plot.W {
			return nil, false
		}
		end = l.x + l.w
		labels = append(labels, l)
	}
	return labels, len(labels) > 0
}

// slotAt returns the middle of the slot in which a tick's day lies, and whether
// its label names the period of that slot.
func (c *columns) slotAt(tick scale.DateTick) (centre float64, own, found bool) {
	periods := c.spec.Periods
	i, exact := slices.BinarySearchFunc(periods, tick.Day, func(p stat.Period, day int32) int { return int(p.StartDay() - day) })
	if exact {
		return c.centre[i], periods[i].String() == tick.Label, true
	}
	if !c.steady {
		return 0, false, false
	}
	f := periods[0].Frequency()
	slots := ordinal(f, tick.Day) - ordinal(f, periods[0].StartDay())
	centre = c.centre[0] + c.slot*float64(slots)
	return centre, f == frequencyOf(tick.Label), slots >= 0 && centre < c.x+c.w
}

// frequencyOf is the frequency of a period as it is written.
func frequencyOf(label string) stat.Frequency {
	p, err := stat.Parse(label)
	if err != nil {
		return 0
	}
	return p.Frequency()
}

// drawDates writes the labels of the time axis, on the side of zero where there
// are no bars.
func (c *columns) drawDates(labels []dateLabel) {
	y, from, to := c.floor+namesGap+c.label*.95, c.floor+1, c.floor+namesGap+c.label
	if c.hanging {
		y, from, to = c.roof-namesGap-c.label*scene.Descent, c.roof-namesGap-c.label, c.roof-1
	}
	for _, l := range labels {
		if !math.IsNaN(l.stroke) {
			c.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Tick}, X1: l.stroke, Y1: from, X2: l.stroke, Y2: to, Pen: scene.Pen{Colour: colour.Quiet, Width: 1}})
		}
		c.scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: l.x, Y: y, Text: l.text, Size: c.label, Colour: colour.Muted, W: l.w})
	}
}

// drawLatest writes the values of the latest period in red: above their bars and
// all that the text would cover, with a line down to the bar where it had to
// move. Groups of bars keep their colours and get a red line below them.
func (c *columns) drawLatest() {
	size := max(c.figure, c.label)
	if len(c.t.series) > 1 {
		c.underline()
		size = max(smallSize, c.smallest())
		if c.figure > 0 {
			return // they are written already
		}
	}
	var placed []scene.Box
	c.eachBar(func(b columnMark) {
		if b.group != c.latest() {
			return
		}
		text := c.figureAt(b, size)
		text.Role, text.Weight, text.Colour = scene.Highlight, scene.Bold, colour.Alert
		text.W = font.Width(text.Text, text.Size, scene.Bold)
		if c.lift(text, b, placed) {
			placed = append(placed, text.Box())
			c.scene.Add(text)
		}
	})
}

// underline marks the latest of groups of bars, beside its date.
func (c *columns) underline() {
	width := c.groupWidth()
	y := c.floor + 2
	if c.hanging {
		y = c.roof - 5
	}
	c.scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Highlight}, X: c.snap(c.centre[c.latest()] - width/2), Y: y, W: width, H: 3, Fill: scene.Solid(colour.Alert)})
}

// lift moves the value of a bar out of the way of other bars and of values that
// are placed already; false if it would leave the plot.
func (c *columns) lift(text *scene.Text, b columnMark, placed []scene.Box) bool {
	if text.W > c.w {
		return false
	}
	text.X = max(min(text.X, c.x+c.w-text.W/2), c.x+text.W/2)
	start := text.Y
	if c.figure == 0 { // else the other bars have values of their own
		text.Y = c.above(text, b)
	}
	for _, box := range placed {
		if text.Box().Overlaps(box) && c.isDown(b.value) {
			text.Y = box.Y + box.H + text.Size*scene.Ascent + 1
		} else if text.Box().Overlaps(box) {
			text.Y = box.Y - text.Size*scene.Descent - 1
		}
	}
	if box := text.Box(); box.Y < c.roof-1 || box.Y+box.H > c.floor || slices.ContainsFunc(placed, box.Overlaps) {
		return false
	}
	if math.Abs(text.Y-start) > text.Size*.5 {
		x, to := b.x+b.w/2, text.Y+text.Size*scene.Descent
		if c.isDown(b.value) {
			to = text.Y - text.Size*scene.Ascent
		}
		c.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Leader}, X1: x, Y1: c.scale.at(b.value), X2: x, Y2: to, Pen: scene.Pen{Colour: colour.Alert, Width: 1}})
	}
	return true
}

// above is where the base line of a bar's value is beyond the ends of all bars
// that the text reaches over.
func (c *columns) above(text *scene.Text, b columnMark) float64 {
	box, y := text.Box(), text.Y
	c.eachBar(func(other columnMark) {
		if other.x > box.X+box.W+2 || other.x+other.w < box.X-2 || c.isDown(other.value) != c.isDown(b.value) {
			return
		}
		end := c.figureAt(other, text.Size).Y
		if c.isDown(b.value) {
			y = max(y, end)
		} else {
			y = min(y, end)
		}
	})
	return y
}
