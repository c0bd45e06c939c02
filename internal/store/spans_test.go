package store

import (
	"slices"
	"testing"

	"almanac/internal/stat"
)

// TestSpansOfSelectedYears looks at areas of a dataset that has some years only: a span has no year
// without a value.
func TestSpansOfSelectedYears(t *testing.T) {
	var periods []stat.Period
	for _, text := range []string{"2001", "2011", "2012", "2015"} {
		p, err := stat.ParsePeriod(text)
		if err != nil {
			t.Fatal(err)
		}
		periods = append(periods, p)
	}
	c := newAreaPeriods(1, len(periods))
	c.add(0, slices.Values([]int32{0, 1, 2, 3}))
	want := []PeriodSpan{{periods[0], periods[0]}, {periods[1], periods[2]}, {periods[3], periods[3]}}
	if got := c.spans(periods)[0]; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}
