package chart

import (
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"slices"
)

// barLook is how a bar is drawn, and its name.
type barLook struct {
	name string
	fill scene.Fill
	edge scene.Pen
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

// drawLegend draws the legend of several series. If groups are ranked by the first series,
// a remark after the legend says so, or a note if the remark does not fit.
func (t *barTable) drawLegend(f *frame, ranked bool) {
	remark := ""
	if name := font.Clean(t.series[0].name); ranked && len(t.series) > 1 && len(t.groups) > 1 && name != "" {
		remark = "Ranked by “" + name + "”"
	}
	if !f.legendWith(t.legendItems(), remark) && remark != "" && f.plot.H > minHeightForExtraNotes {
		f.addNote(remark + ".")
	}
}
