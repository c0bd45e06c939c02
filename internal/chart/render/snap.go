package render

import (
	"math"

	"almanac/internal/chart/scene"
)

// boxes knows all the boxes of a scene along one axis, in pixels, to move them
// to whole pixels together: those of one size stay of one size, such as bars,
// and those that touch still touch, such as the classes of a legend.
type boxes struct {
	begins, ends map[float64]bool
	// first is where the first box of a size begins, and apart the sizes of
	// which there are several at different places.
	first map[float64]float64
	apart map[float64]bool
}

// boxesOf returns the boxes of a scene across and down.
func boxesOf(s *scene.Scene) (across, down boxes) {
	for _, m := range s.Marks {
		if r, ok := m.(*scene.Rect); ok && drawable(r, s.Scale) {
			across.add(r.X*s.Scale, (r.X+r.W)*s.Scale)
			down.add(r.Y*s.Scale, (r.Y+r.H)*s.Scale)
		}
	}
	return across, down
}

// same is a length that equals those that differ by rounding only.
func same(v float64) float64 { return math.Round(v * 1024) }

func (b *boxes) add(from, to float64) {
	if b.first == nil {
		*b = boxes{map[float64]bool{}, map[float64]bool{}, map[float64]float64{}, map[float64]bool{}}
	}
	b.begins[same(from)], b.ends[same(to)] = true, true
	size := same(to - from)
	if first, known := b.first[size]; !known {
		b.first[size] = from
	} else if same(first) != same(from) {
		b.apart[size] = true
	}
}

// snapped moves a box to whole pixels, so that its edges are crisp. One that
// would vanish stays where it is, and so do many thin ones of one size: a gap
// between them may be less than a pixel, and must not be seen here and not there.
func (b *boxes) snapped(from, to float64) (float64, float64) {
	size := to - from
	if b.apart[same(size)] && !b.begins[same(to)] && !b.ends[same(from)] {
		if size < thin {
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

// thin is the size in pixels below which rounding changes a box too much.
const thin = 3

// crisp moves a horizontal or vertical line, and makes it as wide, that it
// covers whole pixels. One thinner than a pixel keeps its width within one.
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
