package embed_test

import (
	"io"
	"math"
	"testing"
	"time"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/embed"
	"almanac/internal/chart/layout"
	"almanac/internal/stat"
)

// BenchmarkPage measures layout and page of maps at 1200 × 675, with cached views.
func BenchmarkPage(b *testing.B) {
	for _, name := range []string{"", "us-counties"} {
		for _, region := range []atlas.Region{atlas.World, atlas.Europe} {
			if name != "" && region != atlas.World {
				continue
			}
			s := &chart.Spec{Type: chart.Map, Width: 1200, Height: 675, Title: "Title", Region: region, Outlines: name, ShowBorders: true, ShowLegend: true, Period: "2020", Series: []chart.Series{{}}}
			for i, id := range s.Set().IDs() {
				s.Categories = append(s.Categories, chart.Category{Label: "Area " + id, Area: id})
				s.Series[0].Values = append(s.Series[0].Values, float64((i*37)%211)/3+.5)
			}
			b.Run(s.Set().Name()+string(region), func(b *testing.B) {
				n := 0
				for b.Loop() {
					w := &counter{}
					if err := embed.Page(w, layout.Layout(s)); err != nil {
						b.Fatal(err)
					}
					n = w.n
				}
				b.ReportMetric(float64(n), "bytes")
			})
		}
	}
}

// BenchmarkPageOfDays measures layout and page of two lines with 7,000 values, whose documents are
// too large at first.
func BenchmarkPageOfDays(b *testing.B) {
	s := &chart.Spec{Type: chart.Line, Width: 1200, Height: 675, Title: "Title", ShowLegend: true, Series: make([]chart.Series, 2)}
	first := time.Date(1999, 1, 4, 0, 0, 0, 0, time.UTC)
	for i := range 7000 {
		year, month, day := first.AddDate(0, 0, i).Date()
		s.Periods = append(s.Periods, stat.NewDay(year, int(month), day))
		for k := range s.Series {
			rate := 1 + .2*math.Sin(float64(i)/400) + .01*math.Sin(float64(i*(7+k)))
			s.Series[k].Values = append(s.Series[k].Values, math.Round(1e4*rate)/1e4)
		}
	}
	for k, name := range []string{"First", "Second"} {
		s.Series[k].Key, s.Series[k].Label = name, name
	}
	for b.Loop() {
		if err := embed.Page(io.Discard, layout.Layout(s)); err != nil {
			b.Fatal(err)
		}
	}
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

var _ io.Writer = &counter{}
