package chart

import (
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// track is one series on its way through the plot.
type track struct {
	series *Series
	name   string // clean
	spots  []spot // the values, one at least, in the order of time
	lead   bool   // in colour and named; else thin and grey behind the others
	colour colour.RGB
	width  float64   // of the line
	dash   []float64 // tells lines apart where names stand away from them
}

// fewLines is how many lines are all in colour if none of them is in focus.
const fewLines = 8

// sameColour is the distance below which two colours are taken for one.
const sameColour = 12

// forecastDash is how stretches towards forecasts are drawn.
var forecastDash = []float64{3.5, 3.5}

// dashes tell lines apart, in this order, beside their colours. The forecasts'
// is not among them.
var dashes = [][]float64{nil, {9, 3.5}, {1.5, 3}, {9, 3, 1.5, 3}, {15, 4}, {4.5, 2}, {14, 3, 4, 3}, {6, 6}}

// tracksOf returns the series that have values. In colour are those in focus
// and those to which the caller gave a colour; where there are none, all if they
// are few, else as many as there are colours.
func tracksOf(s *Spec) []*track {
	var tracks []*track
	chosen := false
	for i := range s.Series {
		series := &s.Series[i]
		t := &track{series: series, name: font.Clean(series.Label)}
		for at := range min(len(series.Values), len(s.Periods)) {
			if v := series.Values[at]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				t.spots = append(t.spots, spot{at: at, forecast: at < len(series.Flags) && isForecast(series.Flags[at])})
			}
		}
		if t.spots == nil {
			continue
		}
		_, own := colour.Parse(series.Colour)
		t.lead = series.Focus || own
		chosen = chosen || series.Focus
		tracks = append(tracks, t)
	}
	if !chosen {
		colours := len(colour.Categorical())
		for i, t := range tracks {
			t.lead = t.lead || len(tracks) <= fewLines || i < colours
		}
	}
	paint(tracks)
	return tracks
}

// isForecast reports whether a value is one that nobody has measured yet. A
// provisional or estimated value is not: it is about a time that has passed.
func isForecast(f stat.Flags) bool { return f.Has("F") }

// paint gives the tracks their colours and widths: the caller's colours first,
// then those that are left. Where the colours are used up they come again, in
// broken lines.
func paint(tracks []*track) {
	free := colour.Categorical()
	leads := 0
	for _, t := range tracks {
		if c, ok := colour.Parse(t.series.Colour); ok {
			t.colour = c
			free = slices.DeleteFunc(free, func(f colour.RGB) bool { return colour.Distance(f, c) < sameColour })
		}
		if t.lead {
			leads++
		}
	}
	if len(free) == 0 {
		free = colour.Categorical()
	}
	n := 0
	for _, t := range tracks {
		t.width = 2.1
		if !t.lead {
			t.colour, t.width = colour.Quiet, 1
			continue
		}
		if leads > 4 {
			t.width = 1.9
		}
		if _, own := colour.Parse(t.series.Colour); own {
			continue
		}
		t.colour, t.dash = free[n%len(free)], dashes[(n/len(free))%len(dashes)]
		n++
	}
}

// last is the latest value's place.
func (t *track) last() spot { return t.spots[len(t.spots)-1] }

// drawTracks draws the lines, grey ones first and the first in colour on top.
func (c *lineChart) drawTracks() {
	for _, t := range c.tracks {
		if !t.lead {
			c.drawTrack(t)
		}
	}
	for _, t := range slices.Backward(c.tracks) {
		if t.lead {
			c.drawTrack(t)
		}
	}
	if !c.spec.HighlightLatest {
		return
	}
	for _, t := range slices.Backward(c.tracks) {
		if s := t.last(); t.lead {
			c.scene.Add(&scene.Circle{Tag: scene.Tag{Role: scene.Highlight, Name: t.name}, X: s.X, Y: s.Y, R: 4.4, Fill: scene.Solid(colour.Alert), Pen: scene.Pen{Colour: colour.White, Width: 1.4}})
		}
	}
}

// pointRoom is the distance between values from which on each has a dot, so
// that the smooth curve between is not taken for data; manyRoom is the same
// where many lines cross.
const pointRoom, manyRoom = 26.0, 44.0

// drawTrack draws the stretches of one line, with dots for single values and
// for values that stand wide apart.
func (c *lineChart) drawTrack(t *track) {
	pixel := 1 / c.scene.Scale
	room := pointRoom
	if len(c.tracks) > 4 {
		room = manyRoom
	}
	for _, p := range c.time.breakdown(t.spots) {
		if len(p) == 1 {
			c.dot(t, p[0], t.width*1.5)
			continue
		}
		c.drawStretch(t, p, pixel)
		if t.lead && p[1].X-p[0].X >= room {
			for _, s := range p {
				c.dot(t, s, t.width*1.3)
			}
		}
	}
}

// drawStretch draws values without a gap, one path for each run of measured
// values or forecasts.
func (c *lineChart) drawStretch(t *track, p stretch, pixel float64) {
	p, thinned := thin(p, pixel)
	var slope []float64
	width := t.width
	if thinned {
		width = min(width, 1.2)
	} else {
		slope = slopes(p)
	}
	for first := 0; first < len(p)-1; {
		last := first + 1
		for last < len(p)-1 && p[last+1].forecast == p[first+1].forecast {
			last++
		}
		o := &scene.Outline{}
		if thinned {
			straight(o, p, first, last)
		} else {
			smooth(o, p, slope, first, last)
		}
		pen := scene.Pen{Colour: t.colour, Width: width, Dash: t.dash, Round: t.dash == nil}
		if p[last].forecast {
			pen.Dash, pen.Round = forecastDash, false
		}
		c.scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Series, Name: t.name}, Outline: o, Pen: pen})
		first = last
	}
}

// dot marks one value; a forecast is an empty ring.
func (c *lineChart) dot(t *track, s spot, r float64) {
	mark := &scene.Circle{Tag: scene.Tag{Role: scene.Series, Name: t.name}, X: s.X, Y: s.Y, R: r, Fill: scene.Solid(t.colour)}
	if s.forecast {
		mark.Fill, mark.Pen = scene.Solid(colour.White), scene.Pen{Colour: t.colour, Width: t.width * .7}
	}
	c.scene.Add(mark)
}
