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
		s := drawn(t, header+strings.TrimSpace(rows), "type=bar")
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

// A ranking of regions that an area contains has regions of one level, the finest that fits, and the
// area itself. Ratios of areas of unknown size have both ends, whatever the values are.
func TestRankingWithinAnArea(t *testing.T) {
	var rows strings.Builder
	row := func(code string, value int) { fmt.Fprintf(&rows, "%s,2020,%d\n", code, value) }
	row("DE", 100)
	for first := range 4 {
		row(fmt.Sprintf("DE%c", 'A'+first), 40-first)
		for second := range 5 {
			row(fmt.Sprintf("DE%c%d", 'A'+first, second+1), 20-second)
			for third := range 3 {
				row(fmt.Sprintf("DE%c%d%d", 'A'+first, second+1, third+1), 1000/(1+first*15+second*3+third))
			}
		}
	}
	count := func(title, query string) (regions, segments int, notes string) {
		t.Helper()
		c, err := request.BindChart(query)
		if err != nil {
			t.Fatal(err)
		}
		v := vintageOf(t, "#almanac-tidy,1\n#source,eurostat,Eurostat\n#dataset,t,"+title+"\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"+strings.TrimSpace(rows.String()))
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Categories {
			if !c.Group {
				regions++
			}
			if c.Segment != 0 {
				segments++
			}
		}
		return regions, segments, strings.Join(s.Notes, " ")
	}
	if regions, _, notes := count("Households", "type=bar&within=DE"); regions != 20 || !strings.Contains(notes, "64 areas of other levels") {
		t.Errorf("bars within DE: %d regions; %s", regions, notes)
	}
	if regions, _, notes := count("Households", "type=bar&country=DEA&country=DEA1&country=DEA11"); regions != 3 || strings.Contains(notes, "levels") {
		t.Errorf("bars of named regions: %d regions; %s", regions, notes)
	}
	if regions, _, notes := count("Households", "type=line&within=DE"); regions != 20 || !strings.Contains(notes, "Too large for the scale: Germany (100 in 2020).") || strings.Contains(notes, "No values") {
		t.Errorf("lines within DE: %d regions; %s", regions, notes)
	}
	small := "type=bar&within=DE&height=300"
	if regions, _, _ := count("Households", small); regions != 4 {
		t.Errorf("low bars within DE: %d regions", regions)
	}
	rows.Reset()
	for i := range 60 {
		row(fmt.Sprintf("DE%c%d%d", 'A'+i/20, i%20/4, 1+i%4), 1000/(1+i))
	}
	if regions, segments, _ := count("Households", "type=bar&within=DE"); regions != 20 || segments != 0 {
		t.Errorf("amounts: %d regions, %d in segments", regions, segments)
	}
	if regions, segments, notes := count("Households per inhabitant", "type=bar&within=DE"); regions != 20 || segments != 20 || !strings.Contains(notes, "Of 60 areas, 20 are shown: the highest and the lowest.") {
		t.Errorf("ratios: %d regions, %d in segments; %s", regions, segments, notes)
	}
}
