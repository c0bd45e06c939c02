package layout

import (
	"slices"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
)

// Segments of a ranking have headings. In a small picture, dots mark where areas are left
// out. If bars are left out, there are neither.
func TestSegmentsHaveHeadings(t *testing.T) {
	ranking := func(width, height int) *chart.Spec {
		s := ofAreas(chart.HorizontalBar, "A 9", "B 8", "C 5", "D 4", "E 4", "F 2", "G 1")
		s.Width, s.Height = width, height
		for i, segment := range []chart.Segment{1, 1, 2, 2, 3, 3, 3} {
			s.Categories[i].Segment = segment
		}
		return s
	}
	for _, test := range []struct {
		width, height int
		headings      []string
		breaks        int
	}{
		{1200, 675, []string{"Highest", "Most populous", "Lowest"}, 0},
		{300, 169, nil, 2 * 3},
		{300, 110, nil, 0},
	} {
		sc := Layout(ranking(test.width, test.height))
		layoutcheck.Report(t, sc)
		if got := layoutcheck.Texts(sc, scene.LegendText); !slices.Equal(got, test.headings) {
			t.Errorf("%d × %d: headings %q, want %q", test.width, test.height, got, test.headings)
		}
		if got := len(layoutcheck.Marks(sc, scene.Break)); got != test.breaks {
			t.Errorf("%d × %d: %d dots, want %d", test.width, test.height, got, test.breaks)
		}
	}
}
