package line

import (
	"fmt"
	"math"
	"testing"
	"time"

	"almanac/internal/chart"
	"almanac/internal/stat"
)

// BenchmarkLines measures the layout of line charts: a few quarterly series, twenty
// years of working days, and many context series.
func BenchmarkLines(b *testing.B) {
	wave := func(n, phase int) chart.Values {
		v := make(chart.Values, n)
		for i := range v {
			v[i] = 10 + float64(phase) + math.Sin(float64(i+phase)/9)
		}
		return v
	}
	quarters := func(lines int) *chart.Spec {
		s := &chart.Spec{Type: chart.Line, Width: 1200, Height: 675, Title: "Unemployment rate", Subtitle: "Per cent of the labour force", Unit: "%", ShowLegend: true}
		for i := range 60 {
			s.Periods = append(s.Periods, stat.NewPeriod(stat.Quarter, 2010+i/4, i%4+1))
		}
		for i := range lines {
			s.Series = append(s.Series, chart.Series{Label: fmt.Sprint("Region ", i+1), Values: wave(60, i)})
		}
		return s
	}
	days := &chart.Spec{Type: chart.Line, Width: 1200, Height: 675, Title: "Exchange rate", Subtitle: "US dollar", ShowLegend: true}
	for day := time.Date(2004, 1, 1, 0, 0, 0, 0, time.UTC); len(days.Periods) < 5000; day = day.AddDate(0, 0, 1) {
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday {
			days.Periods = append(days.Periods, stat.NewDay(day.Year(), int(day.Month()), day.Day()))
		}
	}
	days.Series = []chart.Series{{Label: "US dollar", Values: wave(5000, 0)}}
	for _, c := range []struct {
		name string
		spec *chart.Spec
	}{{"6 series of 60 quarters", quarters(6)}, {"1 series of 5000 days", days}, {"400 series of 60 quarters", quarters(400)}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				picture(c.spec)
			}
		})
	}
}
