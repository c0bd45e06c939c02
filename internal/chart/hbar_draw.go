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
	r.eachBar(r.drawBar)
	zero := r.scale.zero
	r.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Zero}, X1: zero, Y1: r.plot.Y, X2: zero, Y2: bottom, Pen: scene.Pen{Colour: colour.Base, Width: 1}})
	r.eachBar(r.drawThin)
	r.eachBar(r.drawValue)
	for i := range r.t.groups {
		r.drawName(i)
	}
}

// drawGrid draws the axis, where there is one.
func (r *rows) drawGrid(bottom float64) {
	end := math.Inf(-1)
	for i, v := range r.ticks.Values {
		x := r.scale.at(v)
		if v != 0 {
			r.scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: x, Y1: r.plot.Y, X2: x, Y2: bottom, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		}
		if !r.axis {
			continue
		}
		width := font.Width(r.ticks.Labels[i], axisSize, scene.Regular)
		x = max(min(x, r.plot.X+r.plot.W-width/2), r.plot.X+width/2)
		if x-width/2 < end+3 || x+width/2 > r.plot.X+r.plot.W+.01 {
			continue
		}
		end = x + width/2
		r.scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.TickLabel}, X: x, Y: r.plot.Y - axisSize*.45, Text: r.ticks.Labels[i], Size: axisSize, Anchor: scene.Middle, Colour: colour.Muted, W: width})
	}
}

// barMark is one bar in its place.
type barMark struct {
	group, series int
	value         float64
	y             float64 // upper edge
	look          barLook
}

// eachBar calls draw for every bar, those without a value too.
func (r *rows) eachBar(draw func(b barMark)) {
	n := len(r.t.series)
	for i, g := range r.t.groups {
		y := r.middle(i) - r.bar*float64(n)/2
		for k, v := range g.values {
			b := barMark{group: i, series: k, value: v, y: y + r.bar*float64(k), look: r.t.lookOf(i, k)}
			if r.isLatest(i) && n == 1 {
				b.look = b.look.inRed()
			}
			draw(b)
		}
	}
}

func (r *rows) tag(b barMark) scene.Tag { return scene.Tag{Role: scene.Series, Name: b.look.name} }

// thick is how thick a bar is drawn: those of one group a hair apart.
func (r *rows) thick() float64 {
	if len(r.t.series) > 1 && r.bar > 5 {
		return r.bar - 1
	}
	return r.bar
}

// isThin reports whether a value is drawn as a stroke at zero.
func (s barScale) isThin(v float64) bool { return math.Abs(s.at(v)-s.zero) < thinnest }

func (r *rows) drawBar(b barMark) {
	if math.IsNaN(b.value) || r.scale.isThin(b.value) {
		return
	}
	x := r.scale.at(b.value)
	r.scene.Add(&scene.Rect{Tag: r.tag(b), X: min(x, r.scale.zero), Y: b.y, W: math.Abs(x - r.scale.zero), H: r.thick(), Fill: b.look.fill, Pen: b.look.edge})
}

func (r *rows) drawThin(b barMark) {
	if math.IsNaN(b.value) || !r.scale.isThin(b.value) {
		return
	}
	x := r.scale.zero
	r.scene.Add(&scene.Line{Tag: r.tag(b), X1: x, Y1: b.y, X2: x, Y2: b.y + r.thick(), Pen: scene.Pen{Colour: b.look.fill.Colour, Width: 2}})
}

// drawValue writes a value at its bar's end, and "no data" where a row has none.
func (r *rows) drawValue(b barMark) {
	missing := math.IsNaN(b.value)
	if r.figure == 0 || missing && (b.series > 0 || r.t.groups[b.group].has()) {
		return
	}
	text := &scene.Text{Tag: scene.Tag{Role: scene.Value, Name: b.look.name}, Text: r.valueText(b.value), Size: r.figure, Weight: r.valueWeight(b.group), Colour: colour.Ink}
	text.W = font.Width(text.Text, text.Size, text.Weight)
	text.X, text.Y = r.scale.zero+valueGap, b.y+r.thick()/2+r.figure*middle
	if missing {
		text.Colour = colour.Muted
		text.Y = r.middle(b.group) + r.figure*middle
	} else if b.value >= 0 {
		text.X = r.scale.at(b.value) + valueGap
	}
	if r.leftward(b.value) {
		text.Anchor = scene.End
		text.X = r.scale.zero - valueGap
		if !missing {
			text.X = r.scale.at(b.value) - valueGap
		}
	}
	if r.isLatest(b.group) {
		text.Colour, text.Role = colour.Alert, scene.Highlight
	}
	r.scene.Add(text)
}

// drawName writes the name of a row to its left.
func (r *rows) drawName(row int) {
	g := &r.t.groups[row]
	lines := r.names[row]
	pitch := r.size * 1.15
	y := r.middle(row) + r.size*middle - pitch*float64(len(lines)-1)/2
	for i, line := range lines {
		text := &scene.Text{Tag: scene.Tag{Role: scene.Category, Name: g.name}, X: r.nameX, Y: y + pitch*float64(i), Text: line, Size: r.size, Weight: weightOf(g), Anchor: scene.End, Colour: colour.Text}
		if g.apart {
			text.Colour = colour.Ink
		}
		text.W = font.Width(line, r.size, text.Weight)
		r.scene.Add(text)
	}
}
