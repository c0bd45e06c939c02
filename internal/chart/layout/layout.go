// Package layout decides where everything in a chart stands: it turns a chart.Spec into
// a scene.Scene. Package frame places what all charts have (title, notes, source, legend)
// and leaves the plot to the package of the type: line, bar, hbar or maps.
package layout

import (
	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/bar"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layout/hbar"
	"almanac/internal/chart/layout/line"
	"almanac/internal/chart/layout/maps"
	"almanac/internal/chart/layout/spark"
	"almanac/internal/chart/scene"
	"almanac/internal/chart/theme"
)

// Layout places everything in a Spec. It is a pure function. The Spec must pass Check.
func Layout(s *chart.Spec) *scene.Scene {
	sc := place(s)
	sc.FlagNames = s.FlagNames()
	mirror(s, sc)
	if look, err := theme.Parse(s.Theme, s.Background); err == nil { // New has checked them
		look.Apply(sc)
	}
	tintBands(sc)
	sc.EmbedFonts = s.EmbedFonts
	return sc
}

// Shares of a line's colour in its band and in the edges of that.
const bandShare, bandEdgeShare = .18, .5

// tintBands makes bands lighter or darker than their lines, so that lines and gridlines can
// be seen on them.
func tintBands(sc *scene.Scene) {
	for _, m := range sc.Marks {
		if m.Tags().Role != scene.Band {
			continue
		}
		switch m := m.(type) {
		case *scene.Path:
			m.Fill.Colour = colour.Mix(sc.Ground, m.Fill.Colour, bandShare)
			m.Pen.Colour = colour.Mix(sc.Ground, m.Pen.Colour, bandEdgeShare)
		case *scene.Line:
			m.Pen.Colour = colour.Mix(sc.Ground, m.Pen.Colour, bandEdgeShare)
		}
	}
}

// place returns the scene in the colours of light pages.
func place(s *chart.Spec) *scene.Scene {
	switch s.Type {
	case chart.Line, chart.Area:
		return lines(s)
	case chart.Spark:
		return spark.Layout(s)
	}
	f := frame.New(s)
	switch s.Type {
	case chart.Bar:
		bar.Layout(f)
	case chart.HorizontalBar, chart.Dumbbell:
		hbar.Layout(f)
	case chart.Map:
		maps.Layout(f)
	case chart.SmallMultiples:
		line.LayoutPanels(f)
	}
	return f.Scene
}

// lines places a line chart. Its notes explain the strokes at breaks, if there turn out to
// be any: a break has none before which its line has no value.
func lines(s *chart.Spec) *scene.Scene {
	if breaks := line.Breaks(s); breaks > 0 {
		if explained, ok := line.ExplainBreaks(s, true); ok {
			drawn, strokes := drawLines(explained)
			if 0 < strokes && strokes < breaks {
				explained, _ = line.ExplainBreaks(s, false)
				drawn, strokes = drawLines(explained)
			}
			if strokes > 0 {
				return drawn
			}
		}
	}
	drawn, _ := drawLines(s)
	return drawn
}

// drawLines places a line chart, and counts its strokes at breaks.
func drawLines(s *chart.Spec) (drawn *scene.Scene, strokes int) {
	f := frame.New(s)
	line.Layout(f)
	for _, m := range f.Scene.Marks {
		if m.Tags().Role == scene.Break {
			strokes++
		}
	}
	return f.Scene, strokes
}
