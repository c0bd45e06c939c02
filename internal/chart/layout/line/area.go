package line

import (
	"math"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// Measures of areas.
const (
	areaEdge  = 1.0 // width of the line between two areas, in units
	minColumn = 3.0 // width of an area of a single period between gaps, in units
)

// stackTracks puts the areas on one another, the first at the bottom. A period without the
// value of any series is a gap in all: the areas above it would stand too low.
func (c *lineChart) stackTracks() {
	if c.Spec.Type != chart.Area {
		return
	}
	n := len(c.Spec.Periods)
	level := make([]float64, n)
	complete := make([]bool, n)
	for at := range n {
		complete[at] = !slices.ContainsFunc(c.tracks, func(t *track) bool { return math.IsNaN(t.series.Values[at]) })
	}
	for _, t := range c.tracks {
		t.lead = true
		t.base = slices.Clone(level)
		t.spots = slices.DeleteFunc(t.spots, func(s spot) bool { return !complete[s.at] })
		for _, s := range t.spots {
			level[s.at] += t.series.Values[s.at]
		}
	}
	c.tracks = slices.DeleteFunc(c.tracks, func(t *track) bool { return len(t.spots) == 0 })
	paint(c.tracks)
}

// ends returns the lower and the upper end of a value on the axis.
func (t *track) ends(at int) (low, high float64) {
	if t.base == nil {
		return t.series.Values[at], t.series.Values[at]
	}
	return t.base[at], t.base[at] + t.series.Values[at]
}

// drawAreas fills the space between each series and the one below it, with straight edges:
// curves would add up to other sums between the periods.
func (c *lineChart) drawAreas() {
	for _, t := range c.tracks {
		for _, p := range c.time.splitAtGaps(t.spots) {
			for _, part := range splitAtForecasts(p) {
				outline := &scene.Outline{}
				c.trace(outline, t, part)
				tag := scene.Tag{Role: scene.Series, Name: t.name, Values: t.values}
				fill := scene.Solid(t.colour)
				if part[len(part)-1].forecast {
					fill.Hatch = &scene.Hatch{Colour: colour.White, Width: 1.2, Spacing: 4.5}
				}
				c.Scene.Add(&scene.Path{Tag: tag, Outline: outline, Fill: fill, Pen: scene.Pen{Colour: c.Scene.Ground, Width: areaEdge}})
			}
		}
	}
}

// splitAtForecasts splits a stretch into runs of measured values and of forecasts. A run begins
// where the one before ends.
func splitAtForecasts(p stretch) []stretch {
	var parts []stretch
	start := 0
	for i := 1; i < len(p); i++ {
		if p[i].forecast != p[i-1].forecast && i-1 > start {
			parts = append(parts, p[start:i])
			start = i - 1
		}
	}
	return append(parts, p[start:])
}

// trace writes the outline of an area: its upper edge to the right, then its lower one back.
func (c *lineChart) trace(o *scene.Outline, t *track, p stretch) {
	var upper, lower []scene.Point
	for _, s := range p {
		low, high := t.ends(s.at)
		upper, lower = append(upper, scene.Point{X: s.X, Y: c.y(high)}), append(lower, scene.Point{X: s.X, Y: c.y(low)})
	}
	if len(p) == 1 {
		for _, edge := range []*[]scene.Point{&upper, &lower} {
			at := (*edge)[0]
			*edge = []scene.Point{{X: at.X - minColumn/2, Y: at.Y}, {X: at.X + minColumn/2, Y: at.Y}}
		}
	}
	slices.Reverse(lower)
	o.MoveTo(upper[0].X, upper[0].Y)
	for _, point := range slices.Concat(upper[1:], lower) {
		o.LineTo(point.X, point.Y)
	}
	o.Close()
}
