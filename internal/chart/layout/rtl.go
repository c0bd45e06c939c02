package layout

import (
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/scene"
)

// placed are the roles that package frame places at the right.
var placed = []string{scene.Title, scene.Subtitle, scene.Note, scene.Source}

// mirror turns bars of categories for readers from right to left: names are on the right,
// and bars grow to the left. Time still runs to the right, as in most charts in Arabic and
// Hebrew, and a map keeps its sides.
func mirror(s *chart.Spec, sc *scene.Scene) {
	if !s.Words().RightToLeft || s.Periods != nil || s.Type == chart.Map {
		return
	}
	for _, m := range sc.Marks {
		if !slices.Contains(placed, m.Tags().Role) {
			mirrorMark(m, sc.Width)
		}
	}
	for _, slot := range sc.Slots {
		slot.X = sc.Width - slot.X - slot.W
	}
}

// mirrorMark exchanges left and right in a picture of that width.
func mirrorMark(m scene.Mark, width float64) {
	switch m := m.(type) {
	case *scene.Rect:
		m.X = width - m.X - m.W
	case *scene.Line:
		m.X1, m.X2 = width-m.X2, width-m.X1
		m.Y1, m.Y2 = m.Y2, m.Y1
	case *scene.Circle:
		m.X = width - m.X
	case *scene.Path:
		m.Outline = m.Outline.Mirror(width)
	case *scene.Text:
		m.X, m.Anchor = width-m.X, scene.End-m.Anchor
	}
}
