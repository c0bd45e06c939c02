package atlas

import (
	"testing"

	"almanac/internal/chart/scene"
)

// usual is a map as pictures of 1200 × 675 pixels have it.
func usual(r Region) Request {
	return Request{Region: r, Box: scene.Box{X: 20, Y: 60, W: 860, H: 400}, Pixels: 4. / 3}.normalized()
}

// BenchmarkLoad is what the first map costs more than the others.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := readWorld(unpacked(b)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLay is a view that nobody asked for before.
func BenchmarkLay(b *testing.B) {
	for _, r := range []Region{World, Europe} {
		b.Run("region="+string(r), func(b *testing.B) {
			for b.Loop() {
				layout(usual(r))
			}
		})
	}
}

// BenchmarkKept is a view that was asked for before.
func BenchmarkKept(b *testing.B) {
	for b.Loop() {
		Layout(usual(World))
	}
}
