package render

import (
	"math"

	"almanac/internal/chart/scene"
)

// boxes aligns all boxes of a scene to whole pixels along one axis. Boxes of equal size,
// such as bars, keep equal sizes. Boxes that touch, such as the classes of a legend,
// still touch.
type boxes struct {
	begins, ends map[float64]bool
	// first is where the first box of a size starts. repeated holds the sizes of boxes
	// at several positions.
	first    map[float64]float64
	repeated map[float64]bool
}

// boxesOf returns the boxes of a scene, horizontally and vertically.
func boxesOf(s *scene.Scene) (across, down boxes) {
	for _, m := range s.Marks {
		if r, ok := m.(*scene.Rect); ok && isDrawable(r, s.Scale) {
			across.add(r.X*s.Scale, (r.X+r.W)*s.Scale)
			down.add(r.Y*s.Scale, (r.Y+r.H)*s.Scale)
		}
	}
	return across, down
}

// roundedKey returns a key that is equal for lengths that differ only by rounding errors.
func roundedKey(v float64) float64 { return math.Round(v * 1024) }

func (b *boxes) add(from, to float64) {
	if b.first == nil {
		*b = boxes{map[float64]bool{}, map[float64]bool{}, map[float64]float64{}, map[float64]bool{}}
	}
	b.begins[roundedKey(from)], b.ends[roundedKey(to)] = true, true
	size := roundedKey(to - from)
	if first, known := b.first[size]; !known {
		b.first[size] = from
	} else if roundedKey(first) != roundedKey(from) {
		b.repeated[size] = true
	}
}

// snapped aligns a box to whole pixels, so that its edges are sharp. A box that would
// vanish keeps its position. So do thin boxes of equal size: gaps between them may be
// narrower than a pixel, and rounding would close some of them.
func (b *boxes) snapped(from, to float64) (float64, float64) {
	size := to - from
	if b.repeated[roundedKey(size)] && !b.begins[roundedKey(to)] && !b.ends[roundedKey(from)] {
		if size < minSnapped {
			return from, to
		}
		size = math.Round(size)
		start := math.Round((from + to - size) / 2)
		return start, start + size
	}
	if a, z := math.Round(from), math.Round(to); a < z {
		return a, z
	}
	return from, to
}

// minSnapped is the size in pixels below which rounding changes a box too much.
const minSnapped = 3

// crisp moves and widens a horizontal or vertical line so that it covers whole pixels.
// A line thinner than a pixel keeps its width, within one pixel.
func crisp(middle, half float64) (float64, float64) {
	width := 2 * half
	if width >= 1 {
		width = math.Round(width)
	}
	if width < 1 || math.Mod(width, 2) == 1 {
		return math.Floor(middle) + .5, width / 2
	}
	return math.Round(middle), width / 2
}
