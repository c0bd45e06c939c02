// Package layout decides where everything in a chart stands: it turns a chart.Spec into
// a scene.Scene. Package frame places what all charts have (title, notes, source, legend)
// and leaves the plot to the package of the type: line, bar, hbar or maps.
package layout

import (
	"almanac/internal/chart"
	"almanac/internal/chart/layout/bar"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layout/hbar"
	"almanac/internal/chart/layout/line"
	"almanac/internal/chart/layout/maps"
	"almanac/internal/chart/scene"
)

// Layout places everything in a Spec. It is a pure function. The Spec must pass Check.
func Layout(s *chart.Spec) *scene.Scene {
	f := frame.New(s)
	switch s.Type {
	case chart.Line:
		line.Layout(f)
	case chart.Bar:
		bar.Layout(f)
	case chart.HorizontalBar:
		hbar.Layout(f)
	case chart.Map:
		maps.Layout(f)
	}
	mirror(s, f.Scene)
	return f.Scene
}
