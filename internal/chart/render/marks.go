package render

import (
	"math"

	"almanac/internal/chart/scene"
)

// maxCoordinate is the largest coordinate of a mark, in pixels. A mark with a coordinate
// beyond it, or with one that is not finite, is left out.
const maxCoordinate = 1e15

// inRange reports whether all lengths, in units, are finite and at most maxCoordinate.
func inRange(scale float64, lengths ...float64) bool {
	for _, v := range lengths {
		if !(math.Abs(v)*scale <= maxCoordinate) {
			return false
		}
	}
	return true
}

// isDrawable reports whether a mark has a position and a size that can be drawn.
func isDrawable(m scene.Mark, scale float64) bool {
	switch m := m.(type) {
	case *scene.Rect:
		return inRange(scale, m.X, m.Y, m.W, m.H, m.Radius) && m.W >= 0 && m.H >= 0
	case *scene.Line:
		return inRange(scale, m.X1, m.Y1, m.X2, m.Y2)
	case *scene.Circle:
		return inRange(scale, m.X, m.Y, m.R) && m.R > 0
	case *scene.Path:
		if m.Outline == nil {
			return false
		}
		for _, p := range m.Outline.Points {
			if !inRange(scale, p.X, p.Y) {
				return false
			}
		}
		return true
	case *scene.Text:
		return inRange(scale, m.X, m.Y, m.Size, m.W) && m.Size > 0
	}
	return false
}

func (c *canvas) mark(m scene.Mark) {
	if !isDrawable(m, c.scale) {
		return
	}
	switch m := m.(type) {
	case *scene.Rect:
		c.rect(m)
	case *scene.Line:
		c.line(m)
	case *scene.Circle:
		c.circle(m)
	case *scene.Path:
		c.path(m)
	case *scene.Text:
		c.text(m)
	}
}

// nib converts a pen to pixels; ok is false if it draws nothing.
func (c *canvas) nib(p scene.Pen) (n nib, ok bool) {
	if !(p.Width > 0) || !inRange(c.scale, p.Width) {
		return nib{}, false
	}
	n = nib{half: float64(p.Width*c.scale) / 2, round: p.Round}
	for _, d := range p.Dash {
		n.dash = append(n.dash, float64(d*c.scale))
	}
	n.dash = evenPattern(n.dash)
	return n, true
}

// drawLine adds a polyline to the raster, with its dashes.
func (c *canvas) drawLine(line polyline, n nib) {
	if len(n.dash) == 0 {
		c.raster.stroke(line, n)
		return
	}
	c.pieces = c.raster.dash(line, n, c.pieces)
}

func (c *canvas) rect(m *scene.Rect) {
	x0, x1 := c.across.snapped(m.X*c.scale, (m.X+m.W)*c.scale)
	y0, y1 := c.down.snapped(m.Y*c.scale, (m.Y+m.H)*c.scale)
	radius := m.Radius * c.scale
	c.fill(m.Fill, func() {
		c.points = roundedBox(point{x0, y0}, point{x1, y1}, radius, c.points).points
		c.raster.fill(polyline{c.points, true})
	})
	if n, ok := c.nib(m.Pen); ok {
		n.half = max(1, math.Round(2*n.half)) / 2
		shift := n.half - math.Floor(n.half) // a line of odd width is centred on a pixel
		c.points = roundedBox(point{x0 + shift, y0 + shift}, point{x1 + shift, y1 + shift}, radius, c.points).points
		c.drawLine(polyline{c.points, true}, n)
		c.solid(c.paint(m.Pen.Colour))
	}
}

func (c *canvas) line(m *scene.Line) {
	n, ok := c.nib(m.Pen)
	if !ok {
		return
	}
	a, b := point{m.X1 * c.scale, m.Y1 * c.scale}, point{m.X2 * c.scale, m.Y2 * c.scale}
	switch {
	case a.y == b.y && a.x != b.x:
		a.y, n.half = crisp(a.y, n.half)
		b.y = a.y
		if !n.round {
			a.x, b.x = math.Round(a.x), math.Round(b.x)
		}
	case a.x == b.x && a.y != b.y:
		a.x, n.half = crisp(a.x, n.half)
		b.x = a.x
		if !n.round {
			a.y, b.y = math.Round(a.y), math.Round(b.y)
		}
	}
	c.points = append(c.points[:0], a, b)
	c.drawLine(polyline{points: c.points}, n)
	c.solid(c.paint(m.Pen.Colour))
}

func (c *canvas) circle(m *scene.Circle) {
	centre, radius := point{m.X * c.scale, m.Y * c.scale}, m.R*c.scale
	c.fill(m.Fill, func() {
		c.points = circle(centre, radius, c.points).points
		c.raster.fill(polyline{c.points, true})
	})
	if n, ok := c.nib(m.Pen); ok {
		c.points = circle(centre, radius, c.points).points
		c.drawLine(polyline{c.points, true}, n)
		c.solid(c.paint(m.Pen.Colour))
	}
}

func (c *canvas) path(m *scene.Path) {
	c.fill(m.Fill, func() {
		c.points = walk(m.Outline, placement{scale: c.scale}, c.points, c.raster.fill)
	})
	if n, ok := c.nib(m.Pen); ok {
		c.points = walk(m.Outline, placement{scale: c.scale}, c.points, func(line polyline) { c.drawLine(line, n) })
		c.solid(c.paint(m.Pen.Colour))
	}
}

// fill paints the shape that add puts into the raster.
func (c *canvas) fill(f scene.Fill, add func()) {
	if f.On {
		add()
		c.solid(c.paint(f.Colour))
	}
	if hatched(f) {
		add()
		c.hatch(c.paint(f.Hatch.Colour), c.hatchLines(f.Hatch))
	}
}
