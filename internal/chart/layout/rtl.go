package layout

import (
	"slices"

	"golang.org/x/text/unicode/bidi"

	"almanac/internal/chart"
	"almanac/internal/chart/scene"
)

// Texts around the plot, and those above it.
var (
	surrounding = []string{scene.Title, scene.Subtitle, scene.Note, scene.Source, scene.Legend, scene.LegendText}
	heading     = []string{scene.Title, scene.Subtitle}
)

// mirror turns a picture for readers from right to left. Bars of categories are mirrored
// as a whole: names are on the right, and bars grow to the left. Time still runs to the
// right, as in most charts in Arabic and Hebrew, and a map keeps its sides: only the texts
// around them are mirrored. If just the title is written from right to left, only title
// and subtitle are.
func mirror(s *chart.Spec, sc *scene.Scene) {
	switch {
	case s.Words().RightToLeft && s.Periods == nil && s.Type != chart.Map:
		mirrorMarks(sc, nil)
	case s.Words().RightToLeft && s.Type == chart.Map:
		mirrorMarks(sc, surrounding[:4]) // the legend runs from low to high
	case s.Words().RightToLeft:
		mirrorMarks(sc, surrounding)
	case isRightToLeft(sc.Title):
		mirrorMarks(sc, heading)
	}
}

// isRightToLeft reports whether the first letter of a text belongs to a script that is
// written from right to left.
func isRightToLeft(text string) bool {
	for _, r := range text {
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.R, bidi.AL:
			return true
		case bidi.L:
			return false
		}
	}
	return false
}

// mirrorMarks mirrors the marks with certain roles, or all if roles is nil.
func mirrorMarks(sc *scene.Scene, roles []string) {
	for _, m := range sc.Marks {
		if roles != nil && !slices.Contains(roles, m.Tags().Role) {
			continue
		}
		switch m := m.(type) {
		case *scene.Rect:
			m.X = sc.Width - m.X - m.W
		case *scene.Line:
			m.X1, m.X2 = sc.Width-m.X2, sc.Width-m.X1
			m.Y1, m.Y2 = m.Y2, m.Y1
		case *scene.Circle:
			m.X = sc.Width - m.X
		case *scene.Path:
			m.Outline = m.Outline.Mirror(sc.Width)
		case *scene.Text:
			m.X, m.Anchor = sc.Width-m.X, scene.End-m.Anchor
		}
	}
}
