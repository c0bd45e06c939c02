package embed_test

import (
	"io"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/embed"
	"almanac/internal/chart/layout"
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

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

var _ io.Writer = &counter{}
