package line

import (
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
)

func panelsOf(t *testing.T, change func(*chart.Spec)) *scene.Scene {
	t.Helper()
	s := fourLines()
	s.Type = chart.SmallMultiples
	change(s)
	f := frame.New(s)
	LayoutPanels(f)
	return f.Scene
}

// Each series has a panel of the same size with its name, in which the others are grey, and
// equal values have the same height in all panels.
func TestPanels(t *testing.T) {
	sc := panelsOf(t, func(*chart.Spec) {})
	if len(sc.Plots) != 4 {
		t.Fatalf("%d panels, want 4", len(sc.Plots))
	}
	names := map[string]int{}
	series, context := 0, 0
	for _, m := range sc.Marks {
		_, isPath := m.(*scene.Path)
		switch tag := m.Tags(); {
		case tag.Role == scene.SeriesName:
			names[tag.Name]++
		case tag.Role == scene.Series && isPath:
			series++
		case tag.Role == scene.Context && isPath:
			context++
		}
	}
	if len(names) != 4 || series < 4 || context < 12 {
		t.Errorf("%d names, %d lines, %d grey lines", len(names), series, context)
	}
	for _, p := range sc.Plots[1:] {
		if p.Box.W != sc.Plots[0].Box.W || p.Box.H != sc.Plots[0].Box.H {
			t.Errorf("panels of %v and %v", p.Box, sc.Plots[0].Box)
		}
	}
}

// From right to left, the first panel is at the right.
func TestPanelsFromRightToLeft(t *testing.T) {
	sc := panelsOf(t, func(s *chart.Spec) { s.Locale = "ar" })
	if sc.Plots[0].Box.X <= sc.Plots[1].Box.X {
		t.Errorf("the first panel begins at %v, the second at %v", sc.Plots[0].Box.X, sc.Plots[1].Box.X)
	}
}

// Panels that do not fit are named in a note.
func TestPanelsThatDoNotFit(t *testing.T) {
	sc := panelsOf(t, func(s *chart.Spec) {
		s.Width, s.Height = 200, 120
		s.Series = append(s.Series, s.Series...)
	})
	note := ""
	for _, m := range sc.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == scene.Note {
			note += text.Text
		}
	}
	if len(sc.Plots) == 8 || !strings.Contains(note, "Not shown") {
		t.Errorf("%d panels, note %q", len(sc.Plots), note)
	}
}

// Panels are readable at all sizes and in both directions.
func TestPanelsAtOddSizes(t *testing.T) {
	for _, size := range [][2]int{{100, 100}, {200, 120}, {300, 169}, {400, 900}, {1200, 675}, {2400, 1350}, {1600, 200}} {
		for _, locale := range []string{"", "ar"} {
			sc := panelsOf(t, func(s *chart.Spec) { s.Width, s.Height, s.Locale = size[0], size[1], locale })
			for _, problem := range layoutcheck.Check(sc) {
				t.Errorf("%v %s: %s", size, locale, problem)
			}
		}
	}
}
