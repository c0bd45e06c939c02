package bar

import (
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// latestGap is the distance from the latest value of one of several series to other bars
// and values, in units.
const latestGap = 2.0

// InTime lays out and draws columns along time.
func (c *columns) inTime() {
	names := namesGap + c.label*frame.Leading
	c.placeScale(names, 0)
	if !c.placeLatest() && c.Plot.H > frame.MinHeightForExtraNotes {
		c.AddNote(c.t.LatestNote()...)
		c.layOut()
		c.placeScale(names, 0)
	}
	dates := c.dates()
	c.draw()
	c.drawDates(dates)
}

// placeLatest positions the latest values of several series, each above its own bar and
// in its colour. If one of them would touch another bar or value, it places none and
// returns false.
func (c *columns) placeLatest() bool {
	c.newest = nil
	if c.latest() < 0 || len(c.t.Series) < 2 || c.figure > 0 {
		return true
	}
	if c.stepped {
		return false
	}
	for _, size := range []float64{c.label, frame.SmallSize, max(9.5, c.Smallest())} {
		if c.newest = c.latestTexts(max(size, c.Smallest())); c.newest != nil {
			return true
		}
	}
	return false
}

// latestTexts returns the latest values in the given size, or nil if they do not fit.
func (c *columns) latestTexts(size float64) []*scene.Text {
	var texts []*scene.Text
	var marks []columnMark
	c.eachBar(func(b columnMark) {
		if marks = append(marks, b); b.group != c.latest() {
			return
		}
		text := c.figureAt(b, size)
		text.Role, text.Weight, text.Colour = scene.Highlight, scene.Bold, colour.Readable(b.look.Fill.Colour)
		text.W = font.Width(text.Text, size, scene.Bold)
		texts = append(texts, text)
	})
	for i, text := range texts {
		box := text.Box()
		if box.X < c.x || box.X+box.W > c.Plot.X+c.Plot.W || box.Y < c.roof-1 || box.Y+box.H > c.floor {
			return nil
		}
		box.X, box.W = box.X-latestGap, box.W+2*latestGap
		if slices.ContainsFunc(texts[:i], func(other *scene.Text) bool { return box.Overlaps(other.Box()) }) {
			return nil
		}
		for _, b := range marks {
			y := c.scale.At(b.value)
			bar := scene.Box{X: b.x, Y: min(y, c.scale.Zero), W: b.w, H: math.Abs(y - c.scale.Zero)}
			if box.Overlaps(bar) {
				return nil
			}
		}
	}
	return texts
}

// drawLatest writes the latest value of one series in red, above its bar and everything
// the text would cover. Groups of bars keep their colours, have their values where
// placeLatest put them, and get a red line below.
func (c *columns) drawLatest() {
	if len(c.t.Series) > 1 {
		if !c.stepped { // a red step would be too small to see
			c.underline()
		}
		for _, text := range c.newest {
			c.Scene.Add(text)
		}
		return
	}
	size := c.figure
	if size == 0 {
		size = c.label
	}
	c.eachBar(func(b columnMark) {
		if b.group != c.latest() {
			return
		}
		text := c.figureAt(b, size)
		text.Role, text.Weight, text.Colour = scene.Highlight, scene.Bold, colour.Alert
		text.W = font.Width(text.Text, text.Size, scene.Bold)
		c.lift(text, b)
	})
}

// underline draws a red line at the latest group of bars, next to its date.
func (c *columns) underline() {
	width := c.groupWidth()
	y := c.floor + 2
	if c.hanging {
		y = c.roof - 5
	}
	c.Scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Highlight}, X: c.Snap(c.centre[c.latest()] - width/2), Y: y, W: width, H: 3, Fill: scene.Solid(colour.Alert)})
}

// lift draws the value of a bar above other bars, unless it would leave the plot. If it
// is far above its bar, a thin grey line connects them; a red one would look like the end
// of the bar.
func (c *columns) lift(text *scene.Text, b columnMark) {
	const far = 1.5 // times the size of the text
	if text.W > c.w {
		return
	}
	text.X = max(min(text.X, c.x+c.w-text.W/2), c.x+text.W/2)
	start := text.Y
	if c.figure == 0 { // otherwise the other bars have values of their own
		text.Y = c.above(text, b)
	}
	if box := text.Box(); box.Y < c.roof-1 || box.Y+box.H > c.floor {
		return
	}
	if math.Abs(text.Y-start) > text.Size*far {
		from, to := c.scale.At(b.value)-2, text.Y+text.Size*scene.Descent
		if c.isDown(b.value) {
			from, to = c.scale.At(b.value)+2, text.Y-text.Size*scene.Ascent
		}
		x := b.x + b.w/2
		c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Leader}, X1: x, Y1: from, X2: x, Y2: to, Pen: scene.Pen{Colour: colour.Quiet, Width: .75}})
	}
	c.Scene.Add(text)
}

// above returns the base line of a bar's value above the ends of all bars that the text
// spans.
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
