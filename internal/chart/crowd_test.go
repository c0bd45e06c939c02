package chart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
)

// populationsOf returns the picture of a table of areas over two years that are called "Area 0" and so on.
func populationsOf(t *testing.T, query string, values []float64) *chart.Spec {
	t.Helper()
	table := "#almanac-tidy,1\n#source,t,Office\n#dataset,t,Population of districts\n#geography,geo,Area\n"
	rows := "geo,TIME_PERIOD,OBS_VALUE\n"
	for i, v := range values {
		table += fmt.Sprintf("#code,%d,Area %d\n", i, i)
		rows += fmt.Sprintf("%d,2000,%g\n%d,2010,%g\n", i, v/2, i, v)
	}
	return drawn(t, table+rows, query)
}

// Hundreds of grey lines that are a slab at the bottom of a chart are left out, and counted in a note.
// The highest stay.
func TestSlab(t *testing.T) {
	flat, spread := []float64{3000, 3500, 1700}, []float64{3000, 3500, 1700}
	for i := range 300 {
		flat = append(flat, 100+float64(i))
		spread = append(spread, 100+10*float64(i))
	}
	for name, values := range map[string][]float64{"flat": flat, "spread": spread} {
		s := populationsOf(t, "type=line", values)
		isOut := slices.ContainsFunc(s.Notes, func(note string) bool { return strings.HasPrefix(note, "Not drawn: 295 others") })
		if want := name == "flat"; isOut != want || want != (len(s.Series) == 8) {
			t.Errorf("%s: %d lines, notes %q", name, len(s.Series), s.Notes)
		}
		for _, series := range s.Series {
			if last := series.Values[len(series.Values)-1]; name == "flat" && last < 390 {
				t.Errorf("%s, the line of %s ends at %g", name, series.Label, last)
			}
		}
	}
}

// A ranking of all provinces of China, states of Mexico or members of the European Economic Area is
// drawn whole.
func TestWholeRanking(t *testing.T) {
	for n, want := range map[int]int{32: 32, 33: 20} {
		var values []float64
		for i := range n {
			values = append(values, 100+float64(i*i))
		}
		if s := populationsOf(t, "type=bar", values); len(s.Categories) != want {
			t.Errorf("%d of %d areas are drawn, want %d; notes %q", len(s.Categories), n, want, s.Notes)
		}
	}
}
