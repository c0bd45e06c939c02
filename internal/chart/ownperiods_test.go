package chart_test

import (
	"fmt"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/scene"
)

// Areas of a map are hatched if their value is of an earlier period than most others'. Of two
// periods with as many values, the later one is the usual one.
func TestOlderAreas(t *testing.T) {
	for _, test := range []struct {
		periods string // of DE FR IT ES
		want    string
	}{
		{"[2020 2020 2020 2018]", "[false false false true]"},
		{"[2020 2020 2021 2018]", "[false false false true]"},
		{"[2020 2021 2021 2020]", "[true false false true]"},
		{"[Q2/2020 Q2/2020 Q3/2020 Q1/2020]", "[false false false true]"},
		{"[   ]", "[false false false false]"},
	} {
		s := &chart.Spec{Type: chart.Map, Width: 600, Height: 400, Series: []chart.Series{{Values: chart.Values{1, 2, 3, 4}}}}
		var periods [4]string
		if _, err := fmt.Sscanf(test.periods, "[%s %s %s %s", &periods[0], &periods[1], &periods[2], &periods[3]); err == nil {
			periods[3] = periods[3][:len(periods[3])-1]
		}
		want := 0
		for i, area := range []string{"DE", "FR", "IT", "ES"} {
			s.Categories = append(s.Categories, chart.Category{Label: area, Area: area, Period: periods[i]})
		}
		isOlder, n := s.OlderAreas()
		if got := fmt.Sprint(isOlder); got != test.want {
			t.Errorf("%s: older are %s, want %s", test.periods, got, test.want)
		}
		for _, m := range layout.Layout(s).Marks {
			if p, ok := m.(*scene.Path); ok && p.Role == scene.Area && p.Fill.Hatch != nil {
				want++
			}
		}
		if n != want {
			t.Errorf("%s: %d older areas, but %d are hatched", test.periods, n, want)
		}
	}
}
