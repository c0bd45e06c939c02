package bartable

import (
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// Look is how a bar is drawn, and its name.
type Look struct {
	Name string
	Fill scene.Fill
	Edge scene.Pen
}

// InRed returns the look in the colour of the latest value.
func (l Look) InRed() Look {
	l.Fill.Colour, l.Edge = colour.Alert, scene.Pen{}
	return l
}

// looksOf chooses the colours of series. A second round of colours is hatched, so that
// no two series look alike. If some series are in focus, the others are grey.
func looksOf(series []chart.Series) []Look {
	palette := colour.Categorical()
	focus := slices.ContainsFunc(series, func(s chart.Series) bool { return s.Focus })
	looks := make([]Look, len(series))
	next := 0
	for i := range series {
		s := &series[i]
		look := Look{Name: s.Label, Fill: scene.Solid(colour.Quiet)}
		if s.Focus || !focus {
			look.Fill = nthFill(palette, next)
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
func (l *Look) setColour(text string) {
	c, ok := colour.Parse(text)
	if !ok {
		return
	}
	l.Fill, l.Edge = scene.Solid(c), scene.Pen{}
	if colour.Contrast(c, colour.White) < colour.MarkContrast {
		l.Edge = scene.Pen{Colour: colour.Visible(c), Width: 1}
	}
}

// LookOf returns how the bar of a series in a group is drawn.
func (t *Table) LookOf(group, series int) Look {
	look := t.Groups[group].look
	if len(t.Series) > 1 {
		look = t.Series[series]
	}
	if t.Groups[group].Forecast[series] {
		look.Fill.Hatch = &scene.Hatch{Colour: colour.White, Width: 1.2, Spacing: 4.5}
	}
	return look
}

// legendItems returns the entries of the legend, or none if a single series needs no
// legend.
func (t *Table) legendItems() []frame.LegendItem {
	if len(t.Series) < 2 {
		return nil
	}
	items := make([]frame.LegendItem, len(t.Series))
	for i, look := range t.Series {
		items[i] = frame.LegendItem{Name: look.Name, Label: look.Name, Fill: look.Fill, Edge: look.Edge}
	}
	return items
}

// DrawLegend draws the legend of several series. If groups are ranked by the first series, and
// are not put back in the order of the Spec, a remark after the legend says so, or a note if the
// remark does not fit.
func (t *Table) DrawLegend(f *frame.Frame, ranked bool) {
	remark := ""
	if name := font.Clean(t.Series[0].Name); ranked && !t.Ordered && !t.Stacked && len(t.Series) > 1 && len(t.Groups) > 1 && name != "" {
		remark = f.Spec.Words().Text("Ranked by “%s”", name)
	}
	if !f.LegendWith(t.legendItems(), remark) && remark != "" && f.Plot.H > frame.MinHeightForExtraNotes {
		f.AddNote(remark + ".")
	}
}
