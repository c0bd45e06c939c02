package line

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// Measures of what a caller adds to the plot, in units.
const (
	maxAddedRows = 3 // of labels of spans and remarks above the plot
	addedGap     = 4.0
	addedPen     = 1.1
)

// addedLabel is the label of a shaded span or of a remark.
type addedLabel struct {
	text   string
	x      float64 // centre of a span, or position of a remark's line
	centre bool
}

// addedLabels returns the labels above the plot, from left to right. A small picture has
// none, nor have small multiples, whose notes say what is added.
func (c *lineChart) addedLabels() []addedLabel {
	if c.Scene.Height <= frame.SmallPicture || c.isSinglePeriod() || c.Spec.Type == chart.SmallMultiples {
		return nil
	}
	var all []addedLabel
	for _, s := range c.added.Spans {
		from, to := c.span(s)
		all = append(all, addedLabel{font.Clean(s.Label), (from + to) / 2, true})
	}
	for _, r := range c.added.Remarks {
		all = append(all, addedLabel{font.Clean(r.Label), c.x(r.At.StartDay()), false})
	}
	all = slices.DeleteFunc(all, func(l addedLabel) bool { return l.text == "" })
	slices.SortStableFunc(all, func(a, b addedLabel) int { return cmp.Compare(a.x, b.x) })
	return all
}

// reserveAdded reserves height above the plot for the labels of spans and remarks.
func (c *lineChart) reserveAdded() {
	c.left, c.right = c.Plot.X+c.Plot.W*.05, c.Plot.X+c.Plot.W*.85 // not known yet
	rows := 0
	for _, t := range c.placeAdded() {
		rows = max(rows, t.row+1)
	}
	c.addedTop = c.top
	c.top += float64(rows) * c.label * frame.Leading
}

// addedText is a placed label.
type addedText struct {
	text  string
	whole string  // text before it was cut
	x, w  float64 // left end and width
	row   int     // from the plot upwards
}

// placeAdded places labels in rows so that none touches another. A label that is wider than the
// plot, or for which no row has space, is cut.
func (c *lineChart) placeAdded() []addedText {
	var placed []addedText
	ends := make([]float64, maxAddedRows)
	for i := range ends {
		ends[i] = math.Inf(-1)
	}
	right := c.Plot.X + c.Plot.W
	for _, l := range c.addedLabels() {
		text := font.Cut(l.text, c.label, scene.Regular, c.Plot.W)
		w := font.Width(text, c.label, scene.Regular)
		x := l.x
		if l.centre {
			x -= w / 2
		}
		x = max(min(x, right-w), c.Plot.X)
		row := slices.IndexFunc(ends, func(end float64) bool { return x >= end })
		if row < 0 {
			row = slices.Index(ends, slices.Min(ends))
			x = ends[row]
			text = font.Cut(text, c.label, scene.Regular, max(right-x, 0))
			w = font.Width(text, c.label, scene.Regular)
		}
		if text == "" {
			continue
		}
		ends[row] = x + w + c.label
		placed = append(placed, addedText{text, l.text, x, w, row})
	}
	return placed
}

// span returns the ends of a shaded span. Values are drawn at the start of their periods,
// so the span begins and ends half a period before the days: the values of its periods
// are well inside it.
func (c *lineChart) span(s chart.TimeSpan) (from, to float64) {
	half := int32(c.daysOfPeriod() / 2)
	from = c.x(s.From.StartDay() - half)
	to = c.x(int32(s.To.End().Unix()/86400) + 1 - half)
	return max(from, c.left), min(to, c.right)
}

// daysOfPeriod returns the length of the chart's periods in days.
func (c *lineChart) daysOfPeriod() float64 {
	f := stat.Annual
	for _, p := range c.Spec.Periods {
		f = max(f, p.Frequency())
	}
	return map[stat.Frequency]float64{stat.Annual: 365, stat.HalfYear: 182, stat.Quarter: 91, stat.Month: 30, stat.Week: 7, stat.Day: 1}[f]
}

// drawSpans shades parts of the time, behind everything else.
func (c *lineChart) drawSpans() {
	if c.isSinglePeriod() {
		return
	}
	for _, s := range c.added.Spans {
		if from, to := c.span(s); to > from {
			c.Scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Span, Name: font.Clean(s.Label)}, X: from, Y: c.top, W: to - from, H: c.bottom - c.top, Fill: scene.Solid(colour.Land)})
		}
	}
}

// drawRemarks draws the lines of remarks, and the labels of remarks and spans.
func (c *lineChart) drawRemarks() {
	if c.isSinglePeriod() {
		return
	}
	texts := c.placeAdded()
	base := func(t addedText) float64 {
		return c.top - addedGap - c.label*(scene.Descent+frame.Leading*float64(t.row))
	}
	for _, r := range c.added.Remarks {
		x, label := c.x(r.At.StartDay()), font.Clean(r.Label)
		top := c.top
		if i := slices.IndexFunc(texts, func(t addedText) bool { return t.whole == label && t.row > 0 && t.x <= x }); i >= 0 {
			top = base(texts[i]) + c.label*scene.Descent
		}
		c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Remark, Name: label}, X1: x, Y1: top, X2: x, Y2: c.bottom, Pen: scene.Pen{Colour: colour.Muted, Width: 1}})
	}
	for _, t := range texts {
		c.Scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.Remark}, X: t.x, Y: base(t), Text: t.text, Size: c.label, Colour: colour.Text, W: t.w, Halo: 2, Rim: colour.White})
	}
}

// drawReferences draws the reference lines.
func (c *lineChart) drawReferences() {
	for _, r := range c.added.References {
		y := c.y(r.Value)
		c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Reference, Name: font.Clean(r.Label)}, X1: c.left, Y1: y, X2: c.right, Y2: y, Pen: scene.Pen{Colour: colour.Text, Width: addedPen}})
	}
}

// nameReferences writes the labels of the reference lines above or below them, where no
// line is.
func (c *lineChart) nameReferences() {
	if c.Scene.Height <= frame.SmallPicture {
		return
	}
	for _, r := range c.added.References {
		label := font.Clean(r.Label)
		if label == "" {
			label = c.numbers.Write(r.Value)
		}
		text := &scene.Text{Tag: scene.Tag{Role: scene.Reference}, Text: font.Cut(label, c.label, scene.Regular, (c.right-c.left)*.6), Size: c.label, Colour: colour.Text, Halo: 2, Rim: colour.White}
		text.W = font.Width(text.Text, c.label, scene.Regular)
		y := c.y(r.Value)
		above, below := c.besideReference(y)
		x := c.left + clearance + 1
		text.X, text.Y = x, above
		const steps = 8
		for i := range 2 * (steps + 1) {
			at := scene.Point{X: x + (c.right-c.left-text.W-2*clearance-2)*float64(i/2)/steps, Y: above}
			if i%2 == 1 {
				at.Y = below
			}
			try := *text
			try.X, try.Y = at.X, at.Y
			box := try.Box()
			if c.isFree(scene.Box{X: box.X, Y: box.Y + clearance, W: box.W, H: box.H - 2*clearance}) {
				text.X, text.Y = at.X, at.Y
				break
			}
		}
		c.Scene.Add(text)
		c.taken = append(c.taken, text.Box())
	}
}

// besideReference returns where the label of a reference line may stand, above it and below
// it. If another reference line is so near that a reader would take the label for that one's,
// both places are on the side that has more space.
func (c *lineChart) besideReference(y float64) (above, below float64) {
	const reach = 1.3 // of a label's height
	up, down := math.Inf(1), math.Inf(1)
	for _, r := range c.added.References {
		switch other := c.y(r.Value); {
		case other < y:
			up = min(up, y-other)
		case other > y:
			down = min(down, other-y)
		}
	}
	above, below = y-c.label*.4, y+c.label*1.15
	switch {
	case min(up, down) > c.label*reach:
		return above, below
	case down > up:
		return below, below
	}
	return above, above
}
