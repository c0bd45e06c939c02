package chart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/request"
)

// A single year of age without a value has an empty place among bars; ranges and
// ages of which many are missing have none.
func TestMissingSteps(t *testing.T) {
	years := func(from, to, step int) (labels []string) {
		for n := from; n <= to; n += step {
			labels = append(labels, fmt.Sprintf("%d years", n))
		}
		return labels
	}
	without := slices.Delete(years(0, 19, 1), 8, 9)
	for _, test := range []struct {
		name   string
		labels []string
		bars   int
		eighth string // the label of this category
	}{
		{"one is missing", without, 20, "8 years"},
		{"none is missing", years(0, 19, 1), 20, "8 years"},
		{"every fifth year", years(0, 60, 5), 13, "40 years"},
	} {
		table := "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Population\n#updated,2024-01-01\n#geography,geo,Area\n#dimension,age,Age\ngeo,age,TIME_PERIOD,OBS_VALUE\n"
		for i, label := range test.labels {
			table += fmt.Sprintf("DK,%s,2024,%d\n", label, 100+i)
		}
		c, err := request.BindChart("type=bar")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, strings.TrimSpace(table)), c)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if len(s.Categories) != test.bars || s.Categories[8].Label != test.eighth {
			t.Errorf("%s: %d categories, the eighth is %q; want %d, %q", test.name, len(s.Categories), s.Categories[8].Label, test.bars, test.eighth)
		}
	}
}

// A subtitle says which single years of age are drawn if they are a few.
func TestFewAges(t *testing.T) {
	v := vintageOf(t, "#almanac-tidy,1\n#source,scb,Statistics Sweden\n#dataset,t,Migration\n#dimension,age,age\n#geography,region,region\nage,region,TIME_PERIOD,OBS_VALUE\n20,SE,2003,456\n21,SE,2003,613\n22,SE,2003,835\n")
	if got, want := outcome(v, `{"chartType": "bar"}`), "subtitle: By age, 20–22 · Sweden · 2003\n"; !strings.Contains(got, want) {
		t.Errorf("%s; want %q", got, want)
	}
}
