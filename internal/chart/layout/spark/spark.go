// Package spark lays out sparklines: one line without texts or axes, with a dot at its
// latest value.
package spark

import (
	"math"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

const maxBytes = 2000 // of SVG

// Measures in pixels.
const (
	lineWidth = 1.5
	dotRadius = 2.4
	margin    = dotRadius + 1
)

var (
	forecastDash = []float64{3, 2.5}
	zeroPen      = scene.Pen{Colour: colour.Quiet, Width: .75}
)

// sparkline is a line that is being laid out.
type sparkline struct {
	*scene.Scene
	spec      *chart.Spec
	low, high float64 // values at the bottom and at the top
	values    *scene.Values
}

// spot is a value with its position.
type spot struct {
	scene.Point
	day        int32
	isForecast bool
}

// Layout draws the first series. A gap in time is a gap in the line, forecasts are
// dashed, a line marks zero if there are values on both sides of it, and the dot marks
// the latest value that is no forecast.
func Layout(s *chart.Spec) *scene.Scene {
	c := &sparkline{spec: s, Scene: &scene.Scene{
		Width: float64(s.Width), Height: float64(s.Height), Scale: 1, PixelWidth: s.Width, PixelHeight: s.Height,
		Ground: colour.White, Title: font.Clean(s.Name), Alt: s.Alt(), Language: s.Words().Code, MaxBytes: maxBytes,
		Unit: font.Clean(s.Unit), OnlyPagesHaveValues: true,
	}}
	spots := c.spots()
	if len(spots) == 0 {
		return c.Scene
	}
	if c.low < 0 && c.high > 0 {
		y := c.y(0)
		c.Add(&scene.Line{Tag: scene.Tag{Role: scene.Zero}, X1: margin, Y1: y, X2: c.Width - margin, Y2: y, Pen: zeroPen})
	}
	c.addData(spots)
	stroke := colour.Categorical()[0]
	if own, ok := colour.Parse(s.Series[0].Colour); ok {
		stroke = own
	}
	gap := longestStep(spots)
	for first := 0; first < len(spots); {
		last := first
		for last+1 < len(spots) && spots[last+1].day-spots[last].day <= gap {
			last++
		}
		c.drawStretch(spots[first:last+1], stroke)
		first = last + 1
	}
	latest := len(spots) - 1
	for latest > 0 && spots[latest].isForecast {
		latest--
	}
	at := spots[latest]
	c.Add(&scene.Circle{Tag: scene.Tag{Role: scene.Highlight}, X: at.X, Y: at.Y, R: dotRadius, Fill: scene.Solid(colour.Alert)})
	return c.Scene
}

// spots returns the values of the first series, positioned.
func (c *sparkline) spots() []spot {
	series := &c.spec.Series[0]
	c.low, c.high = math.Inf(1), math.Inf(-1)
	var spots []spot
	for i, p := range c.spec.Periods {
		if v := series.Values[i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			c.low, c.high = min(c.low, v), max(c.high, v)
			spots = append(spots, spot{Point: scene.Point{Y: v}, day: p.StartDay(), isForecast: c.spec.IsForecast(series, i)})
		}
	}
	for i := range spots {
		spots[i].X, spots[i].Y = c.x(spots, spots[i].day), c.y(spots[i].Y)
	}
	return spots
}

// x returns the position of a day; that of a single value is in the middle.
func (c *sparkline) x(spots []spot, day int32) float64 {
	span := spots[len(spots)-1].day - spots[0].day
	if span <= 0 {
		return c.Width / 2
	}
	return margin + float64(day-spots[0].day)/float64(span)*(c.Width-2*margin)
}

// addData adds the values behind the line and the places of their periods.
func (c *sparkline) addData(spots []spot) {
	series := &c.spec.Series[0]
	c.values = &scene.Values{Values: series.Values}
	plot := scene.Plot{Box: scene.Box{W: c.Width, H: c.Height}, Periods: periods(c.spec.Periods)}
	for i, p := range c.spec.Periods {
		plot.X = append(plot.X, c.x(spots, p.StartDay()))
		c.values.Flags = append(c.values.Flags, string(series.Flag(i)))
	}
	c.Plots = []scene.Plot{plot}
}

type periods []stat.Period

// Period implements [scene.Periods].
func (p periods) Period(i int) (code, text string) { return p[i].SDMX(), p[i].String() }

// y returns the position of a value; equal values are in the middle. It uses halves,
// because the difference of the largest floats overflows.
func (c *sparkline) y(v float64) float64 {
	if c.low == c.high {
		return c.Height / 2
	}
	return margin + (c.high/2-v/2)/(c.high/2-c.low/2)*(c.Height-2*margin)
}

// longestStep returns the distance in days above which two values are not joined: more
// than the usual one, by less than two periods.
func longestStep(spots []spot) int32 {
	steps := make([]int32, 0, len(spots))
	for i := range spots[1:] {
		steps = append(steps, spots[i+1].day-spots[i].day)
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	usual := steps[len(steps)/2]
	if usual < 7 {
		return 10 // working days have weekends and holidays between them
	}
	return usual + usual*6/10
}

// drawStretch draws values without a gap, an isolated one as a dot.
func (c *sparkline) drawStretch(spots []spot, stroke colour.RGB) {
	tag := scene.Tag{Role: scene.Series, Name: font.Clean(c.spec.Series[0].Label), Values: c.values}
	if len(spots) == 1 {
		c.Add(&scene.Circle{Tag: tag, X: spots[0].X, Y: spots[0].Y, R: lineWidth, Fill: scene.Solid(stroke)})
		return
	}
	for first := 0; first < len(spots)-1; {
		last := first + 1
		for last < len(spots)-1 && spots[last+1].isForecast == spots[first+1].isForecast {
			last++
		}
		o := &scene.Outline{}
		o.MoveTo(spots[first].X, spots[first].Y)
		for _, s := range visible(spots[first+1 : last+1]) {
			o.LineTo(s.X, s.Y)
		}
		pen := scene.Pen{Colour: stroke, Width: lineWidth, Round: true}
		if spots[last].isForecast {
			pen.Dash, pen.Round = forecastDash, false
		}
		c.Add(&scene.Path{Tag: tag, Outline: o, Pen: pen})
		first = last
	}
}

// visible returns the first, the lowest, the highest and the last of the spots in each column of
// pixels, in their order. The line through them covers the same pixels as that through all.
func visible(spots []spot) []spot {
	var kept []spot
	for start := 0; start < len(spots); {
		low, high, end := start, start, start+1
		for ; end < len(spots) && math.Floor(spots[end].X) == math.Floor(spots[start].X); end++ {
			if spots[end].Y < spots[high].Y {
				high = end
			}
			if spots[end].Y > spots[low].Y {
				low = end
			}
		}
		at := []int{start, min(low, high), max(low, high), end - 1}
		for _, i := range slices.Compact(at) {
			kept = append(kept, spots[i])
		}
		start = end
	}
	return kept
}
