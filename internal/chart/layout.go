package chart

import "almanac/internal/chart/scene"

// Layout places everything in a Spec. It is a pure function. The Spec must pass Check.
func Layout(s *Spec) *scene.Scene {
	f := newFrame(s)
	switch s.Type {
	case Line:
		layoutLines(f)
	case Bar:
		layoutBars(f)
	case HorizontalBar:
		layoutRows(f)
	case Map:
		layoutMap(f)
	}
	return f.scene
}
