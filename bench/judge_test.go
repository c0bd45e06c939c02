package main

import (
	"math"
	"testing"
)

// The figures are those of the definitions, worked out by hand.
func TestScore(t *testing.T) {
	q := question{grades: map[string]int{"a:1": 3, "a:2": 2, "a:3": 1}}
	ideal := 7 + 3/math.Log2(3) + 1./2
	for name, c := range map[string]struct {
		results []string
		want    score
	}{
		"ideal":             {[]string{"a:1", "a:2", "a:3"}, score{1, 1, 1, 0, 1}},
		"nothing":           {nil, score{0, 0, 0, 1, math.NaN()}},
		"only others":       {[]string{"b:1", "b:2"}, score{0, 0, 0, 0, 0}},
		"second":            {[]string{"b:1", "a:2"}, score{3 / math.Log2(3) / ideal, 0.5, 0.5, 0, 0.5}},
		"acceptable is not": {[]string{"a:3", "b:1", "a:1"}, score{(1 + 7./2) / ideal, 1. / 3, 0.5, 0, 2. / 3}},
		"listed twice":      {[]string{"a:1", "a:1", "a:2", "a:3"}, score{1, 1, 1, 0, 1}},
		"after the tenth": {
			[]string{"b:1", "b:2", "b:3", "b:4", "b:5", "b:6", "b:7", "b:8", "b:9", "b:10", "a:1", "a:2"},
			score{0, 1. / 11, 1, 0, 0},
		},
	} {
		got := q.score(c.results)
		for i, pair := range [][2]float64{{got.ndcg, c.want.ndcg}, {got.mrr, c.want.mrr}, {got.recall, c.want.recall}, {got.empty, c.want.empty}, {got.judged, c.want.judged}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 || math.IsNaN(pair[0]) != math.IsNaN(pair[1]) {
				t.Errorf("%s: figure %d is %v, want %v", name, i, pair[0], pair[1])
			}
		}
	}
}

func TestMean(t *testing.T) {
	got := mean([]score{{1, 1, 1, 0, 0.5}, {0, 0, 0, 1, math.NaN()}})
	if want := (score{0.5, 0.5, 0.5, 0.5, 0.5}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
