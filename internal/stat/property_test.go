package stat_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

var allFrequencies = []stat.Frequency{stat.Annual, stat.HalfYear, stat.Quarter, stat.Month, stat.Week, stat.Day}

// nameOf returns the period of a frequency that contains a day, computed with package
// time only.
func nameOf(f stat.Frequency, day time.Time) string {
	year, month := day.Year(), int(day.Month())
	switch f {
	case stat.Annual:
		return fmt.Sprintf("%04d", year)
	case stat.HalfYear:
		return fmt.Sprintf("H%d/%04d", (month+5)/6, year)
	case stat.Quarter:
		return fmt.Sprintf("Q%d/%04d", (month+2)/3, year)
	case stat.Month:
		return fmt.Sprintf("%02d/%04d", month, year)
	case stat.Week:
		year, week := day.ISOWeek()
		return fmt.Sprintf("W%02d/%04d", week, year)
	}
	return day.Format("02/01/2006")
}

// drawDay draws a day of the years that periods may have, often one near the
// turn of a year, where weeks are difficult.
func drawDay(t *rapid.T) time.Time {
	year := rapid.IntRange(2, 9998).Draw(t, "year")
	if rapid.Bool().Draw(t, "near our time") {
		year = rapid.IntRange(1950, 2050).Draw(t, "year of our time")
	}
	ofYear := rapid.IntRange(0, 365).Draw(t, "day of the year")
	if rapid.Bool().Draw(t, "turn of the year") {
		ofYear = rapid.IntRange(-7, 7).Draw(t, "days from new year")
	}
	return time.Date(year, 1, 1+ofYear, 0, 0, 0, 0, time.UTC)
}

// drawPeriod draws the period of some frequency that a day lies in.
func drawPeriod(t *rapid.T, day time.Time) stat.Period {
	return must(t, nameOf(rapid.SampledFrom(allFrequencies).Draw(t, "frequency"), day))
}

// drawNear draws a day near another, so that spans often overlap.
func drawNear(t *rapid.T, day time.Time) time.Time {
	near := day.AddDate(0, 0, rapid.IntRange(-400, 400).Draw(t, "days apart"))
	if near.Year() < 2 || near.Year() > 9998 {
		return day
	}
	return near
}

// A period contains exactly the days of its span, and ParsePeriod is the inverse of
// String.
func TestPropertySpans(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		day := drawDay(t)
		f := rapid.SampledFrom(allFrequencies).Draw(t, "frequency")
		name := nameOf(f, day)
		p := must(t, name)
		if p.Frequency() != f || p.String() != name || must(t, p.SDMX()) != p {
			t.Fatalf("%s is the %s period %s, in SDMX %s", name, p.Frequency(), p, p.SDMX())
		}
		if day.Before(p.Start()) || day.After(p.End()) {
			t.Fatalf("%s from %s to %s does not contain %s", p, p.Start(), p.End(), day)
		}
		for what, c := range map[string]struct {
			day  time.Time
			want bool
		}{
			"its first day":     {p.Start(), true},
			"its last day":      {p.End(), true},
			"the day before it": {p.Start().AddDate(0, 0, -1), false},
			"the day after it":  {p.End().AddDate(0, 0, 1), false},
		} {
			if inside := nameOf(f, c.day) == name; inside != c.want {
				t.Fatalf("%s of %s, %s, lies in %s", what, p, c.day.Format(time.DateOnly), nameOf(f, c.day))
			}
		}
		if p.Start().Unix() != int64(p.StartDay())*86400 {
			t.Fatalf("%s starts on day %d and at %s", p, p.StartDay(), p.Start())
		}
	})
}

// The periods of a year have no gaps: each ends on the day before the next begins.
func TestPropertyNewPeriod(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(allFrequencies).Draw(t, "frequency")
		year := rapid.IntRange(1, 9998).Draw(t, "year")
		n := 1
		p := stat.NewPeriod(f, year, n)
		for !p.IsZero() {
			if p.Year() != year || p.Frequency() != f {
				t.Fatalf("number %d of the %s periods of %d is %s", n, f, year, p)
			}
			n++
			next := stat.NewPeriod(f, year, n)
			following := next
			if next.IsZero() {
				following = stat.NewPeriod(f, year+1, 1)
			}
			if !p.End().AddDate(0, 0, 1).Equal(following.Start()) {
				t.Fatalf("%s ends on %s and %s starts on %s", p, p.End(), following, following.Start())
			}
			p = next
		}
		least := map[stat.Frequency]int{stat.Annual: 1, stat.HalfYear: 2, stat.Quarter: 4, stat.Month: 12, stat.Week: 52, stat.Day: 365}[f]
		if got := n - 1; got != least && (f < stat.Week || got != least+1) {
			t.Fatalf("%d has %d %s periods", year, got, f)
		}
	})
}

// Compare orders by first day, then from annual to daily. Only equal periods compare
// equal.
func TestPropertyOrder(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		day := drawDay(t)
		p, q := drawPeriod(t, day), drawPeriod(t, drawNear(t, day))
		want := cmp.Or(p.Start().Compare(q.Start()), slices.Index(allFrequencies, p.Frequency())-slices.Index(allFrequencies, q.Frequency()))
		if got := p.Compare(q); cmp.Compare(got, 0) != cmp.Compare(want, 0) || got != -q.Compare(p) || (got == 0) != (p == q) {
			t.Fatalf("%s compared with %s is %d, the other way %d", p, q, got, q.Compare(p))
		}
	})
}

// days returns the days of p that are compared with q: all, or only the Thursday of a
// week if q is coarser than a week.
func days(p, q stat.Period) map[time.Time]bool {
	set := map[time.Time]bool{}
	for day := p.Start(); !day.After(p.End()); day = day.AddDate(0, 0, 1) {
		thursdayOnly := p.Frequency() == stat.Week && q.Frequency() < stat.Week
		if !thursdayOnly || day.Weekday() == time.Thursday {
			set[day] = true
		}
	}
	return set
}

// Within means that the days are a subset.
func TestPropertyWithin(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		day := drawDay(t)
		p, q := drawPeriod(t, day), drawPeriod(t, drawNear(t, day))
		outside := days(p, q)
		for day := range days(q, q) {
			delete(outside, day)
		}
		if got := p.Within(q); got != (len(outside) == 0) {
			t.Fatalf("%s within %s: %t; %d of its days are outside", p, q, got, len(outside))
		}
	})
}

// OverlapsSpan means that a day is in the span.
func TestPropertyOverlapsSpan(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		day := drawDay(t)
		p, from, to := drawPeriod(t, day), drawPeriod(t, drawNear(t, day)), drawPeriod(t, drawNear(t, day))
		if from.Start().After(to.End()) {
			from, to = to, from
		}
		if (from.Frequency() < stat.Week) != (to.Frequency() < stat.Week) {
			t.Skip("bounds of two kinds are in TestOverlapsSpan")
		}
		want := false
		for day := range days(p, from) {
			want = want || !day.Before(from.Start()) && !day.After(to.End())
		}
		if got := p.OverlapsSpan(from, to); got != want {
			t.Fatalf("%s overlaps %s to %s: %t, want %t", p, from, to, got, want)
		}
		if !p.OverlapsSpan(stat.Period{}, stat.Period{}) {
			t.Fatalf("%s does not overlap a span without bounds", p)
		}
	})
}

// A period within another one overlaps its span.
func TestPropertyWithinOverlaps(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		day := drawDay(t)
		p, q := drawPeriod(t, day), drawPeriod(t, drawNear(t, day))
		if p.Within(q) && !p.OverlapsSpan(q, q) {
			t.Fatalf("%s is within %s and does not overlap it", p, q)
		}
	})
}

// FuzzParse checks that both written forms of a parsed period are parsed as the same
// period.
func FuzzParse(f *testing.F) {
	for _, line := range lines(f, "testdata/periods.txt") {
		for _, word := range strings.Fields(line) {
			f.Add(word)
		}
	}
	for _, line := range lines(f, "testdata/no-periods.txt") {
		f.Add(strings.Trim(line, `"`))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := stat.ParsePeriod(text)
		if err != nil {
			if !p.IsZero() {
				t.Fatalf("%q gives %v and the error %v", text, p, err)
			}
			return
		}
		for _, form := range []string{p.String(), p.SDMX(), " " + text + " "} {
			if again, err := stat.ParsePeriod(form); err != nil || again != p {
				t.Fatalf("%q is %v, and %q is %v, error %v", text, p, form, again, err)
			}
		}
		if len(p.String()) != len(p.Frequency().Format()) || p.End().Before(p.Start()) || !p.Within(p) {
			t.Fatalf("%q is %v from %v to %v", text, p, p.Start(), p.End())
		}
	})
}
