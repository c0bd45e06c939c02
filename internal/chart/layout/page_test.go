package layout

import (
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
)

// In a page, the smallest text of a chart is as large as the page's, and a bar is named for readers with its period, the value with its
// digits in groups, and the unit.
func TestBarsInPages(t *testing.T) {
	for _, size := range [][2]int{{720, 420}, {360, 340}, {720, 280}, {360, 280}} {
		s := ofYears(chart.Bar, []float64{5123456.5, 4, 3, 2, 3, 2, 3, 4})
		s.Width, s.Height, s.Plain, s.PageStyle, s.Unit = size[0], size[1], true, true, "Million euro"
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		for _, m := range sc.Marks {
			if text, ok := m.(*scene.Text); ok && text.Size*sc.Scale < 11 {
				t.Errorf("%v: %q has %.1f pixels", size, text.Text, text.Size*sc.Scale)
			}
		}
		if got := sc.ValueText(-5123456.5); got != "−5\u202f123\u202f456.5" {
			t.Errorf("a value is written %q", got)
		}
	}
}
