package scale_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scale"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

func period(t *testing.T, text string) stat.Period {
	t.Helper()
	p, err := stat.ParsePeriod(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDates(t *testing.T) {
	runCases(t, "dates.txt", func(t *testing.T, input string) string {
		var out strings.Builder
		for line := range strings.SplitSeq(strings.TrimSpace(input), "\n") {
			fields := strings.Fields(line)
			most, err := strconv.Atoi(fields[2])
			if err != nil {
				t.Fatal(err)
			}
			periods := []stat.Period{period(t, fields[0]), period(t, fields[1])}
			ticks := scale.Dates(slices.Compact(periods), func(ticks []scale.DateTick) bool { return len(ticks) <= most })
			var labels []string
			for _, tick := range ticks {
				labels = append(labels, tick.Period.String())
			}
			fmt.Fprintf(&out, "%s: %s\n", line, strings.Join(labels, " | "))
		}
		return out.String()
	})
}

// A label is the period that begins at its tick. Ticks ascend, lie within the time span
// of the data, and are not finer than the periods.
func TestPropertyDates(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		f := stat.Frequency(rapid.IntRange(int(stat.Annual), int(stat.Day)).Draw(t, "frequency"))
		year := rapid.IntRange(1000, 9990).Draw(t, "year")
		years := rapid.SampledFrom([]int{0, 1, 3, 9, 30, 300, 5000}).Draw(t, "years")
		var periods []stat.Period
		for range rapid.IntRange(1, 30).Draw(t, "number") {
			p := stat.NewPeriod(f, min(9999, year+rapid.IntRange(0, years).Draw(t, "year offset")), rapid.IntRange(1, 52).Draw(t, "period of year"))
			if !p.IsZero() {
				periods = append(periods, p)
			}
		}
		if len(periods) == 0 {
			return
		}
		slices.SortFunc(periods, stat.Period.Compare)
		most := rapid.IntRange(1, 40).Draw(t, "most")
		ticks := scale.Dates(periods, func(ticks []scale.DateTick) bool { return len(ticks) <= most })
		if len(ticks) == 0 || len(ticks) > most {
			t.Fatalf("%d ticks, want 1 to %d", len(ticks), most)
		}
		for i, tick := range ticks {
			p := tick.Period
			if f == stat.Week && p.Frequency() < stat.Week {
				if tick.Day > p.StartDay()+3 || tick.Day < p.StartDay()-3 || (tick.Day-4)%7 != 0 {
					t.Fatalf("tick %s is at day %d, but the period begins on day %d", tick.Period, tick.Day, p.StartDay())
				}
			} else if p.StartDay() != tick.Day {
				t.Fatalf("tick %s is at day %d, but the period begins on day %d", tick.Period, tick.Day, p.StartDay())
			}
			if p.Frequency() > f {
				t.Fatalf("tick %s among %s periods", tick.Period, f)
			}
			if tick.Day < periods[0].StartDay() || tick.Day > periods[len(periods)-1].StartDay() {
				t.Fatalf("tick %s is outside the time span of the data", tick.Period)
			}
			if i > 0 && tick.Day <= ticks[i-1].Day {
				t.Fatalf("ticks %s and %s do not ascend", ticks[i-1].Period, tick.Period)
			}
		}
	})
}

// If frequencies are mixed, ticks follow the finest.
func TestDatesMixed(t *testing.T) {
	periods := []stat.Period{period(t, "2023"), period(t, "Q2/2023"), period(t, "Q4/2023"), period(t, "2024")}
	ticks := scale.Dates(periods, func([]scale.DateTick) bool { return true })
	var labels []string
	for _, tick := range ticks {
		labels = append(labels, tick.Period.String())
	}
	if got, want := strings.Join(labels, " "), "Q1/2023 Q2/2023 Q3/2023 Q4/2023 Q1/2024"; got != want {
		t.Errorf("ticks %s, want %s", got, want)
	}
	if ticks := scale.Dates(nil, func([]scale.DateTick) bool { return true }); ticks != nil {
		t.Errorf("without periods the ticks are %v, want none", ticks)
	}
}
