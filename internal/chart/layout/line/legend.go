package line

import (
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// chooseLegend draws a legend if the plot is high enough.
func (c *lineChart) chooseLegend(leads []*track) {
	c.hasLegend = c.Spec.ShowLegend && c.Plot.H > minTimeAxisPlot+c.label*frame.LegendRow+frame.LegendBelow
	if c.hasLegend && !c.nameWithSpan() {
		c.Legend(c.legendItems(leads))
	}
	c.divideHeight()
}

// nameWithSpan writes the name of a single line, with its time span, above a plot too
// low for a time axis. It returns false if a legend is enough or the text does not fit.
// A single line needs no swatch.
func (c *lineChart) nameWithSpan() bool {
	size := c.Smallest()
	row := frame.LabelSize*frame.LegendRow + min(frame.LegendBelow, c.Plot.H*.07)
	if len(c.tracks) > 1 || c.Plot.H-row-c.label*.75-c.timeHeight() >= minTimeAxisPlot {
		return false
	}
	name, span := c.nameOf(c.tracks[0]), c.Spec.Span()
	lines := []string{name + " " + span}
	if font.Width(lines[0], size, scene.Regular) > c.Plot.W {
		lines = []string{name, span}
	}
	whole := !slices.ContainsFunc(lines, func(line string) bool { return font.Width(line, size, scene.Regular) > c.Plot.W })
	high := float64(len(lines)) * size * frame.Leading
	if name == "" || !whole || c.Plot.H-high < minTimeAxisPlot || mentions(font.Clean(c.Spec.Title+" · "+c.Spec.Subtitle), span) {
		return false
	}
	for _, line := range lines {
		c.Take(size * frame.Leading)
		c.Scene.Add(&scene.Text{
			Tag: scene.Tag{Role: scene.SeriesName, Name: c.tracks[0].name, Values: c.tracks[0].values}, X: c.Plot.X, Y: c.Plot.Y - size*(frame.Leading-scene.Ascent),
			Text: line, Size: size, Colour: colour.Readable(c.tracks[0].colour), W: font.Width(line, size, scene.Regular),
		})
	}
	return true
}

// legendItems returns the entries of a legend, and sets different dashes for the lines.
func (c *lineChart) legendItems(tracks []*track) []frame.LegendItem {
	var items []frame.LegendItem
	for i, t := range tracks {
		t.dash = dashes[i%len(dashes)]
		stroke := scene.Pen{Colour: t.colour, Width: t.width, Dash: t.dash}
		if c.nameOf(t) != "" {
			items = append(items, frame.LegendItem{Name: t.name, Label: t.name, Stroke: stroke, Edge: edgeOf(stroke)})
		}
	}
	return items
}

// legendInHeader draws a legend to the right of title and subtitle, for pictures that are
// too low for one above the lines and for names at their ends. The latest values follow
// the names. It returns false if the legend does not fit.
func (c *lineChart) legendInHeader(tracks []*track) bool {
	if c.RightToLeft {
		return false
	}
	var own [][]float64
	for _, t := range tracks {
		own = append(own, t.dash)
	}
	items := c.legendItems(tracks)
	for i := range items {
		for _, t := range tracks {
			if value := c.latestValue(t); t.name == items[i].Name && value != "" {
				items[i].Label = t.name + " " + value
			}
		}
	}
	room := scene.Box{X: c.Plot.X, Y: min(frame.MarginTop, c.Scene.Height/14)}
	for _, m := range c.Scene.Marks {
		if text, ok := m.(*scene.Text); ok && (text.Role == scene.Title || text.Role == scene.Subtitle) {
			room.X = max(room.X, text.X+text.W+2*frame.LegendGap)
		}
	}
	room.W, room.H = c.Plot.X+c.Plot.W-room.X, c.Plot.Y-room.Y
	all := c.LegendEntries(items, c.label, c.Plot.W)
	wide := slices.ContainsFunc(all, func(e frame.LegendEntry) bool { return e.W > room.W })
	if wide || len(frame.Flow(all, room.W, int(room.H/(c.label*frame.LegendRow)))) < len(all) {
		for i, t := range tracks {
			t.dash = own[i]
		}
		return false
	}
	plot := c.Plot
	c.Plot = room
	c.DrawLegend(all, items, c.label)
	c.Plot = plot
	return true
}
