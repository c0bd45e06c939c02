package hbar

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

func (r *rows) draw() {
	bottom := r.tops[len(r.t.Groups)]
	r.placeSlots()
	r.drawGrid(bottom)
	if r.showsValues && len(r.t.Series) == 1 && r.t.Low < 0 && !r.mirrored && !r.namesAbove {
		r.drawRules()
	}
	if r.t.Dots {
		r.drawDots()
		r.drawDotValues()
	} else {
		r.eachBar(r.drawBar)
		r.drawZero(bottom)
		if r.t.Stacked && r.Spec.ShowValues {
			r.eachBar(r.drawInside)
		}
		r.eachBar(r.drawValue)
	}
	for i := range r.t.Groups {
		r.drawName(i)
	}
	r.drawSegments()
}

// drawZero draws the line at zero: one for all rows or, if names are above the bars, one
// for each row.
func (r *rows) drawZero(bottom float64) {
	line := func(from, to float64) {
		r.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Zero}, X1: r.scale.Zero, Y1: from, X2: r.scale.Zero, Y2: to, Pen: scene.Pen{Colour: colour.Base, Width: 1}})
	}
	if !r.namesAbove {
		line(r.tops[0], bottom)
		return
	}
	half := (r.bar + r.between) * float64(len(r.t.Series)) / 2
	for i := range r.t.Groups {
		line(r.middle(i)-half, r.middle(i)+half)
	}
}

// drawGrid draws the grid if its axis has labels: lines without numbers are useless.
func (r *rows) drawGrid(bottom float64) {
	if !r.axis {
		return
	}
	end := math.Inf(-1)
	var lines []*scene.Line
	var labels []*scene.Text
	for i, v := range r.ticks.Values {
		x := r.scale.At(v)
		if v != 0 {
			lines = append(lines, &scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: x, Y1: r.Plot.Y, X2: x, Y2: bottom, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		}
		width := font.Width(r.ticks.Labels[i], axisSize, scene.Regular)
		x = max(min(x, r.Plot.X+r.Plot.W-width/2), r.Plot.X+width/2)
		if x-width/2 < end+3 || x+width/2 > r.Plot.X+r.Plot.W+.01 {
			continue
		}
		end = x + width/2
		labels = append(labels, &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: x, Y: r.Plot.Y - axisSize*.45, Text: r.ticks.Labels[i], Size: axisSize, Anchor: scene.Middle, Colour: colour.Muted, W: width})
	}
	if len(labels) < 2 {
		return // a single zero is not a scale
	}
	for _, line := range lines {
		r.Scene.Add(line)
	}
	for _, text := range labels {
		r.Scene.Add(text)
	}
}

// placeSlots places the rows, with their names.
func (r *rows) placeSlots() {
	for i := range r.t.Groups {
		slot := r.t.Slot(i)
		slot.Box = scene.Box{X: r.Plot.X, Y: r.tops[i], W: r.Plot.W, H: r.row}
		if r.tall[i] {
			slot.H *= tallRow
		}
		r.Scene.Slots = append(r.Scene.Slots, slot)
	}
}

// barMark is one bar and its position.
type barMark struct {
	group, series int
	value, start  float64
	y             float64 // upper edge
	look          bartable.Look
}

// eachBar calls draw for every bar, including those without a value.
func (r *rows) eachBar(draw func(b barMark)) {
	n := r.t.Across()
	for i, g := range r.t.Groups {
		y := r.middle(i) - (r.bar*float64(n)+r.between*float64(n-1))/2
		for k, v := range g.Values {
			b := barMark{group: i, series: k, value: v, start: g.Starts[k], y: y, look: r.t.LookOf(i, k)}
			if !r.t.Stacked {
				b.y += (r.bar + r.between) * float64(k)
			}
			if r.isLatest(i) && n == 1 {
				b.look = b.look.InRed()
			}
			draw(b)
		}
	}
}

func (r *rows) tag(b barMark) scene.Tag {
	return scene.Tag{Role: scene.Series, Name: b.look.Name, Datum: r.t.Datum(b.group, b.series)}
}

// drawRules connects a name with a bar that begins far from it, if bars go both ways.
func (r *rows) drawRules() {
	for i, g := range r.t.Groups {
		v := g.Values[0]
		from, to := r.nameX+nameGap, min(r.end(v), r.scale.Zero)-nameGap
		if r.isLeftward(v) {
			to -= font.Width(r.valueText(v), r.figure, r.valueWeight(i)) + valueGap
		}
		if to-from > minRuleLength {
			y := r.middle(i)
			r.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: from, Y1: y, X2: to, Y2: y, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		}
	}
}

func (r *rows) drawBar(b barMark) {
	if math.IsNaN(b.value) {
		return
	}
	zero, at := r.scale.At(b.start), r.scale.At(b.start+b.value)
	if b.start == 0 {
		zero = r.scale.Zero // on a whole pixel
	}
	left, length := min(at, zero), math.Abs(at-zero)
	if !r.t.Stacked && bartable.IsSliver(r.Frame, length, 1) {
		left, length = bartable.Sliver(r.Frame, zero, 1, !r.isLeftward(b.value))
	}
	r.Scene.Add(&scene.Rect{Tag: r.tag(b), X: left, Y: b.y, W: length, H: r.bar, Fill: b.look.Fill, Pen: b.look.Edge})
}

// end returns where the bar of a value ends if not at zero, or zero if there is no
// value.
func (r *rows) end(v float64) float64 {
	if math.IsNaN(v) {
		return r.scale.Zero
	}
	at := r.scale.At(v)
	if !bartable.IsSliver(r.Frame, math.Abs(at-r.scale.Zero), 1) {
		return at
	}
	from, length := bartable.Sliver(r.Frame, r.scale.Zero, 1, !r.isLeftward(v))
	if r.isLeftward(v) {
		return from
	}
	return from + length
}

// drawValue writes a value at the end of its bar, or "no data" if a row has none.
func (r *rows) drawValue(b barMark) {
	missing, size := math.IsNaN(b.value), r.figure
	if missing && r.t.Stacked {
		size = max(frame.SmallSize, r.Smallest())
	}
	if size == 0 || missing && (b.series > 0 || r.t.Groups[b.group].Has()) {
		return
	}
	text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: b.look.Name, Datum: r.t.Datum(b.group, b.series)}, Text: r.valueText(b.value), Size: size, Weight: r.valueWeight(b.group), Colour: colour.Dark}
	text.W = font.Width(text.Text, text.Size, text.Weight)
	text.X, text.Y = r.end(b.value)+valueGap, b.y+r.bar/2+size*bartable.Middle
	if missing {
		text.Colour = colour.Muted
		text.Y = r.middle(b.group) + size*bartable.Middle
	}
	if r.isLeftward(b.value) {
		text.Anchor = scene.End
		text.X = r.end(b.value) - valueGap
	}
	if r.isLatest(b.group) {
		text.Colour, text.Role = colour.Alert, scene.Highlight
	}
	r.Scene.Add(text)
}

// drawInside writes a value into its part of a stack, if it fits.
func (r *rows) drawInside(b barMark) {
	size := max(frame.SmallSize, r.Smallest())
	from, to := r.scale.At(b.start), r.scale.At(b.start+b.value)
	text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: b.look.Name, Datum: r.t.Datum(b.group, b.series)}, X: (from + to) / 2, Y: b.y + r.bar/2 + size*bartable.Middle, Text: r.valueText(b.value), Size: size, Anchor: scene.Middle, Colour: colour.On(b.look.Fill.Colour)}
	if text.W = font.Width(text.Text, size, text.Weight); math.IsNaN(b.value) || text.W+2*valueGap > math.Abs(to-from) || r.bar < size {
		return
	}
	r.Scene.Add(text)
}

// drawName writes the name of a row to its left, or to the right of zero if all bars
// are on the other side.
func (r *rows) drawName(row int) {
	g := &r.t.Groups[row]
	lines := r.names[row]
	pitch := r.size * 1.15
	y := r.middle(row) + r.size*bartable.Middle - pitch*float64(len(lines)-1)/2
	if r.namesAbove {
		y = r.tops[row] + r.size
	}
	for i, line := range lines {
		text := &scene.Text{Tag: scene.Tag{Role: scene.Category, Name: g.Name, Slot: r.t.Slot(row)}, X: r.nameX, Y: y + pitch*float64(i), Text: line, Size: r.size, Weight: g.Weight(), Anchor: scene.End, Colour: colour.Text}
		switch {
		case r.isLatest(row):
			text.Colour = colour.Alert // the bars of several series keep their colours
		case g.Apart:
			text.Colour = colour.Dark
		}
		if r.mirrored != r.namesAbove {
			text.Anchor = scene.Start
		}
		text.W = font.Width(line, r.size, text.Weight)
		r.Scene.Add(text)
	}
}
