package render

import (
	"math"

	"almanac/internal/chart/scene"
)

// hatching holds the computed lines of a hatch.
type hatching struct {
	hatch scene.Hatch
	lines []uint8
}

// hatchLines returns the coverage of each pixel by the lines of a hatch, indexed by the
// sum of the pixel's column and row, which is constant along a line from lower left to
// upper right. The lines are aligned to the picture's corner, so they continue from one
// shape to the next.
func (c *canvas) hatchLines(h *scene.Hatch) []uint8 {
	for _, cached := range c.hatches {
		if cached.hatch == *h {
			return cached.lines
		}
	}
	lines := make([]uint8, c.width+c.height)
	c.hatches = append(c.hatches, hatching{*h, lines})
	spacing, half := h.Spacing*c.scale, min(h.Width, h.Spacing)*c.scale/2
	if !(spacing >= 1 && spacing <= maxCoordinate) { // the lines cannot be told apart
		fillRow(lines, uint8(255*min(1, 2*half/spacing)))
		return lines
	}
	for k := range lines {
		across := math.Mod(float64(k+1)/math.Sqrt2, spacing) - spacing/2 // distance of the pixel's centre from a line
		var cov float64
		for _, at := range [3]float64{across, across - spacing, across + spacing} {
			cov += below(at+half) - below(at-half)
		}
		lines[k] = uint8(255*min(max(cov, 0), 1) + .5)
	}
	return lines
}

// below returns the fraction of a pixel that lies below a line at 45°, given the distance
// of the line from the pixel's centre. It is the integral of the pixel's width across its
// diagonal.
func below(distance float64) float64 {
	t := min(max(distance*math.Sqrt2, -1), 1)
	if t < 0 {
		return (1 + t) * (1 + t) / 2
	}
	return 1 - (1-t)*(1-t)/2
}
