package render_test

import (
	"bytes"
	"io"
	"testing"

	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

var kinds = []struct {
	name string
	make func(width, height int) *scene.Scene
}{{"line", lineScene}, {"bar", barScene}, {"map", mapScene}, {"marks", marksScene}}

func BenchmarkPNG(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			s := k.make(1200, 675)
			var out bytes.Buffer
			b.ReportAllocs()
			for b.Loop() {
				out.Reset()
				if err := render.PNG(&out, s); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(out.Len())/1024, "KiB/picture")
		})
	}
}

func BenchmarkJPEG(b *testing.B) {
	s := lineScene(1200, 675)
	for b.Loop() {
		if err := render.JPEG(io.Discard, s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	s := lineScene(1200, 675)
	for b.Loop() {
		if err := render.SVG(io.Discard, s); err != nil {
			b.Fatal(err)
		}
	}
}
