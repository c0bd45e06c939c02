package chart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/request"
)

// Of a ranking that does not fit, the highest, the most populous and the lowest are segments,
// in this order, and no area between two of the same segment at an end is left out. Amounts
// have no segments.
func TestSegmentsOfARanking(t *testing.T) {
	codes := strings.Fields("CN IN US ID PK NG BR BD RU MX JP ET PH EG VN CD TR IR DE TH GB FR IT ZA TZ SE NO FI DK IS IE PT ES GR AT CH PL HU RO BG HR SI SK CZ EE LV LT LU MT CY")
	rankOf := map[string]int{}
	var rates, amounts strings.Builder
	for i, code := range codes {
		rate := (i*17 + 5) % len(codes) // no relation to population
		rankOf[code] = len(codes) - 1 - rate
		fmt.Fprintf(&rates, "%s,2020,%d\n", code, rate)
		fmt.Fprintf(&amounts, "%s,2020,%d\n", code, 1000/(i+1))
	}
	header := "#almanac-tidy,1\n#source,worldbank,World Bank\n#dataset,t,Table\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
	spec := func(rows string) *chart.Spec {
		c, err := request.BindChart("type=bar")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, header+strings.TrimSpace(rows)), c)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := spec(rates.String())
	count := map[chart.Segment]int{}
	for _, c := range s.Categories {
		count[c.Segment]++
	}
	if len(s.Categories) != 20 || count[chart.Highest] < 7 || count[chart.Populous] < 3 || count[chart.Lowest] < 5 || count[0] > 0 {
		t.Fatalf("%d areas in segments %v", len(s.Categories), count)
	}
	for _, c := range s.Categories {
		rank := rankOf[c.Area]
		isHigh, isLow := rank < count[chart.Highest], rank >= len(codes)-count[chart.Lowest]
		if isHigh != (c.Segment == chart.Highest) || isLow != (c.Segment == chart.Lowest) {
			t.Errorf("%s, number %d of %d, is in segment %d", c.Label, rank+1, len(codes), c.Segment)
		}
	}
	s = spec(amounts.String())
	if len(s.Categories) != 20 || slices.ContainsFunc(s.Categories, func(c chart.Category) bool { return c.Segment != 0 }) {
		t.Errorf("amounts: %d areas, want 20 without segments: %+v", len(s.Categories), s.Categories)
	}
}
