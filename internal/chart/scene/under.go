package scene

import "math"

// Under returns the colour of the fill at x, y before the mark at an index is drawn.
func (s *Scene) Under(x, y float64, index int) RGB {
	for i := index - 1; i >= 0; i-- {
		switch m := s.Marks[i].(type) {
		case *Rect:
			if m.Fill.On && x >= m.X && x <= m.X+m.W && y >= m.Y && y <= m.Y+m.H {
				return m.Fill.Colour
			}
		case *Circle:
			if m.Fill.On && math.Hypot(x-m.X, y-m.Y) <= m.R {
				return m.Fill.Colour
			}
		case *Path:
			if m.Fill.On && m.Outline.Contains(x, y) {
				return m.Fill.Colour
			}
		}
	}
	return s.Ground
}
