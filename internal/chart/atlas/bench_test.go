package atlas

import (
	"testing"

	"almanac/internal/chart/scene"
)

// usual returns a request for a map in a picture of 1200 × 675 pixels.
func usual(r Region) Request {
	return Request{Region: r, Box: scene.Box{X: 20, Y: 60, W: 860, H: 400}, Pixels: 4. / 3}.normalized()
}

// BenchmarkLoad reads the outlines, which the first map of a process does.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := readOutlines(unpackWorld(b)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLayout lays out a view that is not in the cache.
func BenchmarkLayout(b *testing.B) {
	for _, r := range []Region{World, Europe} {
		b.Run("region="+string(r), func(b *testing.B) {
			for b.Loop() {
				layout(usual(r))
			}
		})
	}
}

// BenchmarkCached returns a view from the cache.
func BenchmarkCached(b *testing.B) {
	for b.Loop() {
		Layout(usual(World))
	}
}

// BenchmarkFitting chooses the set of a map of all countries.
func BenchmarkFitting(b *testing.B) {
	a, areas := New(), Countries.IDs()
	for b.Loop() {
		a.Fitting(areas)
	}
}
