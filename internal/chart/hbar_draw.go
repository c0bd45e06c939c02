package chart

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

func (r *rows) draw() {
	bottom := r.tops[len(r.t.groups)]
	r.drawGrid(bottom)
	if r.showsValues && len(r.t.series) == 1 && r.t.low < 0 && !r.mirrored && !r.namesAbove {
		r.drawRules()
	}
	r.eachBar(r.drawBar)
	r.drawZero(bottom)
	r.eachBar(r.drawValue)
	for i := range r.t.groups {
		r.drawName(i)
	}
	if r.t.broken > 0 {
		r.drawBreak()
	}
}

// drawZero draws the line at zero: one for all rows or, if names are above the bars, one
// for each row.
func (r *rows) drawZero(bottom float64) {
	line := func(from, to float64) {
		r.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Zero}, X1: r.scale.zero, Y1: from, X2: r.scale.zero, Y2: to, Pen: scene.Pen{Colour: colour.Base, Width: 1}})
	}
	if !r.namesAbove {
		line(r.tops[0], bottom)
		return
	}
	half := (r.bar + r.between) * float64(len(r.t.series)) / 2
	for i := range r.t.groups {
		line(r.middle(i)-half, r.middle(i)+half)
	}
}

// drawBreak marks omitted rows by three dots among the names.
func (r *rows) drawBreak() {
	const pitch = 3.6
	x := r.nameX - r.size*.3
	switch {
	case r.namesAbove:
		x = r.plot.X + r.size*.3
	case r.mirrored:
		x = r.nameX + r.size*.3
	}
	i := r.t.broken
	y := r.tops[i] - r.gapAbove(i, min(maxGap, gapRows*r.row))/2
	for _, away := range []float64{-pitch, 0, pitch} {
		r.scene.Add(&scene.Circle{Tag: scene.Tag{Role: scene.Break}, X: x, Y: y + away, R: 1.1, Fill: scene.Solid(colour.Muted)})
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
		x := r.scale.at(v)
		if v != 0 {
			lines = append(lines, &scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: x, Y1: r.plot.Y, X2: x, Y2: bottom, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		}
		width := font.Width(r.ticks.Labels[i], axisSize, scene.Regular)
		x = max(min(x, r.plot.X+r.plot.W-width/2), r.plot.X+width/2)
		if x-width/2 < end+3 || x+width/2 > r.plot.X+r.plot.W+.01 {
			continue
		}
		end = x + width/2
		labels = append(labels, &scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: x, Y: r.plot.Y - axisSize*.45, Text: r.ticks.Labels[i], Size: axisSize, Anchor: scene.Middle, Colour: colour.Muted, W: width})
	}
	if len(labels) < 2 {
		return // a single zero is not a scale
	}
	for _, line := range lines {
		r.scene.Add(line)
	}
	for _, text := range labels {
		r.scene.Add(text)
	}
}

// barMark is one bar and its position.
type barMark struct {
	group, series int
	value         float64
	y             float64 // upper edge
	look          barLook
}

// eachBar calls draw for every bar, including those without a value.
func (r *rows) eachBar(draw func(b barMark)) {
	n := len(r.t.series)
	for i, g := range r.t.groups {
		y := r.middle(i) - (r.bar*float64(n)+r.between*float64(n-1))/2
		for k, v := range g.values {
			b := barMark{group: i, series: k, value: v, y: y + (r.bar+r.between)*float64(k), look: r.t.lookOf(i, k)}
			if r.isLatest(i) && n == 1 {
				b.look = b.look.inRed()
			}
			draw(b)
		}
	}
}

func (r *rows) tag(b barMark) scene.Tag { return scene.Tag{Role: scene.Series, Name: b.look.name} }

// drawRules connects a name with a bar that begins far from it, if bars go both ways.
func (r *rows) drawRules() {
	for i, g := range r.t.groups {
		v := g.values[0]
		from, to := r.nameX+nameGap, min(r.end(v), r.scale.zero)-nameGap
		if r.isLeftward(v) {
			to -= font.Width(r.valueText(v), r.figure, r.valueWeight(i)) + valueGap
		}
		if to-from > minRuleLength {
			y := r.middle(i)
			r.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: from, Y1: y, X2: to, Y2: y, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		}
	}
}

func (r *rows) drawBar(b barMark) {
	if math.IsNaN(b.value) {
		return
	}
	zero, at := r.scale.zero, r.scale.at(b.value)
	left, length := min(at, zero), math.Abs(at-zero)
	if isSliver(r.frame, length, 1) {
		left, length = sliver(r.frame, zero, 1, !r.isLeftward(b.value))
	}
	r.scene.Add(&scene.Rect{Tag: r.tag(b), X: left, Y: b.y, W: length, H: r.bar, Fill: b.look.fill, Pen: b.look.edge})
}

// end returns where the bar of a value ends if not at zero, or zero if there is no
// value.
func (r *rows) end(v float64) float64 {
	if math.IsNaN(v) {
		return r.scale.zero
	}
	at := r.scale.at(v)
	if !isSliver(r.frame, math.Abs(at-r.scale.zero), 1) {
		return at
	}
	from, length := sliver(r.frame, r.scale.zero, 1, !r.isLeftward(v))
	if r.isLeftward(v) {
		return from
	}
	return from + length
}

// drawValue writes a value at the end of its bar, or "no data" if a row has none.
func (r *rows) drawValue(b barMark) {
	missing := math.IsNaN(b.value)
	if r.figure == 0 || missing && (b.series > 0 || r.t.groups[b.group].has()) {
		return
	}
	text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: b.look.name}, Text: r.valueText(b.value), Size: r.figure, Weight: r.valueWeight(b.group), Colour: colour.Dark}
	text.W = font.Width(text.Text, text.Size, text.Weight)
	text.X, text.Y = r.end(b.value)+valueGap, b.y+r.bar/2+r.figure*middle
	if missing {
		text.Colour = colour.Muted
		text.Y = r.middle(b.group) + r.figure*middle
	}
	if r.isLeftward(b.value) {
		text.Anchor = scene.End
		text.X = r.end(b.value) - valueGap
	}
	if r.isLatest(b.group) {
		text.Colour, text.Role = colour.Alert, scene.Highlight
	}
	r.scene.Add(text)
}

// drawName writes the name of a row to its left, or to the right of zero if all bars
// are on the other side.
func (r *rows) drawName(row int) {
	g := &r.t.groups[row]
	lines := r.names[row]
	pitch := r.size * 1.15
	y := r.middle(row) + r.size*middle - pitch*float64(len(lines)-1)/2
	if r.namesAbove {
		y = r.tops[row] + r.size
	}
	for i, line := range lines {
		text := &scene.Text{Tag: scene.Tag{Role: scene.Category, Name: g.name}, X: r.nameX, Y: y + pitch*float64(i), Text: line, Size: r.size, Weight: g.weight(), Anchor: scene.End, Colour: colour.Text}
		switch {
		case r.isLatest(row):
			text.Colour = colour.Alert // the bars of several series keep their colours
		case g.apart:
			text.Colour = colour.Dark
		}
		if r.mirrored != r.namesAbove {
			text.Anchor = scene.Start
		}
		text.W = font.Width(line, r.size, text.Weight)
		r.scene.Add(text)
	}
}
